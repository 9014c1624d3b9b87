//! Text as bytes: lines with their own endings, anchors, cutting, sizes. Opens no file.

mod anchor;
mod clip;
mod lines;
mod size;
mod truncate;

pub use anchor::{anchor, letters};
pub use clip::clip;
pub use lines::{BOM, Ending, Line, Lines, has_bom, split_lines};
pub use size::format_bytes;
pub use truncate::{Cut, CutBy, floor_char_boundary, head, tail};
