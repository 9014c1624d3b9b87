//! What a provider's refusal of a forced choice says: of the model, of the server, of the thinking, or of nothing but
//! this request. Only what it says of the model may be learnt.

mod rules;

use serde::{Deserialize, Serialize};

use super::request::Choice;
use super::support::Support;

/// A failure as it came: one error and its causes, outermost first.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Failure {
    /// The error, its cause, and the cause of that.
    pub layers: Vec<Layer>,
}

/// One error of a chain.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Layer {
    /// The values of its status fields, numbers or texts.
    pub statuses: Vec<serde_json::Value>,
    /// Its message.
    pub message: String,
    /// What else it holds of the answer: a body, a code.
    pub body: String,
}

impl Failure {
    /// The HTTP status: of a field, else of the message, of the outermost error that has one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.layers.iter().find_map(|layer| {
            layer.statuses.iter().find_map(status_of).or_else(|| rules::status_in(&layer.message))
        })
    }

    fn messages(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().map(|layer| layer.message.as_str())
    }

    fn text(&self) -> String {
        let parts = self.layers.iter().flat_map(|layer| [layer.message.as_str(), layer.body.as_str()]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

fn status_of(value: &serde_json::Value) -> Option<u16> {
    let number = match value {
        serde_json::Value::Number(number) => number.as_f64()?,
        serde_json::Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    (number.fract() == 0.0 && (100.0..600.0).contains(&number)).then_some(number as u16)
}

/// What a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The level asked for is not to be had.
    Incapable,
    /// The name is none of the request's tools.
    BadName,
    /// The value has the wrong form, or stands where none may stand.
    BadShape,
    /// The model did not do what it was told.
    ModelMissed,
    /// Perhaps too many or too large declarations for a forced call: fewer of them, then `auto`.
    OverBudget,
    /// It is about something else.
    Other,
}

/// How far a refusal reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The model, always.
    Model,
    /// The model while it thinks.
    Thinking,
    /// The model while it thinks with a budget of the caller's.
    ManualThinking,
    /// Every model of the server.
    Server,
    /// The endpoints that a router had to choose from.
    Route,
    /// The tools of the request.
    ToolSet,
    /// The request.
    Request,
    /// The turn.
    Turn,
}

/// What a failure says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// What it is.
    pub kind: RefusalKind,
    /// How far it reaches.
    pub scope: Scope,
    /// The level that remains, for `incapable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap: Option<Support>,
    /// A higher level that the failure does not rule out: worth one try before `cap`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub try_first: Option<Support>,
    /// Whether the level may be recorded for the model: it holds for every later request.
    pub lasting: bool,
}

/// Reads a failure. `sent` is the choice of the request; absent: some forced one.
#[must_use]
pub fn classify(failure: &Failure, sent: Option<&Choice>) -> Refusal {
    // Anything else is the server's or the network's trouble, whatever its text quotes.
    let refused = failure.status().is_none_or(|status| matches!(status, 400 | 404 | 422));
    let sent = sent.map_or(Support::Named, Choice::level);
    let text = failure.text();
    let refusal = refused.then(|| rules::first_match(&text, sent)).flatten();
    refusal.unwrap_or(Refusal::passing(RefusalKind::Other, Scope::Request))
}

impl Refusal {
    /// Of which nothing is learnt.
    fn passing(kind: RefusalKind, scope: Scope) -> Self {
        Self { kind, scope, cap: None, try_first: None, lasting: false }
    }
}

/// Whether a failure says, in the documented words and with status 400, that the forced choice is not supported.
/// A name that is not among the tools says nothing of the kind.
#[must_use]
pub fn is_forced_unsupported(failure: &Failure) -> bool {
    failure.status() == Some(400) && failure.messages().any(rules::says_unsupported)
}
