//! Named lines. One range stands in its context; several, and raw ones, are exact.

use serde_json::json;

use super::address::Target;
use super::options::{MAX_LINES, View, range_bytes};
use super::page::{Cut, Page, append, footer};
use super::selector::Range;
use super::source::{Lines, Row, Source};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::outcome::{LineRange, Notice, Outcome, PartialLine, TruncationMeta};
use crate::engine::text::{clip, floor_char_boundary, format_bytes};

/// Lines shown after a range that names its end.
const CONTEXT_AFTER: u64 = 3;
/// How far behind the last shown line a file is read to learn its number of lines.
const LOOK_AHEAD: u64 = 16 * 1024 * 1024;

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

/// Reads the lines of one range or several.
pub fn read(
    target: &Target,
    source: &mut Source,
    view: &View,
    ranges: &[Range],
    cancel: &CancelToken,
) -> Result<Outcome> {
    match ranges {
        [range] => single(target, source, view, *range, cancel),
        _ => several(target, source, view, ranges, cancel),
    }
}

fn single(
    target: &Target,
    source: &mut Source,
    view: &View,
    range: Range,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let first = range.start.saturating_sub(1).max(1);
    let last = match range.end {
        Some(end) => end.saturating_add(CONTEXT_AFTER),
        None => range.start.saturating_add(view.default_limit - 1),
    };
    let last = last.min(first.saturating_add(MAX_LINES - 1));
    let budget = range_bytes(last - first + 1);
    let mut lines = source.lines(cancel);
    let mut page = Page::new(view);
    lines.skip_to(first)?;
    let mut shown = Shown::default();
    let mut context = None;
    while lines.passed() < last && !shown.full {
        let Some(row) = lines.read(kept(view, budget))? else { break };
        let line = Line::new(row, view);
        match context.take() {
            _ if line.number < range.start => context = Some(line),
            // The line before is shown only where it takes no room from the wanted one.
            Some(before) if before.cost + 1 + line.cost <= budget => {
                shown.add(&mut page, &before, budget);
                shown.add(&mut page, &line, budget);
            }
            _ => shown.add(&mut page, &line, budget),
        }
    }
    if lines.ended() && lines.passed() < range.start {
        return Ok(beyond_end(target, range.start, lines.passed(), "file"));
    }
    let Some(LineRange { start: first, end }) = shown.range else {
        return Ok(beyond_end(target, range.start, lines.passed(), "file"));
    };
    let (total, exact) = lines.total(LOOK_AHEAD)?;
    if end >= total && exact && shown.partial.is_none() {
        return Ok(page.finish(target, None, true));
    }
    let meta = TruncationMeta {
        direction: "head".into(),
        truncated_by: if shown.full { "bytes" } else { "lines" }.into(),
        notice_owner: shown.partial.is_some().then(|| "body".into()),
        total_lines: total,
        total_lines_exact: (!exact).then_some(false),
        total_bytes: page.display().len() as u64,
        output_lines: end - first + 1,
        output_bytes: page.display().len() as u64,
        max_bytes: shown.full.then_some(budget as u64),
        shown_range: Some(LineRange { start: first, end }),
        partial_line: shown.partial.clone(),
        next_offset: (end < total || !exact).then_some(end + 1),
        ..TruncationMeta::default()
    };
    let cut = Cut { meta, last_line_partial: false, first_line_exceeds: shown.partial.is_some() };
    let mut outcome = page.finish(target, Some(cut), true);
    if let Some(part) = shown.partial {
        footer(&mut outcome, partial_notice(target, &part));
    }
    Ok(outcome)
}

/// A line of a range, decoded.
struct Line {
    number: u64,
    text: String,
    /// Bytes of it as it is shown.
    cost: usize,
    /// Bytes of the whole line.
    size: u64,
    cut: bool,
    lossy: bool,
}

impl Line {
    fn new(row: Row, view: &View) -> Self {
        let (number, size, cut) = (row.number, row.length, row.is_cut());
        let (text, lossy) = row.decode();
        let cost = cost(view, &text);
        Self { number, text, cost, size, cut, lossy }
    }

    fn show(&self, page: &mut Page<'_>) {
        page.line(Some(self.number), &self.text, self.cut);
        page.lossy(self.lossy);
    }

    /// Shows what `budget` bytes hold.
    fn show_part(&self, page: &mut Page<'_>, budget: usize) -> PartialLine {
        let part = &self.text[..floor_char_boundary(&self.text, budget)];
        page.part(Some(self.number), part);
        page.lossy(self.lossy);
        PartialLine { line: self.number, bytes: part.len() as u64, source_bytes: self.size }
    }
}

/// What a single range shows so far.
#[derive(Default)]
struct Shown {
    range: Option<LineRange>,
    bytes: usize,
    full: bool,
    partial: Option<PartialLine>,
}

