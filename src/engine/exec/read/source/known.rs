//! What was learnt about large files, kept while they stay the same: looking for it is the only part of a read that
//! grows with the file.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::index::Index;
use crate::engine::files::Identity;
use crate::engine::text::encoding::{Encoding, Unit};

/// Files that are remembered; the least recently used one goes first. An index takes at most 64 KiB.
const MOST: usize = 32;

static FILES: Mutex<VecDeque<(Identity, Arc<Known>)>> = Mutex::new(VecDeque::new());

/// What is known of a file.
#[derive(Debug, Clone)]
pub struct Known {
    /// How it is read; absent: it is no text.
    pub encoding: Option<Encoding>,
    /// What ends its lines.
    pub separator: Unit,
    /// Where they are.
    pub index: Index,
    /// Of all its bytes, where they were all seen.
    pub hash: Option<u64>,
}

impl Known {
    /// What holds for bytes that nobody has looked at.
    #[must_use]
    pub fn nothing() -> Self {
        let separator = Encoding::UTF_8.unit(b'\n');
        Self { encoding: None, separator, index: Index::default(), hash: None }
    }
}

/// What an earlier call learnt.
#[must_use]
pub fn recall(file: Identity) -> Option<Arc<Known>> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let at = files.iter().position(|(identity, _)| *identity == file)?;
    let found = files.remove(at)?;
    let known = Arc::clone(&found.1);
    files.push_front(found);
    Some(known)
}

/// Remembers what a call learnt, unless another one knows more already.
pub fn remember(file: Identity, known: Arc<Known>) {
    let covered = recall(file).map(|old| old.index.covered().offset);
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if covered.is_some_and(|covered| covered >= known.index.covered().offset) {
        return;
    }
    files.retain(|(identity, _)| *identity != file);
    files.push_front((file, known));
    files.truncate(MOST);
}
