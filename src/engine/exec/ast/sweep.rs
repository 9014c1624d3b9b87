//! All files of known languages below the paths of a call, looked at on the threads of the walk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::issues::Issue;
use crate::engine::cancel::CancelToken;
use crate::engine::code::Language;
use crate::engine::content::archive::Format;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files::{
    Course, Entry, EntryKind, Key, ReadBuffer, ReadEnd, Survey, TargetRules, Targets, WalkReport,
};

/// Larger files are parsed only if the caller named them.
const WALKED_LIMIT: usize = 4 << 20;
/// No larger file is parsed.
pub const NAMED_LIMIT: usize = 16 << 20;
/// A NUL in the first bytes makes a file binary: `.ts` may as well be a video.
const BINARY_HEAD: usize = 8 << 10;

/// What is done with each file.
pub trait Look: Send + Sync + 'static {
    /// What a file has to say.
    type Found: Send + 'static;

    /// Whether a file of these bytes is worth parsing.
    fn may_match(&self, language: &'static Language, bytes: &[u8]) -> bool;

    /// Looks at a file. An error only if the call is cancelled.
    fn look(
        &self,
        path: &Path,
        language: &'static Language,
        bytes: &[u8],
        cancel: &CancelToken,
    ) -> Result<Looked<Self::Found>>;
}

/// What a look at a file gave.
#[derive(Debug)]
pub struct Looked<F> {
    /// What was found.
    pub found: Option<F>,
    /// What was in the way.
    pub issue: Option<Issue>,
}

impl<F> Looked<F> {
    /// Nothing but an issue.
    pub fn issue(issue: Issue) -> Self {
        Self { found: None, issue: Some(issue) }
    }
}

/// Everything that a sweep gathered, in order.
#[derive(Debug)]
pub struct Swept<L: Look> {
    /// What it was for.
    pub look: Arc<Sweep<L>>,
    /// Files with something found.
    pub files: Vec<(PathBuf, L::Found)>,
    /// Files with something in the way.
    pub issues: Vec<(PathBuf, Issue)>,
    /// Files of each language, by its place in the table.
    pub languages: Vec<Languages>,
    /// Files looked at.
    pub searched: usize,
    /// How the walk ended.
    pub walk: WalkReport,
}

/// The files of one language.
#[derive(Debug, Clone, Default)]
pub struct Languages {
    /// How many.
    pub count: usize,
    /// The first one.
    pub first: Option<(Key, PathBuf)>,
}

/// Looks at all files of the targets. A file that is all there is and cannot be read is an error.
pub fn sweep<L: Look>(
    look: L,
    targets: &mut Targets,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Swept<L>> {
    let rules = TargetRules { hidden: true, gitignore: true, global_excludes: context.global_excludes() };
    let course = Course { cancel: cancel.clone(), deadline: None };
    let single = targets.single_file().is_some();
    let done = targets.walk(Sweep { look, cancel: cancel.clone() }, &rules, &course, None)?;
    let mut met: Vec<Met<L::Found>> = Vec::new();
    let mut unparsed = Vec::new();
    for worker in done.workers {
        met.extend(worker.met);
        unparsed.extend(worker.unparsed);
    }
    unparsed.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    unparsed.dedup_by(|(a, _), (b, _)| a == b);
    met.sort_unstable_by(|a, b| a.key.cmp(&b.key).then(b.explicit.cmp(&a.explicit)));
    // A file that several targets lead to.
    met.dedup_by(|a, b| a.key == b.key);
    let mut swept = Swept {
        look: done.survey,
        files: Vec::new(),
        issues: unparsed,
        languages: vec![Languages::default(); Language::count()],
        searched: met.len(),
        walk: done.report,
    };
    for Met { key, path, language, looked, .. } in met {
        let known = &mut swept.languages[language.index()];
        known.count += 1;
        if known.first.is_none() {
            known.first = Some((key, path.clone()));
        }
        let Some(Looked { found, issue }) = looked else { continue };
        match issue {
            Some(Issue::Unreadable(error)) if single => return Err(error),
            Some(issue) => swept.issues.push((path.clone(), issue)),
            None => {}
        }
        if let Some(found) = found {
            swept.files.push((path, found));
        }
    }
    Ok(swept)
}

/// A look as what a walk is for.
#[derive(Debug)]
pub struct Sweep<L> {
    /// What is done with each file.
    pub look: L,
    cancel: CancelToken,
}

/// What one thread holds.
pub struct Worker<F> {
    buffer: ReadBuffer,
    met: Vec<Met<F>>,
    /// Files that the caller named and nobody can parse.
    unparsed: Vec<(PathBuf, Issue)>,
}

struct Met<F> {
    key: Key,
    path: PathBuf,
    explicit: bool,
    language: &'static Language,
    /// Absent: nothing in the file can be of interest.
    looked: Option<Looked<F>>,
}

impl<L: Look> Survey for Sweep<L> {
    type Worker = Worker<L::Found>;

    // Parsing is a multiple of reading.
    const WEIGHT: usize = 20;

    fn worker(&self) -> Self::Worker {
        Worker { buffer: ReadBuffer::default(), met: Vec::new(), unparsed: Vec::new() }
    }

    fn visit(&self, worker: &mut Self::Worker, entry: &Entry<'_>) {
        if entry.kind != EntryKind::File {
            return;
        }
        let named = if entry.explicit { &entry.root.path } else { entry.relative };
        let Some(language) = Language::of(named) else {
            if entry.explicit {
                let is_archive = Format::of_name(&named.to_string_lossy()).is_some();
                let issue = if is_archive { Issue::Archive } else { Issue::NoLanguage };
                worker.unparsed.push((entry.path(), issue));
            }
            return;
        };
        // Of a call that is cancelled nothing is kept.
        let path = entry.path();
        let Ok(looked) = self.open_and_look(&path, language, &mut worker.buffer, entry) else { return };
        let key = Key::new(entry.root, &path);
        worker.met.push(Met { key, path, explicit: entry.explicit, language, looked });
    }
}

impl<L: Look> Sweep<L> {
    fn open_and_look(
        &self,
        path: &Path,
        language: &'static Language,
        buffer: &mut ReadBuffer,
        entry: &Entry<'_>,
    ) -> Result<Option<Looked<L::Found>>> {
        self.cancel.check()?;
        let unreadable = |error| Ok(Some(Looked::issue(Issue::Unreadable(error))));
        let mut file = match entry.open() {
            Ok(file) => file,
            // It vanished meanwhile.
            Err(ToolError::PathNotFound { .. }) if !entry.explicit => return Ok(None),
            Err(error) => return unreadable(error),
        };
        let limit = if entry.explicit { NAMED_LIMIT } else { WALKED_LIMIT };
        match entry.read(&mut file, buffer, limit, &self.cancel) {
            Ok(ReadEnd::Whole | ReadEnd::PassedBy) => {}
            Ok(ReadEnd::TooLarge) => return Ok(Some(Looked::issue(Issue::TooLarge(limit)))),
            Err(error) => {
                self.cancel.check()?;
                return unreadable(ToolError::io(path.to_string_lossy(), &error));
            }
        }
        let bytes: &[u8] = buffer.filled();
        if !self.look.may_match(language, bytes)
            || memchr::memchr(0, &bytes[..bytes.len().min(BINARY_HEAD)]).is_some()
        {
            return Ok(None);
        }
        if std::str::from_utf8(bytes).is_err() {
            return Ok(Some(Looked::issue(Issue::NotUtf8)));
        }
        self.look.look(path, language, bytes, &self.cancel).map(Some)
    }
}
