//! One cut with everything that is told about it: the kept text, its real windows, and the marker between them.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::engine::outcome::{LineRange, Notice, PartialLine, TruncationMeta};
use crate::engine::text::{self, Cut, Middle, MiddleBudget, elision_marker, format_bytes};

/// Lines kept where nothing else is asked for.
pub const DEFAULT_MAX_LINES: usize = 3000;
/// Bytes kept where nothing else is asked for.
pub const DEFAULT_MAX_BYTES: usize = 50 * 1024;

/// The side of a text that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The start.
    Head,
    /// The end.
    Tail,
    /// Both ends.
    Middle,
}

impl Direction {
    /// The name used in metadata.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Tail => "tail",
            Self::Middle => "middle",
        }
    }
}

/// What may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Lines.
    pub max_lines: usize,
    /// Bytes.
    pub max_bytes: usize,
    /// Of these, lines of the start of a middle cut. @default half
    pub head_lines: Option<usize>,
    /// Of these, bytes of the start of a middle cut. @default half
    pub head_bytes: Option<usize>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            max_lines: DEFAULT_MAX_LINES,
            max_bytes: DEFAULT_MAX_BYTES,
            head_lines: None,
            head_bytes: None,
        }
    }
}

/// A text that was cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Truncation<'a> {
    /// The kept start; absent when nothing of the start was kept on purpose.
    pub head: Option<Cut<'a>>,
    /// The kept end.
    pub tail: Option<Cut<'a>>,
    /// Between the two.
    pub marker: Option<Notice>,
    /// The real windows, in lines of the text.
    pub meta: TruncationMeta,
}

/// Cuts a text; absent: it fits, and nothing is to be told.
#[must_use]
pub fn truncate(text: &str, direction: Direction, budget: Budget) -> Option<Truncation<'_>> {
    let Budget { max_lines, max_bytes, head_lines, head_bytes } = budget;
    match direction {
        Direction::Head => one_side(text, Direction::Head, text::head(text, max_lines, max_bytes)),
        Direction::Tail => one_side(text, Direction::Tail, text::tail(text, max_lines, max_bytes)),
        Direction::Middle => {
            match text::middle(text, MiddleBudget::new(max_lines, max_bytes, head_lines, head_bytes)) {
                Middle::Whole => None,
                Middle::Head(head) => one_side(text, Direction::Head, head),
                Middle::Tail(tail) => one_side(text, Direction::Tail, tail),
                Middle::Both { head, tail } => Some(both_sides(text, head, tail)),
            }
        }
    }
}

impl Truncation<'_> {
    /// The kept text.
    #[must_use]
    pub fn content(&self) -> String {
        let sides = [self.head.as_ref().map(|cut| cut.content), self.tail.as_ref().map(|cut| cut.content)];
        match (&self.marker, sides) {
            (Some(marker), [Some(head), Some(tail)]) => format!("{head}\n{}\n{tail}", marker.text),
            (_, sides) => sides.into_iter().flatten().collect(),
        }
    }

    /// The first line alone was too large for the start: nothing was kept.
    #[must_use]
    pub fn first_line_exceeds(&self) -> bool {
        self.tail.is_none() && self.head.as_ref().is_some_and(|cut| cut.first_line_exceeds)
    }

    /// Only the end of the last line was kept.
    #[must_use]
    pub fn last_line_partial(&self) -> bool {
        self.tail.as_ref().is_some_and(|cut| cut.last_line_partial)
    }
}

fn one_side<'a>(text: &str, direction: Direction, cut: Cut<'a>) -> Option<Truncation<'a>> {
    let by = cut.by?;
    let (lines, total) = (cut.lines as u64, cut.total_lines as u64);
    let start = if direction == Direction::Tail { total - lines + 1 } else { 1 };
    let partial_line = partial_line(text, &cut);
    let shown = LineRange { start, end: start + lines.saturating_sub(1) };
    let meta = TruncationMeta {
        direction: direction.name().into(),
        truncated_by: by.name().into(),
        output_lines: lines,
        output_bytes: cut.content.len() as u64,
        shown_range: (lines > 0 && partial_line.is_none()).then_some(shown),
        next_offset: (direction == Direction::Head).then_some(lines + 1),
        partial_line,
        ..totals(text, &cut)
    };
    let (head, tail) = if direction == Direction::Head { (Some(cut), None) } else { (None, Some(cut)) };
    Some(Truncation { head, tail, marker: None, meta })
}

fn both_sides<'a>(text: &str, head: Cut<'a>, tail: Cut<'a>) -> Truncation<'a> {
    let total = head.total_lines as u64;
    let (head_lines, tail_lines) = (head.lines as u64, tail.lines as u64);
    let kept_bytes = head.content.len() + tail.content.len();
    let elided_lines = total.saturating_sub(head_lines + tail_lines);
    let elided_bytes = (text.len() - kept_bytes) as u64;
    let marker = elision_marker(elided_lines, elided_bytes);
    let meta = TruncationMeta {
        direction: Direction::Middle.name().into(),
        truncated_by: "middle".into(),
        output_lines: head_lines + 1 + tail_lines,
        output_bytes: (kept_bytes + marker.len() + 2) as u64,
        head_range: Some(LineRange { start: 1, end: head_lines }),
        tail_range: Some(LineRange { start: total - tail_lines + 1, end: total }),
        partial_line: partial_line(text, &tail),
        elided_lines: Some(elided_lines),
        elided_bytes: Some(elided_bytes),
        ..totals(text, &head)
    };
    let facts = json!({"lines": elided_lines, "size": format_bytes(elided_bytes)});
    let marker = Some(Notice::new("elision_marker", marker, facts));
    Truncation { head: Some(head), tail: Some(tail), marker, meta }
}

fn totals(text: &str, cut: &Cut) -> TruncationMeta {
    TruncationMeta {
        total_lines: cut.total_lines as u64,
        total_bytes: text.len() as u64,
        ..TruncationMeta::default()
    }
}

fn partial_line(text: &str, cut: &Cut) -> Option<PartialLine> {
    let source = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
    cut.last_line_partial.then_some(PartialLine {
        line: cut.total_lines as u64,
        bytes: cut.content.len() as u64,
        source_bytes: source as u64,
    })
}
