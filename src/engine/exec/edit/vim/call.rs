//! A call of mode `vim`: finds the file and its editor, carries out the steps, and writes what came of it. A call
//! that fails leaves file and editor as they were.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;

use super::diff::plain_diff;
use super::editor::{Editor, Leaving};
use super::steps::{Step, StepFault, run_steps};
use super::view::{HEIGHT, LOOK};
use super::work::Work;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::edit::report::contents;
use crate::engine::exec::edit::{DiffStyle, Plan, Rehearsal, Wanted};
use crate::engine::exec::guard::allowed_by_plan;
use crate::engine::exec::{Context, notes};
use crate::engine::files;
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::text::{Splice, splices_between};

/// Arguments in mode `vim`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The file; one that does not exist is made.
    pub file: String,
    /// Without steps the file is only shown.
    #[serde(default)]
    pub steps: Option<Vec<Step>>,
    /// Leaves changes unwritten, and an insert open.
    #[serde(default)]
    pub pause: Option<bool>,
}

/// The editors of a session by the real paths of their files.
#[derive(Debug, Default)]
pub struct Editors {
    open: Mutex<HashMap<PathBuf, Arc<Mutex<Option<Editor>>>>>,
}

impl Editors {
    fn of(&self, path: &Path) -> Arc<Mutex<Option<Editor>>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(open.entry(path.to_owned()).or_default())
    }
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let file = clean(&options.file)?;
    refuse_target(file)?;
    let steps = options.steps.as_deref().unwrap_or_default();
    let path = files::resolve_for_writing(file, &context.cwd, context.home.as_deref())?;
    let reads_only = allowed_by_plan(path.clone(), context);
    if let (Err(denied), true) = (&reads_only, steps.iter().any(|step| step.insert.is_some())) {
        return Err(denied.clone());
    }
    // In plan mode another file may be looked at.
    let free = Context { plan_file: None, ..context.clone() };
    let used = if reads_only.is_ok() { context } else { &free };
    let path = reads_only.clone().unwrap_or(path);
    let key = files::real_path(&path);

    let editors = context.session.as_ref().map(|session| session.states.of::<Editors>());
    let slot = editors.map(|editors| editors.of(&key)).unwrap_or_default();
    let mut held = slot.lock().unwrap_or_else(PoisonError::into_inner);

    let mut rehearsal = open(file, used, cancel)?;
    let shown = rehearsal.shown(0).to_owned();
    let disk = text_of(&mut rehearsal)?;
    let mut editor = loaded(held.as_ref(), disk.as_deref());
    editor.work = Work::new(cancel);
    editor.name.clone_from(&shown);
    editor.view.resize(if steps.is_empty() { LOOK } else { HEIGHT });
    editor.view.follow(editor.cursor.line, editor.buffer.len());
    let before = editor.buffer.text();
    let mark = editor.buffer.history_mark();
    let pause = options.pause.unwrap_or(false);
    let ran = run_steps(&mut editor, steps, pause);
    cancel.check()?;
    ran.map_err(|fault| told(fault, &editor, &shown))?;
    if editor.buffer.history_mark() != mark {
        editor.view.recenter(editor.cursor.line, editor.buffer.len());
    }

    let written = written_text(&mut editor, pause).map_err(|fault| told(fault, &editor, &shown))?;
    let changes_disk = written.as_deref().filter(|text| disk.as_deref() != Some(*text));
    if let Err(denied) = reads_only
        && (changes_disk.is_some() || editor.buffer.text() != before)
    {
        return Err(denied);
    }
    let mut outcome = report(&editor, &before);
    if let Some(text) = changes_disk {
        save(&mut rehearsal, text, disk.is_some())?;
        let done = rehearsal.commit()?;
        outcome = outcome.detail("writtenInPlace", done.in_place.map(files::InPlace::name));
        outcome.files = done.changes.iter().map(contents).collect();
        let warnings: Vec<_> = done.changes.into_iter().flat_map(|change| change.warnings).collect();
        outcome = outcome.detail("warnings", (!warnings.is_empty()).then_some(&warnings));
        for warning in warnings {
            add_note(&mut outcome, warning.kind, warning.text, json!({}));
        }
        notes::repaired(&mut outcome, &done.repairs, &context.cwd);
    }
    let closed = editor.leaving.closed;
    editor.leaving = Leaving::default();
    *held = (!closed).then_some(editor);
    Ok(outcome)
}

/// A name as models write it: blanks around it, or one pair of quotes.
fn clean(file: &str) -> Result<&str> {
    let file = file.trim();
    let bare = file.strip_prefix('"').and_then(|file| file.strip_suffix('"')).unwrap_or(file);
    if bare.is_empty() {
        return Err(ToolError::argument("file", "must not be empty"));
    }
    Ok(bare)
}

