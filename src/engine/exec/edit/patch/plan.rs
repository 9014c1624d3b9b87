//! From the text of a file and the text of a diff to the pieces that change. Touches no file.

use std::borrow::Cow;
use std::ops::Range;

use super::hunk::{Hunk, Sign};
use super::place::{Placed, Refusal, Remark, place_all};
use super::sheet::Sheet;
use crate::engine::exec::edit::change::{Plan, Warning};
use crate::engine::exec::edit::locate::Tolerance;
use crate::engine::text::Splice;

/// Lines that give way to others.
struct Replacement {
    /// 0-based.
    lines: Range<usize>,
    new: Vec<String>,
    /// Lines the whole hunk looks at.
    around: Range<usize>,
}

/// What the hunks change. Lines that a hunk only names stay as the file has them.
pub fn plan(sheet: &Sheet, hunks: &[Hunk], tolerance: Tolerance) -> Result<Plan, Refusal> {
    let placed = place_all(sheet, hunks, tolerance)?;
    let mut replacements: Vec<Replacement> = placed.iter().flat_map(replacements).collect();
    replacements.sort_by_key(|replacement| (replacement.lines.start, replacement.lines.end));
    for pair in replacements.windows(2) {
        if pair[1].lines.start < pair[0].lines.end {
            return Err(Refusal::Overlap { ranges: [pair[0].around.clone(), pair[1].around.clone()] });
        }
    }
    let final_break = final_break(sheet, &placed);
    let splices = splices(sheet, &replacements, final_break);
    let warnings = placed.iter().enumerate().filter_map(|(at, placed)| warning(at, placed)).collect();
    Ok(Plan { splices, warnings, ..Plan::default() })
}

/// Each run of lines that come and go.
fn replacements(placed: &Placed) -> Vec<Replacement> {
    let around = placed.start..placed.start + placed.height();
    let mut line = placed.start;
    let mut found: Vec<Replacement> = Vec::new();
    let mut is_open = false;
    for (sign, text) in &placed.lines {
        if *sign == Sign::Keep {
            (is_open, line) = (false, line + 1);
            continue;
        }
        if !is_open {
            found.push(Replacement { lines: line..line, new: Vec::new(), around: around.clone() });
            is_open = true;
        }
        let Some(last) = found.last_mut() else { continue };
        if *sign == Sign::Add {
            last.new.push(text.as_ref().to_owned());
        } else {
            line += 1;
            last.lines.end = line;
        }
    }
    found
}

/// Whether the text shall end with a line break: as the patch says, where it speaks of the last line; else as it
/// does now. What fills an empty file is lines.
fn final_break(sheet: &Sheet, placed: &[Placed]) -> bool {
    let reaches_end = |placed: &&Placed| placed.start + placed.height() == sheet.len();
    let said = placed.iter().filter(reaches_end).filter_map(|placed| placed.final_break).next_back();
    said.unwrap_or(sheet.ends_with_break() || sheet.len() == 0)
}

fn splices(sheet: &Sheet, replacements: &[Replacement], final_break: bool) -> Vec<Splice<'static>> {
    let mut splices: Vec<Splice> = Vec::with_capacity(replacements.len() + 1);
    let end = sheet.len();
    for Replacement { lines, new, .. } in replacements {
        let mut range = sheet.span(lines);
        let mut text = new.join("\n");
        if lines.end < end {
            text.extend((!new.is_empty()).then_some('\n'));
        } else if new.is_empty() && lines.start > 0 {
            // The line above is the last one now; its break may have to go. What adjoins is one change with this.
            while let Some(above) = splices.pop_if(|above| above.range.end == range.start) {
                range.start = above.range.start;
                text.insert_str(0, &String::from_utf8_lossy(&above.new));
            }
            let is_whole = text.is_empty();
            let above = if is_whole { sheet.before(range.start) } else { &text };
            if !final_break && !ends_blank(above) {
                range.start -= usize::from(is_whole && range.start > 0);
                text.pop();
            }
        } else if !new.is_empty() {
            if lines.start == end && end > 0 && !sheet.ends_with_break() {
                text.insert(0, '\n');
            }
            text.extend(final_break.then_some('\n'));
        }
        splices.push(Splice { range, new: Cow::Owned(text.into_bytes()) });
    }
    let is_end_touched = replacements.last().is_some_and(|last| last.lines.end == end);
    if !is_end_touched && final_break != sheet.ends_with_break() && end > 0 {
        let size = sheet.size();
        let (range, new) = if final_break { (size..size, "\n") } else { (size - 1..size, "") };
        splices.push(Splice { range, new: Cow::Borrowed(new.as_bytes()) });
    }
    splices
}

/// A blank line at the end: without its break it would be no line, and nobody asked for that.
fn ends_blank(text: &str) -> bool {
    text == "\n" || text.ends_with("\n\n")
}

fn warning(at: usize, placed: &Placed) -> Option<Warning> {
    let (hunk, line) = (at + 1, placed.start + 1);
    let (kind, text) = match placed.remark? {
        Remark::ContextIgnored => (
            "context_ignored",
            format!(
                "Hunk {hunk}: its context is not in the file; the lines that change occur once, at line {line}."
            ),
        ),
        Remark::AnchorIgnored => (
            "anchor_ignored",
            format!(
                "Hunk {hunk}: the line its header names does not tell the place; its lines occur once, at line {line}."
            ),
        ),
        Remark::OutOfOrder => {
            ("out_of_order", format!("Hunk {hunk}: found above the place its order says, at line {line}."))
        }
        Remark::Dominant => (
            "dominant_match",
            format!("Hunk {hunk}: several places are alike; line {line} is by far the closest."),
        ),
        Remark::Similar => ("fuzzy_match", format!("Hunk {hunk}: line {line} on is alike, not equal.")),
    };
    Some(Warning { kind, text })
}
