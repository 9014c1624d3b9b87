//! The calls by which the writer changes a disk, and nothing else: the one seam where a test makes them fail.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use crate::engine::files::confine::in_pinned_parent;

/// What the writer asks of a file system. Each body is the real call; a test replaces the one that shall fail.
#[expect(clippy::disallowed_methods, reason = "this is engine/files")]
pub trait FileSystem: Debug + Send + Sync {
    /// One write, which may take only a part of the bytes.
    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Cuts a file, or makes it longer.
    fn set_length(&self, file: &File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    /// Waits until a file or directory is on the disk.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// A second name for a file; never replaces one.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        in_pinned_parent(from, |from| in_pinned_parent(to, |to| std::fs::hard_link(from, to)))
    }

    /// The first name of a file that was made without; never replaces one.
    fn name(&self, file: &File, to: &Path) -> io::Result<()> {
        in_pinned_parent(to, |to| name_open_file(file, to))
    }

    /// Another name in place of the first; replaces what has it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        in_pinned_parent(from, |from| in_pinned_parent(to, |to| std::fs::rename(from, to)))
    }

    /// Two files change names. `Unsupported` where the system or the file system has no such thing.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        in_pinned_parent(one, |one| in_pinned_parent(other, |other| exchange_names(one, other)))
    }

    /// Takes a name away.
    fn remove(&self, path: &Path) -> io::Result<()> {
        in_pinned_parent(path, |path| std::fs::remove_file(path))
    }
}

/// The file system as it is.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl FileSystem for Disk {}

/// All bytes, however many writes that takes.
pub(super) fn write_all(disk: &dyn FileSystem, file: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match disk.write(file, bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A sync that a signal interrupted is asked for again.
pub(super) fn sync(disk: &dyn FileSystem, file: &File) -> io::Result<()> {
    loop {
        match disk.sync(file) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Makes a change of names in a directory last. What was written is in its place already, so that a failure here
/// is no failure of the write.
pub(super) fn sync_directory(disk: &dyn FileSystem, directory: &Path) {
    if cfg!(unix) {
        let _ = File::open(directory).and_then(|directory| sync(disk, &directory));
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange_names(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).map_err(|error| match error {
        Errno::INVAL | Errno::NOSYS | Errno::NOTSUP => ErrorKind::Unsupported.into(),
        error => error.into(),
    })
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange_names(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn name_open_file(file: &File, to: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, to, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn name_open_file(_: &File, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}
