//! One thing that a walk meets.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::reading::{Look, Piece, ReadBuffer, ReadEnd, Reading};
use super::root::Root;
use super::system::Directory;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::kind::open_regular;
use crate::engine::files::{Identity, confine};

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

    /// The key of a directory that is shown with a slash at its end, and stands where that puts it.
    #[must_use]
    pub fn with_slash(mut self) -> Self {
        self.path.push(b'/');
        self
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
        self.reading(limit, cancel).read(file, into, None)
    }

    /// Reads an opened file from its start, a large one only as far as `look` asks for it.
    pub fn read_as_needed(
        &self,
        file: &mut File,
        into: &mut ReadBuffer,
        limit: usize,
        cancel: &CancelToken,
        look: &mut dyn FnMut(Piece<'_>) -> Look,
    ) -> io::Result<ReadEnd> {
        self.reading(limit, cancel).read(file, into, Some(look))
    }

    fn reading<'a>(&self, limit: usize, cancel: &'a CancelToken) -> Reading<'a> {
        let short_read_ends = self.place.is_some_and(|(directory, _)| directory.short_read_ends());
        Reading { limit, short_read_ends, cancel }
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
