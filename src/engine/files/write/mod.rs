//! Changing files: the one writer of the whole engine. A reader sees the old or the new bytes of a file, never a
//! part; a process that is killed leaves one of them, or a journal that the next call carries out.
//!
//! [`Writer::lock`] holds a file from reading to writing, [`Writer::write`] replaces it, and a [`Transaction`]
//! changes several together:
//!
//! ```text
//! let writer = context.writer();
//! let targets = writer.lock_all(&[(&path, "a.rs"), (&new_path, "b.rs")], cancel)?;
//! let (bytes, _) = read_regular(targets[0].path(), "a.rs", MAX_BYTES)?; // rehearse: nothing is written yet
//! let written = Transaction::new(writer)
//!     .write(&targets[0], &changed, Expected::Bytes(&bytes)) // `concurrent_modification` if it is another file by now
//!     .rename(&targets[0], &targets[1]) // `already_exists` if the name is taken
//!     .commit()?; // all or nothing
//! ```
//!
//! Never changes a file that is not locked, and never follows a link that came after the lock.

mod attributes;
mod closing;
mod directories;
mod disk;
mod draft;
mod in_place;
mod journal;
mod leftovers;
mod lock;
mod step;
mod target;
mod transaction;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use closing::close_after;
pub use disk::{Disk, FileSystem};
pub use in_place::InPlace;
pub use journal::Repair;
pub use target::Target;
pub use transaction::Transaction;

use lock::FileLock;
use target::{entry_of, follow_links, write_error};
use transaction::Change;

use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::files::confine::require_allowed;
use crate::engine::files::identity::Mark;
use crate::engine::text::Bytes;

/// What a change made of a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Created {
    /// There was no file.
    New,
    /// An existing file was replaced.
    #[default]
    Replaced,
    /// The file is gone.
    Removed,
    /// The file has another name.
    Moved,
}

/// What the file must hold at the moment it is changed.
#[derive(Debug, Clone, Copy)]
pub enum Expected<'a> {
    /// Whatever it holds, if it exists at all.
    Anything,
    /// Nothing: there must be no such file.
    Missing,
    /// What it held when this was its mark.
    Unchanged(Mark),
    /// These bytes; others mean that somebody else changed the file meanwhile.
    Bytes(&'a [u8]),
}

/// What a file is given.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// These bytes.
    Whole(&'a [u8]),
    /// Bytes that may lie in pieces.
    Shared(&'a Bytes),
}

impl<'a> Content<'a> {
    fn pieces(self) -> Vec<&'a [u8]> {
        match self {
            Self::Whole(bytes) => vec![bytes],
            Self::Shared(bytes) => bytes.pieces(),
        }
    }

    fn whole(self) -> &'a [u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Shared(bytes) => bytes.whole(),
        }
    }
}

impl<'a, B: AsRef<[u8]> + ?Sized> From<&'a B> for Content<'a> {
    fn from(bytes: &'a B) -> Self {
        Self::Whole(bytes.as_ref())
    }
}

impl<'a> From<&'a Bytes> for Content<'a> {
    fn from(bytes: &'a Bytes) -> Self {
        Self::Shared(bytes)
    }
}

/// How a change went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// What became of the name.
    pub created: Created,
    /// Why the file was written in place instead of being replaced as a whole.
    pub in_place: Option<InPlace>,
}

/// The writer of one session.
#[derive(Debug, Clone, Copy)]
pub struct Writer<'a> {
    disk: &'a dyn FileSystem,
    /// Directories for journals; the first one that can be used is.
    state: &'a [PathBuf],
    /// Whether a change has to survive a loss of power, not only the end of the process.
    durable: bool,
}

impl<'a> Writer<'a> {
    /// A writer whose journals lie in one of the directories `state`.
    #[must_use]
    pub fn new(state: &'a [PathBuf], durable: bool) -> Self {
        Self::on(&Disk, state, durable)
    }

    /// The same with a file system of its own, for tests.
    #[must_use]
    pub fn on(disk: &'a dyn FileSystem, state: &'a [PathBuf], durable: bool) -> Self {
        Self { disk, state, durable }
    }

    /// Follows the links of `path` (the last one may dangle: its target is what gets written) and waits until
    /// nobody else works on the file. `shown` is how the caller wrote it.
    pub fn lock(&self, path: &Path, shown: &str, cancel: &CancelToken) -> Result<Target> {
        let mut targets = self.lock_all(&[(path, shown)], cancel)?;
        Ok(targets.remove(0))
    }

    /// [`Writer::lock`] for several files at once. Two calls never wait for each other, in whatever order they
    /// name their files.
    pub fn lock_all(&self, paths: &[(&Path, &str)], cancel: &CancelToken) -> Result<Vec<Target>> {
        let shown = || paths.iter().map(|(_, shown)| *shown).collect::<Vec<_>>().join(", ");
        let mut followed = || -> Result<Vec<PathBuf>> {
            let follow = |(path, shown): &(&Path, &str)| {
                let real = follow_links(path).map_err(|error| write_error(shown, &error))?;
                require_allowed(&real, shown).map(|()| real)
            };
            paths.iter().map(follow).collect()
        };
        let mut repaired = Vec::new();
        loop {
            let (lock, real) = FileLock::acquire(&mut followed, &shown, cancel)?;
            let lock = Arc::new(lock);
            // Who held a file until now may be dead, and its change half made.
            let (repairs, is_quiet) = journal::recover(self.disk, self.state, &real);
            if is_quiet && repairs.is_empty() {
                let target = |((path, shown), real): (&(&Path, &str), PathBuf)| {
                    let target = Target {
                        path: real,
                        entry: entry_of(path),
                        shown: (*shown).to_owned(),
                        lock: Arc::clone(&lock),
                        repairs: std::mem::take(&mut repaired),
                    };
                    leftovers::clear(self.disk, target.folder());
                    target
                };
                return Ok(paths.iter().zip(real).map(target).collect());
            }
            repaired.extend(repairs);
            drop(lock);
            cancel.check()?;
            if !is_quiet {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
    }

    /// Gives a file this content. Mode, owner and extended attributes of an existing file are kept; missing
    /// parent directories are made, and removed again if the write fails.
    ///
    /// Where a rename would break something (other names of the file, its owner) or is not possible, the file is
    /// written in place, with a journal.
    pub fn write(&self, target: &Target, content: &[u8], expected: Expected) -> Result<Written> {
        let written = Transaction::new(*self).write(target, content, expected).commit()?;
        Ok(written.into_iter().next().unwrap_or_default())
    }

    /// Takes back what processes that died in the middle of a change left half done.
    #[must_use]
    pub fn repair(&self) -> Vec<Repair> {
        journal::recover(self.disk, self.state, &[]).0
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        if self.durable { disk::sync(self.disk, file) } else { Ok(()) }
    }
}
