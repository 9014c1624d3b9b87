//! Tools with a state of their own: arguments and facts as JSON text in, a result and the state to keep out. They only
//! decide, so they run on the calling thread: between the state that is read and the one that is kept nothing happens.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use serde::Deserialize;
use serde_json::json;

use super::cancel::CancelHandle;
use super::exec::NativeOutcome;
use super::registry::to_json;
use super::run::{self, OnCancel};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result as EngineResult;
use crate::engine::exec::{Decision, goal, parse_arguments, skill, submission, todo};

/// What a tool with a state decides.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct NativeDecision {
    /// The result.
    pub outcome: NativeOutcome,
    /// The state to keep, as JSON text; absent: as it was.
    pub state: Option<String>,
}

impl From<Decision> for NativeDecision {
    fn from(Decision { outcome, state }: Decision) -> Self {
        Self { outcome: outcome.into(), state: state.map(|state| state.to_string()) }
    }
}

/// Declares one export for each tool: `(arguments, facts)`.
macro_rules! decisions {
    ($( $doc:literal $export:ident => |$arguments:ident, $facts:ident| $decide:expr; )*) => { $(
        #[doc = $doc]
        #[napi]
        pub fn $export(env: Env, arguments: String, facts: String) -> Result<NativeDecision> {
            run::inline(env, || {
                let ($arguments, $facts) = (arguments.as_str(), facts.as_str());
                let decision: EngineResult<Decision> = $decide;
                decision.map(NativeDecision::from)
            })
        }
    )* };
}

decisions! {
    " Changes the list of tasks."
    decide_todo => |arguments, facts| todo::run(&parse_arguments(arguments)?, &parse_arguments(facts)?);
    " Reads or changes the goal."
    decide_goal => |arguments, facts| goal::run(&parse_arguments(arguments)?, &parse_arguments(facts)?);
    " Hands in a result."
    decide_yield => |arguments, facts| submission::run(&parse_arguments(arguments)?, &parse_arguments(facts)?);
}

/// Finds and reads a skill; the state is what to send.
#[napi]
pub fn decide_skill<'env>(
    env: &'env Env,
    arguments: String,
    facts: String,
    handle: Option<&CancelHandle>,
) -> Result<PromiseRaw<'env, NativeDecision>> {
    run::blocking(env, handle, OnCancel::Reject, move |cancel: &CancelToken| {
        let decision = skill::run(&parse_arguments(&arguments)?, &parse_arguments(&facts)?, cancel)?;
        Ok(NativeDecision::from(decision))
    })
}

/// Why arguments of `todo_write` (JSON text) cannot be meant, before anything repairs them; null where they may be.
#[napi]
pub fn refusal_of_todo(env: Env, arguments: String) -> Result<Option<String>> {
    run::inline(env, || Ok(todo::refusal(&parse_arguments(&arguments)?)))
}

/// Operations on a list, both as JSON text: `{phases, errors}`.
#[napi]
pub fn apply_todo(env: Env, phases: String, ops: String) -> Result<String> {
    run::inline(env, || {
        let phases: Vec<todo::Phase> = parse_arguments(&phases)?;
        let ops: Vec<todo::Operation> = parse_arguments(&ops)?;
        let todo::Applied { phases, errors } = todo::apply(&phases, &ops);
        to_json(&json!({ "phases": phases, "errors": errors }))
    })
}

/// A list (JSON text) as Markdown.
#[napi]
pub fn todo_to_markdown(env: Env, phases: String) -> Result<String> {
    run::inline(env, || Ok(todo::to_markdown(&parse_arguments::<Vec<todo::Phase>>(&phases)?)))
}

/// A list from Markdown, as JSON text: `{phases, errors}`.
#[napi]
pub fn todo_from_markdown(env: Env, markdown: String) -> Result<String> {
    run::inline(env, || {
        let (phases, errors) = todo::from_markdown(&markdown);
        to_json(&json!({ "phases": phases, "errors": errors }))
    })
}

/// A list that was kept somewhere (JSON text), as a list is; null if it is none.
#[napi]
pub fn todo_restored(env: Env, phases: String) -> Result<Option<String>> {
    #[derive(Deserialize)]
    struct Kept(Vec<todo::Phase>);
    run::inline(env, || {
        let Ok(Kept(mut phases)) = parse_arguments(&phases) else { return Ok(None) };
        todo::normalize(&mut phases);
        to_json(&json!(phases)).map(Some)
    })
}
