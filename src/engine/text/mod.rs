//! Text as bytes: encodings, lines with their own endings, edits and diffs of them, anchors, cutting, sizes. Opens
//! no file.

mod anchor;
mod bytes;
mod clip;
mod conflicts;
mod diff;
mod document;
mod elision;
pub mod encoding;
mod lf;
mod lines;
pub mod normalise;
mod script;
pub mod similar;
mod size;
mod survive;
mod trigrams;
mod truncate;
mod unified;
mod width;

pub use anchor::{anchor, anchored, letters, push_anchor, push_number};
pub use bytes::Bytes;
pub use clip::clip;
pub use conflicts::{CONFLICT_START, Conflict, Side, find_conflicts};
pub use diff::{DiffForm, NumberedDiff, compare, numbered_diff, numbered_diff_of_texts, unified_diff};
pub use document::{Document, decoded};
pub use elision::{elision_marker, grouped};
pub use lf::{LfText, Splice, apply_splices, splices_between};
pub use lines::{BOM, Ending, Line, Lines, has_bom, split_lines};
pub use script::{Op, script};
pub use size::format_bytes;
pub use survive::surviving_lines;
pub use trigrams::{Trigram, TrigramFilter, trigrams};
pub use truncate::{
    Cut, CutBy, Middle, MiddleBudget, ceil_char_boundary, floor_char_boundary, head, head_bytes, line_count,
    middle, tail,
};
pub use width::{fit, fitting_start, width, wrap};
