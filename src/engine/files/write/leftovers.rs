//! Drafts that killed processes left in a directory: known by their name, and by nobody holding their lock.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use super::disk::FileSystem;
use super::draft::PREFIX;
use crate::engine::files::identity::{FileId, Mark};
use crate::engine::files::kind::open_entry;

/// Names of a directory that are looked at.
const MAX_NAMES: usize = 20_000;

/// A directory that changed this short a time ago may change again without its time telling.
const RACY: Duration = Duration::from_millis(20);

/// Directories remembered; then all are forgotten.
const MAX_CLEAN: usize = 1_000;

/// Directories with nothing to clear away, in the state they had then.
static CLEAN: LazyLock<Mutex<HashMap<FileId, Mark>>> = LazyLock::new(Mutex::default);

/// Removes the drafts of dead processes. A directory in which nothing happened since the last time is not read.
pub(super) fn clear(disk: &dyn FileSystem, folder: &Path) {
    // Without locks a draft at work cannot be told from a dead one.
    if !cfg!(unix) {
        return;
    }
    let Some((id, mark)) = state_of(folder) else { return };
    if clean().get(&id) == Some(&mark) {
        return;
    }
    let Ok(entries) = folder.read_dir() else { return };
    let mut is_clean = true;
    for entry in entries.take(MAX_NAMES).flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            is_clean = false;
            let path = entry.path();
            let is_dead = open_entry(&path).is_ok_and(|file| {
                file.metadata().is_ok_and(|metadata| metadata.is_file()) && file.try_lock().is_ok()
            });
            if is_dead {
                let _ = disk.remove(&path);
            }
        }
    }
    let is_settled = || {
        folder
            .metadata()
            .and_then(|metadata| metadata.modified())
            .is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > RACY))
    };
    if is_clean && is_settled() {
        remember(id, mark);
    }
}

/// The change of a clean directory that this process just made does not count.
pub(super) fn expect_clean(folder: &Path) {
    if let Some((id, mark)) = state_of(folder)
        && clean().contains_key(&id)
    {
        remember(id, mark);
    }
}

fn state_of(folder: &Path) -> Option<(FileId, Mark)> {
    let metadata = folder.metadata().ok()?;
    Some((FileId::of(&metadata)?, Mark::of(&metadata)))
}

fn remember(id: FileId, mark: Mark) {
    let mut clean = clean();
    if clean.len() >= MAX_CLEAN {
        clean.clear();
    }
    clean.insert(id, mark);
}

fn clean() -> std::sync::MutexGuard<'static, HashMap<FileId, Mark>> {
    CLEAN.lock().unwrap_or_else(PoisonError::into_inner)
}
