//! Replacing a file's content so that a reader sees the old or the new bytes, never a part, and nothing is left
//! behind when it fails.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::attributes::carry_over;
use super::confine::{Pinned, create_dir, pin, remove_dir};
use super::in_place::{self, InPlace};
use super::kind::{Kind, open_to_change, stat};
use super::write_target::{Target, write_error};
use crate::engine::error::{Result, ToolError};

/// Whether a write made a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// There was none.
    New,
    /// An existing file was replaced.
    Replaced,
}

/// What the file must hold at the moment it is replaced.
#[derive(Debug, Clone, Copy)]
pub enum Expected<'a> {
    /// Whatever it holds.
    Anything,
    /// These bytes; others mean that somebody else changed the file meanwhile.
    Bytes(&'a [u8]),
}

/// How a write went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Whether the file is new.
    pub created: Created,
    /// Why the file was written in place instead of being replaced as a whole.
    pub in_place: Option<InPlace>,
}

/// Writes `content` through a temporary file beside the target and a rename. Mode, owner and extended attributes
/// of an existing file are kept; missing parent directories are made, and removed again if the write fails.
///
/// Where a rename would break something (other names of the file, its owner) or is not possible, the file is
/// written in place.
pub fn write_atomic(target: &Target, content: &[u8], expected: Expected) -> Result<Written> {
    match stat(target.path(), target.shown()) {
        Ok(Kind::File(metadata)) => replace(target, &metadata, content, expected),
        Ok(Kind::Directory(_)) => Err(refusal(target, "is a directory, not a regular file")),
        Ok(Kind::Special(name)) => Err(refusal(target, &format!("is a {name}, not a regular file"))),
        Err(ToolError::PathNotFound { .. }) => match expected {
            Expected::Anything => create(target, content),
            Expected::Bytes(_) => Err(changed_meanwhile(target)),
        },
        Err(error) => Err(error),
    }
}

fn create(target: &Target, content: &[u8]) -> Result<Written> {
    let fail = |error: io::Error| write_error(target.shown(), &error);
    let directory = directory_of(target);
    let made = MadeDirectories::make(directory).map_err(fail)?;
    let place = Place::of(target).map_err(fail)?;
    let mut file = temporary(place.directory.path(), Access::OfNewFiles).map_err(fail)?;
    file.as_file_mut().write_all(content).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    file.persist(place.file()).map_err(|failure| fail(failure.error))?;
    made.keep();
    sync_directory(place.directory.path());
    Ok(Written { created: Created::New, in_place: None })
}

fn replace(target: &Target, metadata: &Metadata, content: &[u8], expected: Expected) -> Result<Written> {
    require_writable(target)?;
    if has_other_names(metadata) {
        return in_place::write(target, content, expected, InPlace::HardLinks);
    }
    // Declared before the temporary file, which is removed by its name in there.
    let place = Place::of(target).map_err(|error| write_error(target.shown(), &error))?;
    let file = match successor(&place, metadata, content) {
        Ok(Some(file)) => file,
        Ok(None) => return in_place::write(target, content, expected, InPlace::Owner),
        // The file itself may be written, its directory may not, or takes no files at all, as in /proc.
        Err(error) if is_refused(&error) || error.kind() == io::ErrorKind::NotFound => {
            return in_place::write(target, content, expected, InPlace::Directory);
        }
        Err(error) => return Err(write_error(target.shown(), &error)),
    };
    check_expected(target, expected)?;
    match file.persist(place.file()) {
        Ok(_) => {
            sync_directory(place.directory.path());
            Ok(Written { created: Created::Replaced, in_place: None })
        }
        // A mount point, a file of another user in a sticky directory.
        Err(failure) if is_refused(&failure.error) => {
            in_place::write(target, content, expected, InPlace::Rename)
        }
        Err(failure) => Err(write_error(target.shown(), &failure.error)),
    }
}

