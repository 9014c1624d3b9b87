//! The executors: arguments and context as JSON text in, text and details (JSON text) out.

use std::path::PathBuf;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::run::{self, OnCancel};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result as EngineResult;
use crate::engine::exec::{self, Context, parse_arguments};
use crate::engine::files;
use crate::engine::outcome::{Outcome, Picture};

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
    " Runs a shell command."
    exec_bash => bash, Wait;
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
    cancel: &CancelToken,
    run: fn(&O, &Context, &CancelToken) -> EngineResult<Outcome>,
) -> EngineResult<NativeOutcome> {
    let options = parse_arguments(arguments)?;
    let context: Context = parse_arguments(context)?;
    run(&options, &context, cancel).map(NativeOutcome::from)
}
