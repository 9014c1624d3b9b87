//! `glob`: every path that matches as data, for hosts that lay out by themselves. No caps.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::Context;
use super::find::Wanted;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{Course, Entry, EntryKind, Key, Survey, TargetRules, Targets, relative_path};

/// Arguments of `glob`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Options {
    /// Files, directories and globs.
    pub paths: Vec<String>,
    /// Include hidden entries; true by default.
    #[serde(default)]
    pub hidden: Option<bool>,
    /// Leave out what git ignores; true by default.
    #[serde(default)]
    pub gitignore: Option<bool>,
    /// What to look for; files by default.
    #[serde(default, rename = "type")]
    pub wanted: Option<Wanted>,
    /// The order of the paths.
    #[serde(default)]
    pub sort: Sort,
}

/// An order of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// By their bytes.
    #[default]
    Path,
    /// Newest first, ties by their bytes.
    Modified,
}

/// Everything that matches.
#[derive(Debug, Serialize)]
pub struct Paths {
    /// Relative to the working directory where they lie below it; directories end with `/`.
    pub paths: Vec<String>,
    /// Directories that could not be read.
    pub unreadable: Vec<String>,
    /// Entries of `paths` that lead nowhere.
    pub missing: Vec<String>,
}

/// Runs the call.
pub fn glob(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Paths> {
    cancel.check()?;
    if options.paths.is_empty() {
        return Err(ToolError::argument("paths", "expected at least one path"));
    }
    let mut targets = Targets::resolve(&options.paths, context.origin())?;
    let rules = TargetRules {
        hidden: options.hidden.unwrap_or(true),
        gitignore: options.gitignore.unwrap_or(true),
        global_excludes: context.global_excludes(),
    };
    let course = Course { cancel: cancel.clone(), deadline: None };
    let survey = Globbing { wanted: options.wanted.unwrap_or_default(), sort: options.sort };
    let done = targets.walk(survey, &rules, &course, None)?;
    let mut found: Vec<Found> = done.workers.into_iter().flatten().collect();
    found.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    found.dedup_by(|a, b| a.key == b.key);
    if options.sort == Sort::Modified {
        found.sort_by_key(|found| Reverse(found.modified));
    }
    let shown = |path: &PathBuf| relative_path(path, &context.cwd);
    let with_slash =
        |found: &Found| format!("{}{}", shown(&found.path), if found.is_directory { "/" } else { "" });
    Ok(Paths {
        paths: found.iter().map(with_slash).collect(),
        unreadable: done.report.unreadable.iter().map(shown).collect(),
        missing: targets.missing,
    })
}

struct Globbing {
    wanted: Wanted,
    sort: Sort,
}

struct Found {
    key: Key,
    path: PathBuf,
    modified: Option<SystemTime>,
    is_directory: bool,
}

impl Survey for Globbing {
    type Worker = Vec<Found>;

    fn worker(&self) -> Vec<Found> {
        Vec::new()
    }

    fn visit(&self, found: &mut Vec<Found>, entry: &Entry<'_>) {
        if !self.wanted.may_be(entry.kind) {
            return;
        }
        // The listing says what it is; only where a link leads and how old something is has to be asked.
        let (kind, modified) = if entry.kind == EntryKind::Link || self.sort == Sort::Modified {
            let Ok(facts) = entry.facts() else { return };
            (facts.kind, facts.modified)
        } else {
            (entry.kind, None)
        };
        if self.wanted.is(kind) {
            let path = entry.path();
            let is_directory = kind == EntryKind::Directory;
            let key = Key::new(entry.root, &path);
            let key = if is_directory { key.with_slash() } else { key };
            found.push(Found { key, path, modified, is_directory });
        }
    }
}
