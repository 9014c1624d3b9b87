//! Merge conflicts by their numbers: the address `conflict://…`, where a conflict stands now, and resolving it. What
//! `read` shows of them is in `exec/read/conflicts.rs`.

mod address;
mod resolution;
mod resolve;

pub use address::{Address, Id, Scope, parse};
pub use resolve::resolve;

use crate::engine::error::{Result, ToolError};
use crate::engine::files;
use crate::engine::session::KnownConflict;
use crate::engine::text::{Conflict, find_conflicts};

/// The largest file that is looked through for conflicts.
pub const SCANNED_BYTES: u64 = 10 * 1024 * 1024;

/// A file and the conflicts it has now.
#[derive(Debug)]
pub struct Scanned {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// In order.
    pub conflicts: Vec<Conflict>,
}

impl Scanned {
    /// Reads a file.
    pub fn read(path: &std::path::Path, shown: &str) -> Result<Self> {
        let (bytes, _) = files::read_regular(path, shown, SCANNED_BYTES)?;
        Ok(Self { conflicts: find_conflicts(&bytes), bytes })
    }

    /// The text of a conflict.
    #[must_use]
    pub fn text(&self, conflict: &Conflict) -> &[u8] {
        &self.bytes[conflict.bytes.clone()]
    }

    /// Where a conflict stands by now: the nearest of those with the same text.
    #[must_use]
    pub fn locate(&self, known: &KnownConflict) -> Option<&Conflict> {
        let same = self.conflicts.iter().filter(|conflict| *self.text(conflict) == *known.text);
        same.min_by_key(|conflict| conflict.start.abs_diff(known.start))
    }
}

/// The error for a number that stands for nothing.
#[must_use]
pub fn not_found(address: &Address) -> ToolError {
    ToolError::ConflictNotFound { uri: address.uri.clone() }
}
