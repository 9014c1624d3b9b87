//! `bash`: one command line in a fresh shell, its output and its exit code.
//!
//! A call travels `prepare` (arguments to a plan) → `process` (a session of processes that is gone when the call ends)
//! → `output` (`terminal`: bytes to the text a terminal would show, `window`: the part that is shown) → `ended` (the
//! result). `run` leads it there; `jobs` holds commands that go on after their calls. Where the host has somewhere to
//! keep it, an output that is not shown whole is held until it is kept there.
//!
//! Never keeps state between calls, never holds more of the output in memory than its window and a little, never
//! signals a process that is not part of the call, and never ends while a process it can still find runs on. A daemon
//! that left the session and closed the output is out of reach.

mod ended;
mod environment;
mod fix_ups;
mod guard;
mod internal_url;
mod jobs;
mod leading_cd;
mod output;
mod prepare;
pub(super) mod process;
mod run;
mod shell_state;
mod terminal;
mod window;
pub mod words;

pub use ended::{Ended, Kept};
pub(super) use environment::value as variable;
pub use guard::Host;
pub use internal_url::addresses;
pub use jobs::{Background, Jobs, View};
pub(super) use prepare::directory;
pub use prepare::{Options, keeps_state, search_path};
pub use process::{Console, Lease, Size};
pub use run::{Caller, Started, run, start};
pub use shell_state::ShellState;
pub use terminal::Terminal;
pub use window::{Limits, Shown, Window};
