//! Exactly the named lines, block by block, within limits. What does not fit is accounted for.

use std::borrow::Cow;

use super::options::View;
use super::page::Page;
use super::selector::Range;
use super::source::{Lines, Row};
use crate::engine::error::Result;
use crate::engine::outcome::{LineRange, PartialLine};
use crate::engine::text::{clip, floor_char_boundary};

/// What an exact reading may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Lines of a range without end.
    pub open_lines: u64,
    /// Lines of all ranges.
    pub lines: u64,
    /// Bytes of all ranges, as they are shown.
    pub bytes: usize,
}

/// How an exact reading went.
#[derive(Debug, Default)]
pub struct Reading {
    /// Ranges behind the end of the file, with its number of lines.
    pub beyond: Vec<(Range, u64)>,
    /// Ranges, or rests of ranges, that the limits left out.
    pub left_out: Vec<Range>,
    /// The line that alone was above the byte limit, with the bytes shown of it.
    pub partial: Option<PartialLine>,
    /// First line of the last block, and the last line shown.
    pub last_block: Option<LineRange>,
    /// A range without end stopped at its limit, and more lines follow.
    pub open_rest: bool,
}

/// Adds exactly the lines of some ranges, a gap between them.
pub fn add(
    page: &mut Page<'_>,
    lines: &mut Lines<'_>,
    view: &View,
    ranges: &[Range],
    limits: Limits,
) -> Result<Reading> {
    let mut reading = Reading::default();
    let (mut left, mut bytes) = (limits.lines, 0);
    for range in ranges {
        lines.skip_to(range.start)?;
        if lines.ended() {
            reading.beyond.push((*range, lines.passed()));
            continue;
        }
        if left == 0 || bytes >= limits.bytes || lines.gave_up() {
            reading.left_out.push(*range);
            continue;
        }
        let mut needs_gap = !page.is_empty();
        let last = range.start.saturating_add(lines_of(range, limits.open_lines) - 1);
        let mut next = range.start;
        while next <= last && left > 0 {
            let Some(row) = lines.read(kept(view, limits.bytes - bytes))? else { break };
            let line = Line::new(&row, view);
            let fits = bytes + line.cost <= limits.bytes;
            // Only a line that no call could show whole is shown in part.
            if std::mem::take(&mut needs_gap) && (fits || bytes == 0) {
                page.gap();
            }
            if !fits {
                if bytes == 0 {
                    reading.partial = Some(line.show_part(page, limits.bytes));
                    next += 1;
                }
                left = 0;
                break;
            }
            line.show(page);
            (next, left, bytes) = (next + 1, left - 1, bytes + line.cost + 1);
        }
        reading.last_block = Some(LineRange { start: range.start, end: next - 1 });
        let all_read = lines.ended() && lines.passed() < next;
        if next <= last && !all_read {
            reading.left_out.push(Range { start: next, end: range.end });
        }
        reading.open_rest = range.end.is_none() && next > last && !all_read;
    }
    Ok(reading)
}

/// A line of a range, decoded.
pub struct Line<'a> {
    /// 1-based.
    pub number: u64,
    /// What was kept of it.
    pub text: Cow<'a, str>,
    /// Bytes of it as it is shown.
    pub cost: usize,
    /// Bytes of the whole line.
    pub size: u64,
    /// Only its start was kept.
    pub cut: bool,
    /// Some bytes were not valid UTF-8.
    pub lossy: bool,
}

impl<'a> Line<'a> {
    /// Decodes a row.
    pub fn new(row: &Row<'a>, view: &View) -> Self {
        let (number, size, cut) = (row.number, row.length, row.is_cut());
        let (text, lossy) = row.decode();
        let cost = cost(view, &text);
        Self { number, text, cost, size, cut, lossy }
    }

    /// The line on its own, for later.
    pub fn into_owned(self) -> Line<'static> {
        Line { text: Cow::Owned(self.text.into_owned()), ..self }
    }

    /// Shows the line.
    pub fn show(&self, page: &mut Page<'_>) {
        page.line(Some(self.number), &self.text, self.cut);
        page.lossy(self.lossy);
    }

    /// Shows what `budget` bytes hold.
    pub fn show_part(&self, page: &mut Page<'_>, budget: usize) -> PartialLine {
        let part = &self.text[..floor_char_boundary(&self.text, budget)];
        page.part(Some(self.number), part);
        page.lossy(self.lossy);
        PartialLine { line: self.number, bytes: part.len() as u64, source_bytes: self.size }
    }
}

/// Lines of a range, `open` of them where it names no end.
#[must_use]
pub fn lines_of(range: &Range, open: u64) -> u64 {
    range.end.map_or(open, |end| end.saturating_sub(range.start).saturating_add(1))
}

/// Bytes that are kept of a line: enough to cut it where it is shown cut.
#[must_use]
pub fn kept(view: &View, budget: usize) -> usize {
    let whole = budget.saturating_add(char::MAX.len_utf8());
    match view.max_columns {
        Some(max) => whole.min((max + 2).saturating_mul(char::MAX.len_utf8())),
        None => whole,
    }
}

/// Bytes of a line as it is shown.
fn cost(view: &View, line: &str) -> usize {
    view.max_columns.and_then(|max| clip(line, max)).map_or(line.len(), |part| part.len() + '…'.len_utf8())
}
