//! Rules of paths, patches and notebooks as functions of their own, for hosts that show and check things by themselves.

use std::path::{Path, PathBuf};

use napi::bindgen_prelude::*;
use napi_derive::napi;
use serde_json::json;

use super::cancel::CancelHandle;
use super::registry::to_json;
use super::run::{self, OnCancel};
use crate::engine::error::Result as EngineResult;
use crate::engine::exec::edit::{self, patch};
use crate::engine::exec::read::selector;
use crate::engine::exec::{self, Context, LineMarks, parse_arguments};
use crate::engine::settings::Settings;
use crate::engine::{files, text};

/// How a text becomes a path.
#[napi(string_enum = "camelCase")]
#[derive(Debug)]
pub enum PathForm {
    /// `~` is written out.
    Tilde,
    /// What stands in front of paths goes, `~` is written out.
    Expanded,
    /// Absolute.
    Resolved,
    /// Absolute, of the file that is meant where only one fits.
    Existing,
    /// As it is shown.
    Shown,
}

/// A text as a path.
#[napi]
pub fn path_of(env: Env, form: PathForm, path: String, cwd: String, home: String) -> Result<String> {
    run::inline(env, || {
        let (cwd, home) = (Path::new(&cwd), Some(Path::new(&home)));
        let found = match form {
            PathForm::Tilde => files::expand_tilde(&path, home),
            PathForm::Expanded => files::expand_path(&path, home)?,
            PathForm::Resolved => files::resolve_to_cwd(&path, cwd, home)?,
            PathForm::Existing => files::resolve_existing(&path, cwd, home)?,
            PathForm::Shown => return files::display_written(&path, cwd, home),
        };
        Ok(found.to_string_lossy().into_owned())
    })
}

/// A target and what is behind its colon, if that is a selector.
#[napi]
#[must_use]
pub fn split_selector(path: String) -> Vec<String> {
    let split = selector::split(&path);
    [Some(split.target), split.selector].into_iter().flatten().map(str::to_owned).collect()
}

/// What stands before the lines of a text, as JSON text; the context is that of `read`.
#[napi]
pub fn line_marks(env: Env, context: String, raw: bool, immutable: bool) -> Result<String> {
    run::inline(env, || to_json(&LineMarks::of(&parse_arguments::<Context>(&context)?, raw, immutable)))
}

/// The names of the modes of `edit`, the size of the largest file it changes, and how much texts may differ, as JSON text.
#[napi]
pub fn edit_constants(env: Env) -> Result<String> {
    run::inline(env, || {
        let threshold = Settings::default().number("edit.fuzzyThreshold");
        to_json(&json!({"modes": edit::Mode::names(), "maxBytes": edit::MAX_BYTES, "threshold": threshold}))
    })
}

/// A line in the form in which lines of patches are compared.
#[napi]
#[must_use]
pub fn unicode_form(line: String) -> String {
    text::normalise::unicode_form(&line).into_owned()
}

/// The hunks of a diff without what surrounds them.
#[napi]
#[must_use]
pub fn bare_diff(diff: String) -> String {
    patch::bare(&diff)
}

/// The operations of an envelope, as JSON text.
#[napi]
pub fn envelope_entries(env: Env, input: String) -> Result<String> {
    run::inline(env, || to_json(&patch::entries(&input)?))
}

/// What a file would become.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct PatchPreview {
    /// What would happen, as JSON text.
    pub change: String,
    /// What it holds; absent for a new file.
    pub old_content: Option<String>,
    /// What it would hold; absent for one that goes.
    pub new_content: Option<String>,
}

/// What a call in mode `patch` would do; nothing is written.
#[napi]
pub fn preview_patch<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
) -> Result<PromiseRaw<'env, Vec<PatchPreview>>> {
    run::blocking(env, handle, OnCancel::Reject, move |cancel| {
        let (options, context) = (parse_arguments(&arguments)?, parse_arguments::<Context>(&context)?);
        let changes = context.confine(|| patch::dry_run(&options, &context, cancel))?;
        changes.iter().map(patch_preview).collect()
    })
}

fn patch_preview(change: &edit::Change) -> EngineResult<PatchPreview> {
    let decoded = |bytes: &Option<std::sync::Arc<text::Bytes>>| {
        bytes.as_ref().map(|bytes| text::decoded(bytes.whole()))
    };
    let facts = json!({
        "type": change.op,
        "path": change.from.as_ref().unwrap_or(&change.path),
        "newPath": change.from.as_ref().map(|_| &change.path),
        "warnings": change.warnings.iter().map(|warning| &warning.text).collect::<Vec<_>>(),
    });
    Ok(PatchPreview {
        change: to_json(&facts)?,
        old_content: decoded(&change.before),
        new_content: decoded(&change.after),
    })
}

/// Rejects for a file that a program generates.
#[napi]
pub fn assert_editable(env: &Env, path: String, shown: String) -> Result<PromiseRaw<'_, ()>> {
    run::blocking(env, None, OnCancel::Reject, move |_| exec::assert_editable(&PathBuf::from(path), &shown))
}

/// The JSON text of a notebook; rejects for what is none.
#[napi]
pub fn notebook_text(env: &Env, path: String, shown: String) -> Result<PromiseRaw<'_, String>> {
    run::blocking(env, None, OnCancel::Reject, move |_| {
        let (bytes, _) = files::read_regular(&PathBuf::from(path), &shown, edit::MAX_BYTES)?;
        edit::check_notebook(&bytes, &shown).map(str::to_owned)
    })
}
