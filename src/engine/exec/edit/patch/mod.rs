//! Modes `patch` and `apply_patch`: hunks of a diff, found in the file by the lines they name. Line numbers are hints
//! at most.
//!
//! A hunk is taken apart ([`diff_text`], [`envelope`]), placed ([`place`]: strict ways first, and never one of several
//! places that fit), and becomes pieces of the file that change ([`plan`]). Lines that a hunk only names are never
//! written: they stay as the file has them, even where they matched loosely.

mod anchor;
mod diff_text;
mod envelope;
mod forms;
mod header;
mod hunk;
mod likeness;
mod lone;
mod numbers;
mod place;
mod plan;
mod preview;
mod refuse;
mod run;
mod seek;
mod sheet;
mod variants;

pub use diff_text::bare;
pub use envelope::Operation;
pub(super) use hunk::{Line, Sign};
pub use preview::{arriving, plan_operation, whole_hunks};
pub use run::{ApplyOptions, Edit, Options, apply, dry_run, operation, run};

use std::borrow::Cow;

use serde_json::{Value, json};

use super::change::Plan;
use super::locate::Tolerance;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

/// What the diff of one file changes in its LF text. `path` is for errors; `offset` lines of the call stand above the
/// diff.
pub fn plan_diff(
    text: &str,
    diff: &str,
    tolerance: Tolerance,
    path: &str,
    offset: usize,
    cancel: &CancelToken,
) -> Result<Plan> {
    let diff: Cow<str> = envelope::unify_breaks(diff);
    let hunks = diff_text::read(&diff).map_err(|fault| refuse::fault(path, fault, offset))?;
    let sheet = sheet::Sheet::new(text, cancel);
    let planned = plan::plan(&sheet, &hunks, tolerance);
    cancel.check()?;
    planned.map_err(|refusal| refuse::refusal(path, &sheet, tolerance, refusal))
}

/// The operations of an envelope that has arrived: its end may still be missing, and an update without lines is none
/// yet.
pub fn operations(input: &str) -> Result<Vec<(String, Operation)>> {
    let sections = envelope::read_open(input).map_err(refuse::envelope_fault)?;
    let is_empty =
        |operation: &Operation| matches!(operation, Operation::Update { diff, .. } if diff.is_empty());
    let sections = sections.into_iter().filter(|section| !is_empty(&section.operation));
    Ok(sections.map(|section| (section.path, section.operation)).collect())
}

/// The operations of an envelope, each as an entry of mode `patch` with its path.
pub fn entries(input: &str) -> Result<Vec<Value>> {
    let entry = |envelope::Section { path, operation }| match operation {
        envelope::Operation::Add { text } => json!({"path": path, "op": "create", "diff": text}),
        envelope::Operation::Delete => json!({"path": path, "op": "delete"}),
        envelope::Operation::Update { rename: Some(rename), diff, .. } => {
            json!({"path": path, "op": "update", "rename": rename, "diff": diff})
        }
        envelope::Operation::Update { rename: None, diff, .. } => {
            json!({"path": path, "op": "update", "diff": diff})
        }
    };
    let sections = envelope::read(input).map_err(refuse::envelope_fault)?;
    Ok(sections.into_iter().map(entry).collect())
}