/// What is no plain file cannot be edited with keys.
fn refuse_target(file: &str) -> Result<()> {
    const ADDRESSES: &[&str] = &[
        "agent://",
        "artifact://",
        "skill://",
        "rule://",
        "local:",
        "mcp://",
        "http://",
        "https://",
        "www.",
    ];
    const PACKED: &[&str] = &[".tar.gz", ".tgz", ".zip", ".tar", ".sqlite", ".sqlite3", ".db", ".db3"];
    let lower = file.to_ascii_lowercase();
    let reason = if ADDRESSES.iter().any(|start| lower.starts_with(start)) {
        "it is an address, not a file"
    } else if PACKED.iter().any(|end| lower.ends_with(end)) {
        "it holds other things than text"
    } else if Path::new(&lower).extension().is_some_and(|extension| extension == "ipynb") {
        "a notebook is edited cell by cell, in another mode"
    } else {
        return Ok(());
    };
    Err(ToolError::VimUnsupportedTarget { path: files::escape_control(file), reason: reason.to_owned() })
}

fn open<'c>(file: &str, context: &'c Context, cancel: &'c CancelToken) -> Result<Rehearsal<'c>> {
    Rehearsal::open(&[Wanted::New(file)], DiffStyle::Unified, context, cancel)
}

/// The text on the disk; none where there is no file.
fn text_of(rehearsal: &mut Rehearsal) -> Result<Option<String>> {
    let read = rehearsal.bytes(0).and_then(|bytes| {
        let Some(bytes) = bytes else { return Ok(None) };
        rehearsal.text(0).map(|text| Some((bytes, text)))
    });
    let read = read.map_err(|error| match error {
        ToolError::NotText { path, reason } => ToolError::VimNotText { path, reason },
        ToolError::Io { path, reason } => ToolError::VimUnsupportedTarget { path, reason },
        other => other,
    })?;
    let Some((bytes, text)) = read else { return Ok(None) };
    let bytes = bytes.whole();
    let is_marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let reason = if memchr::memchr(0, bytes).is_some() && !is_marked || text.contains('\0') {
        "it holds NUL bytes"
    } else if text.contains('\u{FFFD}') && std::str::from_utf8(bytes).is_err() {
        "it holds bytes that are no text"
    } else {
        return Ok(Some(text));
    };
    Err(ToolError::VimNotText { path: rehearsal.shown(0).to_owned(), reason: reason.to_owned() })
}

/// The editor of an earlier call, or a new one. Where nothing is unwritten, it has what the disk holds now.
fn loaded(held: Option<&Editor>, disk: Option<&str>) -> Editor {
    let disk = disk.unwrap_or_default();
    let Some(held) = held else { return Editor::new(disk) };
    let mut editor = held.clone();
    disk.clone_into(&mut editor.disk);
    editor.repeated_insert = None;
    editor.last_line = None;
    editor.status = None;
    let differs = editor.saved.text() != disk;
    editor.disk_differs = differs && editor.is_modified();
    if differs && !editor.disk_differs {
        editor.reload(disk);
        editor.status = Some("the file changed since the last call and was loaded again".to_owned());
    }
    editor
}

fn told((fault, location): StepFault, editor: &Editor, shown: &str) -> ToolError {
    fault.into_error(shown.to_owned(), location, editor.rendered())
}

/// What the disk is to hold after the call; none where nothing is written.
fn written_text(editor: &mut Editor, pause: bool) -> std::result::Result<Option<String>, StepFault> {
    if !pause && !editor.leaving.closed && editor.is_modified() {
        editor.write_at_end().map_err(|fault| (fault, None))?;
    }
    Ok(editor.leaving.written.take())
}

fn save(rehearsal: &mut Rehearsal, text: &str, exists: bool) -> Result<()> {
    let saved = if exists {
        rehearsal.update(0, |document| {
            let splices = splices_between(document.text().as_bytes(), text.as_bytes());
            let owned = |splice: Splice| Splice { range: splice.range, new: splice.new.into_owned().into() };
            Ok(Plan { splices: splices.into_iter().map(owned).collect(), ..Plan::default() })
        })
    } else {
        rehearsal.create(0, text)
    };
    saved.map_err(|error| match error {
        ToolError::NotText { path, reason } => ToolError::VimNotText { path, reason },
        other => other,
    })
}

fn report(editor: &Editor, before: &str) -> Outcome {
    let now = editor.buffer.text();
    let mut text = editor.rendered();
    let diff = (now != before).then(|| plain_diff(before, &now));
    if let Some(diff) = &diff {
        text.push_str("\n\nDiff:\n");
        text.push_str(&diff.text);
    }
    let mut outcome = Outcome::text(text);
    for (name, fact) in editor.facts() {
        outcome = outcome.detail(name, fact);
    }
    outcome = outcome.detail("diff", diff.as_ref().map_or("", |diff| diff.text.as_str()));
    outcome = outcome.detail("firstChangedLine", diff.and_then(|diff| diff.first_changed_line));
    if let Some(count) = editor.repeated_insert {
        let text = format!("A count before an insert repeats it: the text was inserted {count} times.");
        add_note(&mut outcome, "vim_count_repeats", text, json!({"count": count}));
    }
    outcome
}

fn add_note(outcome: &mut Outcome, kind: &'static str, text: String, facts: serde_json::Value) {
    outcome.text.push('\n');
    outcome.text.push_str(&text);
    outcome.note(Notice::new(kind, text, facts));
}
