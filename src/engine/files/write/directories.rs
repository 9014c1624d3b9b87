//! Directories that a new file needs; removed again unless the file comes.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::engine::files::confine::{create_dir, remove_dir};

/// The nearest directory above `path` that is there: everything below it would have to be made.
pub(super) fn nearest_directory(path: &Path) -> &Path {
    path.ancestors().skip(1).find(|ancestor| ancestor.exists()).unwrap_or(path)
}

/// The directories above `path` that are missing, outermost first.
pub(super) fn missing_directories(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> =
        path.ancestors().skip(1).take_while(|ancestor| !ancestor.exists()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Directories that were made.
#[derive(Debug, Default)]
pub(super) struct MadeDirectories {
    /// Outermost first.
    paths: Vec<PathBuf>,
}

impl MadeDirectories {
    /// Makes what is missing above `path`.
    pub fn above(path: &Path) -> io::Result<Self> {
        let mut made = Self::default();
        for directory in missing_directories(path) {
            match create_dir(&directory) {
                Ok(()) => made.paths.push(directory),
                // Somebody else was faster; it is theirs.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && directory.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }

    /// The directories stay. Names those that got a new entry.
    pub fn keep(mut self) -> Vec<PathBuf> {
        let parents = self.paths.iter().filter_map(|path| path.parent()).map(Path::to_owned).collect();
        self.paths.clear();
        parents
    }
}

impl Drop for MadeDirectories {
    fn drop(&mut self) {
        for path in self.paths.iter().rev() {
            // Fails, as it should, on a directory that somebody else uses by now.
            let _ = remove_dir(path);
        }
    }
}
