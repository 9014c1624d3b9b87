//! Whether a file is still the one that was looked at, told without reading it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// A file that changed this short a time ago may change again without its times telling.
const RACY: Duration = Duration::from_secs(2);

/// Which file it is, whatever its name: device and inode. Stays while the file exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The id of what the metadata is of; absent on systems that do not tell.
    #[cfg(unix)]
    #[must_use]
    pub fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self { device: metadata.dev(), inode: metadata.ino() })
    }

    /// Other systems do not tell.
    #[cfg(not(unix))]
    #[must_use]
    pub fn of(_: &Metadata) -> Option<Self> {
        None
    }

    /// One of so many parts, about as many files in each.
    #[must_use]
    pub fn spread(self, parts: usize) -> usize {
        usize::try_from(self.inode % parts.max(1) as u64).unwrap_or_default()
    }
}

/// A file in one state of its content, as far as size and time of change tell. A new name does not change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    id: Option<FileId>,
    size: u64,
    /// Seconds and nanoseconds since 1970.
    modified: (u64, u32),
}

impl Mark {
    /// The mark of what the metadata is of.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        let modified =
            metadata.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let modified = modified.map_or((0, 0), |time| (time.as_secs(), time.subsec_nanos()));
        Self { id: FileId::of(metadata), size: metadata.len(), modified }
    }
}

/// Device, inode, size and both times, in nanoseconds: what is known about a file holds while they stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    file: FileId,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Identity {
    /// The identity of an open file at `now`; absent where it could not vouch for anything learned from now on.
    #[must_use]
    pub fn settled(metadata: &Metadata, now: SystemTime) -> Option<Self> {
        Self::settled_for(RACY + Duration::from_secs(1), metadata, now)
    }

    /// The same for a file that must have been left alone for so long.
    #[cfg(unix)]
    #[must_use]
    pub fn settled_for(settled: Duration, metadata: &Metadata, now: SystemTime) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let since_epoch = now.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let seconds = Duration::from_secs(u64::try_from(metadata.ctime()).ok()?);
        let changed = seconds + Duration::from_nanos(u64::try_from(metadata.ctime_nsec()).ok()?);
        let is_settled = since_epoch.saturating_sub(changed) > settled;
        is_settled.then(|| Self {
            file: FileId { device: metadata.dev(), inode: metadata.ino() },
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Other systems have no such times.
    #[cfg(not(unix))]
    #[must_use]
    pub fn settled_for(_: Duration, _: &Metadata, _: SystemTime) -> Option<Self> {
        None
    }

    /// How a regular file looks now, to be compared with an identity that was settled.
    #[cfg(unix)]
    #[must_use]
    pub(super) fn seen(stat: &rustix::fs::Stat) -> Option<Self> {
        use rustix::fs::FileType;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return None;
        }
        #[expect(clippy::useless_conversion, reason = "the fields have other types on other systems")]
        Some(Self {
            file: FileId { device: u64::try_from(stat.st_dev).ok()?, inode: stat.st_ino },
            size: u64::try_from(stat.st_size).ok()?,
            modified: (stat.st_mtime.into(), i64::try_from(stat.st_mtime_nsec).ok()?),
            changed: (stat.st_ctime.into(), i64::try_from(stat.st_ctime_nsec).ok()?),
        })
    }

    /// Which file it is.
    #[must_use]
    pub fn file(&self) -> FileId {
        self.file
    }
}
