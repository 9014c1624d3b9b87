//! Where a search of many files ends: at the first file, in the order of the paths, that makes it enough.
//!
//! Files are searched in whatever order the threads come to them. The bound only ever moves to the front, and what
//! lies before it is searched in any case; so the outcome is the same however fast each thread was.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engine::files::Key;

/// The bound of one search.
#[derive(Debug)]
pub(super) struct Cut {
    enough: usize,
    state: Mutex<State>,
    /// Whether there is a bound; asked for every file.
    is_set: AtomicBool,
    /// Whether any file was met behind the bound.
    left: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    /// The files with matches up to the bound.
    files: BTreeSet<Key>,
    bound: Option<Key>,
}

impl Cut {
    /// A bound at so many files with matches.
    pub(super) fn at(enough: usize) -> Self {
        let (state, is_set, left) = (Mutex::default(), AtomicBool::new(false), AtomicBool::new(false));
        Self { enough, state, is_set, left }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a file with matches. One that is met twice counts once.
    pub(super) fn add(&self, key: Key) {
        let mut state = self.lock();
        state.files.insert(key);
        while state.files.len() > self.enough {
            state.files.pop_last();
            self.left.store(true, Ordering::Relaxed);
        }
        if state.files.len() == self.enough {
            state.bound = state.files.last().cloned();
            self.is_set.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a file lies behind the bound; then it is remembered that there is one.
    pub(super) fn leaves_out(&self, key: impl FnOnce() -> Key) -> bool {
        if !self.is_set.load(Ordering::Relaxed) {
            return false;
        }
        let behind = self.lock().bound.as_ref().is_some_and(|bound| key() > *bound);
        if behind {
            self.left.store(true, Ordering::Relaxed);
        }
        behind
    }

    /// Whether nothing is to be done from here on, in byte order: all of it lies behind the bound, and it is known
    /// that something does.
    pub(super) fn leaves_out_from(&self, key: impl FnOnce() -> Key) -> bool {
        if !self.is_set.load(Ordering::Relaxed) || !self.left.load(Ordering::Relaxed) {
            return false;
        }
        self.lock().bound.as_ref().is_some_and(|bound| key() > *bound)
    }

    /// The last file that counts, and whether files were met behind it.
    pub(super) fn bound(&self) -> Option<(Key, bool)> {
        let bound = self.lock().bound.clone()?;
        Some((bound, self.left.load(Ordering::Relaxed)))
    }
}
