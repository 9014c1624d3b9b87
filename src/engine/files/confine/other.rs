//! Where a way cannot be gone below an open directory: the end of the way is sought by name, opened, and sought again.
//! A way that changed in between is gone again.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{Roots, outside};
use crate::engine::files::open::Access;
use crate::engine::files::path::real_path;

/// How often a way that changes while it is gone is gone again.
const ATTEMPTS: usize = 16;

/// A directory, by its name without links.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
}

impl Root {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.canonicalize()? })
    }

    /// Without links.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// See [`pin`](super::pin). Here only a name without links.
#[derive(Debug)]
pub struct Pinned {
    path: PathBuf,
}

impl Pinned {
    pub(super) fn plain(directory: &Path) -> Self {
        Self { path: directory.to_owned() }
    }

    /// Leads to the directory unless somebody moves it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Roots {
    pub(super) fn open(&self, path: &Path, access: Access) -> io::Result<File> {
        for _ in 0..ATTEMPTS {
            let real = self.real(path)?;
            let file = access.options().open(&real)?;
            if self.real(&real)? == real && is_same(&file, &real)? {
                return Ok(file);
            }
        }
        Err(outside())
    }

    pub(super) fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.real(path)?.metadata()
    }

    pub(super) fn pin(&self, directory: &Path) -> io::Result<Pinned> {
        Ok(Pinned { path: self.real(directory)? })
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        let real = real_path(path);
        if self.holding(&real).is_some() { Ok(real) } else { Err(outside()) }
    }
}

/// Whether a name still leads to an open file.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (open, named) = (file.metadata()?, path.symlink_metadata()?);
    Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
}

/// Whether a name still leads to an open file. Nothing stable tells files apart here; their times and sizes do.
#[cfg(not(unix))]
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    let (open, named) = (file.metadata()?, path.symlink_metadata()?);
    Ok(!named.is_symlink() && open.len() == named.len() && open.created().ok() == named.created().ok())
}
