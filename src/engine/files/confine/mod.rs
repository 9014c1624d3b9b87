//! Confinement: while a call of a session with allowed roots runs, nothing outside of them is opened, whatever
//! links or `..` on the way say. It is asked when something is opened, of what is then open, never of a text.
//!
//! It belongs to the thread that runs the call, not to each function's arguments: every open of the engine goes
//! through this folder, so none can forget it. A thread that works for a call must enter it:
//! `let here = Confinement::current(); scope.spawn(move || here.enter(work))`.
//!
//! Says nothing about commands of `bash`, which do what they like, and nothing about a hard link inside a root to a
//! file that has another name outside.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(target_os = "linux")]
use linux as platform;
#[cfg(not(target_os = "linux"))]
use other as platform;

use super::open::Access;
use super::path::real_path;
use crate::engine::error::{OutsideAllowedRoots, Result, ToolError};

pub use platform::Pinned;

/// Where a call may read and write; anywhere by default.
#[derive(Debug, Clone, Default)]
pub struct Confinement(Option<Arc<Roots>>);

#[derive(Debug)]
struct Roots {
    allowed: Vec<platform::Root>,
    /// Directories of the engine's own, which no tool reads but the writer changes.
    private: Vec<PathBuf>,
    /// Go to a file directory by directory, without the one system call that does it.
    step_by_step: bool,
}

thread_local! {
    static CURRENT: RefCell<Confinement> = RefCell::default();
}

impl Confinement {
    /// The directories below which everything is allowed; absent: anywhere. A root that is not there allows nothing.
    /// `private`: where the writer keeps its journals.
    pub fn new(roots: Option<&[PathBuf]>, private: &[PathBuf]) -> Result<Self> {
        Self::build(roots, private, false)
    }

    /// The same as on a system without `openat2`.
    pub fn step_by_step(roots: &[PathBuf]) -> Result<Self> {
        Self::build(Some(roots), &[], true)
    }

    fn build(roots: Option<&[PathBuf]>, private: &[PathBuf], step_by_step: bool) -> Result<Self> {
        let Some(paths) = roots else { return Ok(Self(None)) };
        if let Some(at) = paths.iter().position(|path| !path.is_absolute()) {
            return Err(ToolError::argument(format!("allowedRoots[{at}]"), "expected an absolute path"));
        }
        let allowed = paths.iter().filter_map(|path| platform::Root::open(path).ok()).collect();
        Ok(Self(Some(Arc::new(Roots { allowed, private: private.to_vec(), step_by_step }))))
    }

    /// That of the call this thread works for.
    #[must_use]
    pub fn current() -> Self {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Whether both are clones of one confinement, or neither confines.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Runs work under this confinement.
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Puts the one before back, also after a panic.
        struct Back(Confinement);
        impl Drop for Back {
            fn drop(&mut self) {
                CURRENT.replace(std::mem::take(&mut self.0));
            }
        }
        let _back = Back(CURRENT.replace(self.clone()));
        work()
    }
}

/// Opens a file that need not be regular; never waits for the other end of a pipe.
pub(super) fn open(path: &Path, access: Access) -> io::Result<File> {
    match Confinement::current().0 {
        None => access.options().open(path),
        Some(roots) => roots.open(path, access),
    }
}

/// What a path leads to, links followed.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    match Confinement::current().0 {
        None => path.metadata(),
        Some(roots) => roots.metadata(path),
    }
}

/// The entries of a directory. Only their names and what they are themselves may be asked of them, not their path.
pub fn read_dir(path: &Path) -> io::Result<Listing> {
    let pinned = pin(path)?;
    Ok(Listing { entries: pinned.path().read_dir()?, _pinned: pinned })
}

/// The entries of a directory that stays the same one while they are read.
#[derive(Debug)]
pub struct Listing {
    entries: std::fs::ReadDir,
    _pinned: Pinned,
}

impl Iterator for Listing {
    type Item = io::Result<std::fs::DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entries.next()
    }
}

/// A path below which names are those of this very directory, whatever becomes of the way to it. Files in it are
/// made, renamed and removed under [`Pinned::path`].
pub fn pin(directory: &Path) -> io::Result<Pinned> {
    match Confinement::current().0 {
        None => Ok(Pinned::plain(directory)),
        Some(roots) => roots.pin(directory),
    }
}

/// Makes one directory.
pub(super) fn create_dir(path: &Path) -> io::Result<()> {
    in_pinned_parent(path, |path| std::fs::create_dir(path))
}

/// Removes one empty directory.
pub(super) fn remove_dir(path: &Path) -> io::Result<()> {
    in_pinned_parent(path, |path| std::fs::remove_dir(path))
}

/// Opens what has this very name in its directory; a link in its place is not followed.
pub(super) fn open_entry(path: &Path, access: Access) -> io::Result<File> {
    match Confinement::current().0 {
        None => access.options_for_entry().open(path),
        Some(_) => in_pinned_parent(path, |path| access.options_for_entry().open(path)),
    }
}

/// Changes a name: `change` is given a path that leads to it in its very directory.
pub(super) fn in_pinned_parent<T>(path: &Path, change: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !is_private(path) => {
            let pinned = pin(parent)?;
            change(&pinned.path().join(name))
        }
        _ => change(path),
    }
}

/// Whether a path is the writer's own.
fn is_private(path: &Path) -> bool {
    match Confinement::current().0 {
        None => false,
        Some(roots) => roots.private.iter().any(|directory| path.starts_with(directory)),
    }
}

/// Whether a path is taken. One outside counts as taken: whoever opens it is refused, and nothing is told of what
/// is there.
#[must_use]
pub fn exists(path: &Path) -> bool {
    !is_allowed(path) || path.symlink_metadata().is_ok()
}

/// Whether a path lies where the call may go, as far as it exists.
#[must_use]
pub fn is_allowed(path: &Path) -> bool {
    match Confinement::current().0 {
        None => true,
        Some(roots) => roots.holding(&real_path(path)).is_some(),
    }
}

/// Refuses a path outside. For those who hand a path to somebody else; what is opened here is asked anyway.
pub fn require_allowed(path: &Path, shown: &str) -> Result<()> {
    if is_allowed(path) { Ok(()) } else { Err(ToolError::OutsideAllowedRoots { path: shown.to_owned() }) }
}

impl Roots {
    /// The root above a path without links, and the rest of the way.
    fn holding<'a>(&self, path: &'a Path) -> Option<(&platform::Root, &'a Path)> {
        self.allowed.iter().find_map(|root| path.strip_prefix(root.path()).ok().map(|rest| (root, rest)))
    }
}

fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, OutsideAllowedRoots)
}
