//! What a session remembers between calls, for as long as its host keeps it. Holds no file open and decides nothing:
//! executors put in what they saw and ask for it.

mod conflicts;
mod contents;
mod former;
mod reads;
mod shown;
mod states;

use std::sync::Arc;

use super::exec::bash::{Jobs, ShellState};

pub use conflicts::{Conflicts, KnownConflict};
pub use contents::{Contents, Known};
pub use former::{Former, Meaning, Turn};
pub use reads::{Reader, Reads, Recorded, Revision};
pub use shown::Shown;
pub use states::States;

/// The memory of one session, shared by all its tools and calls.
#[derive(Debug, Default)]
pub struct Session {
    /// Which lines of which files were shown.
    pub reads: Reads,
    /// What searches know of files.
    pub contents: Contents,
    /// Merge conflicts by their numbers.
    pub conflicts: Conflicts,
    /// Commands in the background.
    pub jobs: Arc<Jobs>,
    /// What commands leave to the next one, where they are asked to.
    pub shell: ShellState,
    /// What executors keep for themselves.
    pub states: States,
}
