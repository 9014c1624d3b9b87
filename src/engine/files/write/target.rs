//! The file a write is meant for: links followed to where they lead, and held against other writers.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::draft::Draft;
use super::journal::Repair;
use super::lock::FileLock;
use crate::engine::error::ToolError;
use crate::engine::files::path::real_path;

/// Links followed before a chain counts as a loop, as Linux does.
const MAX_LINKS: usize = 40;

/// A file about to be read and replaced. Holds the file's lock as long as it lives.
#[derive(Debug)]
pub struct Target {
    pub(super) path: PathBuf,
    pub(super) entry: PathBuf,
    pub(super) shown: String,
    pub(super) lock: Arc<FileLock>,
    pub(super) repairs: Vec<Repair>,
}

impl Target {
    /// Where the content goes; no part of it is a link.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name itself, which may be a link: what is deleted or renamed.
    #[must_use]
    pub fn entry(&self) -> &Path {
        &self.entry
    }

    /// How the caller wrote the path.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// What had to be put right when the file was locked; told once, by the first target of a call.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The published draft is the file from now on, and locked like it. With no handle left the lock of the old one has to
    /// do: the write itself is done.
    pub(super) fn adopt(&self, draft: &Draft<'_>) {
        if let Ok(file) = draft.file().try_clone() {
            self.lock.adopt(file);
        }
    }

    /// The directory of [`Target::path`].
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }
}

/// The error of writing to `shown`. Unlike in reading, a file where a directory is meant is a fault of its own:
/// the missing file was about to be made.
pub(super) fn write_error(shown: &str, error: &io::Error) -> ToolError {
    match error.kind() {
        io::ErrorKind::NotADirectory => {
            let reason = "a part of the path is a file, not a directory".to_owned();
            ToolError::Io { path: shown.to_owned(), reason }
        }
        _ => ToolError::io(shown, error),
    }
}

/// The path without links, whether or not its last parts exist.
pub(super) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let is_link = match path.symlink_metadata() {
            Ok(metadata) => metadata.is_symlink(),
            // Whether that is an error is up to the one who reads or writes there.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                false
            }
            Err(error) => return Err(error),
        };
        if !is_link {
            return Ok(real_path(&path));
        }
        let target = path.read_link()?;
        path = path.parent().map_or(target.clone(), |parent| parent.join(&target));
    }
    Err(io::Error::other("too many symbolic links, or links that lead back to themselves"))
}

/// The path with the links of its directories followed, its last name as it is.
pub(super) fn entry_of(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real_path(parent).join(name),
        _ => real_path(path),
    }
}
