//! The calls: entries of one file (`patch`) or sections of an envelope (`apply_patch`), all rehearsed, then made
//! together or not at all.

use serde::Deserialize;
use serde_json::Value;

use super::envelope::{self, Operation};
use super::{plan_diff, refuse};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::edit::change::{Change, DiffStyle, Op};
use crate::engine::exec::edit::locate::Tolerance;
use crate::engine::exec::edit::rehearsal::{Rehearsal, Wanted};
use crate::engine::exec::edit::report::{Report, failed_file, possible_file, refusal};
use crate::engine::files;
use crate::engine::outcome::Outcome;

/// Arguments in mode `patch`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The file.
    pub path: String,
    /// At least one; each sees what the one before left.
    pub edits: Vec<Edit>,
}

/// One change of the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// What to do.
    #[serde(default)]
    pub op: EditOp,
    /// A new name, for an update.
    #[serde(default)]
    pub rename: Option<String>,
    /// Hunks; for a new file its text.
    #[serde(default)]
    pub diff: Option<String>,
}

/// What to do with a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditOp {
    /// Make it.
    Create,
    /// Change it.
    #[default]
    Update,
    /// Delete it.
    Delete,
}

/// Arguments in mode `apply_patch`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplyOptions {
    /// The envelope.
    pub input: String,
}

/// Runs a call in mode `patch`.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let (call, names) = one_file(options)?;
    call.run(&names, context, cancel)
}

/// What a call in mode `patch` would do. Nothing is written; what cannot be done is an error.
pub fn dry_run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Vec<Change>> {
    let (call, names) = one_file(options)?;
    let tolerance = Tolerance::of(context)?;
    let mut rehearsal = Rehearsal::open(&names.wanted, DiffStyle::Unified, context, cancel)?;
    for entry in &call.entries {
        entry.rehearse(&mut rehearsal, tolerance, cancel)?;
    }
    Ok(rehearsal.changes().to_vec())
}

fn one_file(options: &Options) -> Result<(Call, Names<'_>)> {
    if options.edits.is_empty() {
        return Err(ToolError::argument("edits", "expected at least one edit"));
    }
    let mut names = Names::default();
    let kind = if options.edits[0].op == EditOp::Create { Wanted::New } else { Wanted::Existing };
    let name = names.add(&options.path, kind);
    let entry = |(at, edit)| entry(at, edit, name, &options.path, &mut names);
    let entries: Vec<Entry> = options.edits.iter().enumerate().map(entry).collect::<Result<_>>()?;
    Ok((Call { entries, per_file: false }, names))
}

/// Runs a call in mode `apply_patch`.
pub fn apply(options: &ApplyOptions, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let sections = envelope::read(&options.input).map_err(refuse::envelope_fault)?;
    let mut names = Names::default();
    let mut entries = Vec::with_capacity(sections.len());
    for section in &sections {
        let work = match &section.operation {
            Operation::Add { text } => Work::Create { text: text.clone() },
            Operation::Delete => Work::Delete,
            Operation::Update { diff, .. } if diff.is_empty() => {
                return Err(missing_diff(&section.path, "update"));
            }
            Operation::Update { rename, diff, offset } => Work::Update {
                rename: rename.as_ref().map(|rename| (names.add(rename, Wanted::New), rename.clone())),
                diff: diff.clone(),
                offset: *offset,
            },
        };
        let kind = if matches!(work, Work::Create { .. }) { Wanted::New } else { Wanted::Existing };
        entries.push(Entry { name: names.add(&section.path, kind), work });
    }
    Call { entries, per_file: true }.run(&names, context, cancel)
}

/// The names that a call uses, each once.
#[derive(Default)]
struct Names<'o> {
    wanted: Vec<Wanted<'o>>,
    texts: Vec<&'o str>,
}

impl<'o> Names<'o> {
    /// The first use says whether a file should be there.
    fn add(&mut self, text: &'o str, kind: fn(&'o str) -> Wanted<'o>) -> usize {
        self.texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.texts.push(text);
            self.wanted.push(kind(text));
            self.texts.len() - 1
        })
    }
}

/// One operation on one name.
struct Entry {
    name: usize,
    work: Work,
}

enum Work {
    Create {
        text: String,
    },
    Delete,
    Update {
        /// The name, and as it was given.
        rename: Option<(usize, String)>,
        diff: String,
        offset: usize,
    },
}

/// What an entry of mode `patch`, number `at` of its call, does to the file `path`.
pub fn operation(at: usize, edit: &Edit, path: &str) -> Result<Operation> {
    if edit.op != EditOp::Update && edit.rename.is_some() {
        return Err(ToolError::argument(format!("edits[{at}].rename"), "only an update can rename a file"));
    }
    let diff = |op: &str| {
        let filled = edit.diff.clone().filter(|diff| !diff.is_empty());
        filled.ok_or_else(|| missing_diff(path, op))
    };
    Ok(match edit.op {
        EditOp::Create => Operation::Add { text: new_text(&diff("create")?) },
        EditOp::Delete => Operation::Delete,
        EditOp::Update => Operation::Update { diff: diff("update")?, rename: edit.rename.clone(), offset: 0 },
    })
}