impl Shown {
    /// Adds a line while the budget lasts. The first one is always shown, at least in part: else the way to go on
    /// would lead to the same place again.
    fn add(&mut self, page: &mut Page<'_>, line: &Line, budget: usize) {
        if self.bytes + line.cost <= budget {
            line.show(page);
        } else {
            self.full = true;
            if self.range.is_some() {
                return;
            }
            self.partial = Some(line.show_part(page, budget));
        }
        self.bytes += line.cost + 1;
        let start = self.range.map_or(line.number, |range| range.start);
        self.range = Some(LineRange { start, end: line.number });
    }
}

fn several(
    target: &Target,
    source: &mut Source,
    view: &View,
    ranges: &[Range],
    cancel: &CancelToken,
) -> Result<Outcome> {
    let wanted = ranges.iter().map(|range| lines_of(range, view.default_limit)).fold(0, u64::saturating_add);
    let limits = Limits { open_lines: view.default_limit, lines: MAX_LINES, bytes: range_bytes(wanted) };
    let mut lines = source.lines(cancel);
    let mut page = Page::new(view);
    let reading = exact(&mut page, &mut lines, view, ranges, limits)?;
    let cut = match reading.last_block.filter(|_| reading.open_rest && reading.left_out.is_empty()) {
        Some(block) => Some(open_cut(block, &mut lines, page.display().len())?),
        None => None,
    };
    let mut outcome = page.finish(target, cut, true);
    if let Some(part) = &reading.partial {
        append(&mut outcome, "\n", partial_notice(target, part));
    }
    for (range, total) in &reading.beyond {
        append(&mut outcome, "\n", skipped_notice(*range, *total));
    }
    for range in &reading.left_out {
        append(&mut outcome, "\n", left_out_notice(target, *range));
    }
    Ok(outcome)
}

/// Adds exactly the lines of some ranges, a gap between them.
pub fn exact(
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
        if left == 0 || bytes >= limits.bytes {
            reading.left_out.push(*range);
            continue;
        }
        let mut needs_gap = !page.is_empty();
        let last = range.start.saturating_add(lines_of(range, limits.open_lines) - 1);
        let mut next = range.start;
        while next <= last && left > 0 {
            let Some(row) = lines.read(kept(view, limits.bytes - bytes))? else { break };
            let line = Line::new(row, view);
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

/// The outcome for a start behind the end.
#[must_use]
pub fn beyond_end(target: &Target, line: u64, total: u64, entity: &str) -> Outcome {
    let path = &target.shown;
    let text = format!(
        "Line {line} is beyond the end: the {entity} has {total} lines. Read {path}:{total} for the last line or {path}:1 for the start"
    );
    let facts = json!({"line": line, "entity": entity, "total": total, "last": total});
    let mut outcome = Outcome::text(text.clone()).detail("resolvedPath", target.resolved());
    outcome.meta = target.meta();
    outcome.note(Notice::new("beyond_end", text, facts));
    outcome
}

/// The notice for a range behind the end.
#[must_use]
pub fn skipped_notice(range: Range, total: u64) -> Notice {
    let range = written(range);
    let text = format!("[Range {range} is beyond the end of the file, which has {total} lines; skipped]");
    Notice::new("range_skipped", text, json!({"range": range, "entity": "file", "total": total}))
}

/// The notice for lines that a limit left out.
#[must_use]
pub fn left_out_notice(target: &Target, range: Range) -> Notice {
    let (range, path) = (written(range), &target.shown);
    let text = format!("[Lines {range} are left out, the output is full. Read {path}:{range} for them]");
    Notice::new(
        "range_skipped",
        text,
        json!({"range": range, "entity": "file", "reason": "limit", "path": path}),
    )
}

fn partial_notice(target: &Target, part: &PartialLine) -> Notice {
    let (path, line) = (&target.shown, part.line);
    let (shown, size) = (format_bytes(part.bytes), format_bytes(part.source_bytes));
    let text = format!(
        "[Line {line} has {size}; its first {shown} are shown. Read {path}:raw:{line}-{line} for more of it]"
    );
    Notice::new(
        "footer_partial",
        text,
        json!({"line": line, "bytes": part.bytes, "size": size, "path": path}),
    )
}

fn open_cut(block: LineRange, lines: &mut Lines<'_>, bytes: usize) -> Result<Cut> {
    let (total, exact) = lines.total(LOOK_AHEAD)?;
    let meta = TruncationMeta {
        direction: "head".into(),
        truncated_by: "lines".into(),
        total_lines: total,
        total_lines_exact: (!exact).then_some(false),
        total_bytes: bytes as u64,
        output_lines: block.end - block.start + 1,
        output_bytes: bytes as u64,
        shown_range: Some(block),
        next_offset: Some(block.end + 1),
        ..TruncationMeta::default()
    };
    Ok(Cut { meta, ..Cut::default() })
}

fn lines_of(range: &Range, open: u64) -> u64 {
    range.end.map_or(open, |end| end.saturating_sub(range.start).saturating_add(1))
}

fn written(range: Range) -> String {
    match range.end {
        Some(end) => format!("{}-{end}", range.start),
        None => format!("{}-", range.start),
    }
}

/// Bytes that are kept of a line: enough to cut it where it is shown cut.
fn kept(view: &View, budget: usize) -> usize {
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
