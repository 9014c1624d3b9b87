//! `ast_edit`: patterns of code and what takes the place of their matches, all found in the files as they are.
//!
//! In reading order: the course of a call (`call`), one file (`scan`), how the change looks (`preview`), and carrying it
//! out (`plan`). A preview writes nothing. A plan writes all files or none, and none if one of them is not what was
//! looked at.

mod call;
mod plan;
mod preview;
mod scan;

pub use call::{Operation, Options, Staged, run};
pub use plan::Plan;
