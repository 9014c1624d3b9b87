//! `read`: lines of a text file, a directory listing, what lies within an archive or a database, a notebook as text.
//!
//! Never holds more of a file in memory than it shows, never waits on a pipe or device, and never guesses: what is
//! left out, cut or not decodable is told in a notice or in `details`. It unpacks one member at a time, and only to show it.
//!
//! The way of a call, in `run.rs`: `address` finds the target, `content` looks at its first bytes, and then `receipt` (no
//! selector), `range` (lines) or `raw` fills a `page` from a `source`; a directory goes to `directory`. What lies within
//! an archive or a database goes through `container`.

mod address;
mod binary;
mod call;
mod conflicts;
mod container;
mod content;
mod directory;
mod exact;
mod options;
mod page;
mod range;
mod raw;
mod receipt;
mod run;
pub mod selector;
mod source;

pub use options::{Direction, Options};
pub use run::{run, run_within};
