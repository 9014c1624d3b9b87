//! A read without selector: the whole text, or a window at its end, its start or both.

use std::time::Duration;

use serde_json::json;

use super::address::Target;
use super::call::Call;
use super::options::{Direction, Prefix, View};
use super::page::{Cut, Page, footer};
use super::source::{LINE_LIMIT, Piece, Source};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::outcome::{LineRange, Notice, Outcome, PartialLine, TruncationMeta};
use crate::engine::text::{self, CutBy, floor_char_boundary, format_bytes};

/// The lines of a text up to this size are always counted.
const COUNTED_ANYWAY: u64 = 8 * 1024 * 1024;

/// Reads a text.
pub fn read(call: Call<'_>, source: &mut Source, count_time: Duration) -> Result<Outcome> {
    let Call { target, view, cancel } = call;
    let mut receipt = Receipt { target, source, view, cancel, count_time };
    match view.direction {
        Direction::Last => receipt.tail(),
        Direction::Head => receipt.head(),
        Direction::Both => receipt.both(),
    }
}

struct Receipt<'a> {
    target: &'a Target,
    source: &'a mut Source,
    view: &'a View,
    cancel: &'a CancelToken,
    count_time: Duration,
}

/// Lines of the file, and whether all of them were counted.
#[derive(Clone, Copy)]
struct Total {
    lines: u64,
    exact: bool,
}

impl Total {
    fn shown(self) -> String {
        if self.exact { self.lines.to_string() } else { format!("at least {}", self.lines) }
    }
}

/// Bytes of a line, and whether its end was found.
#[derive(Clone, Copy)]
struct Size {
    bytes: u64,
    exact: bool,
}

/// A line that alone is above the byte budget.
struct Oversized<'a> {
    /// Absent: not counted.
    number: Option<u64>,
    /// What the budget allows of it.
    part: &'a str,
    size: Size,
    /// The part is its end.
    is_end: bool,
    lossy: bool,
}

