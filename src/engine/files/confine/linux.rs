//! Going from an open root to what lies below it, so that no link can lead out at any moment.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

use super::{Roots, outside};
use crate::engine::files::open::Access;
use crate::engine::files::path::real_path;

/// How often a way that changes while it is gone is gone again.
const ATTEMPTS: usize = 16;

/// A directory that was opened when the call began: it stays the same one, whatever its name leads to later.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    handle: OwnedFd,
}

impl Root {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { handle: rustix::fs::open(&path, flags, Mode::empty())?, path })
    }

    /// Without links.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// See [`pin`](super::pin).
#[derive(Debug)]
pub struct Pinned {
    path: PathBuf,
    _handle: Option<OwnedFd>,
}

impl Pinned {
    pub(super) fn plain(directory: &Path) -> Self {
        Self { path: directory.to_owned(), _handle: None }
    }

    /// Leads to the directory as long as this lives.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Roots {
    pub(super) fn open(&self, path: &Path, access: Access) -> io::Result<File> {
        Ok(File::from(self.descend(path, access.flags())?))
    }

    pub(super) fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        File::from(self.descend(path, OFlags::PATH)?).metadata()
    }

    pub(super) fn pin(&self, directory: &Path) -> io::Result<Pinned> {
        let handle = self.descend(directory, OFlags::PATH | OFlags::DIRECTORY)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()));
        Ok(Pinned { path, _handle: Some(handle) })
    }

    fn descend(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        // Most paths have no link in them: then this one call is all.
        if !self.step_by_step
            && let Some((root, rest)) = self.holding(path)
        {
            match beneath(root.handle.as_fd(), rest, flags) {
                Err(Errno::NOSYS | Errno::PERM) => {}
                Err(error) if leads_elsewhere(error) => {}
                opened => return Ok(opened?),
            }
        }
        // A link may lead to another place inside, but only as an absolute path says so: its end is sought by name,
        // and gone to without following any more of them. Someone who changes the way meanwhile starts it over.
        let mut last = Errno::XDEV;
        for _ in 0..ATTEMPTS {
            let real = real_path(path);
            let Some((root, rest)) = self.holding(&real) else { return Err(outside()) };
            match step_by_step(root.handle.as_fd(), rest, flags) {
                Err(error) if leads_elsewhere(error) || error == Errno::NOTDIR => last = error,
                opened => return Ok(opened?),
            }
        }
        Err(if last == Errno::XDEV { outside() } else { last.into() })
    }
}

fn leads_elsewhere(error: Errno) -> bool {
    matches!(error, Errno::XDEV | Errno::LOOP | Errno::AGAIN)
}

fn beneath(root: BorrowedFd<'_>, rest: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let rest = if rest.as_os_str().is_empty() { Path::new(".") } else { rest };
    openat2(root, rest, flags, Mode::empty(), ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS)
}

/// One directory after the other, following nothing.
fn step_by_step(root: BorrowedFd<'_>, rest: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let through = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut here = openat(root, ".", through, Mode::empty())?;
    let mut parts = rest.components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return Err(Errno::XDEV) };
        let is_last = parts.peek().is_none();
        let how = if is_last { flags | OFlags::NOFOLLOW } else { through };
        here = openat(&here, name, how, Mode::empty())?;
        // Opened as a mere place, a link is opened itself.
        if is_last && how.contains(OFlags::PATH) && is_link(&here)? {
            return Err(Errno::LOOP);
        }
    }
    if rest.as_os_str().is_empty() { openat(root, ".", flags, Mode::empty()) } else { Ok(here) }
}

fn is_link(place: &OwnedFd) -> rustix::io::Result<bool> {
    let mode = rustix::fs::fstat(place)?.st_mode;
    Ok(rustix::fs::FileType::from_raw_mode(mode) == rustix::fs::FileType::Symlink)
}
