//! An archive of any format.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::entry::{Entry, Place};
use super::inflate::Claim;
use super::look::{Looked, Wanted};
use super::{tar, tar_edit, zip, zip_edit};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files;

/// Bytes of an archive that is opened at all.
pub const MAX_ARCHIVE: u64 = 256 << 20;
/// How much of a packed stream is unpacked for its headers.
pub(super) const LISTED: (u64, Duration) = (256 << 20, Duration::from_secs(2));
/// How much while a name is not found yet.
pub(super) const SOUGHT: (u64, Duration) = (2 << 30, Duration::from_secs(10));

/// What an archive is, told from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `.zip`
    Zip,
    /// `.tar`
    Tar,
    /// `.tar.gz`, `.tgz`
    TarGz,
}

impl Format {
    /// The format of a file of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        const ENDINGS: &[(&str, Format)] = &[
            (".zip", Format::Zip),
            (".tar", Format::Tar),
            (".tar.gz", Format::TarGz),
            (".tgz", Format::TarGz),
        ];
        let ends = |ending: &str| {
            let start = name.len().checked_sub(ending.len());
            start.is_some_and(|start| name.as_bytes()[start..].eq_ignore_ascii_case(ending.as_bytes()))
        };
        ENDINGS.iter().find(|(ending, _)| ends(ending)).map(|(_, format)| *format)
    }
}

/// Why a look through an archive ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It took too long or unpacked too much.
    Budget,
    /// What follows cannot be read.
    Damaged(String),
}

/// An open archive.
#[derive(Debug)]
pub struct Archive {
    file: File,
    size: u64,
    format: Format,
    shown: String,
}

impl Archive {
    /// Opens an archive; nothing is read yet.
    pub fn open(path: &Path, shown: &str, format: Format) -> Result<Self> {
        let (file, metadata) = files::open_regular(path, shown)?;
        let size = metadata.len();
        if size > MAX_ARCHIVE {
            return Err(ToolError::ArchiveTooLarge { path: shown.to_owned(), size, limit: MAX_ARCHIVE });
        }
        Ok(Self { file, size, format, shown: shown.to_owned() })
    }

    /// Looks through the headers for some names at once.
    pub fn look(&mut self, wanted: &[Wanted], cancel: &CancelToken) -> Result<(Vec<Looked>, Option<Stop>)> {
        let mut looked: Vec<Looked> = wanted.iter().map(|_| Looked::default()).collect();
        let mut entries = 0u64;
        let mut take = |entry: &Entry| {
            entries += 1;
            let mut found = false;
            for (looked, wanted) in looked.iter_mut().zip(wanted) {
                looked.take(entry, wanted);
                found |= looked.member.is_some() || looked.children.is_some();
            }
            found
        };
        let stop = match self.format {
            Format::Zip => zip::visit(&mut self.file, self.size, cancel, &mut take)?,
            Format::Tar => tar::visit(&mut tar::Plain::new(&mut self.file, self.size)?, cancel, &mut take)?,
            Format::TarGz => tar::visit(&mut tar::Packed::new(&mut self.file)?, cancel, &mut take)?,
        };
        match stop {
            Some(Stop::Damaged(reason)) if entries == 0 => {
                Err(ToolError::ArchiveInvalid { path: self.shown.clone(), reason })
            }
            stop => Ok((looked, stop)),
        }
    }

    /// The content of a member; `shown` names it in errors.
    pub fn read(&mut self, entry: &Entry, shown: &str, cancel: &CancelToken) -> Result<Vec<u8>> {
        let claim = Claim { shown, size: entry.size, stored: None, checksum: None };
        match entry.place {
            Place::Zip { .. } => zip::read(&mut self.file, entry, &claim, cancel),
            Place::Tar { offset } if self.format == Format::Tar => {
                tar::read(&mut tar::Plain::new(&mut self.file, self.size)?, offset, &claim, cancel)
            }
            Place::Tar { offset } => {
                tar::read(&mut tar::Packed::new(&mut self.file)?, offset, &claim, cancel)
            }
        }
    }
}

/// A whole archive with one member set to `content`, replaced or new; every other entry is as it was. `old` is empty
/// for an archive that is made.
pub fn set_member(
    format: Format,
    old: &[u8],
    name: &str,
    content: &[u8],
    cancel: &CancelToken,
) -> std::result::Result<Vec<u8>, String> {
    match format {
        Format::Zip => zip_edit::set(old, name, content),
        Format::Tar => tar_edit::set(old, name, content),
        Format::TarGz => tar_edit::set_packed(old, name, content, cancel),
    }
}