/// The complete new file beside the old one; `None` if it cannot be like the old one.
fn successor(place: &Place, metadata: &Metadata, content: &[u8]) -> io::Result<Option<NamedTempFile>> {
    let mut file = temporary(place.directory.path(), Access::OwnerOnly)?;
    file.as_file_mut().write_all(content)?;
    // After the content: writing takes set-user, set-group and capabilities away.
    if !carry_over(&place.file(), metadata, file.as_file())? {
        return Ok(None);
    }
    file.as_file().sync_all()?;
    Ok(Some(file))
}

/// An error unless the target still holds what was read.
pub(super) fn check_expected(target: &Target, expected: Expected) -> Result<()> {
    let Expected::Bytes(bytes) = expected else { return Ok(()) };
    match super::read_regular(target.path(), target.shown(), bytes.len() as u64) {
        Ok((current, _)) if current == bytes => Ok(()),
        Ok(_) | Err(ToolError::FileTooLarge { .. } | ToolError::PathNotFound { .. }) => {
            Err(changed_meanwhile(target))
        }
        Err(error) => Err(error),
    }
}

/// A rename would also replace a write-protected file; its owner did not mean that.
fn require_writable(target: &Target) -> Result<()> {
    match open_to_change(target.path(), false) {
        Ok(_) => Ok(()),
        // A program that is running: cannot be written, may be replaced.
        Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => Ok(()),
        Err(error) => Err(write_error(target.shown(), &error)),
    }
}

fn is_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy | CrossesDevices)
}

fn changed_meanwhile(target: &Target) -> ToolError {
    ToolError::ConcurrentModification { path: target.shown().to_owned() }
}

fn refusal(target: &Target, reason: &str) -> ToolError {
    ToolError::Io { path: target.shown().to_owned(), reason: reason.to_owned() }
}

/// Where the target lies, so that the temporary file and the rename stay there whatever the way to it leads to.
struct Place {
    directory: Pinned,
    name: OsString,
}

impl Place {
    fn of(target: &Target) -> io::Result<Self> {
        let name = target.path().file_name().unwrap_or_default().to_owned();
        Ok(Self { directory: pin(directory_of(target))?, name })
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join(&self.name)
    }
}

fn directory_of(target: &Target) -> &Path {
    target.path().parent().unwrap_or(target.path())
}

/// Who may open a temporary file.
#[derive(Clone, Copy)]
enum Access {
    /// As the system gives it to new files.
    OfNewFiles,
    /// Nobody else, until the final mode is set.
    OwnerOnly,
}

/// A file that is removed unless it is persisted.
#[cfg(unix)]
fn temporary(directory: &Path, access: Access) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let mode = match access {
        Access::OfNewFiles => 0o666,
        Access::OwnerOnly => 0o600,
    };
    let permissions = std::fs::Permissions::from_mode(mode);
    tempfile::Builder::new().prefix(".write-").suffix(".tmp").permissions(permissions).tempfile_in(directory)
}

#[cfg(not(unix))]
fn temporary(directory: &Path, _: Access) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".write-").suffix(".tmp").tempfile_in(directory)
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Makes the rename last. The content is in its place already, so a failure here is no failure of the write.
fn sync_directory(directory: &Path) {
    if cfg!(unix) {
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
}

/// Directories made for a new file; removed again unless kept.
struct MadeDirectories {
    /// Outermost first.
    paths: Vec<PathBuf>,
}

impl MadeDirectories {
    fn make(directory: &Path) -> io::Result<Self> {
        let mut made = Self { paths: Vec::new() };
        let missing: Vec<&Path> = directory.ancestors().take_while(|path| !path.exists()).collect();
        for path in missing.into_iter().rev() {
            match create_dir(path) {
                Ok(()) => made.paths.push(path.to_owned()),
                // Somebody else was faster; it is theirs.
                Err(_) if path.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }

    fn keep(mut self) {
        self.paths.clear();
    }
}

impl Drop for MadeDirectories {
    fn drop(&mut self) {
        for path in self.paths.iter().rev() {
            // Fails, as it should, on a directory that somebody else uses by now.
            let _ = remove_dir(path);
        }
    }
}
