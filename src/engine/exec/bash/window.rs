//! The part of an output that is kept: its end, on request also its start. Memory does not grow with the output.

use serde_json::json;

use crate::engine::outcome::{ColumnCap, LimitsMeta, LineRange, Notice, OutputMeta, TruncationMeta};
use crate::engine::settings::Settings;
use crate::engine::text::{elision_marker, format_bytes};

/// What is kept of an output, in bytes of cleaned text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the start.
    pub head: usize,
    /// From the end.
    pub tail: usize,
    /// Lines of the tail; absent: any number.
    pub tail_lines: Option<usize>,
    /// Characters of a line; 0: any number.
    pub columns: usize,
}

impl Limits {
    /// Kept of the end unless `tools.artifactTailBytes` says otherwise.
    pub const DEFAULT_TAIL: usize = 50 * 1024;
    /// Lines kept of the end when no setting says otherwise.
    pub const DEFAULT_LINES: usize = 3000;
    /// No setting goes beyond, so that memory stays bounded.
    const MOST: usize = 10 * 1024 * 1024;

    /// As the settings have it; sizes there are KiB.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let size = |key| settings.get(key).as_f64().map(kibibytes);
        let (head, tail) = (size("tools.artifactHeadBytes"), size("tools.artifactTailBytes"));
        Self {
            head: head.unwrap_or(0),
            tail: tail.unwrap_or(Self::DEFAULT_TAIL),
            tail_lines: (head.is_none() && tail.is_none()).then_some(Self::DEFAULT_LINES),
            columns: settings.count("tools.outputMaxColumns"),
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is bounded next")]
fn kibibytes(value: f64) -> usize {
    ((value * 1024.0) as usize).min(Limits::MOST)
}

/// Takes an output piece by piece and forgets the middle.
#[derive(Debug, Clone)]
pub struct Window {
    limits: Limits,
    head: Vec<u8>,
    /// Holds up to twice its limit, so that forgetting costs one move per limit, not one per piece.
    tail: Vec<u8>,
    bytes: u64,
    newlines: u64,
}

/// What a window shows.
#[derive(Debug, Default)]
pub struct Shown {
    /// The text; empty when there was no output at all.
    pub text: String,
    /// What was cut.
    pub meta: OutputMeta,
    /// The marker in a text that lacks its middle.
    pub marker: Option<Notice>,
}

impl Window {
    /// An empty window.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, head: Vec::new(), tail: Vec::new(), bytes: 0, newlines: 0 }
    }

    /// Appends.
    pub fn push(&mut self, text: &str) {
        let mut bytes = text.as_bytes();
        self.bytes += bytes.len() as u64;
        self.newlines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        if self.head.len() < self.limits.head {
            let (first, rest) = bytes.split_at(bytes.len().min(self.limits.head - self.head.len()));
            self.head.extend_from_slice(first);
            bytes = rest;
        }
        let limit = self.limits.tail;
        if bytes.len() >= limit {
            self.tail.clear();
            self.tail.extend_from_slice(&bytes[bytes.len() - limit..]);
        } else {
            if self.tail.len() + bytes.len() > 2 * limit {
                self.tail.drain(..self.tail.len() - limit);
            }
            self.tail.extend_from_slice(bytes);
        }
    }

    /// The end of the output was reached.
    #[must_use]
    pub fn finish(self) -> Shown {
        let tail = &self.tail[self.tail.len().saturating_sub(self.limits.tail)..];
        let total = Total { lines: self.newlines + 1, bytes: self.bytes };
        let (mut shown, cut) = if (self.head.len() + tail.len()) as u64 == self.bytes {
            let text = text_of(&[&self.head, tail].concat());
            let text = self.last_lines(&text);
            let cut = (text.len() as u64) < self.bytes;
            (Shown { text: text.to_owned(), ..Shown::default() }, cut.then(|| tail_cut(text, total, None)))
        } else if self.limits.head == 0 {
            let text = text_of(tail);
            let by_lines = self.last_lines(&text);
            let limit = (by_lines.len() == text.len()).then_some(self.limits.tail);
            (Shown { text: by_lines.to_owned(), ..Shown::default() }, Some(tail_cut(by_lines, total, limit)))
        } else {
            let (shown, cut) = without_middle(&text_of(&self.head), &text_of(tail), total);
            (shown, Some(cut))
        };
        let capped = cap_columns(&shown.text, self.limits.columns);
        if let Some(capped) = capped {
            shown.text = capped;
            let max_column = self.limits.columns as u64;
            shown.meta.limits = Some(LimitsMeta {
                column_truncated: Some(ColumnCap { max_column }),
                ..LimitsMeta::default()
            });
        }
        shown.meta.truncation =
            cut.map(|cut| TruncationMeta { output_bytes: shown.text.len() as u64, ..cut });
        shown
    }

    /// The last lines of a text; the newline that ends it starts no line of its own.
    fn last_lines<'a>(&self, text: &'a str) -> &'a str {
        let Some(limit) = self.limits.tail_lines else { return text };
        let body = text.strip_suffix('\n').unwrap_or(text);
        let mut newlines = memchr::memrchr_iter(b'\n', body.as_bytes());
        newlines.nth(limit - 1).map_or(text, |at| &text[at + 1..])
    }
}