impl Receipt<'_> {
    fn tail(&mut self) -> Result<Outcome> {
        let (max_lines, max_bytes) = (self.view.receipt_lines, self.view.receipt_bytes);
        let piece = self.source.suffix(max_lines, max_bytes, self.cancel)?;
        let mut cut = text::tail(&piece.text, max_lines, max_bytes);
        let Some(by) = cut.by else { return Ok(self.whole(&piece)) };
        let total = self.total(&piece)?;
        // Behind a final newline stands an empty line; alone it would hide a large last line.
        let hides_large_line = by == CutBy::Bytes && cut.lines == 1 && cut.content.is_empty();
        let text = if hides_large_line { &piece.text[..piece.text.len() - 1] } else { &piece.text };
        if hides_large_line {
            cut = text::tail(text, max_lines, max_bytes);
        }
        if cut.last_line_partial {
            let size = self.last_line_size(&piece, hides_large_line)?;
            let number = total.exact.then_some(total.lines - u64::from(hides_large_line));
            let lossy = piece.lossy;
            return Ok(
                self.oversized(&Oversized { number, part: cut.content, size, is_end: true, lossy }, total)
            );
        }
        let start = total.lines - cut.lines as u64 + 1;
        let page = self.page(cut.content, total.exact.then_some(start), piece.lossy);
        let range = LineRange { start, end: total.lines };
        let meta = TruncationMeta {
            direction: "tail".into(),
            shown_range: total.exact.then_some(range),
            max_bytes: Some(max_bytes as u64),
            ..self.meta(by.name(), total, cut.lines, cut.content.len())
        };
        let notice = self.tail_notice(range, cut.lines, cut.content.len(), total);
        Ok(self.finish(page, meta, notice))
    }

    fn head(&mut self) -> Result<Outcome> {
        let (max_lines, max_bytes) = (self.view.receipt_lines, self.view.receipt_bytes);
        let piece = self.source.prefix(max_lines, max_bytes, self.cancel)?;
        let cut = text::head(&piece.text, max_lines, max_bytes);
        let Some(by) = cut.by else { return Ok(self.whole(&piece)) };
        let total = self.total(&piece)?;
        if cut.first_line_exceeds {
            let line = piece.text.split('\n').next().unwrap_or_default();
            let part = &line[..floor_char_boundary(line, max_bytes)];
            let size = self.first_line_size()?;
            let lossy = piece.lossy;
            return Ok(
                self.oversized(&Oversized { number: Some(1), part, size, is_end: false, lossy }, total)
            );
        }
        let page = self.page(cut.content, Some(1), piece.lossy);
        let (shown, next) = (cut.lines as u64, cut.lines as u64 + 1);
        let meta = TruncationMeta {
            direction: "head".into(),
            total_bytes: cut.content.len() as u64,
            shown_range: Some(LineRange { start: 1, end: shown }),
            next_offset: Some(next),
            ..self.meta(by.name(), total, cut.lines, cut.content.len())
        };
        let (path, kib) = (&self.target.shown, kib_ceil(cut.content.len()));
        let text =
            format!("[Lines 1-{shown} of {} shown, {kib} KiB. Read {path}:{next} to go on]", total.shown());
        let facts =
            json!({"shown": shown, "total": total.lines, "kib_ceil": kib, "path": path, "next": next});
        Ok(self.finish(page, meta, Notice::new("footer_head", text, facts)))
    }

    fn both(&mut self) -> Result<Outcome> {
        let (max_lines, max_bytes) = (self.view.receipt_lines, self.view.receipt_bytes);
        let start = self.source.prefix(max_lines, max_bytes, self.cancel)?;
        if text::head(&start.text, max_lines, max_bytes).by.is_none() {
            return Ok(self.whole(&start));
        }
        let (head_lines, head_bytes) = ((max_lines / 2).max(1), max_bytes / 2);
        let (tail_lines, tail_bytes) = (max_lines - head_lines, max_bytes - head_bytes);
        let head = text::head(&start.text, head_lines, head_bytes);
        if tail_lines == 0 || head.lines == 0 {
            return self.tail();
        }
        let end = self.source.suffix(tail_lines, tail_bytes, self.cancel)?;
        let tail = text::tail(&end.text, tail_lines, tail_bytes);
        if tail.last_line_partial || tail.content.is_empty() {
            return self.head();
        }
        let total = self.total(&start)?;
        let (head_end, tail_start) = (head.lines as u64, total.lines - tail.lines as u64 + 1);
        if total.exact && head_end + 1 >= tail_start {
            return Ok(self.whole(&start));
        }
        let shown = [head.content, tail.content].map(|text| self.source.encoding().length_of(text));
        let elided_bytes = self.source.size().saturating_sub(shown[0] + shown[1]);
        let elided = tail_start - head_end - 1;
        let size = format_bytes(elided_bytes);
        let marker = if total.exact {
            text::elision_marker(elided, elided_bytes)
        } else {
            format!("[… at least {} lines elided ({size}) …]", text::grouped(elided))
        };
        let mut page = self.page(head.content, Some(1), start.lossy);
        page.marker(&marker);
        add(&mut page, tail.content, total.exact.then_some(tail_start));
        page.lossy(end.lossy && tail.content.contains(char::REPLACEMENT_CHARACTER));
        let shown = head.content.len() + marker.len() + tail.content.len() + 2;
        let meta = TruncationMeta {
            direction: "middle".into(),
            max_bytes: Some(max_bytes as u64),
            head_range: Some(LineRange { start: 1, end: head_end }),
            tail_range: Some(LineRange { start: tail_start, end: total.lines }).filter(|_| total.exact),
            elided_lines: Some(elided),
            elided_bytes: Some(elided_bytes),
            ..self.meta("middle", total, head.lines + tail.lines + 1, shown)
        };
        let mut outcome = self.finish(page, meta, self.middle_notice(head_end, tail_start, shown, total));
        let facts = json!({"lines": elided, "size": size});
        outcome.note(Notice::new("elision_marker", marker, facts));
        Ok(outcome)
    }

    /// The whole text, which is in the piece.
    fn whole(&self, piece: &Piece) -> Outcome {
        let mut outcome = self.page(&piece.text, Some(1), piece.lossy).finish(self.target, None, false);
        outcome.shown.mark_end();
        outcome
    }

    fn page(&self, text: &str, first: Option<u64>, lossy: bool) -> Page<'_> {
        let mut page = Page::new(self.view);
        add(&mut page, text, first);
        page.lossy(lossy && text.contains(char::REPLACEMENT_CHARACTER));
        page
    }

    fn finish(&self, page: Page<'_>, meta: TruncationMeta, notice: Notice) -> Outcome {
        let mut outcome = page.finish(self.target, Some(Cut { meta, ..Cut::default() }), false);
        footer(&mut outcome, notice);
        outcome
    }

    /// A line too large for the budget: in hash mode only told about, since a part has no letters; else its part.
    fn oversized(&self, line: &Oversized<'_>, total: Total) -> Outcome {
        let path = &self.target.shown;
        let size = format_bytes(line.size.bytes);
        let has = if line.size.exact { format!("has {size}") } else { "has no end in sight".to_owned() };
        let limit = format_bytes(self.view.receipt_bytes as u64);
        let named = line.number.map_or_else(|| "The last line".to_owned(), |number| format!("Line {number}"));
        let ways = self.ways_from(line, total);
        let told = self.view.prefix == Prefix::Hash;
        let part = if told { "" } else { line.part };
        let mut page = Page::new(self.view);
        if !told {
            page.part(line.number, part);
            page.lossy(line.lossy && part.contains(char::REPLACEMENT_CHARACTER));
        }
        let meta = TruncationMeta {
            direction: if line.is_end { "tail" } else { "head" }.into(),
            max_bytes: Some(self.view.receipt_bytes as u64),
            partial_line: line.number.map(|number| PartialLine {
                line: number,
                bytes: part.len() as u64,
                source_bytes: line.size.bytes,
            }),
            next_offset: line
                .number
                .filter(|number| !line.is_end && *number < total.lines)
                .map(|number| number + 1),
            ..self.meta("bytes", total, usize::from(!told), part.len())
        };
        let cut = Cut { meta, last_line_partial: line.is_end && !told, first_line_exceeds: !line.is_end };
        let mut outcome = page.finish(self.target, Some(cut), false);
        let total = total.shown();
        let notice = if told {
            let text =
                format!("[{named} of {total} {has}, more than the {limit} shown at once. Read {ways}]");
            Notice::new(
                "oversized_line",
                text,
                json!({"line": line.number, "size": size, "limit": limit, "path": path}),
            )
        } else {
            let end_shown = if line.is_end { "last" } else { "first" };
            let shown = format_bytes(part.len() as u64);
            let text = format!("[{named} of {total} {has}; its {end_shown} {shown} are shown. Read {ways}]");
            let facts = json!({"line": line.number, "bytes": part.len(), "size": size, "path": path});
            Notice::new("footer_partial", text, facts)
        };
        footer(&mut outcome, notice);
        outcome
    }

    /// Where to read a line that is too large, and the lines on its other side.
    fn ways_from(&self, line: &Oversized<'_>, total: Total) -> String {
        let path = &self.target.shown;
        let cap = self.view.raw_bytes as u64;
        let fits = line.size.exact && line.size.bytes <= cap;
        let part = if fits { "all".to_owned() } else { format!("the first {}", format_bytes(cap)) };
        let Some(number) = line.number else {
            return format!("{path}:1 for the start");
        };
        let whole = format!("{path}:raw:{number}-{number} for {part} of it");
        match number {
            2.. if line.is_end => format!("{whole}, {path}:1-{} for the lines before it", number - 1),
            _ if !line.is_end && number < total.lines => format!("{whole}, {path}:{} to go on", number + 1),
            _ => whole,
        }
    }

    fn tail_notice(&self, range: LineRange, shown: usize, bytes: usize, total: Total) -> Notice {
        let (path, kib) = (&self.target.shown, kib_ceil(bytes));
        let raw = self.raw_hint();
        if !total.exact {
            let text = format!(
                "[Last {shown} lines shown, {kib} KiB; their numbers are not known, the file has {} lines. \
                 Read {path}:1 for the start{raw}]",
                total.shown()
            );
            let facts = json!({"shown": shown, "total": total.lines, "totalLinesExact": false, "kib_ceil": kib, "path": path});
            return Notice::new("footer_tail", text, facts);
        }
        let omitted = range.start - 1;
        let text = format!(
            "[Lines {}-{} of {} shown, {kib} KiB; lines 1-{omitted} left out. Read {path}:1-{omitted} for them{raw}]",
            range.start, range.end, total.lines
        );
        let facts = json!({
            "shown": shown, "total": total.lines, "start": range.start, "end": range.end,
            "kib_ceil": kib, "omitted_end": omitted, "path": path,
        });
        Notice::new("footer_tail", text, facts)
    }

    fn middle_notice(&self, head_end: u64, tail_start: u64, bytes: usize, total: Total) -> Notice {
        let (path, kib, raw) = (&self.target.shown, kib_ceil(bytes), self.raw_hint());
        let (first, last) = (head_end + 1, tail_start - 1);
        if !total.exact {
            let text = format!(
                "[Lines 1-{head_end} and the last lines of {} shown, {kib} KiB. Read {path}:{first} to go on{raw}]",
                total.shown()
            );
            let facts = json!({
                "head_end": head_end, "total": total.lines, "totalLinesExact": false, "kib_ceil": kib,
                "omitted_start": first, "path": path,
            });
            return Notice::new("footer_middle", text, facts);
        }
        let text = format!(
            "[Lines 1-{head_end} and {tail_start}-{end} of {end} shown, {kib} KiB; lines {first}-{last} left out. \
             Read {path}:{first}-{last} for them{raw}]",
            end = total.lines
        );
        let facts = json!({
            "head_end": head_end, "tail_start": tail_start, "tail_end": total.lines, "total": total.lines,
            "kib_ceil": kib, "omitted_start": first, "omitted_end": last, "path": path,
        });
        Notice::new("footer_middle", text, facts)
    }

    /// `:raw` is offered where it shows everything.
    fn raw_hint(&self) -> String {
        if self.source.size() <= self.view.raw_bytes as u64 {
            format!(", {}:raw for everything", self.target.shown)
        } else {
            String::new()
        }
    }

    fn meta(&self, by: &str, total: Total, lines: usize, bytes: usize) -> TruncationMeta {
        TruncationMeta {
            truncated_by: by.into(),
            notice_owner: Some("body".into()),
            total_lines: total.lines,
            total_lines_exact: (!total.exact).then_some(false),
            total_bytes: self.source.size(),
            output_lines: lines as u64,
            output_bytes: bytes as u64,
            ..TruncationMeta::default()
        }
    }

    /// The lines of the file, of which the piece holds the first or the last.
    fn total(&mut self, piece: &Piece) -> Result<Total> {
        // Where no line has a number, the total of a large file is not worth the wait.
        let counts = self.view.prefix != Prefix::None || self.source.size() <= COUNTED_ANYWAY;
        let exact = match self.source.known_lines() {
            Some(_) => true,
            None => counts && self.source.count_lines(self.count_time, self.cancel)?,
        };
        let seen = newlines(&piece.text) + 1;
        let lines = match self.source.known_lines().filter(|_| exact) {
            // The file may have shrunk meanwhile.
            Some(lines) => lines.max(seen),
            None => self.source.known_breaks(piece.from) + seen,
        };
        Ok(Total { lines, exact })
    }

    /// The size of the first line, or that it is at least that.
    fn first_line_size(&mut self) -> Result<Size> {
        let mut lines = self.source.lines(self.cancel);
        let bytes = lines.read(0)?.map_or(0, |line| line.length);
        Ok(Size { bytes, exact: bytes <= LINE_LIMIT })
    }

    /// The size of the last line, or of the one before an empty last one.
    fn last_line_size(&mut self, piece: &Piece, before_empty: bool) -> Result<Size> {
        let end = piece.from + piece.bytes - if before_empty { self.source.break_width() } else { 0 };
        let (start, exact) = self.source.line_start(end, LINE_LIMIT, self.cancel)?;
        Ok(Size { bytes: end - start, exact })
    }
}

fn add(page: &mut Page<'_>, text: &str, first: Option<u64>) {
    for (index, line) in text.split('\n').enumerate() {
        page.line(first.map(|first| first + index as u64), line, false);
    }
}

fn newlines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}

fn kib_ceil(bytes: usize) -> usize {
    bytes.div_ceil(1024)
}
