//! Writing over a file where it stands, for files that a rename would harm. Not one single step: the old bytes lie
//! in a journal meanwhile.

use std::fs::File;
use std::io;

use super::disk::{FileSystem, sync, write_all};
use super::target::Target;
use crate::engine::files::kind::open_to_change;

/// Why a file was written in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InPlace {
    /// It has other names that must keep showing the same content.
    HardLinks,
    /// No file can be made in its directory.
    Directory,
    /// Its owner, group or attributes cannot be given to another file.
    Owner,
    /// The system refused the rename.
    Rename,
}

impl InPlace {
    /// The name used in details.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HardLinks => "hard_links",
            Self::Directory => "directory_not_writable",
            Self::Owner => "owner_not_transferable",
            Self::Rename => "rename_refused",
        }
    }
}

/// Replaces the bytes of an existing regular file, all else stays.
pub(super) fn overwrite(
    disk: &dyn FileSystem,
    target: &Target,
    content: &[u8],
    durable: bool,
) -> io::Result<()> {
    let file = open_to_change(target.path(), false)?;
    let metadata = file.metadata()?;
    reserve(&file, metadata.len(), content.len() as u64)?;
    write_all(disk, &file, content)?;
    disk.set_length(&file, content.len() as u64)?;
    // Writing takes set-user and set-group away; only the owner can give them back.
    let _ = file.set_permissions(metadata.permissions());
    if durable { sync(disk, &file) } else { Ok(()) }
}

/// Asks for the space of a growing file before anything is touched, so that a full disk is found in time.
#[cfg(target_os = "linux")]
fn reserve(file: &File, old: u64, new: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    if new <= old {
        return Ok(());
    }
    match fallocate(file, FallocateFlags::KEEP_SIZE, old, new - old) {
        Err(full @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG)) => Err(full.into()),
        // Not every file system can do this.
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64, _: u64) -> io::Result<()> {
    Ok(())
}
