//! What is wrong with a patch, as errors with their facts.

use super::anchor::Astray;
use super::diff_text;
use super::envelope;
use super::likeness::{clip, closest};
use super::place::Refusal;
use super::seek::Found;
use super::sheet::Sheet;
use crate::engine::error::{Closest, Place, ToolError};
use crate::engine::exec::edit::locate::Tolerance;

/// Places named in an error, and lines shown around each.
const MAX_PLACES: usize = 5;
const AROUND: usize = 2;

/// The error of a diff that cannot be read; `offset` lines stand above it in what was passed.
pub fn fault(path: &str, fault: diff_text::Fault, offset: usize) -> ToolError {
    let path = path.to_owned();
    match fault {
        diff_text::Fault::Line { line, reason } => {
            ToolError::PatchParse { path, line: line + offset, reason }
        }
        diff_text::Fault::SeveralFiles { count } => ToolError::MultiFileDiff { path, count },
        diff_text::Fault::NoHunks => ToolError::NoHunks { path },
    }
}

/// The error of an envelope that cannot be read.
pub fn envelope_fault(fault: envelope::Fault) -> ToolError {
    match fault {
        envelope::Fault::MissingBegin { first } => ToolError::EnvelopeMissingBegin { first },
        envelope::Fault::MissingEnd { last } => ToolError::EnvelopeMissingEnd { last },
        envelope::Fault::Empty => ToolError::EmptyPatch {},
        envelope::Fault::BadHeader { line, text } => ToolError::BadHunkHeader { line, text },
        envelope::Fault::EmptyUpdate { line, path } => ToolError::EmptyUpdate { line, path },
    }
}

/// The error of a hunk without a place.
pub fn refusal(path: &str, sheet: &Sheet, tolerance: Tolerance, refusal: Refusal) -> ToolError {
    let path = path.to_owned();
    match refusal {
        Refusal::Anchor(Astray { anchor, found: None }) => {
            ToolError::ContextNotFound { path, context: anchor }
        }
        Refusal::Anchor(Astray { anchor, found: Some(found) }) => ToolError::ContextAmbiguous {
            path,
            context: anchor,
            count: found.places.len(),
            places: places(sheet, &found, 1),
            strategy: found.by.name(),
        },
        Refusal::Several { found, height, is_bare } => {
            let (count, strategy) = (found.places.len(), found.by.name());
            let places = places(sheet, &found, height);
            if is_bare {
                ToolError::AmbiguousLines { path, count, places }
            } else {
                ToolError::LinesAmbiguous { path, count, places, strategy }
            }
        }
        Refusal::Missing { lines } => {
            let closest = near(sheet, &lines);
            ToolError::LinesNotFound { path, expected: lines.join("\n"), closest }
        }
        Refusal::NoMatch { lines, closest } => ToolError::NoMatchingLines {
            path,
            searched: lines.join("\n"),
            allow_fuzzy: tolerance.allow_fuzzy,
            threshold: tolerance.threshold,
            closest,
        },
        Refusal::AmbiguousFuzzy { lines, count } => {
            let closest = near(sheet, &lines);
            ToolError::AmbiguousFuzzyLines { path, count, closest }
        }
        Refusal::Hint { line } => ToolError::LineHintOutOfRange { path, hint: line, total: sheet.len() },
        Refusal::Overlap { ranges: [first, second] } => ToolError::OverlappingHunks {
            path,
            first: [first.start + 1, first.end],
            second: [second.start + 1, second.end],
        },
    }
}

fn places(sheet: &Sheet, found: &Found, height: usize) -> Vec<Place> {
    let place = |start: &usize| Place { line: start + 1, preview: preview(sheet, *start, height) };
    found.places.iter().take(MAX_PLACES).map(place).collect()
}

/// Numbered lines around a place.
fn preview(sheet: &Sheet, start: usize, height: usize) -> String {
    let end = (start + height.min(2 * AROUND) + AROUND).min(sheet.len());
    let from = start.saturating_sub(AROUND);
    let line = |at: usize| format!("{}|{}", at + 1, clip(sheet.lines()[at]));
    (from..end).map(line).collect::<Vec<_>>().join("\n")
}

fn near(sheet: &Sheet, lines: &[String]) -> Option<Box<Closest>> {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    closest(sheet, &lines)
}
