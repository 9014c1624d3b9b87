//! The executors. Each is the same trio: `Options` in, [`Outcome`](super::outcome::Outcome) out,
//! [`ToolError`](super::error::ToolError) on failure. None knows the registry.

pub mod after_write;
mod ast;
pub mod bash;
pub mod calc;
pub mod conflicts;
pub mod contained;
mod decision;
pub mod edit;
pub mod find;
pub mod finding;
pub mod glob;
pub mod goal;
mod guard;
mod memory;
mod notes;
pub mod program;
pub mod read;
pub mod recipe;
mod remote;
pub mod search;
pub mod skill;
pub mod submission;
pub mod todo;
pub mod write;
mod write_contained;

pub use ast::{edit as ast_edit, grep as ast_grep};
pub use decision::Decision;
pub use guard::{assert_editable, refuse_generated};
pub use remote::{AllowPrivate, FetchPolicy, Remote, Resource};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::cancel::CancelToken;
use super::error::{Result, ToolError};
use super::files::{Confinement, Origin, Writer, global_excludes};
use super::outcome::Outcome;
use super::session::{Reader, Session, Turn};
use super::settings::Settings;

/// What a call is given beside its arguments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// The session's directory; relative paths start here. Absolute.
    pub cwd: PathBuf,
    /// Directories below which everything that is read or written lies; absent: anywhere. Absolute.
    #[serde(default)]
    pub allowed_roots: Option<Vec<PathBuf>>,
    /// For `~`.
    #[serde(default)]
    pub home: Option<PathBuf>,
    /// The group of settings that the executor reads.
    #[serde(default)]
    pub settings: Settings,
    /// Whether the session has an `edit` tool; anchors are printed only for it.
    #[serde(default)]
    pub has_edit_tool: bool,
    /// What the host says about commands.
    #[serde(default)]
    pub bash: bash::Host,
    /// The model that makes the call, where the host tells.
    #[serde(default)]
    pub model: Option<String>,
    /// The turn of the model that the call belongs to, as far as anybody knows.
    #[serde(default)]
    pub turn: Option<Turn>,
    /// Directories for the journals of changes that are not one step, the preferred one first.
    #[serde(default)]
    pub state_dirs: Vec<PathBuf>,
    /// In plan mode the one file that may be written. Absent: there is no plan mode.
    #[serde(default)]
    pub plan_file: Option<PathBuf>,
    /// What the executor needs of the host's environment: all of it for what starts programs, else what chooses the mode of `edit`
    /// as it was when that tool was made, and `XDG_CONFIG_HOME` for what walks directories.
    #[serde(default)]
    pub env: Vec<(String, String)>,
    /// What chooses the mode of `edit` as it is now.
    #[serde(default)]
    pub later_env: Vec<(String, String)>,
    /// What the session remembers between calls; absent where the host keeps nothing.
    #[serde(skip)]
    pub session: Option<Arc<Session>>,
    /// What the session allows and answers beyond the file system, for `read`.
    #[serde(default)]
    pub remote: Remote,
}

impl Context {
    /// Where the paths of the call start.
    #[must_use]
    pub fn origin(&self) -> Origin<'_> {
        Origin { cwd: &self.cwd, home: self.home.as_deref() }
    }

    /// Runs a call of this session: whatever it opens lies in the allowed roots.
    pub fn confine<T>(&self, call: impl FnOnce() -> Result<T>) -> Result<T> {
        Confinement::new(self.allowed_roots.as_deref(), &self.state_dirs)?.enter(call)
    }

    /// Whom the call shows lines.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader { turn: self.turn.as_ref(), sees_anchors: self.shows_anchors() }
    }

    /// The rules that the user has for every work tree of git.
    #[must_use]
    pub fn global_excludes(&self) -> Option<Arc<str>> {
        let config_home = self.env.iter().find(|(name, _)| name == "XDG_CONFIG_HOME");
        global_excludes(self.home.as_deref(), config_home.map(|(_, value)| Path::new(value)))
    }

    /// Through it goes every change of a file.
    #[must_use]
    pub fn writer(&self) -> Writer<'_> {
        Writer::new(&self.state_dirs, self.settings.truthy("write.durable"))
    }

    /// Whether lines are shown with anchors: there is a tool that takes them and nobody turned them off. That a variable names no
    /// mode is for that tool to tell.
    #[must_use]
    pub fn shows_anchors(&self) -> bool {
        self.has_edit_tool
            && self.settings.get("readHashLines") != serde_json::Value::Bool(false)
            && matches!(edit::Mode::of(self), Ok(edit::Mode::Hashline))
    }
}

/// What stands before the lines of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LineMarks {
    /// Their numbers.
    pub line_numbers: bool,
    /// Anchors for `edit`, with the number in them.
    pub hash_lines: bool,
}

impl LineMarks {
    /// As the session wants it. A text that is taken as it is has none, one that nobody can edit no anchors.
    #[must_use]
    pub fn of(context: &Context, raw: bool, immutable: bool) -> Self {
        let hash_lines = !raw && !immutable && context.shows_anchors();
        Self { line_numbers: !raw && (hash_lines || context.settings.truthy("readLineNumbers")), hash_lines }
    }
}

/// One call of an executor, within the session's roots. First, whatever it is, what a dead process left half done is put
/// right and told.
pub fn call<O>(
    run: impl FnOnce(&O, &Context, &CancelToken) -> Result<Outcome>,
    options: &O,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let repairs = context.writer().repair();
    let mut outcome = context.confine(|| run(options, context, cancel))?;
    notes::repaired(&mut outcome, &repairs, &context.cwd);
    Ok(outcome)
}

/// Reads the arguments of a call; the error names the argument that does not fit.
pub fn parse_arguments<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T> {
    parse(&mut serde_json::Deserializer::from_str(json))
}

/// The same for arguments that are read already.
pub fn parse_value<'v, T: Deserialize<'v>>(value: &'v serde_json::Value) -> Result<T> {
    parse(value)
}

/// What serde says of a value, in the words of JavaScript.
fn in_words(message: &str) -> String {
    const WORDS: &[(&str, &str)] = &[
        ("f64", "a number"),
        ("f32", "a number"),
        ("usize", "a whole number of 0 or more"),
        ("u64", "a whole number of 0 or more"),
        ("u32", "a whole number of 0 or more"),
        ("i64", "a whole number"),
        ("i32", "a whole number"),
        ("a sequence", "an array"),
        ("a map", "an object"),
    ];
    let Some((got, expected)) = message.rsplit_once(", expected ") else { return message.to_owned() };
    match WORDS.iter().find(|(word, _)| *word == expected) {
        Some((_, words)) => format!("{got}, expected {words}"),
        None => message.to_owned(),
    }
}

fn parse<'de, T: Deserialize<'de>>(
    source: impl serde::Deserializer<'de, Error = serde_json::Error>,
) -> Result<T> {
    serde_path_to_error::deserialize(source).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { "" } else { path.as_str() };
        let message = error.inner().to_string();
        // serde_json ends its messages with a place in a text the caller never saw.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(text, _)| text);
        match message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
            // The error stands at what should hold the argument.
            Some(field) if path.is_empty() => ToolError::argument(field, "is missing"),
            Some(field) => ToolError::argument(format!("{path}.{field}"), "is missing"),
            None => ToolError::argument(path, in_words(message)),
        }
    })
}
