//! The executors: arguments and context as JSON text in, text and details (JSON text) out.

use std::sync::Arc;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::run::{self, OnCancel};
use super::session::SessionState;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result as EngineResult;
use crate::engine::exec::{self, Context, parse_arguments};
use crate::engine::outcome::Outcome;
use crate::engine::session::Session;

/// What an executor gives back.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct NativeOutcome {
    /// For the model.
    pub text: String,
    /// JSON text.
    pub details: String,
    /// A failed call that keeps its own text.
    pub is_error: bool,
}

impl From<Outcome> for NativeOutcome {
    fn from(outcome: Outcome) -> Self {
        let (text, details, is_error) = outcome.receipt();
        Self { text, details: serde_json::Value::Object(details).to_string(), is_error }
    }
}

/// Declares one export for each executor.
macro_rules! executors {
    ($( $doc:literal $export:ident => $module:ident, $on_cancel:ident; )*) => { $(
        #[doc = $doc]
        #[napi]
        pub fn $export<'env>(
            env: &'env Env,
            arguments: String,
            context: String,
            handle: Option<&CancelHandle>,
            state: Option<&SessionState>,
        ) -> Result<PromiseRaw<'env, NativeOutcome>> {
            let session = state.map(|state| Arc::clone(&state.session));
            run::blocking(env, handle, OnCancel::$on_cancel, move |cancel| {
                execute(&arguments, &context, session, cancel, exec::$module::run)
            })
        }
    )* };
}

executors! {
    " Reads a file or lists a directory."
    exec_read => read, Reject;
    " Searches file contents."
    exec_search => search, Reject;
    " Finds files by name."
    exec_find => find, Reject;
    " Writes a whole file."
    exec_write => write, Wait;
    " Edits a file."
    exec_edit => edit, Wait;
    " Runs a shell command."
    exec_bash => bash, Wait;
}

fn execute<O: serde::de::DeserializeOwned>(
    arguments: &str,
    context: &str,
    session: Option<Arc<Session>>,
    cancel: &CancelToken,
    run: fn(&O, &Context, &CancelToken) -> EngineResult<Outcome>,
) -> EngineResult<NativeOutcome> {
    let options = parse_arguments(arguments)?;
    let context = Context { session, ..parse_arguments(context)? };
    exec::call(run, &options, &context, cancel).map(NativeOutcome::from)
}
