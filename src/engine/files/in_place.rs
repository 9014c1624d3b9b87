//! Writing over a file where it stands, for files that a rename would harm. The old bytes are kept in memory
//! until the new ones are on disk, and put back if that fails; a crash in between is not covered.

use std::fs::{File, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::kind::open_to_change;
use super::write::{Created, Expected, Written, check_expected};
use super::write_target::{Target, write_error};
use crate::engine::error::{Result, ToolError};

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

/// Replaces the content of an existing regular file.
pub fn write(target: &Target, content: &[u8], expected: Expected, reason: InPlace) -> Result<Written> {
    let fail = |error: io::Error| write_error(target.shown(), &error);
    check_expected(target, expected)?;
    let mut file = open_to_change(target.path(), true).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    let length = metadata.len();
    // Behind the new content the old bytes stay until the file is cut, the last step.
    let mut overwritten = Vec::new();
    (&mut file).take(length.min(content.len() as u64)).read_to_end(&mut overwritten).map_err(fail)?;
    reserve(&file, length, content.len() as u64).map_err(fail)?;
    match overwrite(&mut file, content, metadata.permissions()) {
        Ok(()) => Ok(Written { created: Created::Replaced, in_place: Some(reason) }),
        Err(error) => Err(put_back(&mut file, &overwritten, length, target, &error)),
    }
}

fn overwrite(file: &mut File, content: &[u8], permissions: Permissions) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(content)?;
    file.set_len(content.len() as u64)?;
    // Writing takes set-user and set-group away; only the owner can give them back.
    let _ = file.set_permissions(permissions);
    file.sync_all()
}

fn put_back(
    file: &mut File,
    overwritten: &[u8],
    length: u64,
    target: &Target,
    cause: &io::Error,
) -> ToolError {
    let mut restore = || {
        file.seek(SeekFrom::Start(0))?;
        file.write_all(overwritten)?;
        file.set_len(length)?;
        file.sync_all()
    };
    let state = match restore() {
        Ok(()) => "the old content was put back".to_owned(),
        Err(error) => {
            format!("the file may be damaged, since the old content could not be put back: {error}")
        }
    };
    ToolError::Io { path: target.shown().to_owned(), reason: format!("{cause}; {state}") }
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
