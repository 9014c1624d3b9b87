//! All of it for one request: what is asked, what the model supports, what the provider is told, and what has to be
//! said in words because it cannot be forced.

use serde::Deserialize;

use super::capability::Capabilities;
use super::request::Choice;
use super::resolve::{Reason, Resolution, Resolved, resolve};
use super::support::{Model, Support};
use super::wire::{Dialect, Tools, Wire, map};

/// Whether the request lets the model think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thinking {
    /// No.
    #[default]
    Off,
    /// With a budget of the caller's.
    Manual,
    /// As much as the model sees fit.
    Adaptive,
}

/// What a request does about a tool choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What becomes of the choice.
    pub resolution: Resolution,
    /// What the provider is told.
    pub wire: Wire,
    /// A call, if one comes, is a call of the tool that was named.
    pub exact: bool,
    /// To be said to the model, where it is not forced.
    pub reminder: Option<String>,
}

/// Plans a request.
#[must_use]
pub fn plan(
    api: &str,
    model: &Model<'_>,
    choice: &Choice,
    tools: &Tools,
    thinking: Thinking,
    learnt: &Capabilities,
) -> Plan {
    let mut resolution = resolve(model.support(learnt), Some(choice));
    let dialect = Dialect::of_api(api);
    if excludes_thinking(dialect, model, thinking) && resolution.level >= Support::Required {
        resolution = leave_to_model(resolution);
    }
    let wire = dialect.map_or_else(Wire::default, |dialect| tell(dialect, resolution, choice, tools));
    let exact = choice.target().is_some() && is_bound_to_one(&wire);
    let reminder = reminder(choice, resolution, &wire);
    Plan { resolution, wire, exact, reminder }
}

/// Anthropic refuses a forced call while the model thinks with a budget; it accepts both when thinking is adaptive.
/// Others refuse both.
fn excludes_thinking(dialect: Option<Dialect>, model: &Model<'_>, thinking: Thinking) -> bool {
    match thinking {
        Thinking::Off => false,
        Thinking::Manual if matches!(dialect, Some(Dialect::Anthropic | Dialect::Bedrock)) => true,
        Thinking::Manual | Thinking::Adaptive => model.refuses_forcing_while_thinking(),
    }
}

fn leave_to_model(resolution: Resolution) -> Resolution {
    Resolution {
        resolved: Resolved::Absent,
        level: Support::Auto,
        degraded: true,
        reason: Some(Reason::Thinking),
        ..resolution
    }
}

fn tell(dialect: Dialect, resolution: Resolution, choice: &Choice, tools: &Tools) -> Wire {
    match (resolution.resolved, choice.target()) {
        (Resolved::AsRequested, _) => map(dialect, choice, Some(tools)),
        // A model that must call and sees one tool calls that one.
        (Resolved::Required, Some(_)) => match map(Dialect::Words, choice, Some(tools)).only {
            Some(only) => map(dialect, &Choice::Required, Some(tools)).narrowed(&only),
            None => Wire::default(),
        },
        (Resolved::Required, None) => map(dialect, &Choice::Required, Some(tools)),
        (Resolved::Absent, _) => Wire::default(),
    }
}

fn is_bound_to_one(wire: &Wire) -> bool {
    wire.only.is_some() || wire.tool_choice.as_ref().is_some_and(serde_json::Value::is_object)
}

fn reminder(choice: &Choice, resolution: Resolution, wire: &Wire) -> Option<String> {
    match choice {
        Choice::None if wire.tool_choice.is_none() => Some("Answer without calling any tool.".to_owned()),
        _ if !resolution.degraded || resolution.level >= Support::Required => None,
        Choice::Tool(target) => Some(format!("Call the tool `{}` now.", target.name())),
        _ => Some("Call one of the tools now.".to_owned()),
    }
}
