//! The file system: paths, kinds of files, reading, atomic writing. The only place that opens a file for writing.
//! Never blocks on a pipe or device, and never follows what it was not asked to follow.

mod attributes;
mod generated;
mod globs;
mod identity;
mod ignore_rules;
mod in_place;
mod keep;
mod kind;
mod lock;
mod path;
mod search_targets;
mod walk;
mod write;
mod write_target;

pub use generated::{HEADER_BYTES, generated_marker};
pub use globs::{Glob, glob_below_base, has_bare_comma, is_glob, mentions, split_glob, unescape};
pub use identity::Identity;
pub use in_place::InPlace;
pub use keep::{KEPT_BYTES, Kept, keep_text};
pub use kind::{Kind, open_listed, open_regular, read_regular, require_directory, stat};
pub use path::{
    INTERNAL_SCHEMES, display_path, escape_control, expand_tilde, find_literal, find_variant, fold_dots,
    is_internal_address, lookup, resolve_existing, resolve_for_writing, resolve_to_cwd,
};
pub use search_targets::{Origin, TargetEntry, TargetRules, Targets};
pub use walk::{EntryKind, WalkEntry, WalkReport, WalkRules, walk};
pub use write::{Created, Expected, Written, write_atomic};
pub use write_target::Target;
