//! One reader for each runner: whether it is installed, and the tasks of its file here.

mod cargo;
mod deno;
mod just;
mod make;
mod package;
mod taskfile;

use super::{Place, Runner, Task};

/// The readers, in the order in which their tasks are shown.
pub(super) const ALL: &[fn(&Place<'_>) -> Option<Runner>] =
    &[just::read, package::read, cargo::read, make::read, taskfile::read, deno::read];
