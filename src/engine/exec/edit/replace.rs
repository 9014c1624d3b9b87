//! Mode `replace`: texts that stand in the file, and what takes their place. Every text is looked for in the file as it
//! was; line endings count as equal, whatever they are.

use std::borrow::Cow;

use serde::Deserialize;

use super::change::{DiffStyle, Plan};
use super::locate::{Locator, Tolerance};
use super::rehearsal::{Rehearsal, Wanted};
use super::report::Report;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files;
use crate::engine::outcome::Outcome;
use crate::engine::text::Document;

/// Arguments in mode `replace`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options<'a> {
    /// The file.
    pub path: String,
    /// At least one.
    #[serde(borrow)]
    pub edits: Vec<Edit<'a>>,
}

/// One text to replace.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit<'a> {
    /// Must occur exactly once, unless `all` is set. Not empty.
    #[serde(borrow)]
    pub old_text: Cow<'a, str>,
    /// Empty deletes.
    #[serde(borrow)]
    pub new_text: Cow<'a, str>,
    /// Replace every occurrence.
    #[serde(default)]
    pub all: Option<bool>,
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    check(options)?;
    let wanted = [Wanted::Existing(&options.path)];
    let mut rehearsal = Rehearsal::open(&wanted, DiffStyle::Numbered, context, cancel)?;
    let shown = rehearsal.shown(0).to_owned();
    rehearsal.update(0, |document| plan(options, document, &shown, context, cancel))?;
    let done = rehearsal.commit()?;
    let change = &done.changes[0];
    let noun = if change.places == 1 { "replacement" } else { "replacements" };
    let place =
        change.first_changed_line.map(|line| format!(", first changed line {line}")).unwrap_or_default();
    let text = format!("Edited {shown}: {} {noun}{place}", change.places);
    let report = Report { entries: options.edits.len(), ..Report::default() };
    Ok(report.outcome(text, done, context))
}

/// What the call makes of the text of its file.
pub fn plan(
    options: &Options,
    document: &Document,
    shown: &str,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Plan> {
    check(options)?;
    let locator = Locator::new(document, shown, Tolerance::of(context)?, cancel);
    let (splices, warnings) = locator.locate(&options.edits)?;
    Ok(Plan { splices, warnings, preview: None })
}

/// A text that is in no file, with an edit made, and in how many places: none where nothing is near enough.
pub fn in_text(
    content: &str,
    edit: Edit,
    tolerance: Tolerance,
    cancel: &CancelToken,
) -> Result<(String, usize)> {
    let unfit = |why: String| ToolError::argument("content", why);
    let document = Document::new(content.as_bytes()).map_err(unfit)?;
    let options = Options { path: "content".to_owned(), edits: vec![edit] };
    check(&options)?;
    let located = Locator::new(&document, &options.path, tolerance, cancel).locate(&options.edits);
    let splices = match located {
        Ok((splices, _)) => splices,
        Err(ToolError::NoMatch { .. }) => return Ok((content.to_owned(), 0)),
        Err(error) => return Err(error),
    };
    let bytes = document.apply(&splices).map_err(unfit)?;
    let text = String::from_utf8(bytes).map_err(|error| unfit(error.to_string()))?;
    Ok((text, splices.len()))
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
