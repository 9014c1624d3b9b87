//! Whether a file is still the one that was looked at, told without reading it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// A file that changed this short a time ago may change again without its times telling.
#[cfg(unix)]
const RACY: Duration = Duration::from_secs(2);

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
