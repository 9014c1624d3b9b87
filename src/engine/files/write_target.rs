//! The file a write is meant for: links followed to where they lead, and held against other writers of this
//! process.

use std::io;
use std::path::{Path, PathBuf};

use super::confine::require_allowed;
use super::lock::FileLock;
use super::path::real_path;
use crate::engine::error::{Result, ToolError};

/// Links followed before a chain counts as a loop, as Linux does.
const MAX_LINKS: usize = 40;

/// A file about to be read and replaced. Holds the file's lock as long as it lives.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    shown: String,
    _lock: FileLock,
}

impl Target {
    /// Follows the links of `path` (the last one may dangle: its target is what gets written) and waits until no
    /// other call works on the file. `shown` is how the caller wrote it.
    pub fn lock(path: &Path, shown: &str) -> Result<Self> {
        let path = follow_links(path).map_err(|error| write_error(shown, &error))?;
        require_allowed(&path, shown)?;
        let lock = FileLock::acquire(&path);
        Ok(Self { path, shown: shown.to_owned(), _lock: lock })
    }

    /// Where the content goes; no part of it is a link.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How the caller wrote the path.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
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
fn follow_links(path: &Path) -> io::Result<PathBuf> {
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
