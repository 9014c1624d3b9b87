//! The file system: paths, kinds of files, reading, atomic writing. The only place that opens a file for writing.
//! Never blocks on a pipe or device, and never follows what it was not asked to follow.

mod attributes;
mod generated;
mod in_place;
mod kind;
mod lock;
mod path;
mod target;
mod write;

pub use generated::{HEADER_BYTES, generated_marker};
pub use in_place::InPlace;
pub use kind::{Kind, open_regular, read_regular, require_directory, stat};
pub use path::{
    INTERNAL_SCHEMES, display_path, escape_control, expand_tilde, lookup, resolve_existing,
    resolve_for_writing, resolve_to_cwd,
};
pub use target::Target;
pub use write::{Created, Expected, Written, write_atomic};
