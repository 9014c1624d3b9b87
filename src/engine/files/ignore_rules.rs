//! What git and `.ignore` files leave out, one [`Level`] for each directory on the way down.
//!
//! Rule files are read like any other file: a pipe named `.gitignore` is no rule file and is never waited for.
//! Only files inside the tree are read; a user's global rules come in as text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::kind::read_regular;
use super::walk::WalkRules;
use crate::engine::text::BOM;

/// More than any real rule file has.
const RULE_FILE_LIMIT: u64 = 4 << 20;

/// Which rule files a directory has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RuleNames {
    pub(super) git: bool,
    pub(super) gitignore: bool,
    pub(super) ignore: bool,
}

/// The rule files of one directory.
#[derive(Debug)]
pub(super) struct RuleFiles<'a> {
    /// Absolute, without links.
    pub(super) directory: &'a Path,
    pub(super) names: RuleNames,
}

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
    pub(super) fn at_root(root: &Path, rules: &WalkRules) -> Arc<Self> {
        let mut directories: Vec<&Path> = root.ancestors().collect();
        directories.reverse();
        directories.into_iter().fold(Arc::new(Self::default()), |level, directory| {
            let has = |name: &str| directory.join(name).symlink_metadata().is_ok();
            let names = RuleNames { git: has(".git"), gitignore: has(".gitignore"), ignore: has(".ignore") };
            level.below(&RuleFiles { directory, names }, rules)
        })
    }

    /// The rules of a directory below this one.
    pub(super) fn below(self: &Arc<Self>, files: &RuleFiles, rules: &WalkRules) -> Arc<Self> {
        let git_root = rules.gitignore && files.names.git;
        let in_git = git_root || self.in_git;
        let read = |name: &str, there: bool| {
            if there { rule_file(files.directory, &files.directory.join(name), "") } else { None }
        };
        let global = rules.global_excludes.as_deref().unwrap_or_default();
        let level = Self {
            parent: None,
            dot_ignore: read(".ignore", files.names.ignore),
            gitignore: read(".gitignore", files.names.gitignore && rules.gitignore && in_git),
            exclude: if git_root { excluded(files.directory, global) } else { None },
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

/// The rules of a file for the tree below `directory`, after those of `before`; a line that is no valid rule counts
/// for nothing.
fn rule_file(directory: &Path, path: &Path, before: &str) -> Option<Gitignore> {
    let bytes = read_regular(path, "", RULE_FILE_LIMIT).map(|(bytes, _)| bytes).unwrap_or_default();
    let bytes = bytes.strip_prefix(BOM).unwrap_or(&bytes);
    let mut builder = GitignoreBuilder::new(directory);
    for line in before.lines().chain(String::from_utf8_lossy(bytes).lines()) {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// The user's own rules and the private exclude file of a work tree, which outranks them. In a linked work tree
/// `.git` is a file that names the real directory.
fn excluded(directory: &Path, global: &str) -> Option<Gitignore> {
    let dot_git = directory.join(".git");
    let git_directory =
        if dot_git.is_dir() { Some(dot_git) } else { linked_git_directory(directory, &dot_git) };
    let file = git_directory.unwrap_or_default().join("info/exclude");
    rule_file(directory, &file, global)
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
