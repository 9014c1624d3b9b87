//! Cutting a text to whole lines within a line and a byte budget.
//!
//! Sizes are UTF-8 bytes; the newline between two kept lines counts one byte; lines are counted as newlines + 1.
//! A text that fits is never cut, a character never split.

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
    head_of(text, line_count(text), max_lines, max_bytes)
}

fn head_of(text: &str, total_lines: usize, max_lines: usize, max_bytes: usize) -> Cut<'_> {
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
    tail_of(text, line_count(text), max_lines, max_bytes)
}

fn tail_of(text: &str, total_lines: usize, max_lines: usize, max_bytes: usize) -> Cut<'_> {
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

/// What both ends of a text may take. The marker between them and its two newlines come on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiddleBudget {
    max_lines: usize,
    max_bytes: usize,
    head_lines: usize,
    head_bytes: usize,
}

impl MiddleBudget {
    /// A budget whose head takes half, at least one line, unless it is given; the tail takes the rest.
    #[must_use]
    pub fn new(
        max_lines: usize,
        max_bytes: usize,
        head_lines: Option<usize>,
        head_bytes: Option<usize>,
    ) -> Self {
        let head_lines = head_lines.unwrap_or_else(|| (max_lines / 2).max(1)).min(max_lines);
        let head_bytes = head_bytes.unwrap_or(max_bytes / 2).min(max_bytes);
        Self { max_lines, max_bytes, head_lines, head_bytes }
    }
}

/// What a cut of the middle left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Middle<'a> {
    /// Everything: the text fits, or its two ends meet.
    Whole,
    /// No usable tail.
    Head(Cut<'a>),
    /// No usable head.
    Tail(Cut<'a>),
    /// Both ends of a text that lacks its middle.
    Both {
        /// The start, in whole lines.
        head: Cut<'a>,
        /// The end; its first line may be partial when it is also the last.
        tail: Cut<'a>,
    },
}

/// Keeps both ends of a text. A side without a budget leaves its own to the other; a head that cannot hold the first
/// line leaves the tail with its share, and the other way round.
#[must_use]
pub fn middle(text: &str, budget: MiddleBudget) -> Middle<'_> {
    let MiddleBudget { max_lines, max_bytes, head_lines, head_bytes } = budget;
    let total_lines = line_count(text);
    if total_lines <= max_lines && text.len() <= max_bytes {
        return Middle::Whole;
    }
    if head_lines == 0 || head_bytes == 0 {
        return Middle::Tail(tail_of(text, total_lines, max_lines, max_bytes));
    }
    let head = head_of(text, total_lines, head_lines, head_bytes);
    let (tail_lines, tail_bytes) = (max_lines - head_lines, max_bytes - head_bytes);
    if tail_lines == 0 || tail_bytes == 0 {
        return Middle::Head(head);
    }
    let tail = tail_of(text, total_lines, tail_lines, tail_bytes);
    if head.first_line_exceeds {
        return Middle::Tail(tail);
    }
    if tail.lines == 0 || tail.last_line_partial && tail.content.is_empty() {
        return Middle::Head(head);
    }
    // Compared in bytes: a partial last line does not cover the text, however few lines there are.
    if head.content.len() + "\n".len() + tail.content.len() >= text.len() {
        return Middle::Whole;
    }
    Middle::Both { head, tail }
}

/// The bytes from the start that fit and end no character halfway. Bytes that are no UTF-8 are cut where they are.
#[must_use]
pub fn head_bytes(bytes: &[u8], max: usize) -> &[u8] {
    if bytes.len() <= max {
        return bytes;
    }
    let is_continuation = |at: &usize| (0x80..0xC0).contains(&bytes[*at]);
    let start = (max.saturating_sub(3)..=max).rev().find(|at| !is_continuation(at));
    let end = start.filter(|start| {
        std::str::from_utf8(&bytes[*start..(start + width(bytes[*start])).min(bytes.len())]).is_ok()
    });
    &bytes[..end.unwrap_or(max)]
}

/// Bytes of the character that a byte begins.
fn width(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

/// The largest character boundary that is not behind `index`.
#[must_use]
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    (0..=index.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The smallest character boundary that is not before `index`.
#[must_use]
pub fn ceil_char_boundary(text: &str, index: usize) -> usize {
    (index..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// Lines of a text: newlines + 1.
#[must_use]
pub fn line_count(text: &str) -> usize {
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
