//! Directories as open handles.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, openat, statat};

use super::entry::{EntryKind, Facts};
use super::step::NAMES;
use crate::engine::files::open::Access;
use crate::engine::files::{Identity, confine};

/// Handles of all walks, beyond which directories are opened by path, so that none are kept for their parents.
const MOST_HANDLES: usize = 128;

static HANDLES: AtomicUsize = AtomicUsize::new(0);

/// An open directory.
#[derive(Debug)]
pub(super) struct Directory {
    handle: OwnedFd,
    /// The device whose files end where a read comes short.
    plain_device: Option<u64>,
    short_read_ends: bool,
}

impl Directory {
    /// Opens a directory by path; a link is followed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let handle = OwnedFd::from(confine::open(path, Access::Directory)?);
        let plain_device = if is_plain(&handle) { Some(device(&fstat(&handle)?)) } else { None };
        Ok(Self::new(handle, plain_device, plain_device.is_some()))
    }

    /// Opens a directory in this one, never a link.
    pub(super) fn open_below(&self, name: &OsStr) -> io::Result<Self> {
        let handle = openat(&self.handle, name, flags(OFlags::DIRECTORY | OFlags::NOFOLLOW), Mode::empty())?;
        let same_device = self.plain_device.is_some() && self.plain_device == Some(device(&fstat(&handle)?));
        Ok(Self::new(handle, self.plain_device, same_device))
    }

    fn new(handle: OwnedFd, plain_device: Option<u64>, short_read_ends: bool) -> Self {
        HANDLES.fetch_add(1, Ordering::Relaxed);
        Self { handle, plain_device, short_read_ends }
    }

    /// Whether so many are open that no more should be kept.
    pub(super) fn many_are_open() -> bool {
        HANDLES.load(Ordering::Relaxed) > MOST_HANDLES
    }

    /// Whether a file here ends where a read comes short. A pipe-like file system may give less than there is.
    pub(super) fn short_read_ends(&self) -> bool {
        self.short_read_ends
    }

    /// Opens a regular file in this directory, never a link, never waiting for a pipe that took its place.
    pub(super) fn file(&self, name: &OsStr) -> io::Result<File> {
        let more = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        Ok(File::from(openat(&self.handle, name, flags(more), Mode::empty())?))
    }

    /// What an entry is; links are not followed.
    pub(super) fn facts(&self, name: &OsStr) -> io::Result<Facts> {
        let stat = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(Facts { kind: kind_of(FileType::from_raw_mode(stat.st_mode)), modified: modified(&stat) })
    }

    /// How a regular file of this directory looks now; absent where the file system may not tell of every change.
    pub(super) fn identity(&self, name: &OsStr) -> Option<Identity> {
        let stat = self.short_read_ends.then(|| statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW));
        Identity::seen(&stat?.ok()?)
    }

    /// Lists the directory until the rest is needless; what comes before an error is kept.
    pub(super) fn list(
        &self,
        space: &mut Space,
        listing: &mut Listing,
        is_needless: impl Fn() -> bool,
    ) -> io::Result<()> {
        listing.clear();
        self.each(space, |name, kind| {
            if name == b"." || name == b".." {
                return true;
            }
            let name = OsStr::from_bytes(name);
            let kind = match kind {
                FileType::Unknown => self.facts(name).map_or(EntryKind::Special, |facts| facts.kind),
                known => kind_of(known),
            };
            listing.push(name, kind);
            !listing.len().is_multiple_of(NAMES) || !is_needless()
        })
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn each(&self, space: &mut Space, mut goes_on: impl FnMut(&[u8], FileType) -> bool) -> io::Result<()> {
        space.0.reserve(SPACE);
        let mut entries = rustix::fs::RawDir::new(&self.handle, space.0.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            if !goes_on(entry.file_name().to_bytes(), entry.file_type()) {
                break;
            }
        }
        Ok(())
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn each(&self, _: &mut Space, mut goes_on: impl FnMut(&[u8], FileType) -> bool) -> io::Result<()> {
        for entry in rustix::fs::Dir::read_from(&self.handle)? {
            let entry = entry?;
            if !goes_on(entry.file_name().to_bytes(), entry.file_type()) {
                break;
            }
        }
        Ok(())
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        HANDLES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Room for what the system says of a directory at once.
#[derive(Debug, Default)]
pub(super) struct Space(Vec<u8>);

#[cfg(any(target_os = "linux", target_os = "android"))]
const SPACE: usize = 32 << 10;

/// The names of a directory, all in one piece of memory.
#[derive(Debug, Default)]
pub(super) struct Listing {
    names: Vec<u8>,
    entries: Vec<(u32, u32, EntryKind)>,
}

impl Listing {
    fn clear(&mut self) {
        self.names.clear();
        self.entries.clear();
    }

    fn push(&mut self, name: &OsStr, kind: EntryKind) {
        // Names of one directory that take 4 GiB are none of this world; they would be left out.
        let Ok(start) = u32::try_from(self.names.len()) else { return };
        let Ok(length) = u32::try_from(name.len()) else { return };
        self.names.extend_from_slice(name.as_bytes());
        self.entries.push((start, length, kind));
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, index: usize) -> (&OsStr, EntryKind) {
        let (start, length, kind) = self.entries[index];
        (OsStr::from_bytes(&self.names[start as usize..][..length as usize]), kind)
    }

    /// Puts the entries in byte order of their names.
    pub(super) fn sort(&mut self) {
        let names = &self.names;
        let name = |(start, length, _): (u32, u32, EntryKind)| &names[start as usize..][..length as usize];
        self.entries.sort_unstable_by(|a, b| name(*a).cmp(name(*b)));
    }
}

/// A path that is made longer and shorter by one name.
#[derive(Debug, Default)]
pub(super) struct Trail {
    bytes: Vec<u8>,
    /// Length of the directory, with the slash.
    directory: usize,
    /// Length of the root, with the slash.
    root: usize,
}

impl Trail {
    /// Starts in a directory.
    pub(super) fn start(&mut self, root: &Path, relative: &Path) {
        self.bytes.clear();
        self.bytes.extend_from_slice(root.as_os_str().as_bytes());
        self.slash();
        self.root = self.bytes.len();
        self.bytes.extend_from_slice(relative.as_os_str().as_bytes());
        if !relative.as_os_str().is_empty() {
            self.slash();
        }
        self.directory = self.bytes.len();
    }

    fn slash(&mut self) {
        if !self.bytes.ends_with(b"/") {
            self.bytes.push(b'/');
        }
    }

    /// Goes to an entry of the directory.
    pub(super) fn point_at(&mut self, name: &OsStr) {
        self.bytes.truncate(self.directory);
        self.bytes.extend_from_slice(name.as_bytes());
    }

    /// The whole path.
    pub(super) fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.bytes))
    }

    /// The path from the root.
    pub(super) fn relative(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.bytes[self.root..]))
    }
}

