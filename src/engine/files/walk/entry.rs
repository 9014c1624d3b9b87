//! One thing that a walk meets.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::root::Root;
use super::system::Directory;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::kind::open_regular;
use crate::engine::files::{Identity, confine};

/// Bytes asked for at once; the call may be cancelled between two reads.
const PORTION: usize = 64 << 10;

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

/// What the system knows of an entry.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// What it is, or what the link leads to.
    pub kind: EntryKind,
    /// When it was last changed.
    pub modified: Option<SystemTime>,
}

/// How reading a file ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadEnd {
    /// The buffer holds all of it.
    Whole,
    /// It has more bytes than allowed; the buffer holds some of them.
    TooLarge,
}

/// What a thread keeps for the next file, whatever call that belongs to. Large files are few.
const KEPT: usize = 1 << 20;

thread_local! {
    static KEPT_MEMORY: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Memory for whole files, one after the other. It is the thread's: calls that take turns on a thread share it.
#[derive(Debug, Default)]
pub struct ReadBuffer {
    bytes: Vec<u8>,
    filled: usize,
}

impl Drop for ReadBuffer {
    fn drop(&mut self) {
        if (1..=KEPT).contains(&self.bytes.len()) {
            KEPT_MEMORY.set(std::mem::take(&mut self.bytes));
        }
    }
}

impl ReadBuffer {
    /// An empty buffer with the memory of this thread.
    #[must_use]
    pub fn of_thread() -> Self {
        Self { bytes: KEPT_MEMORY.take(), filled: 0 }
    }

    /// A buffer that holds what was read elsewhere.
    #[must_use]
    pub fn holding(bytes: Vec<u8>) -> Self {
        Self { filled: bytes.len(), bytes }
    }

    /// What was read last.
    #[must_use]
    pub fn filled(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// What was read last, to be changed.
    pub fn filled_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.filled]
    }

    /// Where the next portion goes.
    fn room(&mut self) -> &mut [u8] {
        let end = self.filled + PORTION;
        if self.bytes.len() < end {
            self.bytes.resize(end.max(2 * self.bytes.len()), 0);
        }
        &mut self.bytes[self.filled..end]
    }

    /// Makes room for a file of this size, and for the read that finds its end.
    fn expect(&mut self, size: usize) {
        if self.bytes.len() < size + PORTION {
            self.bytes.resize(size + PORTION, 0);
        }
    }
}

/// The place of an entry in the order of results: by root where that counts, then by the bytes of its path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    order: usize,
    path: Vec<u8>,
}

impl Key {
    /// The key of a path below a root.
    #[must_use]
    pub fn new(root: &Root, path: &Path) -> Self {
        Self { order: root.order, path: path.as_os_str().as_encoded_bytes().to_vec() }
    }

    /// Whether this is behind a path, whatever root that is below.
    #[must_use]
    pub fn is_behind(&self, path: &Path) -> bool {
        path.as_os_str().as_encoded_bytes() < self.path.as_slice()
    }

    /// Whether a directory of this path may hold something behind `bound`.
    #[must_use]
    pub fn may_hold_beyond(mut self, bound: &Self) -> bool {
        self.path.push(b'/');
        self > *bound || self.order == bound.order && bound.path.starts_with(&self.path)
    }
}

/// Something that no rule leaves out.
#[derive(Debug)]
pub struct Entry<'a> {
    /// Where the walk came from.
    pub root: &'a Root,
    /// The path from the root; empty for a root that is a file.
    pub relative: &'a Path,
    /// What it is; a named file is one whatever the way to it.
    pub kind: EntryKind,
    /// Whether the caller named this very file.
    pub explicit: bool,
    pub(super) place: Option<(&'a Directory, &'a OsStr)>,
}

impl Entry<'_> {
    /// The root as it was given, and the rest of the way.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        if self.explicit { self.root.path.clone() } else { self.root.path.join(self.relative) }
    }

    /// The place among results.
    #[must_use]
    pub fn key(&self) -> Key {
        Key::new(self.root, &self.path())
    }

    /// Opens a regular file. A link is followed only if the caller named it; a pipe is never waited for.
    pub fn open(&self) -> Result<File> {
        match self.place {
            Some((directory, name)) => {
                directory.file(name).map_err(|error| ToolError::io(self.path().to_string_lossy(), &error))
            }
            None => open_regular(&self.root.path, &self.root.path.to_string_lossy()).map(|(file, _)| file),
        }
    }

    /// Reads an opened file from where it stands, at most `limit` bytes.
    pub fn read(
        &self,
        file: &mut File,
        into: &mut ReadBuffer,
        limit: usize,
        cancel: &CancelToken,
    ) -> io::Result<ReadEnd> {
        into.filled = 0;
        let short_read_ends = self.place.is_some_and(|(directory, _)| directory.short_read_ends());
        loop {
            let room = into.room();
            let asked = room.len();
            let read = match file.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            into.filled += read;
            if into.filled > limit {
                return Ok(ReadEnd::TooLarge);
            }
            if read == 0 || short_read_ends && read < asked {
                return Ok(ReadEnd::Whole);
            }
            if cancel.is_cancelled() {
                return Err(io::Error::other("cancelled"));
            }
            // Most files fit the first portion, and nobody asks for their size.
            if into.filled == PORTION {
                let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
                if size > limit {
                    return Ok(ReadEnd::TooLarge);
                }
                into.expect(size);
            }
        }
    }

    /// How a regular file looks now, as [`Identity::settled_for`] may have seen it before. Absent for a file that the
    /// caller named, and on file systems that may not tell of every change, such as those of other machines.
    #[must_use]
    pub fn identity(&self) -> Option<Identity> {
        let (directory, name) = self.place?;
        directory.identity(name)
    }

    /// What the entry is and leads to.
    pub fn facts(&self) -> io::Result<Facts> {
        match self.place {
            Some((directory, name)) if self.kind != EntryKind::Link => directory.facts(name),
            // Only a whole path says whether what a link leads to may be looked at.
            _ => Facts::of_path(&self.path()),
        }
    }
}

impl Facts {
    /// The facts of what a path leads to.
    fn of_path(path: &Path) -> io::Result<Self> {
        confine::metadata(path).map(|metadata| Self::of(&metadata))
    }

    pub(super) fn of(metadata: &std::fs::Metadata) -> Self {
        Self { kind: EntryKind::of(metadata.file_type()), modified: metadata.modified().ok() }
    }
}

impl EntryKind {
    pub(super) fn of(kind: std::fs::FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Directory
        } else if kind.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }
}
