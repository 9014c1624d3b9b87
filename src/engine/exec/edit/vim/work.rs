//! How much the keys of one call may do. Few keys can ask for any amount of work: a count repeats what was typed, `.`
//! repeats it again, and in a long line every character moves all that stands behind it.

use std::cell::Cell;

use super::fault::{FaultKind, Run, fault};
use crate::engine::cancel::CancelToken;

/// Bytes that one command may put or repeat.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Bytes that all keys of a call may move together.
const MOST_MOVED: usize = 1024 * 1024 * 1024;

/// What a key costs that moves nothing, in bytes that could be moved meanwhile.
const KEY: usize = 256;

/// Refuses to make a text that no one can mean.
pub fn check_size(bytes: usize, count: usize) -> Run<()> {
    if bytes.saturating_mul(count) > MOST_BYTES {
        return fault(FaultKind::UnsupportedCommand, format!("the count {count} would make too much text"));
    }
    Ok(())
}

/// What the keys of a call did so far.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// A search moves bytes too, and only looks at the editor.
    moved: Cell<usize>,
    cancel: CancelToken,
}

impl Work {
    /// Of a call that can be cancelled.
    pub fn new(cancel: &CancelToken) -> Self {
        Self { moved: Cell::default(), cancel: cancel.clone() }
    }

    /// Other keys start with nothing done.
    pub fn restart(&self) {
        self.moved.set(0);
    }

    /// A command moved so many bytes.
    pub fn add(&self, bytes: usize) {
        self.moved.set(self.moved.get().saturating_add(bytes));
    }

    /// Before each key, typed or repeated. Who cancelled the call sees to it that it says so.
    pub fn next_key(&self) -> Run<()> {
        self.add(KEY);
        if self.cancel.is_cancelled() {
            return fault(FaultKind::UnsupportedCommand, "the call was cancelled");
        }
        if self.moved.get() > MOST_MOVED {
            let reason = "the keys of this call take too much work; use smaller counts, fewer repeats, or several calls";
            return fault(FaultKind::UnsupportedCommand, reason);
        }
        Ok(())
    }
}
