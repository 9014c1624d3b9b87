//! How much the keys of one call may do. Few keys can ask for any amount of work: a count repeats what was typed, `.`
//! repeats it again, and in a long line every character moves all that stands behind it.

use std::cell::Cell;

use super::fault::{FaultKind, Run, fault};
use crate::engine::cancel::CancelToken;

/// Bytes that a text may have, and that one command may put or repeat: twice the largest file that is edited.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// What all keys of a call may cost together, about a second.
const MOST_COST: usize = 1024 * 1024 * 1024;

/// What a key costs.
const KEY: usize = 256;
/// What a match costs.
const MATCH: usize = 256;
/// What a new line costs beside its bytes.
const LINE: usize = 64;
/// Bytes that are copied, and entries of the list of lines that are moved, at the cost of one.
const COPIED: usize = 4;

/// Refuses to make a text that no one can mean: `bytes`, so many times.
pub fn check_size(bytes: usize, count: usize) -> Run<()> {
    require_size(bytes.saturating_mul(count))
}

/// Refuses a text of so many bytes.
pub fn require_size(bytes: usize) -> Run<()> {
    if bytes > MOST_BYTES {
        let reason = format!("this would make more than {} MB of text", MOST_BYTES / (1024 * 1024));
        return fault(FaultKind::UnsupportedCommand, reason);
    }
    Ok(())
}

/// What the keys of a call did so far.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// About nanoseconds. A search costs too, and only looks at the editor.
    done: Cell<usize>,
    cancel: CancelToken,
}

impl Work {
    /// Of a call that can be cancelled.
    pub fn new(cancel: &CancelToken) -> Self {
        Self { done: Cell::default(), cancel: cancel.clone() }
    }

    /// Other keys start with nothing done.
    pub fn restart(&self) {
        self.done.set(0);
    }

    /// A command looked at so many bytes, or keeps them to be undone.
    pub fn add(&self, bytes: usize) {
        self.done.set(self.done.get().saturating_add(bytes));
    }

    /// A command made so many lines of so many bytes, and so many others stand elsewhere in the list now.
    pub fn add_lines(&self, lines: usize, bytes: usize, moved: usize) {
        self.add(lines * LINE + (bytes + moved) / COPIED);
    }

    /// Before each key, typed or repeated. Who cancelled the call sees to it that it says so.
    pub fn next_key(&self) -> Run<()> {
        self.next(KEY)
    }

    /// Before each match of a command that looks for many.
    pub fn next_match(&self) -> Run<()> {
        self.next(MATCH)
    }

    fn next(&self, cost: usize) -> Run<()> {
        self.add(cost);
        if self.cancel.is_cancelled() {
            return fault(FaultKind::UnsupportedCommand, "the call was cancelled");
        }
        if self.done.get() > MOST_COST {
            let reason = "the keys of this call take too much work; use smaller counts, fewer repeats, or several calls";
            return fault(FaultKind::UnsupportedCommand, reason);
        }
        Ok(())
    }
}
