//! Tool choice. Asked before each model call, so that the crossing is kept small: plain facts in, and a word or lines
//! out. A choice crosses as JSON text.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use serde_json::json;

use super::registry::to_json;
use super::run;
use crate::engine::choice::{
    self, Capabilities, Choice, Compat, Dialect, Failure, Model, Resolution, Resolved, Support, Thinking,
    Tools,
};
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::exec::parse_arguments;

/// A model's description and what is known of its family and from refusals.
#[napi(object, object_to_js = false)]
pub struct ToolChoiceModel {
    /// The key of the registry of refusals.
    pub key: String,
    /// The id that providers know.
    pub id: String,
    /// Who serves it, as the host calls it.
    pub provider: String,
    /// The level, stated outright.
    pub support: Option<String>,
    /// False: no tool choice at all.
    pub takes_choice: Option<bool>,
    /// False: no forcing.
    pub takes_forced: Option<bool>,
}

impl ToolChoiceModel {
    fn engine(&self) -> EngineResult<Model<'_>> {
        let compat = compat(self.support.as_deref(), self.takes_choice, self.takes_forced)?;
        Ok(Model { key: &self.key, id: &self.id, provider: &self.provider, compat })
    }

    fn support(&self) -> EngineResult<(Support, choice::Source)> {
        Ok(self.engine()?.support(Capabilities::shared()))
    }
}

fn compat(
    support: Option<&str>,
    takes_choice: Option<bool>,
    takes_forced: Option<bool>,
) -> EngineResult<Compat> {
    let support = support.map(|word| Support::read(word, "compat.toolChoiceSupport")).transpose()?;
    Ok(Compat { support, takes_choice, takes_forced })
}

/// The support that a description means, and its source.
#[napi]
pub fn tool_choice_support(
    env: Env,
    support: Option<String>,
    takes_choice: Option<bool>,
    takes_forced: Option<bool>,
) -> Result<String> {
    run::inline(env, || {
        let (support, source) = compat(support.as_deref(), takes_choice, takes_forced)?.derive();
        Ok(format!("{}\n{}", support.word(), source.word()))
    })
}

/// What becomes of a choice, as lines.
#[napi]
pub fn resolve_tool_choice(env: Env, model: ToolChoiceModel, requested: Option<String>) -> Result<String> {
    run::inline(env, || {
        let requested = requested.map(|text| Choice::require(&text, "requested")).transpose()?;
        let resolution = choice::resolve(model.support()?, requested.as_ref());
        Ok(lines(resolution, requested.as_ref()))
    })
}

/// A named choice in the shape of an API: the request, whether it is exact, and what becomes of it, as lines. Null
/// where the API cannot be asked.
#[napi]
pub fn name_tool_choice(
    env: Env,
    api: String,
    tool_name: String,
    model: ToolChoiceModel,
) -> Result<Option<String>> {
    run::inline(env, || {
        let Some(named) = choice::name_tool(&api, &tool_name, model.support()?) else { return Ok(None) };
        let request = match &named.request {
            Choice::Tool(target) => to_json(&json!({"type": target.shape, "name": tool_name}))?,
            _ => to_json(&"required")?,
        };
        let exact = if named.exact { "exact" } else { "" };
        Ok(Some(format!("{request}\n{exact}\n{}", lines(named.resolution, Some(&named.request)))))
    })
}

/// One field a line; the target comes last, since a name may hold anything.
fn lines(resolution: Resolution, requested: Option<&Choice>) -> String {
    let resolved = match resolution.resolved {
        Resolved::Absent => "absent",
        Resolved::AsRequested => "as requested",
        Resolved::Required => "required",
    };
    let fields = [
        resolution.requested.word(),
        resolved,
        resolution.level.word(),
        resolution.support.word(),
        resolution.source.word(),
        if resolution.degraded { "degraded" } else { "" },
        resolution.reason.map_or("", choice::Reason::code),
        resolution.reason.map_or("", choice::Reason::text),
        requested.and_then(Choice::target).unwrap_or(""),
    ];
    fields.join("\n")
}

/// The level learnt for a model.
#[napi]
#[must_use]
pub fn tool_choice_capability(key: String) -> Option<&'static str> {
    Capabilities::shared().get(&key).map(Support::word)
}

/// Lowers the level of a model.
#[napi]
pub fn lower_tool_choice_capability(env: Env, key: String, level: String) -> Result<()> {
    run::inline(env, || {
        Capabilities::shared().lower(&key, Support::read(&level, "maxSupport")?);
        Ok(())
    })
}

/// Forgets every level that was learnt.
#[napi]
pub fn clear_tool_choice_capabilities() {
    Capabilities::shared().clear();
}

/// A choice in a provider's form, as JSON text. `tools` is JSON text. What is no choice maps to an empty object.
#[napi]
pub fn map_tool_choice(env: Env, dialect: String, choice: String, tools: Option<String>) -> Result<String> {
    run::inline(env, || {
        let unknown = || ToolError::Internal { message: format!("there is no dialect `{dialect}`") };
        let dialect = Dialect::read(&dialect).ok_or_else(unknown)?;
        let tools = tools.map(|tools| parse_arguments::<Tools>(&tools)).transpose()?;
        let choice = Choice::read(&choice);
        to_json(&choice.map(|choice| choice::map(dialect, &choice, tools.as_ref())).unwrap_or_default())
    })
}

/// Everything for one request: lines of the resolution, JSON text of what is sent, and the reminder.
#[napi]
pub fn plan_tool_choice(
    env: Env,
    api: String,
    model: ToolChoiceModel,
    requested: String,
    tools: String,
    thinking: String,
) -> Result<Vec<String>> {
    run::inline(env, || {
        let requested = Choice::require(&requested, "requested")?;
        let tools: Tools = parse_arguments(&tools)?;
        let thinking = serde_json::from_value::<Thinking>(thinking.into());
        let thinking = thinking
            .map_err(|_| ToolError::argument("options.thinking", "expected off, manual or adaptive"))?;
        let plan = choice::plan(&api, &model.engine()?, &requested, &tools, thinking, Capabilities::shared());
        let exact = if plan.exact { "exact" } else { "" };
        let wire = to_json(&plan.wire)?;
        let lines = lines(plan.resolution, Some(&requested));
        Ok(vec![lines, wire, exact.to_owned(), plan.reminder.unwrap_or_default()])
    })
}

/// Whether a value (JSON text) forces a call.
#[napi]
#[must_use]
pub fn is_forced_choice(value: String) -> bool {
    serde_json::from_str(&value).is_ok_and(|value| choice::is_forced(&value))
}

/// Whether a text is a choice.
#[napi]
#[must_use]
pub fn is_tool_choice(choice: String) -> bool {
    Choice::read(&choice).is_some()
}

/// Whether a failure (JSON text) says that forcing is not supported.
#[napi]
pub fn is_forced_unsupported(env: Env, failure: String) -> Result<bool> {
    run::inline(env, || Ok(choice::is_forced_unsupported(&parse_arguments::<Failure>(&failure)?)))
}

/// What a failure (JSON text) says of the choice that was sent, as JSON text.
#[napi]
pub fn classify_refusal(env: Env, failure: String, sent: Option<String>) -> Result<String> {
    run::inline(env, || {
        let sent = sent.map(|text| Choice::require(&text, "sent")).transpose()?;
        to_json(&choice::classify(&parse_arguments(&failure)?, sent.as_ref()))
    })
}

/// Whether a model of this id refuses every forced choice.
#[napi]
#[must_use]
pub fn refuses_forcing(model_id: String) -> bool {
    choice::refuses_forcing(&model_id)
}
