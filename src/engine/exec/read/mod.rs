//! `read`: a file as text, source by its structure, documents, pictures, what lies within an archive
//! or a database, web pages, or a directory listing.
//!
//! Never holds more of a text file in memory than it shows, never waits on a pipe or device, and never guesses: what is
//! left out, cut or not decodable is told in a notice or in `details`. Fetches nothing that the session does not allow.
//!
//! The way of a call, in `run.rs`: `web`, `internal` and `container` take their addresses, `address` finds any other target, `content`
//! looks at its first bytes, and then `receipt` (no selector), `range` (lines) or `raw` fills a `page` from a `source`. A
//! directory goes to `directory`, a picture to `image`, a document through `document` and then the way of text; source
//! without a selector to `summary` first.

mod address;
mod binary;
mod bounded;
mod call;
mod conflicts;
mod container;
mod content;
mod directory;
mod document;
mod exact;
mod image;
pub mod internal;
mod memory;
mod options;
mod page;
mod range;
mod raw;
mod receipt;
mod run;
pub mod selector;
mod source;
mod summary;
pub mod web;

pub use options::{Direction, Options};
pub use run::{run, run_within};