fn flags(more: OFlags) -> OFlags {
    OFlags::RDONLY | OFlags::CLOEXEC | more
}

fn kind_of(kind: FileType) -> EntryKind {
    match kind {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Directory,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Special,
    }
}

#[expect(clippy::useless_conversion, reason = "the fields have other types on other systems")]
fn modified(stat: &Stat) -> Option<SystemTime> {
    let seconds = i64::try_from(stat.st_mtime).ok()?;
    let part = Duration::from_nanos(u64::try_from(stat.st_mtime_nsec).ok()?);
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let epoch = SystemTime::UNIX_EPOCH;
    if seconds < 0 { epoch.checked_sub(whole)?.checked_add(part) } else { epoch.checked_add(whole + part) }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn device(stat: &Stat) -> u64 {
    stat.st_dev
}

/// Whether a directory lies on a file system whose files give all they have.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_plain(directory: &OwnedFd) -> bool {
    // ext2 to 4, XFS, Btrfs, F2FS, ZFS, tmpfs, overlayfs.
    const PLAIN: [u32; 7] =
        [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1, 0x0102_1994, 0x794C_7630];
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the numbers have 32 bits")]
    rustix::fs::fstatfs(directory).is_ok_and(|system| PLAIN.contains(&(system.f_type as u32)))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn device(_: &Stat) -> u64 {
    0
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn is_plain(_: &OwnedFd) -> bool {
    false
}
