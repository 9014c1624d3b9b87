//! What a patch would do, as far as it has arrived.

use super::diff_text::{END_OF_FILE, file_marker};
use super::envelope::Operation;
use super::plan_diff;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::edit::change::Plan;
use crate::engine::exec::edit::locate::Tolerance;
use crate::engine::text::apply_splices;

/// The lines of hunks and of new files by file, in the order of an envelope whose end has not arrived. A line counts
/// once its break is there.
#[must_use]
pub fn arriving(input: &str) -> Vec<(&str, String)> {
    let whole = input.rfind('\n').map_or("", |end| &input[..end]);
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in whole.lines() {
        if let Some(path) = file_marker(line) {
            files.push((path, String::new()));
        } else if let (Some((_, text)), true) = (files.last_mut(), line.starts_with(['+', '-', ' ', '@'])) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }
    files.retain(|(path, text)| !path.is_empty() && !text.is_empty());
    files
}

/// The hunks of a diff that nothing can be added to any more: those in front of the last header, and a last one that
/// says it is the end of the file.
#[must_use]
pub fn whole_hunks(diff: &str) -> &str {
    let whole = diff.rfind('\n').map_or("", |end| &diff[..end]);
    if whole.trim_end().ends_with(END_OF_FILE) {
        return whole;
    }
    let mut cut = None;
    let (mut at, mut in_headers) = (0, false);
    for line in diff.split_inclusive('\n') {
        let is_header = line.starts_with("@@");
        if is_header && !in_headers {
            cut = Some(at);
        }
        in_headers = is_header;
        at += line.len();
    }
    &diff[..cut.unwrap_or_default()]
}

/// What an operation makes of the text of its file, or of its absence.
pub fn plan_operation(
    text: Option<&str>,
    operation: &Operation,
    tolerance: Tolerance,
    shown: &str,
    cancel: &CancelToken,
) -> Result<Plan> {
    let path = || shown.to_owned();
    match (operation, text) {
        (Operation::Add { .. }, Some(_)) => Err(ToolError::AlreadyExists { path: path() }),
        (Operation::Add { text }, None) => Ok(Plan::of_whole_text("", text)),
        (_, None) => Err(ToolError::PathNotFound { path: path() }),
        (Operation::Delete, Some(text)) => Ok(Plan::of_whole_text(text, "")),
        (Operation::Update { diff, offset, rename }, Some(text)) => {
            let plan = plan_diff(text, diff, tolerance, shown, *offset, cancel)?;
            if rename.is_none() && apply_splices(text.as_bytes(), &plan.splices) == text.as_bytes() {
                return Err(ToolError::NoChange { path: path() });
            }
            Ok(plan)
        }
    }
}
