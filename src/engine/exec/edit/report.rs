//! The result of an edit: what the model reads, and the facts behind it. One for all modes.

use serde_json::{Map, Value, json};

use super::change::{Change, Op};
use super::rehearsal::Done;
use crate::engine::error::ToolError;
use crate::engine::exec::{Context, notes};
use crate::engine::files::InPlace;
use crate::engine::outcome::{FileContents, Notice, Outcome};

/// What is told where nothing was changed because not everything can be.
#[must_use]
pub fn refusal<'e>(failures: impl IntoIterator<Item = &'e ToolError>) -> String {
    let failures: Vec<String> = failures.into_iter().map(ToString::to_string).collect();
    format!("Nothing was changed, because not everything can be:\n{}", failures.join("\n"))
}

/// What would have become of a file, had another one not failed.
#[must_use]
pub fn possible_file(change: &Change, context: &Context) -> Value {
    let mut file = file_result(change, context);
    file["ok"] = json!(true);
    file["applied"] = json!(false);
    file
}

/// Why a file cannot be changed.
#[must_use]
pub fn failed_file(path: &str, error: &ToolError) -> Value {
    let text = error.to_string();
    let mut file = json!({
        "path": path, "diff": "", "ok": false, "applied": false, "isError": true,
        "code": error.code(), "errorText": text, "error": error.fields(),
    });
    // People see the file; what a model needs to go on is not for them.
    if let Some((first, _)) = text.split_once('\n') {
        file["displayErrorText"] = json!(first.trim_end_matches(':'));
    }
    file
}

/// What a mode adds to the facts of its changes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Entries of the call, all of which went well.
    pub entries: usize,
    /// Whether `op` and `move` are told.
    pub tells_op: bool,
    /// Whether several files are told one by one.
    pub per_file: bool,
}

impl Report {
    /// The outcome of a commit. `text` is what the model reads first; warnings follow it.
    #[must_use]
    pub fn outcome(self, text: String, done: Done, context: &Context) -> Outcome {
        let Done { changes, in_place, repairs } = done;
        let is_several = self.per_file && changes.len() > 1;
        let join = |parts: Vec<&str>| {
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
        };
        let diff = join(changes.iter().map(|change| change.diff.as_str()).collect());
        let preview = join(changes.iter().filter_map(|change| change.preview.as_deref()).collect());
        let mut outcome = Outcome::text(text)
            .detail("diff", diff)
            .detail("firstChangedLine", changes.iter().find_map(|change| change.first_changed_line))
            .detail("preview", (!preview.is_empty()).then_some(preview));
        if is_several {
            let files: Vec<Value> = changes.iter().map(|change| file_result(change, context)).collect();
            outcome = outcome.detail("perFileResults", files);
        } else if let Some(last) = changes.last() {
            outcome = outcome.detail("path", last.path.to_string_lossy());
            if self.tells_op {
                outcome = outcome.detail("op", op_of(&changes)).detail("move", &last.moved);
            }
        }
        outcome = outcome
            .detail("entries", vec![json!({"ok": true}); self.entries])
            .detail("writtenInPlace", in_place.map(InPlace::name));
        outcome.files = if is_several { changes.iter().map(contents).collect() } else { merged(&changes) };
        let warnings: Vec<_> = changes.into_iter().flat_map(|change| change.warnings).collect();
        if !warnings.is_empty() {
            outcome = outcome.detail("warnings", &warnings);
        }
        for warning in warnings {
            outcome.text.push('\n');
            outcome.text.push_str(&warning.text);
            outcome.note(Notice::new(warning.kind, warning.text, json!({})));
        }
        notes::repaired(&mut outcome, &repairs, &context.cwd);
        outcome
    }
}

fn file_result(change: &Change, context: &Context) -> Value {
    let path = crate::engine::files::display_path(&change.path, &context.cwd);
    let mut file =
        Map::from_iter([("path".to_owned(), json!(path)), ("diff".to_owned(), json!(change.diff))]);
    let mut set = |name: &str, value: Value| {
        if !value.is_null() {
            file.insert(name.to_owned(), value);
        }
    };
    set("firstChangedLine", json!(change.first_changed_line));
    set("op", json!(change.op));
    set("move", json!(change.moved));
    Value::Object(file)
}

/// What the change of a file leaves behind.
#[must_use]
pub fn contents(change: &Change) -> FileContents {
    let Change { path, from, op, before, after, .. } = change;
    FileContents {
        path: path.clone(),
        from: from.clone(),
        op: op.name(),
        before: before.clone(),
        after: after.clone(),
    }
}

/// The first and the last state of a file that was changed several times.
fn merged(changes: &[Change]) -> Vec<FileContents> {
    let (Some(first), Some(last), Some(op)) = (changes.first(), changes.last(), op_of(changes)) else {
        return Vec::new();
    };
    let from = changes.iter().find_map(|change| change.from.clone());
    vec![FileContents { before: first.before.clone(), from, op: op.name(), ..contents(last) }]
}

/// What several changes of one file come to.
fn op_of(changes: &[Change]) -> Option<Op> {
    let (first, last) = (changes.first()?, changes.last()?);
    Some(match (&first.before, &last.after) {
        (None, Some(_)) => Op::Create,
        (_, None) => Op::Delete,
        _ => Op::Update,
    })
}
