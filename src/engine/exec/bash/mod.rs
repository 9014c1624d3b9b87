//! `bash`: one command line in a fresh shell, its output and its exit code.
//!
//! A call travels `prepare` (arguments to a plan) → `process` (a process group that is gone when the call ends)
//! → `terminal` (bytes to the text a terminal would show) → `window` (the part that is shown) → `run`. Where the session
//! has somewhere to keep it, an output that is not shown whole is held until it is kept there (`whole`).
//!
//! Never keeps state between calls, never holds more of the output than its window and what a store takes, never signals a process that is
//! not part of the call, and never returns while a process it can still find runs on. A daemon that left the group
//! and closed the output is out of reach.

mod environment;
mod internal_url;
mod leading_cd;
mod prepare;
pub(super) mod process;
mod run;
mod terminal;
mod whole;
mod window;

pub(super) use environment::value as variable;
pub use prepare::Options;
pub(super) use prepare::directory;
pub use run::{Ended, Kept, run, start};
pub use terminal::Terminal;
pub use window::{Limits, Shown, Window};
