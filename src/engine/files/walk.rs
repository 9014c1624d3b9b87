//! The walk below one directory, in byte order of the relative paths.
//!
//! Links are reported, never entered; the root itself may be one. Nothing is opened but directories and rule
//! files, and a directory that cannot be read is reported while the walk goes on.

use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::confine::read_dir;
use super::ignore_rules::Level;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

/// What a walk leaves out.
#[derive(Debug, Clone, Copy)]
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
    /// When to end an unfinished walk.
    pub deadline: Option<Instant>,
}

/// What an entry is, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory, which is entered next.
    Directory,
    /// A symbolic link to whatever.
    Link,
    /// A pipe, socket or device.
    Special,
}

/// One entry below the root.
#[derive(Debug, Clone, Copy)]
pub struct WalkEntry<'a> {
    /// The root as it was given, and the rest of the way.
    pub path: &'a Path,
    /// The path from the root.
    pub relative: &'a Path,
    /// What it is.
    pub kind: EntryKind,
}

/// How a walk ended.
#[derive(Debug, Default)]
pub struct WalkReport {
    /// Directories that could not be read.
    pub unreadable: Vec<PathBuf>,
    /// Whether the deadline ended it.
    pub timed_out: bool,
}

/// Tells `visit` of everything below `root`, until it breaks. An error only if the call is cancelled.
pub fn walk(
    root: &Path,
    rules: &WalkRules,
    cancel: &CancelToken,
    visit: &mut dyn FnMut(WalkEntry) -> ControlFlow<()>,
) -> Result<WalkReport> {
    let mut report = WalkReport::default();
    let Ok(real_root) = root.canonicalize() else {
        report.unreadable.push(root.to_owned());
        return Ok(report);
    };
    let above = match real_root.parent() {
        Some(parent) => Level::at_root(parent, rules.gitignore).above_named(&real_root),
        None => Arc::default(),
    };
    let mut open = Vec::new();
    let mut relative = PathBuf::new();
    cancel.check()?;
    open.extend(Directory::read(root, &relative, &real_root, &above, rules, &mut report));
    while let Some(directory) = open.last_mut() {
        let Some(child) = directory.children.pop() else {
            open.pop();
            relative.pop();
            continue;
        };
        if rules.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            report.timed_out = true;
            break;
        }
        relative.push(&child.name);
        let level = Arc::clone(&directory.level);
        if rules.leaves_out(&child) || level.ignores(&real_root.join(&relative), child.is_directory()) {
            relative.pop();
            continue;
        }
        let path = root.join(&relative);
        let entry = WalkEntry { path: &path, relative: &relative, kind: child.kind };
        if visit(entry).is_break() {
            break;
        }
        if child.is_directory() {
            cancel.check()?;
            if let Some(below) = Directory::read(&path, &relative, &real_root, &level, rules, &mut report) {
                open.push(below);
                continue;
            }
        }
        relative.pop();
    }
    Ok(report)
}

impl WalkRules {
    fn leaves_out(&self, child: &Child) -> bool {
        let name = child.name.as_os_str();
        name == OsStr::new(".git") && !self.git_directory
            || name == OsStr::new("node_modules") && !self.node_modules
            || !self.hidden && name.as_encoded_bytes().starts_with(b".")
    }
}

/// A directory that is being walked; its children stand in reverse order.
struct Directory {
    children: Vec<Child>,
    level: Arc<Level>,
}

struct Child {
    name: OsString,
    kind: EntryKind,
}

impl Directory {
    fn read(
        path: &Path,
        relative: &Path,
        real_root: &Path,
        above: &Arc<Level>,
        rules: &WalkRules,
        report: &mut WalkReport,
    ) -> Option<Self> {
        let Ok(mut children) = list(path) else {
            report.unreadable.push(path.to_owned());
            return None;
        };
        let real =
            if relative.as_os_str().is_empty() { real_root.to_owned() } else { real_root.join(relative) };
        let has = |name: &str| children.iter().any(|child| child.name == *name);
        let level = above.below(&real, rules.gitignore, &has);
        children.sort_unstable_by(|a, b| b.order().cmp(a.order()));
        Some(Self { children, level })
    }
}

fn list(path: &Path) -> std::io::Result<Vec<Child>> {
    let mut children = Vec::new();
    for entry in read_dir(path)? {
        let entry = entry?;
        let kind = entry.file_type().map_or(EntryKind::Special, |kind| {
            if kind.is_file() {
                EntryKind::File
            } else if kind.is_dir() {
                EntryKind::Directory
            } else if kind.is_symlink() {
                EntryKind::Link
            } else {
                EntryKind::Special
            }
        });
        children.push(Child { name: entry.file_name(), kind });
    }
    Ok(children)
}

impl Child {
    fn is_directory(&self) -> bool {
        self.kind == EntryKind::Directory
    }

    /// A directory stands where its content stands in the order of whole paths: as if its name ended with `/`.
    fn order(&self) -> impl Iterator<Item = &u8> {
        let slash: &[u8] = if self.is_directory() { b"/" } else { b"" };
        self.name.as_encoded_bytes().iter().chain(slash)
    }
}
