//! The one walk of trees: for search, find and every other tool that looks at many files.
//!
//! In reading order: what is walked and what is left out (`root`), what a walk is for (`survey`), one thing it
//! meets (`entry`), the course of a walk (`job`), one directory (`step`), the threads (`pool`), and directories as
//! the system has them (`unix`, `other`).
//!
//! Directories are open handles, and what is in them is opened relative to those: no path is resolved twice, and no
//! link that takes a directory's place is followed. Links are reported, never entered; the root itself may be one.
//! Nothing is opened but directories and rule files; a [`Survey`] opens what it wants. Entries come in no order:
//! whoever needs one sorts by [`Key`].

mod entry;
mod job;
#[cfg(not(unix))]
mod other;
mod pool;
mod reading;
mod root;
mod step;
mod survey;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

pub use entry::{Entry, EntryKind, Facts, Key};
pub use job::{Course, Done, Progress, walk};
pub use reading::{Look, Piece, ReadBuffer, ReadEnd};
pub use root::{Root, WalkReport, WalkRules};
pub use survey::Survey;
