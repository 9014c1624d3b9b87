//! The executors: arguments and context as JSON text in, text and details (JSON text) out.

use std::sync::Arc;

use std::path::PathBuf;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use napi::bindgen_prelude::*;
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::run::{self, OnCancel};
use super::session::SessionState;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::exec::{self, Context, parse_arguments};
use crate::engine::files;
use crate::engine::outcome::{Outcome, Picture};
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
    /// Pictures, shown behind the text.
    pub images: Option<Vec<NativePicture>>,
}

/// A picture as a model is shown it.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct NativePicture {
    /// Such as `image/png`.
    pub mime_type: String,
    /// Base64.
    pub data: String,
}

impl From<Outcome> for NativeOutcome {
    fn from(mut outcome: Outcome) -> Self {
        let images: Vec<_> =
            std::mem::take(&mut outcome.images).into_iter().map(NativePicture::from).collect();
        let images = (!images.is_empty()).then_some(images);
        let (text, details, is_error) = outcome.receipt();
        Self { text, details: serde_json::Value::Object(details).to_string(), is_error, images }
    }
}

impl From<Picture> for NativePicture {
    fn from(Picture { mime_type, data }: Picture) -> Self {
        Self { mime_type: mime_type.to_owned(), data: BASE64_STANDARD.encode(data) }
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
    " Writes a whole file."
    exec_write => write, Wait;
    " Edits a file."
    exec_edit => edit, Wait;
}

/// Finds files by name; `on_update` is told what there is while the call runs.
#[napi]
pub fn exec_find<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
    state: Option<&SessionState>,
    on_update: Option<Function<'env, NativeOutcome, ()>>,
) -> Result<PromiseRaw<'env, NativeOutcome>> {
    let on_update = on_update.map(|update| update.build_threadsafe_function().build()).transpose()?;
    let session = state.map(|state| Arc::clone(&state.session));
    run::blocking(env, handle, OnCancel::Reject, move |cancel| {
        execute(&arguments, &context, session, cancel, |options, context, cancel| {
            exec::find::run_telling(options, context, cancel, exec::find::PROGRESS, &mut |partial| {
                if let Some(update) = &on_update {
                    update.call(partial.into(), ThreadsafeFunctionCallMode::NonBlocking);
                }
            })
        })
    })
}

/// Declares one export for each primitive that gives data instead of text: JSON both ways.
macro_rules! primitives {
    ($( $doc:literal $export:ident => $run:path; )*) => { $(
        #[doc = $doc]
        #[napi]
        pub fn $export<'env>(
            env: &'env Env,
            arguments: String,
            context: String,
            handle: Option<&CancelHandle>,
        ) -> Result<PromiseRaw<'env, String>> {
            run::blocking(env, handle, OnCancel::Reject, move |cancel| {
                let options = parse_arguments(&arguments)?;
                let context: Context = parse_arguments(&context)?;
                let found = $run(&options, &context, cancel)?;
                serde_json::to_string(&found).map_err(|error| ToolError::Internal { message: error.to_string() })
            })
        }
    )* };
}

primitives! {
    " Every match in files, as data."
    grep => exec::search::grep;
    " Every path that matches, as data."
    glob => exec::glob::glob;
}

/// An internal address in the path of a call.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct NativeInternalAddress {
    /// Without selector.
    pub url: String,
    /// The id of a kept text, where it names one.
    pub artifact: Option<String>,
}

/// The internal address that the host resolves before `read` runs; null for any other path.
#[napi]
pub fn internal_address(
    env: Env,
    path: String,
    skills: Vec<String>,
) -> Result<Option<NativeInternalAddress>> {
    run::inline(env, || {
        let address = exec::read::internal::parse(&path, &skills);
        Ok(address.map(|address| {
            let artifact = address.artifact().map(str::to_owned);
            NativeInternalAddress { url: address.url, artifact }
        }))
    })
}

/// The file of a text that was kept in a folder; null where there is none.
#[napi]
pub fn kept_path(env: &Env, folder: String, id: String) -> Result<PromiseRaw<'_, Option<String>>> {
    run::blocking(env, None, OnCancel::Reject, move |_| {
        let path = files::kept_path(&PathBuf::from(folder), &id);
        Ok(path.and_then(|path| path.to_str().map(str::to_owned)))
    })
}

fn execute<O: serde::de::DeserializeOwned>(
    arguments: &str,
    context: &str,
    session: Option<Arc<Session>>,
    cancel: &CancelToken,
    run: impl FnOnce(&O, &Context, &CancelToken) -> EngineResult<Outcome>,
) -> EngineResult<NativeOutcome> {
    let options = parse_arguments(arguments)?;
    let context = Context { session, ..parse_arguments(context)? };
    exec::call(run, &options, &context, cancel).map(NativeOutcome::from)
}
