//! Private copies of files, for readers that would otherwise leave traces beside the original.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Copies of files in a directory of their own, gone with this value.
#[derive(Debug)]
pub struct Scratch {
    directory: TempDir,
}

impl Scratch {
    /// Nothing yet.
    pub fn empty() -> io::Result<Self> {
        Ok(Self { directory: tempfile::tempdir()? })
    }

    /// Copies files under their own names.
    pub fn copy<'a>(files: impl IntoIterator<Item = &'a Path>) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        for file in files {
            let name = file.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            std::fs::copy(file, directory.path().join(name))?;
        }
        Ok(Self { directory })
    }

    /// Where the copy of a file is.
    #[must_use]
    pub fn path(&self, file: &Path) -> PathBuf {
        self.directory.path().join(file.file_name().unwrap_or_default())
    }
}
