//! The file system: paths, kinds of files, reading, atomic writing. The only place that opens a file for writing.
//! Never blocks on a pipe or device, and never follows what it was not asked to follow.

mod confine;
mod generated;
mod git_config;
mod globs;
mod identity;
mod ignore_rules;
mod keep;
mod kind;
mod open;
mod path;
mod scratch;
mod search_targets;
mod spool;
mod stamp;
mod suffix;
mod walk;
mod windows;
mod write;

pub use confine::{Confinement, Pinned, exists, is_allowed, metadata, pin, read_dir, require_allowed};
pub use generated::{HEADER_BYTES, generated_marker};
pub use git_config::global_excludes;
pub use globs::{Glob, glob_below_base, has_bare_comma, is_glob, mentions, split_glob, unescape};
pub use identity::{FileId, Identity, Mark};
pub use keep::{KEPT_BYTES, Kept, keep, keep_text, kept_path};
pub use kind::{Kind, open_regular, read_regular, require_directory, stat};
pub use path::{
    INTERNAL_SCHEMES, display_path, display_written, escape_control, expand_path, expand_tilde, find_literal,
    find_lookalikes, find_variant, fold_dots, is_internal_address, lookup, real_path, relative_path,
    resolve_existing, resolve_for_writing, resolve_to_cwd,
};
pub use scratch::Scratch;
pub use search_targets::{Origin, TargetRules, Targets, clean_entry, common_directory};
pub use spool::Spool;
pub use stamp::Stamp;
pub use suffix::{SuffixMatches, find_suffixes, find_suffixes_within};
pub use walk::{
    Course, Done, Entry, EntryKind, Facts, Key, Look, Piece, Progress, ReadBuffer, ReadEnd, Root, Survey,
    WalkReport, WalkRules, walk,
};
pub use windows::resolve_windows;
pub use write::{
    Content, Created, Disk, Expected, FileSystem, InPlace, Repair, Target, Transaction, Writer, Written,
    close_after,
};
