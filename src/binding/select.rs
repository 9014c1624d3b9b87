//! Selection and the start-of-session split: one snapshot in, one decision out, both JSON text.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::registry::to_json;
use super::run;
use crate::engine::error::Result as EngineResult;
use crate::engine::exec::parse_arguments;
use crate::engine::select;

/// Declares one export for each decision.
macro_rules! decisions {
    ($( $doc:literal $export:ident => $function:path; )*) => { $(
        #[doc = $doc]
        #[napi]
        pub fn $export(env: Env, input: String) -> Result<String> {
            run::inline(env, || decide(&input, $function))
        }
    )* };
}

decisions! {
    " Which tools `createTools` builds."
    select_tools => select::select_tools;
    " Whether the registry's own conditions let a factory build its tool."
    factory_allowed => select::factory_allowed;
    " The names of the essential set."
    essential_names => select::essential_names;
    " Which eval backends a session allows."
    eval_backends => select::eval_backends;
    " The discovery mode of a session."
    discovery_mode => select::discovery_mode;
    " The start-of-session split."
    partition_tools => select::partition_tools;
    " The tools of a running session that a search may find."
    discoverable_tools => select::discoverable_tools;
    " The active set after found tools were activated."
    activate_tools => select::activate_tools;
    " The active set after it was replaced."
    set_active_tools => select::set_active_tools;
}

fn decide<I: serde::de::DeserializeOwned, O: serde::Serialize>(
    input: &str,
    decide: fn(&I) -> EngineResult<O>,
) -> EngineResult<String> {
    to_json(&decide(&parse_arguments(input)?)?)
}

/// The environment variables and programs that selection asks for, as JSON text.
#[napi]
pub fn selection_facts(env: Env) -> Result<String> {
    let facts = serde_json::json!({"variables": select::VARIABLES, "programs": select::PROGRAMS});
    run::inline(env, || to_json(&facts))
}
