//! What is walked, and what is left out.

use std::path::PathBuf;
use std::sync::Arc;

use crate::engine::files::globs::Glob;

/// What a walk leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub struct WalkRules {
    /// Whether names that start with a dot are reported and entered.
    pub hidden: bool,
    /// Whether `.gitignore` counts. `.ignore` always does.
    pub gitignore: bool,
    /// Whether `.git` is entered.
    pub git_directory: bool,
    /// Whether `node_modules` is entered.
    pub node_modules: bool,
    /// The user's own rules, which count inside of every work tree.
    pub global_excludes: Option<Arc<str>>,
}

/// One place of a walk: a directory with everything below it, or a single file.
#[derive(Debug, Clone)]
pub struct Root {
    /// The directory or file.
    pub path: PathBuf,
    /// Whether `path` is a file, which is reported whatever the rules say.
    pub is_file: bool,
    /// What is left out below.
    pub rules: WalkRules,
    /// What is reported; everything by default.
    pub glob: Option<Glob>,
    /// Rank among the roots where their order counts, else the same for all.
    pub order: usize,
}

impl Root {
    /// Whether the same is met below both. Globs are not compared: with one, no is the answer.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let place = |root: &Self| (root.is_file, root.order, root.glob.is_some());
        let no_glob = self.glob.is_none() && place(self) == place(other);
        no_glob && self.path == other.path && self.rules == other.rules
    }
}

/// How a walk ended.
#[derive(Debug, Clone, Default)]
pub struct WalkReport {
    /// Directories that could not be read, in byte order.
    pub unreadable: Vec<PathBuf>,
    /// Whether the deadline ended it.
    pub timed_out: bool,
}
