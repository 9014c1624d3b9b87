//! One line as it is shown: trimmed at its end, and a long one cut around what matched.

use crate::engine::text::floor_char_boundary;

/// Bytes of a line that are shown at most, the marks of the cut included.
pub(super) const LINE_LIMIT: usize = 1024;

const CUT: &str = "…";

/// A line for showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) text: String,
    /// Whether only a part of the line is shown.
    pub(super) cut: bool,
}

/// Shows a line; `focus` is the byte of the line that has to be in view.
pub(super) fn show(line: &str, focus: usize) -> Shown {
    let line = line.trim_end();
    if line.len() <= LINE_LIMIT {
        return Shown { text: line.to_owned(), cut: false };
    }
    let room = LINE_LIMIT - 2 * CUT.len();
    // A third of the view stands before the match, the rest shows it and what follows.
    let start = focus.saturating_sub(room / 3).min(line.len() - room);
    let start = floor_char_boundary(line, start);
    let end = floor_char_boundary(line, start + room);
    let before = if start > 0 { CUT } else { "" };
    let after = if end < line.len() { CUT } else { "" };
    Shown { text: format!("{before}{}{after}", &line[start..end]), cut: true }
}
