//! Named lines: one range in its context, several exactly.

use std::ops::RangeInclusive;

use serde_json::json;

use super::address::Target;
use super::call::Call;
use super::exact::{self, Limits, Line};
use super::options::{MAX_LINES, Prefix, View, range_bytes};
use super::page::{Cut, Page, append, footer};
use super::selector::Range;
use super::source::{LINE_LIMIT, Lines, Source};
use crate::engine::error::Result;
use crate::engine::outcome::{LineRange, Notice, Outcome, PartialLine, TruncationMeta};
use crate::engine::text::format_bytes;

/// Lines shown after a range that names its end.
const CONTEXT_AFTER: u64 = 3;
/// How far behind the last shown line a file is read to learn its number of lines.
const LOOK_AHEAD: u64 = 16 * 1024 * 1024;

/// Where no line has a number, nobody waits for their total.
fn look_ahead(view: &View) -> u64 {
    if view.prefix == Prefix::None { 0 } else { LOOK_AHEAD }
}

/// Reads the lines of one range or several.
pub fn read(call: Call<'_>, source: &mut Source, ranges: &[Range]) -> Result<Outcome> {
    match ranges {
        [range] => single(call, source, *range),
        _ => several(call, source, ranges),
    }
}

fn single(call: Call<'_>, source: &mut Source, range: Range) -> Result<Outcome> {
    let Call { target, view, cancel } = call;
    let first = range.start.saturating_sub(1).max(1);
    let last = match range.end {
        Some(end) => end.saturating_add(CONTEXT_AFTER),
        None => range.start.saturating_add(view.default_limit - 1),
    };
    let last = last.min(first.saturating_add(MAX_LINES - 1));
    let budget = range_bytes(last - first + 1);
    let mut page = Page::new(view);
    page.reserve(source.size().min(budget as u64));
    let mut lines = source.lines(cancel);
    lines.skip_to(first)?;
    let shown = in_context(&mut page, &mut lines, view, range.start..=last, budget)?;
    let Some(LineRange { start: first, end }) = shown.range else {
        return Ok(beyond_end(target, range.start, lines.passed(), target.entity));
    };
    let (total, exact) = lines.total(look_ahead(view))?;
    if end >= total && exact && shown.partial.is_none() {
        let mut outcome = page.finish(target, None, true);
        outcome.shown.mark_end();
        return Ok(outcome);
    }
    if target.entity != "file" && shown.partial.is_none() {
        let mut outcome = page.finish(target, None, true);
        footer(&mut outcome, more_lines(target, end, (total, exact)));
        return Ok(outcome);
    }
    let meta = TruncationMeta {
        truncated_by: if shown.full { "bytes" } else { "lines" }.into(),
        notice_owner: shown.partial.is_some().then(|| "body".into()),
        max_bytes: shown.full.then_some(budget as u64),
        partial_line: shown.partial.clone(),
        next_offset: (end < total || !exact).then_some(end + 1),
        ..head_meta(LineRange { start: first, end }, (total, exact), page.display().len())
    };
    let cut = Cut { meta, last_line_partial: false, first_line_exceeds: shown.partial.is_some() };
    let mut outcome = page.finish(target, Some(cut), true);
    if let Some(part) = shown.partial {
        footer(&mut outcome, partial_notice(target, &part));
    }
    Ok(outcome)
}

/// What follows in a text that is no file of its own.
fn more_lines(target: &Target, end: u64, (total, exact): (u64, bool)) -> Notice {
    let (path, entity, next, remaining) = (&target.shown, target.entity, end + 1, total - end);
    let count = if exact { remaining.to_string() } else { format!("at least {remaining}") };
    let text = format!("[{count} more lines in the {entity}. Read {path}:{next} to go on]");
    Notice::new("more_lines", text, json!({"remaining": remaining, "entity": entity, "next": next}))
}

