//! Directories by path, where the system has no handles that names can be opened relative to.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::entry::{EntryKind, Facts};
use super::step::NAMES;
use crate::engine::files::open::Access;
use crate::engine::files::{Identity, confine};

/// A directory.
#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
}

impl Directory {
    /// A directory by its real path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned() })
    }

    /// A directory in this one.
    pub(super) fn open_below(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self { path: self.path.join(name) })
    }

    /// No handle is kept here.
    pub(super) fn many_are_open() -> bool {
        false
    }

    /// Nothing is known of the file system.
    #[expect(clippy::unused_self, reason = "the other systems know more")]
    pub(super) fn short_read_ends(&self) -> bool {
        false
    }

    /// Opens a file in this directory.
    pub(super) fn file(&self, name: &OsStr) -> io::Result<File> {
        confine::open(&self.path.join(name), Access::Read)
    }

    /// What an entry is; links are not followed.
    pub(super) fn facts(&self, name: &OsStr) -> io::Result<Facts> {
        Ok(Facts::of(&self.path.join(name).symlink_metadata()?))
    }

    /// Nothing is known of how files look.
    #[expect(clippy::unused_self, reason = "the other systems know more")]
    pub(super) fn identity(&self, _: &OsStr) -> Option<Identity> {
        None
    }

    /// Lists the directory until the rest is needless; what comes before an error is kept.
    pub(super) fn list(
        &self,
        _: &mut Space,
        listing: &mut Listing,
        is_needless: impl Fn() -> bool,
    ) -> io::Result<()> {
        listing.entries.clear();
        for entry in confine::read_dir(&self.path)? {
            let entry = entry?;
            let kind = entry.file_type().map_or(EntryKind::Special, EntryKind::of);
            listing.entries.push((entry.file_name(), kind));
            if listing.len().is_multiple_of(NAMES) && is_needless() {
                break;
            }
        }
        Ok(())
    }
}

/// Nothing is needed for a listing.
#[derive(Debug, Default)]
pub(super) struct Space;

/// The names of a directory.
#[derive(Debug, Default)]
pub(super) struct Listing {
    entries: Vec<(OsString, EntryKind)>,
}

impl Listing {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, index: usize) -> (&OsStr, EntryKind) {
        let (name, kind) = &self.entries[index];
        (name, *kind)
    }

    /// Puts the entries in byte order of their names.
    pub(super) fn sort(&mut self) {
        self.entries.sort_unstable_by(|a, b| a.0.as_encoded_bytes().cmp(b.0.as_encoded_bytes()));
    }
}

/// A path that is made longer and shorter by one name.
#[derive(Debug, Default)]
pub(super) struct Trail {
    root: PathBuf,
    directory: PathBuf,
    path: PathBuf,
    relative: PathBuf,
}

impl Trail {
    /// Starts in a directory.
    pub(super) fn start(&mut self, root: &Path, relative: &Path) {
        root.clone_into(&mut self.root);
        relative.clone_into(&mut self.directory);
    }

    /// Goes to an entry of the directory.
    pub(super) fn point_at(&mut self, name: &OsStr) {
        self.relative = self.directory.join(name);
        self.path = self.root.join(&self.relative);
    }

    /// The whole path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path from the root.
    pub(super) fn relative(&self) -> &Path {
        &self.relative
    }
}
