//! Tool modules of people: where they are. Importing them is JavaScript's.

use std::path::Path;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::registry::to_json;
use super::run::{self, OnCancel};
use crate::engine::custom;
use crate::engine::exec::parse_arguments;
use crate::engine::files::resolve_to_cwd;

/// Everything that may be a tool module, in the order in which it counts. Question and answer are JSON text.
#[napi]
pub fn find_custom_tools<'env>(
    env: &'env Env,
    question: String,
    handle: Option<&CancelHandle>,
) -> Result<PromiseRaw<'env, String>> {
    run::blocking(env, handle, OnCancel::Reject, move |cancel| {
        to_json(&custom::find(&parse_arguments(&question)?, cancel)?)
    })
}

/// The absolute path that a text means.
#[napi]
pub fn resolve_path(env: Env, path: String, cwd: String, home: String) -> Result<String> {
    run::inline(env, || {
        let resolved = resolve_to_cwd(&path, Path::new(&cwd), Some(Path::new(&home)))?;
        Ok(resolved.to_string_lossy().into_owned())
    })
}
