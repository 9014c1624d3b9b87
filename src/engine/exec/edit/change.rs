//! What an edit plans for one file, and what it made of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::engine::text::{Bytes, Document, NumberedDiff, Splice, numbered_diff, unified_diff};

/// What a mode wants to do to one text.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// In the LF text, in order, without overlap.
    pub splices: Vec<Splice<'static>>,
    /// What the caller should know of how they were found.
    pub warnings: Vec<Warning>,
    /// Lines around the changes as the mode shows them.
    pub preview: Option<String>,
}

impl Plan {
    /// A text takes the place of all there is.
    pub(super) fn of_whole_text(old: &str, new: &str) -> Self {
        let splice = Splice { range: 0..old.len(), new: new.as_bytes().to_vec().into() };
        Self { splices: vec![splice], ..Self::default() }
    }
}

/// Something that went well but not as the caller may think.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Which one it is.
    pub kind: &'static str,
    /// The words.
    pub text: String,
}

/// How a mode shows what changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffStyle {
    /// Numbered lines, four around each change.
    Numbered,
    /// The same in hunks with headers, three lines around each change.
    Unified,
}

/// What became of a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// It is new.
    Create,
    /// Parts of it are new.
    Update,
    /// It is gone.
    Delete,
}

impl Op {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

/// One change of one file.
#[derive(Debug, Clone)]
pub struct Change {
    /// What happened.
    pub op: Op,
    /// Where the file is now, absolute.
    pub path: PathBuf,
    /// Where it was before, if that was elsewhere.
    pub from: Option<PathBuf>,
    /// How the file was called before.
    pub shown: String,
    /// The new name as it was given.
    pub moved: Option<String>,
    /// In the style of the mode.
    pub diff: String,
    /// The new number of the first line that was added or removed.
    pub first_changed_line: Option<usize>,
    /// See [`Plan::preview`].
    pub preview: Option<String>,
    /// In the order they came up.
    pub warnings: Vec<Warning>,
    /// Places that were changed.
    pub places: usize,
    /// The bytes before and after; absent where there was or is no file.
    pub before: Option<Arc<Bytes>>,
    /// See `before`.
    pub after: Option<Arc<Bytes>>,
}

impl Change {
    pub(super) fn of_splices(
        path: &Path,
        shown: &str,
        text: &str,
        splices: &[Splice],
        style: DiffStyle,
    ) -> Self {
        let diff = match style {
            DiffStyle::Numbered => numbered_diff(text.as_bytes(), splices),
            DiffStyle::Unified => unified_diff(text.as_bytes(), splices),
        };
        Self::new(Op::Update, path, shown, diff, splices.len())
    }

    /// A file that comes or goes: all its lines do.
    pub(super) fn of_whole_file(
        op: Op,
        path: &Path,
        shown: &str,
        before: Option<&Arc<Bytes>>,
        after: Option<&Arc<Bytes>>,
        style: DiffStyle,
    ) -> Self {
        let text = |bytes: Option<&Arc<Bytes>>| {
            bytes.and_then(|bytes| {
                Document::new(bytes.whole()).ok().map(|document| document.text().to_owned())
            })
        };
        let (old, new) = (text(before).unwrap_or_default(), text(after).unwrap_or_default());
        let splice = Splice { range: 0..old.len(), new: new.as_bytes().into() };
        let mut change = Self::of_splices(path, shown, &old, &[splice], style);
        change.op = op;
        change.first_changed_line = Some(1);
        (change.before, change.after) = (before.cloned(), after.cloned());
        change
    }

    fn new(op: Op, path: &Path, shown: &str, diff: NumberedDiff, places: usize) -> Self {
        Self {
            op,
            path: path.to_owned(),
            from: None,
            shown: shown.to_owned(),
            moved: None,
            diff: diff.text,
            first_changed_line: diff.first_changed_line,
            preview: None,
            warnings: Vec::new(),
            places,
            before: None,
            after: None,
        }
    }
}
