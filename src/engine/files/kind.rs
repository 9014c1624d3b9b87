//! What a path leads to, and opening it without ever waiting on a pipe or device.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use super::confine;
use super::open::Access;
use crate::engine::error::{Result, ToolError};

/// What a path leads to, links followed.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A regular file.
    File(Metadata),
    /// A directory.
    Directory(Metadata),
    /// A pipe, socket or device, by name.
    Special(&'static str),
}

/// Looks a path up; `shown` is how the caller wrote it.
pub fn stat(path: &Path, shown: &str) -> Result<Kind> {
    let metadata = confine::metadata(path).map_err(|error| ToolError::io(shown, &error))?;
    Ok(classify(metadata))
}

/// Opens a regular file for reading; everything else is an error that says what it is.
pub fn open_regular(path: &Path, shown: &str) -> Result<(File, Metadata)> {
    // Asked before opening, since opening some devices already does something; asked again on the open file,
    // since the path may lead elsewhere by now.
    require_file(stat(path, shown)?, shown)?;
    let file = confine::open(path, Access::Read).map_err(|error| ToolError::io(shown, &error))?;
    let metadata = file.metadata().map_err(|error| ToolError::io(shown, &error))?;
    require_file(classify(metadata), shown).map(|metadata| (file, metadata))
}

/// Reads a regular file of at most `limit` bytes.
pub fn read_regular(path: &Path, shown: &str, limit: u64) -> Result<(Vec<u8>, Metadata)> {
    let (file, metadata) = open_regular(path, shown)?;
    let too_large = |size| ToolError::FileTooLarge { path: shown.to_owned(), size, limit };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    // Files of /proc say 0 bytes, and a file may grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| ToolError::io(shown, &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    Ok((bytes, metadata))
}

/// Whether a regular file holds exactly these bytes. In memory is one piece of it at a time.
pub(in crate::engine::files) fn holds(path: &Path, shown: &str, bytes: &[u8]) -> Result<bool> {
    const PIECE: usize = 64 * 1024;
    let (mut file, metadata) = open_regular(path, shown)?;
    if metadata.len() > bytes.len() as u64 {
        return Ok(false);
    }
    let (mut piece, mut rest) = (vec![0; PIECE], bytes);
    loop {
        let length = match file.read(&mut piece) {
            Ok(0) => return Ok(rest.is_empty()),
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(ToolError::io(shown, &error)),
        };
        match rest.strip_prefix(&piece[..length]) {
            Some(next) => rest = next,
            None => return Ok(false),
        }
    }
}

/// An error unless the path is a directory.
pub fn require_directory(path: &Path, shown: &str) -> Result<()> {
    match stat(path, shown)? {
        Kind::Directory(_) => Ok(()),
        _ => Err(ToolError::NotADirectory { path: shown.to_owned() }),
    }
}

fn require_file(kind: Kind, shown: &str) -> Result<Metadata> {
    let reason = match kind {
        Kind::File(metadata) => return Ok(metadata),
        Kind::Directory(_) => "is a directory, not a regular file".to_owned(),
        Kind::Special(name) => format!("is a {name}, not a regular file"),
    };
    Err(ToolError::Io { path: shown.to_owned(), reason })
}

/// Opens an existing regular file for reading and writing, or for writing alone; nothing is cut.
pub(in crate::engine::files) fn open_to_change(path: &Path, read: bool) -> std::io::Result<File> {
    let file = confine::open(path, if read { Access::ReadWrite } else { Access::Write })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(std::io::Error::other("is not a regular file")) }
}

/// Opens what has this very name, a link not followed, for reading.
pub(in crate::engine::files) fn open_entry(path: &Path) -> std::io::Result<File> {
    confine::open_entry(path, Access::Read)
}

/// Opens a regular file to lock it, in whatever way its mode allows.
pub(in crate::engine::files) fn open_to_lock(path: &Path) -> std::io::Result<File> {
    open_entry(path).or_else(|_| confine::open_entry(path, Access::Write))
}

fn classify(metadata: Metadata) -> Kind {
    if metadata.is_file() {
        Kind::File(metadata)
    } else if metadata.is_dir() {
        Kind::Directory(metadata)
    } else {
        Kind::Special(special_name(&metadata))
    }
}

#[cfg(unix)]
fn special_name(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "named pipe"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_char_device() {
        "character device"
    } else {
        "block device"
    }
}

#[cfg(not(unix))]
fn special_name(_: &Metadata) -> &'static str {
    "special file"
}
