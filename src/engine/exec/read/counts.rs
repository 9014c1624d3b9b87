//! The number of lines of large files, remembered: counting is the only part of a read that grows with the file.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::engine::files::Identity;

/// Files that are remembered; the least recently used one goes first.
const MOST: usize = 64;

static COUNTS: Mutex<VecDeque<(Identity, u64)>> = Mutex::new(VecDeque::new());

/// The lines of a file, if they were counted while it was the same.
#[must_use]
pub fn recall(file: Identity) -> Option<u64> {
    let mut counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    let at = counts.iter().position(|(known, _)| *known == file)?;
    let found = counts.remove(at)?;
    counts.push_front(found);
    Some(found.1)
}

/// Remembers the lines of a file.
pub fn remember(file: Identity, lines: u64) {
    if recall(file).is_none() {
        let mut counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
        counts.push_front((file, lines));
        counts.truncate(MOST);
    }
}