fn entry<'o>(at: usize, edit: &'o Edit, name: usize, path: &str, names: &mut Names<'o>) -> Result<Entry> {
    let work = match operation(at, edit, path)? {
        Operation::Add { text } => Work::Create { text },
        Operation::Delete => Work::Delete,
        Operation::Update { diff, offset, .. } => Work::Update {
            diff,
            rename: edit.rename.as_ref().map(|rename| (names.add(rename, Wanted::New), rename.clone())),
            offset,
        },
    };
    Ok(Entry { name, work })
}

fn missing_diff(path: &str, op: &str) -> ToolError {
    ToolError::MissingDiff { path: files::escape_control(path), op: op.to_owned() }
}

/// The text of a new file, which may be written as lines that all come.
fn new_text(diff: &str) -> String {
    let is_diff = diff.lines().all(|line| line.is_empty() || line.starts_with('+'));
    let strip =
        |line: &str| line.strip_prefix("+ ").or_else(|| line.strip_prefix('+')).unwrap_or(line).to_owned();
    let mut text =
        if is_diff { diff.split('\n').map(strip).collect::<Vec<_>>().join("\n") } else { diff.to_owned() };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

struct Call {
    entries: Vec<Entry>,
    /// The entries are told file by file.
    per_file: bool,
}

impl Call {
    fn run(&self, names: &Names, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
        let tolerance = Tolerance::of(context)?;
        let mut rehearsal = Rehearsal::open(&names.wanted, DiffStyle::Unified, context, cancel)?;
        let mut failures: Vec<Option<ToolError>> = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let failure = entry.rehearse(&mut rehearsal, tolerance, cancel).err();
            match failure {
                Some(error) if self.entries.len() == 1 || error.code() == "aborted" => return Err(error),
                failure => failures.push(failure),
            }
        }
        if failures.iter().any(Option::is_some) {
            return Ok(self.refused(&rehearsal, &failures, context));
        }
        let done = rehearsal.commit()?;
        let text = done.changes.iter().map(line).collect::<Vec<_>>().join("\n");
        let report = Report { entries: self.entries.len(), tells_op: true, per_file: self.per_file };
        Ok(report.outcome(text, done, context))
    }

    /// Nothing is written if anything fails; all failures are told at once.
    fn refused(&self, rehearsal: &Rehearsal, failures: &[Option<ToolError>], context: &Context) -> Outcome {
        let mut changes = rehearsal.changes().iter();
        let mut told = |(entry, failure): (&Entry, &Option<ToolError>)| match failure {
            Some(error) => failed_file(rehearsal.shown(entry.name), error),
            // Each entry that can be made has left one change.
            None => changes.next().map_or_else(Value::default, |change| possible_file(change, context)),
        };
        let entries: Vec<Value> = self.entries.iter().zip(failures).map(&mut told).collect();
        let mut outcome = Outcome::text(refusal(failures.iter().flatten()));
        outcome.is_error = true;
        let outcome = outcome.detail("diff", "");
        let outcome = if self.per_file { outcome.detail("perFileResults", &entries) } else { outcome };
        outcome.detail("entries", entries)
    }
}

impl Entry {
    fn rehearse(&self, rehearsal: &mut Rehearsal, tolerance: Tolerance, cancel: &CancelToken) -> Result<()> {
        match &self.work {
            Work::Create { text } => rehearsal.create(self.name, text),
            Work::Delete => rehearsal.delete(self.name),
            Work::Update { rename, diff, offset } => {
                let shown = rehearsal.shown(self.name).to_owned();
                let plan = |document: &crate::engine::text::Document| {
                    plan_diff(document.text(), diff, tolerance, &shown, *offset, cancel)
                };
                match rename {
                    Some((to, given)) => rehearsal.update_and_rename(self.name, *to, given, plan),
                    None => rehearsal.update(self.name, plan),
                }
            }
        }
    }
}

/// What the model reads of one change.
fn line(change: &Change) -> String {
    let shown = &change.shown;
    let place =
        change.first_changed_line.map(|line| format!(", first changed line {line}")).unwrap_or_default();
    match (change.op, &change.moved) {
        (Op::Create, _) => format!("Created {shown}"),
        (Op::Delete, _) => format!("Deleted {shown}"),
        (Op::Update, Some(moved)) => format!("Moved {shown} to {}{place}", files::escape_control(moved)),
        (Op::Update, None) => format!("Edited {shown}{place}"),
    }
}
