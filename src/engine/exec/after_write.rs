//! What the host's hook made of files that a call wrote: formatters change them once more, and that is no change by
//! somebody else. The memory of the session follows, and the result tells.
//!
//! Never changes a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::edit::{MAX_BYTES, hashline};
use super::{Context, memory};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{self, Stamp};
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::session::Session;
use crate::engine::text::{Bytes, Document, NumberedDiff, numbered_diff_of_texts};

/// Lines and bytes of a change that the text shows; of a larger one it says to read the file.
const SHOWN_LINES: usize = 60;
const SHOWN_BYTES: usize = 8 * 1024;

/// The files that were written.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    /// Absolute, as the call named them.
    pub paths: Vec<PathBuf>,
}

/// Looks at each file once. The text is empty where all are as they were written.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut changes = Vec::new();
    let Some(session) = context.session.as_deref() else { return Ok(outcome) };
    for path in &options.paths {
        let Some(found) = look(path, session, context, cancel)? else { continue };
        outcome.text.push_str(if outcome.text.is_empty() { "" } else { "\n" });
        outcome.text.push_str(&found.text);
        outcome.note(Notice::new(found.kind, found.text, json!({"path": found.shown})));
        changes.push(found.facts);
    }
    Ok(if changes.is_empty() { outcome } else { outcome.detail("formatted", changes) })
}

/// What became of a file.
struct Found {
    kind: &'static str,
    shown: String,
    text: String,
    facts: Value,
}

fn look(path: &Path, session: &Session, context: &Context, cancel: &CancelToken) -> Result<Option<Found>> {
    if session.reads.stamp(path).is_none() {
        return Ok(None);
    }
    let shown = files::display_path(path, &context.cwd);
    // A call that writes the file meanwhile has to be done with it, and with what it remembers.
    let target = match context.writer().lock(path, &shown, cancel) {
        Err(error) if error.code() != "aborted" => return Ok(None),
        target => target?,
    };
    let Some(stamp) = session.reads.stamp(path) else { return Ok(None) };
    match files::read_regular(target.path(), &shown, MAX_BYTES) {
        Ok((bytes, _)) if stamp.fits(&bytes) => Ok(None),
        Ok((bytes, _)) => Ok(Some(changed(path, shown, &Arc::new(bytes.into()), session, context))),
        Err(ToolError::PathNotFound { .. }) => {
            session.reads.forget(path);
            let text = format!("{shown} was removed after it was written, by what the host does then.");
            let facts = json!({"path": shown, "removed": true});
            Ok(Some(Found { kind: "removed_after_write", shown, text, facts }))
        }
        // Whoever edits it next is told.
        Err(_) => Ok(None),
    }
}

fn changed(path: &Path, shown: String, bytes: &Arc<Bytes>, session: &Session, context: &Context) -> Found {
    let view = memory::view_of(path, bytes);
    let Ok(document) = Document::new(view.whole()) else {
        session.reads.forget(path);
        let text = format!(
            "{shown} was changed after it was written, by what the host does then, and is no text now."
        );
        let facts = json!({"path": shown});
        return Found { kind: "formatted", shown, text, facts };
    };
    let diff = known_text(path, session, context)
        .map(|known| numbered_diff_of_texts(known.as_bytes(), document.text().as_bytes()));
    let preview = diff.as_ref().filter(|_| context.shows_anchors()).map(|diff| hashline::preview(&diff.text));
    let (text, is_told) = words(&shown, diff.as_ref(), preview.as_deref());
    let told = diff.as_ref().filter(|_| is_told).map(|diff| hashline::shown_numbers(&diff.text));
    let stamp = Stamp::of_bytes(bytes.whole());
    memory::keep_text(path, &view, stamp, None, told.unwrap_or_default(), context);
    let mut facts = Map::from_iter([("path".to_owned(), json!(shown))]);
    if let Some(NumberedDiff { text, first_changed_line }) = diff {
        facts.insert("diff".to_owned(), json!(text));
        facts.extend(first_changed_line.map(|line| ("firstChangedLine".to_owned(), json!(line))));
    }
    facts.extend(preview.map(|preview| ("preview".to_owned(), json!(preview))));
    Found { kind: "formatted", shown, text, facts: Value::Object(facts) }
}

/// The words, and whether they show the lines.
fn words(shown: &str, diff: Option<&NumberedDiff>, preview: Option<&str>) -> (String, bool) {
    let happened = format!("{shown} was changed after it was written, by what the host does then");
    let Some(diff) = diff else { return (format!("{happened}. Read it again before the next edit."), false) };
    if diff.text.is_empty() {
        return (
            format!("{happened}; its lines are the same, but not their endings or their encoding."),
            false,
        );
    }
    let lines = preview.unwrap_or(&diff.text);
    if lines.len() > SHOWN_BYTES || lines.split('\n').count() > SHOWN_LINES {
        return (format!("{happened}, in many places. Read it again before the next edit."), false);
    }
    (format!("{happened}:\n{lines}"), true)
}

/// The text that was written, where all its lines are known.
fn known_text(path: &Path, session: &Session, context: &Context) -> Option<String> {
    let lines = session.reads.recall(path, context.turn.as_ref())?.lines;
    let is_whole = lines.keys().zip(1..).all(|(number, expected)| *number == expected);
    (is_whole && !lines.is_empty()).then(|| lines.values().map(String::as_str).collect::<Vec<_>>().join("\n"))
}
