//! Keeping whole texts in a folder, each under a number of its own.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::path::escape_control;
use crate::engine::error::{Result, ToolError};
use crate::engine::text::floor_char_boundary;

/// Bytes kept of a text: 10 MiB.
pub const KEPT_BYTES: usize = 10 * 1024 * 1024;

/// A kept text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Names it within its folder.
    pub id: String,
    /// Bytes beyond [`KEPT_BYTES`], which are not there.
    pub missing: u64,
}

/// Writes a text to `folder/<id>.<label>.log`; the folder is made. Never replaces a file, and ids are never used twice
/// by this process at the same time.
///
/// # Errors
/// Those of the file system. Nothing is left behind.
pub fn keep_text(folder: &Path, label: &str, text: &str) -> Result<Kept> {
    let kept = &text[..floor_char_boundary(text, KEPT_BYTES)];
    let id = keep(folder, label, &mut kept.as_bytes())?;
    Ok(Kept { id, missing: (text.len() - kept.len()) as u64 })
}

/// The same for a text that is in a file, or comes piece by piece; all of it is kept. Its id.
///
/// # Errors
/// Those of the file system. Nothing is left behind.
pub fn keep(folder: &Path, label: &str, text: &mut dyn Read) -> Result<String> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let failed = |error: std::io::Error| ToolError::io(folder.to_string_lossy(), &error);
    #[expect(clippy::disallowed_methods, reason = "this is engine/files")]
    fs::create_dir_all(folder).map_err(failed)?;
    let taken = taken_numbers(folder).map_err(failed)?;
    let mut number = taken.iter().max().map_or(0, |last| last + 1);
    loop {
        let path = folder.join(format!("{number}.{}.log", file_label(label)));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                if let Err(error) = std::io::copy(text, &mut file) {
                    drop(file);
                    #[expect(clippy::disallowed_methods, reason = "this is engine/files")]
                    let _ = fs::remove_file(&path);
                    return Err(ToolError::io(path.to_string_lossy(), &error));
                }
                return Ok(number.to_string());
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(ToolError::io(path.to_string_lossy(), &error)),
        }
    }
}

/// The file of a kept text.
#[must_use]
pub fn kept_path(folder: &Path, id: &str) -> Option<PathBuf> {
    let number: u32 = id.parse().ok().filter(|number: &u32| number.to_string() == id)?;
    let start = format!("{number}.");
    let mut found = folder.read_dir().ok()?.flatten().map(|entry| entry.file_name());
    let name = found.find(|name| {
        let name = name.to_string_lossy();
        name.starts_with(&start) && name.ends_with(".log")
    })?;
    Some(folder.join(name))
}

fn taken_numbers(folder: &Path) -> std::io::Result<HashSet<u64>> {
    let mut numbers = HashSet::new();
    for entry in folder.read_dir()? {
        let name = entry?.file_name();
        let number = name.to_string_lossy().split('.').next().and_then(|first| first.parse::<u32>().ok());
        numbers.extend(number.map(u64::from));
    }
    Ok(numbers)
}

/// A tool's name as a part of a file name.
fn file_label(name: &str) -> String {
    let safe = |character: char| {
        if character.is_alphanumeric() || "-_".contains(character) { character } else { '_' }
    };
    let label: String = escape_control(name).chars().take(64).map(safe).collect();
    if label.is_empty() { "output".into() } else { label }
}
