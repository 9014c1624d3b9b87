//! A path that is missing where it was looked for, found by its end: `mod.ts` for `src/deep/mod.ts`.
//!
//! The text is taken literally, whatever characters it holds. Ignored files, `.git` and `node_modules` are left out.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::walk::{Course, Entry, EntryKind, Root, Survey, WalkRules, walk};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

/// How long the search may take.
const TIME: Duration = Duration::from_secs(5);

/// Paths that are named where several end alike.
const NAMED: usize = 5;

/// The paths below a directory that end like a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SuffixMatches {
    /// In order; one more than are worth naming where there are many.
    pub paths: Vec<PathBuf>,
    /// Not everything was looked at in time.
    pub timed_out: bool,
}

impl SuffixMatches {
    /// The path that is meant, if it is the only one.
    #[must_use]
    pub fn unique(&self) -> Option<&Path> {
        match self.paths.as_slice() {
            [only] if !self.timed_out => Some(only),
            _ => None,
        }
    }

    /// The first few, and whether there are more.
    #[must_use]
    pub fn named(&self) -> (&[PathBuf], bool) {
        (&self.paths[..self.paths.len().min(NAMED)], self.paths.len() > NAMED)
    }
}

/// Looks for paths below `cwd` that end like each of some texts, in one walk. A text that says where it starts, by a
/// root, `~` or `..`, has no such matches.
pub fn find_suffixes(texts: &[&str], cwd: &Path, cancel: &CancelToken) -> Result<Vec<SuffixMatches>> {
    find_suffixes_within(texts, cwd, cancel, TIME)
}

/// [`find_suffixes`] with a time of its own.
pub fn find_suffixes_within(
    texts: &[&str],
    cwd: &Path,
    cancel: &CancelToken,
    time: Duration,
) -> Result<Vec<SuffixMatches>> {
    let ends: Vec<Option<Vec<OsString>>> = texts.iter().map(|text| parts(text)).collect();
    let mut matches = vec![SuffixMatches::default(); texts.len()];
    if ends.iter().all(Option::is_none) {
        return Ok(matches);
    }
    let rules = WalkRules { hidden: true, gitignore: true, ..WalkRules::default() };
    let root = Root { path: cwd.to_owned(), is_file: false, rules, glob: None, order: 0 };
    let course = Course { cancel: cancel.clone(), deadline: Some(Instant::now() + time) };
    let done = walk(Arc::new(Ends(ends)), vec![root], course, None)?;
    for (index, path) in done.workers.into_iter().flatten() {
        matches[index].paths.push(path);
    }
    for found in &mut matches {
        found.paths.sort_unstable();
        found.paths.truncate(NAMED + 1);
        found.timed_out = done.report.timed_out;
    }
    Ok(matches)
}

/// The ends that are looked for.
struct Ends(Vec<Option<Vec<OsString>>>);

impl Survey for Ends {
    type Worker = Vec<(usize, PathBuf)>;

    fn worker(&self) -> Self::Worker {
        Vec::new()
    }

    fn visit(&self, found: &mut Self::Worker, entry: &Entry<'_>) {
        let ends = self.0.iter().enumerate();
        let alike =
            ends.filter(|(_, parts)| parts.as_ref().is_some_and(|parts| ends_with(entry.relative, parts)));
        let alike: Vec<usize> = alike.map(|(index, _)| index).collect();
        let is_there = || match entry.kind {
            EntryKind::Link => entry.facts().is_ok(),
            EntryKind::File | EntryKind::Directory => true,
            EntryKind::Special => false,
        };
        if !alike.is_empty() && is_there() {
            found.extend(alike.into_iter().map(|index| (index, entry.path())));
        }
    }
}

/// The names of a text, if they are nothing but names.
fn parts(text: &str) -> Option<Vec<OsString>> {
    if text.starts_with('~') {
        return None;
    }
    let parts = Path::new(text).components().filter(|part| *part != Component::CurDir);
    let parts =
        parts.map(|part| if let Component::Normal(name) = part { Some(name.to_owned()) } else { None });
    parts.collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty())
}

fn ends_with(path: &Path, parts: &[OsString]) -> bool {
    let mut names = path.iter().rev();
    parts.iter().rev().all(|part| names.next() == Some(part.as_os_str()))
}
