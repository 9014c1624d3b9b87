//! What git and `.ignore` files leave out, one [`Level`] for each directory on the way down.
//!
//! Rule files are read like any other file: a pipe named `.gitignore` is no rule file and is never waited for.
//! Only files inside the tree are read, never a user's global configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::kind::read_regular;
use crate::engine::text::BOM;

/// More than any real rule file has.
const RULE_FILE_LIMIT: u64 = 4 << 20;

/// The rules that hold in one directory.
#[derive(Debug, Default)]
pub(super) struct Level {
    parent: Option<Arc<Level>>,
    dot_ignore: Option<Gitignore>,
    gitignore: Option<Gitignore>,
    exclude: Option<Gitignore>,
    /// `.gitignore` counts only inside a work tree, and those above its root do not count.
    git_root: bool,
    in_git: bool,
}

impl Level {
    /// The rules of `root` and of everything above it. `root` has no links in it.
    pub(super) fn at_root(root: &Path, gitignore: bool) -> Arc<Self> {
        let mut directories: Vec<&Path> = root.ancestors().collect();
        directories.reverse();
        directories.into_iter().fold(Arc::new(Self::default()), |level, directory| {
            level.below(directory, gitignore, &|name| directory.join(name).symlink_metadata().is_ok())
        })
    }

    /// The rules of a directory below this one; `has` tells whether it has an entry of a name.
    pub(super) fn below(
        self: &Arc<Self>,
        directory: &Path,
        gitignore: bool,
        has: &dyn Fn(&str) -> bool,
    ) -> Arc<Self> {
        let git_root = gitignore && has(".git");
        let in_git = git_root || self.in_git;
        let rules = |name: &str, wanted: bool| {
            if wanted && has(name) { rule_file(directory, &directory.join(name)) } else { None }
        };
        let level = Self {
            parent: None,
            dot_ignore: rules(".ignore", true),
            gitignore: rules(".gitignore", gitignore && in_git),
            exclude: if git_root { exclude_file(directory) } else { None },
            git_root,
            in_git,
        };
        if level.says_nothing_new() {
            return Arc::clone(self);
        }
        Arc::new(Self { parent: Some(Arc::clone(self)), ..level })
    }

    /// The rules above a directory that was asked for, without those that would leave out all of it.
    pub(super) fn above_named(self: Arc<Self>, directory: &Path) -> Arc<Self> {
        // A rule such as `dist/**` hits a name that nobody wrote a rule for.
        if self.ignores(&directory.join("\u{1}"), false) {
            return Arc::new(Self { in_git: self.in_git, ..Self::default() });
        }
        self
    }

    /// Whether an entry is left out. `path` is absolute and has no links above its last part.
    pub(super) fn ignores(&self, path: &Path, is_directory: bool) -> bool {
        let verdict = self.first(|level| level.dot_ignore.as_ref(), path, is_directory, false);
        let verdict =
            verdict.or_else(|| self.first(|level| level.gitignore.as_ref(), path, is_directory, true));
        let verdict =
            verdict.or_else(|| self.first(|level| level.exclude.as_ref(), path, is_directory, true));
        verdict.unwrap_or(false)
    }

    /// The verdict of the deepest rule of one kind that speaks of the entry.
    fn first(
        &self,
        rules: impl Fn(&Self) -> Option<&Gitignore>,
        path: &Path,
        is_directory: bool,
        stop_at_git_root: bool,
    ) -> Option<bool> {
        let mut level = Some(self);
        while let Some(here) = level {
            match rules(here).map_or(Match::None, |rules| rules.matched(path, is_directory)) {
                Match::Ignore(_) => return Some(true),
                Match::Whitelist(_) => return Some(false),
                Match::None => {}
            }
            if stop_at_git_root && here.git_root {
                return None;
            }
            level = here.parent.as_deref();
        }
        None
    }

    fn says_nothing_new(&self) -> bool {
        self.dot_ignore.is_none() && self.gitignore.is_none() && self.exclude.is_none() && !self.git_root
    }
}

/// The rules of a file for the tree below `directory`; a line that is no valid rule counts for nothing.
fn rule_file(directory: &Path, path: &Path) -> Option<Gitignore> {
    let (bytes, _) = read_regular(path, "", RULE_FILE_LIMIT).ok()?;
    let bytes = bytes.strip_prefix(BOM).unwrap_or(&bytes);
    let mut builder = GitignoreBuilder::new(directory);
    for line in String::from_utf8_lossy(bytes).lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// The private exclude file of a work tree. In a linked work tree `.git` is a file that names the real directory.
fn exclude_file(directory: &Path) -> Option<Gitignore> {
    let dot_git = directory.join(".git");
    let git_directory = if dot_git.is_dir() { dot_git } else { linked_git_directory(directory, &dot_git)? };
    rule_file(directory, &git_directory.join("info/exclude"))
}

fn linked_git_directory(directory: &Path, dot_git: &Path) -> Option<PathBuf> {
    let first_line = |path: &Path| -> Option<String> {
        let (bytes, _) = read_regular(path, "", 64 << 10).ok()?;
        String::from_utf8(bytes).ok()?.lines().next().map(|line| line.trim_end().to_owned())
    };
    let line = first_line(dot_git)?;
    let own = directory.join(line.strip_prefix("gitdir:")?.trim_start());
    Some(match first_line(&own.join("commondir")) {
        Some(common) => own.join(common),
        None => own,
    })
}
