//! The registry's table, its texts, settings keys and notices.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::run;
use crate::engine::calls::notices;
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::exec::{bash, edit, parse_arguments};
use crate::engine::{registry, settings, text};

/// The version this addon was built as.
#[napi]
#[must_use]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Every tool in registry order, as JSON text.
#[napi]
pub fn tool_specs(env: Env) -> Result<String> {
    run::inline(env, || to_json(&registry::all()))
}

/// Description and parameters of a tool of this package, as JSON text; null for others.
#[napi]
pub fn tool_texts(env: Env, name: String) -> Result<Option<String>> {
    run::inline(env, || registry::texts(&name).as_ref().map(to_json).transpose())
}

/// The description of `bash` for a context (JSON text).
#[napi]
pub fn bash_description(env: Env, context: String) -> Result<String> {
    run::inline(env, || Ok(registry::bash_description(bash::keeps_state(&parse_arguments(&context)?))))
}

/// The mode of `edit` for a context (JSON text), by name.
#[napi]
pub fn edit_mode(env: Env, context: String) -> Result<&'static str> {
    run::inline(env, || edit::mode(&parse_arguments(&context)?).map(edit::Mode::name))
}

/// Description and parameters of `edit` in a mode, as JSON text, with the grammar where the mode has one.
#[napi]
pub fn edit_texts(env: Env, mode: String) -> Result<Option<String>> {
    run::inline(env, || registry::edit_texts(&mode).as_ref().map(to_json).transpose())
}

/// The two letters of a line's anchor.
#[napi]
#[must_use]
pub fn line_letters(line: String) -> &'static str {
    text::letters(&line)
}

/// The lines of a text behind their anchors, the first one with the number `start`.
#[napi]
#[must_use]
pub fn anchored_lines(text: String, start: u32) -> String {
    text::anchored(&text, u64::from(start))
}

/// The settings keys of a group, such as `select` or `read`.
#[napi]
#[must_use]
pub fn setting_keys(group: String) -> Vec<&'static str> {
    settings::keys_of(&group)
}

/// The closing notice of `details.meta` (JSON text) as JSON text `[appended, notices]`.
#[napi]
pub fn render_notices(env: Env, meta: String) -> Result<String> {
    run::inline(env, || {
        let meta = parse_arguments(&meta)?;
        to_json(&notices::render(&meta))
    })
}

pub(super) fn to_json<T: serde::Serialize>(value: &T) -> EngineResult<String> {
    serde_json::to_string(value).map_err(|error| ToolError::Internal { message: error.to_string() })
}