/// Adds the wanted lines, and the line before them where it takes no room from the first of them. Adds nothing where
/// the file ends before the first wanted line.
fn in_context(
    page: &mut Page<'_>,
    lines: &mut Lines<'_>,
    view: &View,
    wanted: RangeInclusive<u64>,
    budget: usize,
) -> Result<Shown> {
    let mut shown = Shown::default();
    let mut before = None;
    while lines.passed() < *wanted.end() && !shown.full {
        let Some(row) = lines.read(exact::kept(view, budget))? else { break };
        let line = Line::new(&row, view);
        if line.number < *wanted.start() {
            before = Some(line.into_owned());
            continue;
        }
        if let Some(before) = before.take().filter(|before| before.cost + 1 + line.cost <= budget) {
            shown.add(page, &before, budget);
        }
        shown.add(page, &line, budget);
    }
    Ok(shown)
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
    fn add(&mut self, page: &mut Page<'_>, line: &Line<'_>, budget: usize) {
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

fn several(call: Call<'_>, source: &mut Source, ranges: &[Range]) -> Result<Outcome> {
    let Call { target, view, cancel } = call;
    let wanted =
        ranges.iter().map(|range| exact::lines_of(range, view.default_limit)).fold(0, u64::saturating_add);
    let limits = Limits { open_lines: view.default_limit, lines: MAX_LINES, bytes: range_bytes(wanted) };
    let mut lines = source.lines(cancel);
    let mut page = Page::new(view);
    let reading = exact::add(&mut page, &mut lines, view, ranges, limits)?;
    let cut = match reading.last_block.filter(|_| reading.open_rest && reading.left_out.is_empty()) {
        Some(block) => Some(open_cut(block, &mut lines, view, page.display().len())?),
        None => None,
    };
    let mut outcome = page.finish(target, cut, true);
    if let Some(part) = &reading.partial {
        append(&mut outcome, "\n", partial_notice(target, part));
    }
    for (range, total) in &reading.beyond {
        append(&mut outcome, "\n", skipped_notice(target, *range, *total));
    }
    for range in &reading.left_out {
        append(&mut outcome, "\n", left_out_notice(target, *range));
    }
    Ok(outcome)
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
pub fn skipped_notice(target: &Target, range: Range, total: u64) -> Notice {
    let (range, entity) = (written(range), target.entity);
    let text = format!("[Range {range} is beyond the end of the {entity}, which has {total} lines; skipped]");
    Notice::new("range_skipped", text, json!({"range": range, "entity": entity, "total": total}))
}

/// The notice for lines that a limit left out.
#[must_use]
pub fn left_out_notice(target: &Target, range: Range) -> Notice {
    let (range, path) = (written(range), &target.shown);
    let text = format!("[Lines {range} are left out, the output is full. Read {path}:{range} for them]");
    Notice::new(
        "range_skipped",
        text,
        json!({"range": range, "entity": target.entity, "reason": "limit", "path": path}),
    )
}

fn partial_notice(target: &Target, part: &PartialLine) -> Notice {
    let (path, line) = (&target.shown, part.line);
    let (shown, size) = (format_bytes(part.bytes), format_bytes(part.source_bytes));
    let least = if part.source_bytes > LINE_LIMIT { "at least " } else { "" };
    let text = format!(
        "[Line {line} has {least}{size}; its first {shown} are shown. Read {path}:raw:{line}-{line} for more of it]"
    );
    Notice::new(
        "footer_partial",
        text,
        json!({"line": line, "bytes": part.bytes, "size": size, "path": path}),
    )
}

/// Metadata of lines from `shown`, more of which follow in the file.
fn head_meta(shown: LineRange, (total, exact): (u64, bool), bytes: usize) -> TruncationMeta {
    TruncationMeta {
        direction: "head".into(),
        truncated_by: "lines".into(),
        total_lines: total,
        total_lines_exact: (!exact).then_some(false),
        total_bytes: bytes as u64,
        output_lines: shown.end - shown.start + 1,
        output_bytes: bytes as u64,
        shown_range: Some(shown),
        ..TruncationMeta::default()
    }
}

/// The cut of a last block that names no end.
fn open_cut(block: LineRange, lines: &mut Lines<'_>, view: &View, bytes: usize) -> Result<Cut> {
    let total = lines.total(look_ahead(view))?;
    let meta = TruncationMeta { next_offset: Some(block.end + 1), ..head_meta(block, total, bytes) };
    Ok(Cut { meta, ..Cut::default() })
}

fn written(range: Range) -> String {
    match range.end {
        Some(end) => format!("{}-{end}", range.start),
        None => format!("{}-", range.start),
    }
}
