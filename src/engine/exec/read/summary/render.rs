//! The rows of a summary, and the result made of them.

use serde_json::json;

use super::super::address::Target;
use super::super::options::View;
use super::super::page::{Page, append, footer};
use super::regions::Region;
use crate::engine::outcome::{Notice, Outcome};

/// Stands for what a region leaves out.
const ELISION: &str = "...";

/// One row; lines are 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A line as it is.
    Line(usize),
    /// A region left out between two lines.
    Elision(Region),
    /// A line that opens a bracket, a region left out, and the line that closes the bracket.
    Joined(usize, Region),
}

impl Row {
    /// Whether nothing of the file is in the row.
    #[must_use]
    pub fn is_elision(&self) -> bool {
        matches!(self, Self::Elision(_))
    }

    fn region(&self) -> Option<Region> {
        match self {
            Self::Line(_) => None,
            Self::Elision(region) | Self::Joined(_, region) => Some(*region),
        }
    }

    /// Bytes of the row without prefix.
    fn cost(&self, lines: &[&str]) -> usize {
        match self {
            Self::Line(line) => lines[*line].len(),
            Self::Elision(_) => ELISION.len(),
            Self::Joined(head, region) => lines[*head].len() + lines[region.end + 1].len() + 4,
        }
    }
}

/// The rows of a file without its regions.
#[must_use]
pub fn rows(lines: &[&str], regions: &[Region]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut next = 0;
    for region in regions {
        if region.end + 1 >= lines.len() {
            continue;
        }
        rows.extend((next..region.start).map(Row::Line));
        next = region.end + 1;
        let head = rows.last().copied();
        match head {
            // Only a line that stands whole in its row, directly before the region.
            Some(Row::Line(head)) if head + 1 == region.start && is_bracketed(lines[head], lines[next]) => {
                rows.pop();
                rows.push(Row::Joined(head, *region));
                next += 1;
            }
            _ => rows.push(Row::Elision(*region)),
        }
    }
    rows.extend((next..lines.len()).map(Row::Line));
    rows
}

/// Whether a line ends with a bracket that the other line closes and does little else.
fn is_bracketed(head: &str, tail: &str) -> bool {
    let closer = match head.trim_end().chars().last() {
        Some('{') => '}',
        Some('[') => ']',
        Some('(') => ')',
        _ => return false,
    };
    let mut tail = tail.trim().chars();
    tail.next() == Some(closer) && tail.all(|character| ")]};,".contains(character))
}

/// The result: rows within `max_bytes`, what they leave out said below. None where not one row fits.
pub fn render(
    target: &Target,
    view: &View,
    lines: &[&str],
    rows: &[Row],
    max_bytes: usize,
) -> Option<Outcome> {
    let mut page = Page::new(view);
    let (mut bytes, mut shown) = (0, 0);
    for row in rows {
        bytes += row.cost(lines) + usize::from(shown > 0);
        if bytes > max_bytes {
            break;
        }
        shown += 1;
        match *row {
            Row::Line(line) => page.line(Some(line as u64 + 1), lines[line], false),
            Row::Elision(_) => page.marker(ELISION),
            Row::Joined(head, region) => {
                let tail = region.end + 1;
                page.joined_lines((head as u64 + 1, lines[head]), (tail as u64 + 1, lines[tail]));
            }
        }
    }
    if shown == 0 {
        return None;
    }
    let capped = shown < rows.len();
    if capped {
        page.marker("…");
    }
    let regions: Vec<Region> = rows[..shown].iter().filter_map(Row::region).collect();
    let elided: usize = regions.iter().map(|region| region.end - region.start + 1).sum();
    let facts = json!({"lines": shown, "elidedSpans": regions.len(), "elidedLines": elided});
    let mut outcome = page.finish(target, None, false).detail("summary", facts);
    footer(&mut outcome, elided_notice(target, elided, &regions));
    if capped {
        append(&mut outcome, "\n", cap_notice(target, max_bytes, lines.len(), &rows[shown]));
    }
    Some(outcome)
}

fn elided_notice(target: &Target, lines: usize, regions: &[Region]) -> Notice {
    let path = &target.shown;
    let count = regions.len();
    let (line, region) =
        (if lines == 1 { "line" } else { "lines" }, if count == 1 { "region" } else { "regions" });
    // A range that shows the first region, as an example that works.
    let example = regions.first().map(|region| format!("{path}:{}-{}", region.start + 1, region.end + 1));
    let example = example.map(|example| format!("{example} for the first, ")).unwrap_or_default();
    let text =
        format!("[{lines} {line} in {count} {region} left out. Read {example}{path}:raw for everything]");
    Notice::new("summary_elided", text, json!({"lines": lines, "regions": count, "path": path}))
}

fn cap_notice(target: &Target, max_bytes: usize, total: usize, next: &Row) -> Notice {
    let next = match *next {
        Row::Line(line) | Row::Joined(line, _) => line,
        Row::Elision(region) => region.start,
    } + 1;
    let (path, kib) = (&target.shown, max_bytes.div_ceil(1024));
    let text =
        format!("[The summary stops at {kib} KiB; the file has {total} lines. Read {path}:{next} to go on]");
    Notice::new("summary_cap", text, json!({"kib_ceil": kib, "path": path, "total": total, "next": next}))
}
