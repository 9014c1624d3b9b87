//! Mode `replace`: texts that stand in the file exactly, and what takes their place. Every text is looked for in
//! the file as it was; line endings count as equal, whatever they are.

use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::locate::{Found, locate};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::guard::{allowed_by_plan, refuse_generated};
use crate::engine::exec::notes;
use crate::engine::files::{self, Expected, Written};
use crate::engine::outcome::Outcome;
use crate::engine::text::{LfText, NumberedDiff, Splice, numbered_diff};

/// The largest file that is edited.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Arguments in mode `replace`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The file.
    pub path: String,
    /// At least one.
    pub edits: Vec<Edit>,
}

/// One text to replace.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Must occur exactly once, unless `all` is set. Not empty.
    pub old_text: String,
    /// Empty deletes.
    pub new_text: String,
    /// Replace every occurrence.
    #[serde(default)]
    pub all: Option<bool>,
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    check(options)?;
    let path = files::resolve_existing(&options.path, &context.cwd, context.home.as_deref())?;
    let path = allowed_by_plan(path, context)?;
    let shown = files::display_path(&path, &context.cwd);
    refuse_notebook(&path, &shown)?;

    let writer = context.writer();
    let target = writer.lock(&path, &shown, cancel)?;
    cancel.check()?;
    let (bytes, _) = files::read_regular(target.path(), &shown, MAX_BYTES)?;
    refuse_generated(target.path(), &shown, &bytes, &context.settings)?;

    let text = LfText::new(&bytes);
    let found = locate(&text, &bytes, &options.edits, &shown)?;
    let splices: Vec<Splice> = found.into_iter().map(Found::into_splice).collect();
    let changed = text.splice(&splices);
    if changed == bytes {
        return Err(ToolError::NoChange { path: shown });
    }
    cancel.check()?;
    let written = writer.write(&target, &changed, Expected::Bytes(&bytes))?;
    let repairs = target.repairs().to_vec();
    drop(target);
    let diff = numbered_diff(text.text(), &splices);
    let mut outcome = report(&path, &shown, options, &splices, &diff, written);
    notes::repaired(&mut outcome, &repairs, &context.cwd);
    Ok(outcome)
}

fn check(options: &Options) -> Result<()> {
    if options.edits.is_empty() {
        return Err(ToolError::argument("edits", "expected at least one edit"));
    }
    match options.edits.iter().position(|edit| edit.old_text.is_empty()) {
        Some(edit) => Err(ToolError::EmptyOldText { path: files::escape_control(&options.path), edit }),
        None => Ok(()),
    }
}

/// A notebook is shown as cells, so a change of its raw JSON is not what the caller means.
fn refuse_notebook(path: &Path, shown: &str) -> Result<()> {
    let is_notebook = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"));
    if is_notebook {
        return Err(ToolError::Unsupported {
            feature: "editing notebooks".into(),
            path: Some(shown.to_owned()),
        });
    }
    Ok(())
}

fn report(
    path: &Path,
    shown: &str,
    options: &Options,
    splices: &[Splice],
    diff: &NumberedDiff,
    written: Written,
) -> Outcome {
    let count = splices.len();
    let noun = if count == 1 { "replacement" } else { "replacements" };
    let place =
        diff.first_changed_line.map(|line| format!(", first changed line {line}")).unwrap_or_default();
    Outcome::text(format!("Edited {shown}: {count} {noun}{place}"))
        .detail("diff", &diff.text)
        .detail("firstChangedLine", diff.first_changed_line)
        .detail("path", path.to_string_lossy())
        .detail("entries", vec![json!({"ok": true}); options.edits.len()])
        .detail("writtenInPlace", written.in_place.map(files::InPlace::name))
}
