//! What `edit` does with texts, for hosts that hold a text themselves. Nothing here opens a file.

use std::path::Path;

use napi::bindgen_prelude::*;
use napi_derive::napi;
use serde_json::json;

use super::registry::to_json;
use super::run;
use crate::engine::cancel::CancelToken;
use crate::engine::exec;
use crate::engine::exec::edit::{Tolerance, replace};
use crate::engine::settings::Settings;
use crate::engine::text::{DiffForm, compare};

/// The diff of two texts, as JSON text: numbered lines, or hunks with headers. `context` lines stand around a change.
#[napi]
pub fn compare_texts(env: Env, before: String, after: String, hunks: bool, context: u32) -> Result<String> {
    run::inline(env, || {
        let form = if hunks { DiffForm::Hunks } else { DiffForm::Numbered };
        let diff = compare(before.as_bytes(), after.as_bytes(), form, context as usize);
        to_json(&json!({"diff": diff.text, "firstChangedLine": diff.first_changed_line}))
    })
}

/// A text with another one replaced in it, and in how many places, as JSON text.
#[napi]
pub fn replace_in_text(
    env: Env,
    content: String,
    edit: String,
    allow_fuzzy: bool,
    threshold: f64,
) -> Result<String> {
    run::inline(env, || {
        let edit = exec::parse_arguments(&edit)?;
        let tolerance = Tolerance { allow_fuzzy, threshold };
        let (content, count) = replace::in_text(&content, edit, tolerance, &CancelToken::new())?;
        to_json(&json!({"content": content, "count": count}))
    })
}

/// Throws for the content of a file that a program generates.
#[napi]
pub fn assert_editable_text(env: Env, content: String, shown: String) -> Result<()> {
    let settings = Settings::default();
    run::inline(env, || exec::refuse_generated(Path::new(&shown), &shown, content.as_bytes(), &settings))
}
