//! Cutting a text to whole lines within a line and a byte budget.
//!
//! Sizes are UTF-8 bytes; the newline between two kept lines counts one byte; lines are counted as newlines + 1.

/// The budget that ended a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutBy {
    /// The line budget, also when both ended at the same line.
    Lines,
    /// The byte budget.
    Bytes,
}

impl CutBy {
    /// The name used in details.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Bytes => "bytes",
        }
    }
}

/// What a cut kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut<'a> {
    /// The kept text.
    pub content: &'a str,
    /// Absent: everything was kept.
    pub by: Option<CutBy>,
    /// Lines of the whole text.
    pub total_lines: usize,
    /// Lines kept; a partial line counts.
    pub lines: usize,
    /// `head`: the first line alone was too large, nothing was kept.
    pub first_line_exceeds: bool,
    /// `tail`: only the end of the last line was kept.
    pub last_line_partial: bool,
}

/// Keeps whole lines from the start while both budgets hold.
#[must_use]
pub fn head(text: &str, max_lines: usize, max_bytes: usize) -> Cut<'_> {
    let total_lines = count_lines(text);
    if total_lines <= max_lines && text.len() <= max_bytes {
        return whole(text, total_lines);
    }
    let (mut end, mut lines, mut by) = (0, 0, CutBy::Lines);
    for (index, line) in text.split('\n').enumerate() {
        let next = end + usize::from(index > 0) + line.len();
        if lines == max_lines {
            break;
        }
        if next > max_bytes {
            by = CutBy::Bytes;
            break;
        }
        (end, lines) = (next, lines + 1);
    }
    let first_line_exceeds = lines == 0 && by == CutBy::Bytes;
    Cut {
        content: &text[..end],
        by: Some(by),
        total_lines,
        lines,
        first_line_exceeds,
        last_line_partial: false,
    }
}

/// Keeps whole lines from the end while both budgets hold. A last line that alone is too large is cut to its
/// last bytes, at a character boundary.
#[must_use]
pub fn tail(text: &str, max_lines: usize, max_bytes: usize) -> Cut<'_> {
    let total_lines = count_lines(text);
    if total_lines <= max_lines && text.len() <= max_bytes {
        return whole(text, total_lines);
    }
    let (mut kept, mut lines, mut by) = (0, 0, CutBy::Lines);
    for line in text.rsplit('\n') {
        let next = kept + usize::from(lines > 0) + line.len();
        if lines == max_lines {
            break;
        }
        if next > max_bytes {
            by = CutBy::Bytes;
            break;
        }
        (kept, lines) = (next, lines + 1);
    }
    let mut start = text.len() - kept;
    let last_line_partial = lines == 0 && by == CutBy::Bytes && max_lines > 0;
    if last_line_partial {
        start = ceil_char_boundary(text, text.len() - max_bytes);
        lines = 1;
    }
    Cut {
        content: &text[start..],
        by: Some(by),
        total_lines,
        lines,
        first_line_exceeds: false,
        last_line_partial,
    }
}

/// The largest character boundary that is not behind `index`.
#[must_use]
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    (0..=index.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil_char_boundary(text: &str, index: usize) -> usize {
    (index..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

fn count_lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1
}

fn whole(text: &str, total_lines: usize) -> Cut<'_> {
    Cut {
        content: text,
        by: None,
        total_lines,
        lines: total_lines,
        first_line_exceeds: false,
        last_line_partial: false,
    }
}
