//! Whether a file is still the one that was looked at, told without reading it.

use std::fs::Metadata;
#[cfg(unix)]
use std::time::Duration;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// A file that changed this short a time ago may change again without its times telling.
#[cfg(unix)]
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
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Identity {
    /// The identity of an open file at `now`; absent where it could not vouch for anything learned from now on.
    #[cfg(unix)]
    #[must_use]
    pub fn settled(metadata: &Metadata, now: SystemTime) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let since_epoch = now.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let changed = Duration::from_secs(u64::try_from(metadata.ctime()).ok()?);
        let is_settled = since_epoch.saturating_sub(changed) > RACY + Duration::from_secs(1);
        is_settled.then(|| Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Other systems have no such times.
    #[cfg(not(unix))]
    #[must_use]
    pub fn settled(_: &Metadata, _: SystemTime) -> Option<Self> {
        None
    }
}
