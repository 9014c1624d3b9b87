//! One line as it is shown: trimmed at its end, and a long one cut around what matched.

use crate::engine::text::floor_char_boundary;

/// Bytes of a line that are shown at most.
pub const LINE_LIMIT: usize = 1024;

/// Bytes shown of a longer line, so that it stays within the limit with its number and the marks of the cut.
const WINDOW: usize = 1000;

const CUT: &str = "…";

/// A line for showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub text: String,
    /// Whether only a part of the line is shown.
    pub cut: bool,
}

/// Shows a line; `focus` is the byte of the line that has to be in view.
pub fn show(line: &str, focus: usize) -> Shown {
    let line = line.trim_end();
    if line.len() <= LINE_LIMIT {
        return Shown { text: line.to_owned(), cut: false };
    }
    // A third of the view stands before the match, the rest shows it and what follows.
    let start = focus.saturating_sub(WINDOW / 3).min(line.len() - WINDOW);
    let start = floor_char_boundary(line, start);
    // A few bytes that were lost to a character boundary are no reason to cut.
    let end =
        if line.len() - start < WINDOW + 4 { line.len() } else { floor_char_boundary(line, start + WINDOW) };
    let before = if start > 0 { CUT } else { "" };
    let after = if end < line.len() { CUT } else { "" };
    Shown { text: format!("{before}{}{after}", &line[start..end]), cut: true }
}