impl Shown {
    /// The text with what was cut from it in words, for errors: nothing is appended to those later.
    #[must_use]
    pub fn into_error_text(self) -> String {
        let mut parts = Vec::new();
        if let Some(cut) = &self.meta.truncation {
            let ranges = [cut.shown_range, cut.head_range, cut.tail_range];
            let ranges: Vec<_> =
                ranges.iter().flatten().map(|range| format!("{}-{}", range.start, range.end)).collect();
            let total = format_bytes(cut.total_bytes);
            parts.push(format!("Showing lines {} of {} ({total})", ranges.join(" and "), cut.total_lines));
        }
        if let Some(cap) = self.meta.limits.and_then(|limits| limits.column_truncated) {
            parts.push(format!("Lines longer than {} characters are cut", cap.max_column));
        }
        if parts.is_empty() { self.text } else { format!("{}\n\n[{}]", self.text, parts.join(". ")) }
    }
}

/// Sizes of the whole output; a newline at its end starts one more line.
#[derive(Debug, Clone, Copy)]
struct Total {
    lines: u64,
    bytes: u64,
}

fn tail_cut(text: &str, total: Total, byte_limit: Option<usize>) -> TruncationMeta {
    let lines = newlines(text) + 1;
    TruncationMeta {
        direction: "tail".into(),
        truncated_by: if byte_limit.is_some() { "bytes" } else { "lines" }.into(),
        total_lines: total.lines,
        total_bytes: total.bytes,
        output_lines: lines,
        max_bytes: byte_limit.map(|limit| limit as u64),
        shown_range: Some(LineRange { start: total.lines - lines + 1, end: total.lines }),
        ..TruncationMeta::default()
    }
}

fn without_middle(head: &str, tail: &str, total: Total) -> (Shown, TruncationMeta) {
    let separator = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let head_lines = newlines(head) + u64::from(!separator.is_empty());
    let tail_lines = if tail.is_empty() { 0 } else { newlines(tail) + 1 };
    let elided_lines = total.lines.saturating_sub(head_lines + tail_lines);
    let elided_bytes = total.bytes - (head.len() + tail.len()) as u64;
    let size = format_bytes(elided_bytes);
    let marker = elision_marker(elided_lines, elided_bytes);
    let range = |start, end| (start <= end).then_some(LineRange { start, end });
    let cut = TruncationMeta {
        direction: "middle".into(),
        truncated_by: "middle".into(),
        total_lines: total.lines,
        total_bytes: total.bytes,
        output_lines: head_lines + 1 + tail_lines,
        head_range: range(1, head_lines),
        tail_range: range(total.lines - tail_lines + 1, total.lines),
        elided_lines: Some(elided_lines),
        elided_bytes: Some(elided_bytes),
        ..TruncationMeta::default()
    };
    let text = format!("{head}{separator}{marker}\n{tail}");
    let facts = json!({"lines": elided_lines, "size": size});
    (Shown { text, marker: Some(Notice::new("elision_marker", marker, facts)), ..Shown::default() }, cut)
}

fn newlines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}

/// A slice of UTF-8 without the parts of characters at its ends.
fn text_of(bytes: &[u8]) -> String {
    let start = bytes.iter().take(3).take_while(|byte| (0x80..0xC0).contains(*byte)).count();
    let mut text = String::with_capacity(bytes.len());
    text.extend(bytes[start..].utf8_chunks().map(|chunk| chunk.valid()));
    text
}

/// Cuts each line to `columns` characters and an ellipsis; absent if none is longer.
fn cap_columns(text: &str, columns: usize) -> Option<String> {
    let end_of = |line: &str| line.char_indices().nth(columns).map(|(at, _)| at);
    if columns == 0 || !text.split('\n').any(|line| line.len() > columns && end_of(line).is_some()) {
        return None;
    }
    let cap = |line: &str| end_of(line).map_or_else(|| line.to_owned(), |at| format!("{}…", &line[..at]));
    Some(text.split('\n').map(cap).collect::<Vec<_>>().join("\n"))
}
