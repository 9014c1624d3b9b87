//! The complete new content of a file before it has the file's name. On Linux it has no name at all until the last
//! moment, so that a process that is killed leaves nothing behind; elsewhere, and for the moment of a rename, it
//! has one that [`super::leftovers`] knows.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::disk::FileSystem;
use crate::engine::files::confine::{in_pinned_parent, pin};
use crate::engine::files::identity::FileId;

/// How the names of drafts begin.
pub(super) const PREFIX: &str = ".gajae-write-";

/// Who may open a draft.
#[derive(Debug, Clone, Copy)]
pub(super) enum Access {
    /// As the system gives it to new files.
    OfNewFiles,
    /// Nobody else, until the final mode is set.
    OwnerOnly,
}

impl Access {
    fn mode(self) -> u32 {
        match self {
            Self::OfNewFiles => 0o666,
            Self::OwnerOnly => 0o600,
        }
    }
}

/// How a draft and a file changed names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    Made,
    /// Another file was there, and is again; or none.
    Changed,
    /// Not here; nothing was done.
    Unsupported,
}

/// An unpublished file; vanishes when it is dropped. Its writer holds its lock, also after it was published.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    disk: &'a dyn FileSystem,
    folder: PathBuf,
    file: File,
    /// The name to take away again.
    name: Option<PathBuf>,
}

impl<'a> Draft<'a> {
    /// An empty file in `folder`, which must exist.
    pub fn new(disk: &'a dyn FileSystem, folder: &Path, access: Access) -> io::Result<Self> {
        let (file, name) = match open_nameless(folder, access.mode()) {
            Some(file) => (file, None),
            None => open_named(folder, access.mode()).map(|(file, name)| (file, Some(name)))?,
        };
        // Cannot be held by anybody else: nobody knows the file.
        #[cfg(unix)]
        let _ = file.try_lock();
        Ok(Self { disk, folder: folder.to_owned(), file, name })
    }

    /// For writing the content.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the draft a name that nobody has: `AlreadyExists` otherwise.
    pub fn publish_new(&mut self, path: &Path) -> io::Result<()> {
        match &self.name {
            None => self.disk.name(&self.file, path),
            Some(name) => match self.disk.link(name, path) {
                Ok(()) => self.forget_name(),
                // A file system without links: between the look and the rename somebody else may be faster.
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    if path.symlink_metadata().is_ok() {
                        return Err(ErrorKind::AlreadyExists.into());
                    }
                    self.rename_over(path)
                }
                Err(error) => Err(error),
            },
        }
    }

    /// Puts the draft in the place of `path`.
    pub fn publish_over(&mut self, path: &Path) -> io::Result<()> {
        self.need_name()?;
        self.rename_over(path)
    }

    /// The draft and the file at `path` change names; the old file is then `kept` under that name, or gone. Only if it is
    /// the expected one: what somebody saved at the last moment gets its name again.
    pub fn exchange(
        &mut self,
        path: &Path,
        kept: Option<&Path>,
        is_expected: impl Fn(&Path) -> bool,
    ) -> io::Result<Exchange> {
        match kept {
            Some(kept) => self.take_name(kept)?,
            None => self.need_name()?,
        }
        let Some(name) = self.name.clone() else { return Ok(Exchange::Unsupported) };
        match self.disk.exchange(&name, path) {
            Ok(()) if is_expected(&name) => {
                if kept.is_none() {
                    let _ = self.disk.remove(&name);
                }
                self.name = None;
                Ok(Exchange::Made)
            }
            Ok(()) => self.take_back(&name, path).map(|()| Exchange::Changed),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Exchange::Changed),
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                if kept.is_some() {
                    self.take_name(&fresh_name(&self.folder))?;
                }
                Ok(Exchange::Unsupported)
            }
            Err(error) => Err(error),
        }
    }

    /// Undoes an exchange. A file that came to the place even after that replaces what was there before.
    fn take_back(&self, name: &Path, path: &Path) -> io::Result<()> {
        self.disk.exchange(name, path)?;
        let draft = FileId::of(&self.file.metadata()?);
        if FileId::of(&name.symlink_metadata()?) != draft {
            self.disk.exchange(name, path)?;
        }
        Ok(())
    }

    fn take_name(&mut self, wanted: &Path) -> io::Result<()> {
        match &self.name {
            None => self.disk.name(&self.file, wanted)?,
            Some(name) => self.disk.rename(name, wanted)?,
        }
        self.name = Some(wanted.to_owned());
        Ok(())
    }

    fn need_name(&mut self) -> io::Result<()> {
        while self.name.is_none() {
            let name = fresh_name(&self.folder);
            match self.disk.name(&self.file, &name) {
                Ok(()) => self.name = Some(name),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn rename_over(&mut self, path: &Path) -> io::Result<()> {
        if let Some(name) = &self.name {
            self.disk.rename(name, path)?;
            self.name = None;
        }
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "the last step of a publication")]
    fn forget_name(&mut self) -> io::Result<()> {
        if let Some(name) = self.name.take() {
            let _ = self.disk.remove(&name);
        }
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        // A program that is just being started may have the file open, too: closing it would not free it. A published
        // one stays locked.
        if self.name.is_some() {
            let _ = self.file.unlock();
        }
        let _ = self.forget_name();
    }
}

/// A name of `folder` that no other draft has; who creates it must still ask for a new file.
fn fresh_name(folder: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("{PREFIX}{:x}-{number:x}", std::process::id()))
}

fn open_named(folder: &Path, mode: u32) -> io::Result<(File, PathBuf)> {
    loop {
        let name = fresh_name(folder);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        #[cfg(not(unix))]
        let _ = mode;
        match in_pinned_parent(&name, |name| options.open(name)) {
            Ok(file) => return Ok((file, name)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Absent where the system or the file system cannot do it; the reason comes up again with a named file.
#[cfg(target_os = "linux")]
fn open_nameless(folder: &Path, mode: u32) -> Option<File> {
    use std::sync::LazyLock;

    use rustix::fs::{Mode, OFlags, open};
    /// The way by which a nameless file gets its name.
    static CAN_BE_NAMED: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/fd").is_dir());
    if !*CAN_BE_NAMED {
        return None;
    }
    let folder = pin(folder).ok()?;
    open(folder.path(), OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, Mode::from_raw_mode(mode))
        .ok()
        .map(File::from)
}

#[cfg(not(target_os = "linux"))]
fn open_nameless(_: &Path, _: u32) -> Option<File> {
    None
}
