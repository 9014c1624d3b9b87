//! The executors: arguments and context as JSON text in, text and details (JSON text) out.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::registry::to_json;
use super::run::{self, OnCancel};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::exec::bash::{Ended, Kept};
use crate::engine::exec::{self, Context, parse_arguments};
use crate::engine::outcome::Outcome;

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
        ) -> Result<PromiseRaw<'env, NativeOutcome>> {
            run::blocking(env, handle, OnCancel::$on_cancel, move |cancel| {
                execute(&arguments, &context, cancel, exec::$module::run)
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
}

/// Runs a shell command. With `holds_output`, one whose output is to be kept before its result can be told comes back
/// as it is.
#[napi]
pub fn exec_bash<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    holds_output: bool,
    handle: Option<&CancelHandle>,
) -> Result<PromiseRaw<'env, Either<NativeOutcome, EndedCommand>>> {
    run::blocking(env, handle, OnCancel::Wait, move |cancel| {
        let (options, context) = (parse_arguments(&arguments)?, parse_arguments(&context)?);
        let ended = exec::bash::start(&options, &context, holds_output, cancel)?;
        if ended.to_keep().is_some() {
            return Ok(Either::B(EndedCommand { ended: Some(ended) }));
        }
        ended.finish(Kept::Nowhere).map(|outcome| Either::A(outcome.into()))
    })
}

/// Runs a program without a shell; what became of it is JSON text.
#[napi]
pub fn exec_program<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
) -> Result<PromiseRaw<'env, String>> {
    run::blocking(env, handle, OnCancel::Wait, move |cancel| {
        let (options, context) = (parse_arguments(&arguments)?, parse_arguments(&context)?);
        to_json(&exec::program::run(&options, &context, cancel)?)
    })
}

/// A command that has ended, and whose output is too long to be shown.
#[napi]
#[derive(Debug)]
pub struct EndedCommand {
    ended: Option<Ended>,
}

#[napi]
impl EndedCommand {
    /// The text to keep.
    #[napi]
    #[must_use]
    pub fn output(&self) -> String {
        self.ended.as_ref().and_then(Ended::to_keep).unwrap_or_default().to_owned()
    }

    /// The result, given where the text was kept: an id and the bytes that are not there, or why it was not kept. May
    /// be asked for once.
    #[napi]
    pub fn finish(
        &mut self,
        env: Env,
        id: Option<String>,
        missing: Option<f64>,
        failure: Option<String>,
    ) -> Result<NativeOutcome> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a size, which saturates"
        )]
        let missing = missing.map_or(0, |bytes| bytes as u64);
        let kept = match (id, failure) {
            (Some(id), _) => Kept::Artifact { id, missing },
            (None, Some(reason)) => Kept::Failed { reason },
            (None, None) => Kept::Nowhere,
        };
        run::inline(env, || {
            let told =
                || ToolError::Internal { message: "the result of the command was told already".into() };
            self.ended.take().ok_or_else(told)?.finish(kept).map(NativeOutcome::from)
        })
    }
}

fn execute<O: serde::de::DeserializeOwned>(
    arguments: &str,
    context: &str,
    cancel: &CancelToken,
    run: fn(&O, &Context, &CancelToken) -> EngineResult<Outcome>,
) -> EngineResult<NativeOutcome> {
    let options = parse_arguments(arguments)?;
    let context: Context = parse_arguments(context)?;
    run(&options, &context, cancel).map(NativeOutcome::from)
}
