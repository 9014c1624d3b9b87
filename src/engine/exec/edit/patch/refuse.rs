//! What is wrong with a patch, as errors with their facts.

use super::anchor::Astray;
use super::diff_text;
use super::envelope;
use super::likeness::closest;
use super::place::{Refusal, Rules};
use super::seek::{Found, Pattern};
use super::sheet::Sheet;
use crate::engine::error::{Near, Place, ToolError};

/// Places named in an error, lines shown around each, and characters of each line.
const MAX_PLACES: usize = 5;
const AROUND: usize = 2;
const SHOWN_CHARACTERS: usize = 80;

/// The error of a diff that cannot be read; `offset` lines stand above it in what was passed.
pub fn fault(path: &str, fault: diff_text::Fault, offset: usize) -> ToolError {
    let path = path.to_owned();
    match fault {
        diff_text::Fault::Line { line, reason } => ToolError::PatchParse { path, line: line + offset, reason },
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
pub fn refusal(path: &str, sheet: &Sheet, rules: Rules, refusal: Refusal) -> ToolError {
    let path = path.to_owned();
    match refusal {
        Refusal::Anchor(Astray { anchor, found: None }) => ToolError::ContextNotFound { path, context: anchor },
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
            allow_fuzzy: rules.fuzzy,
            threshold: rules.threshold,
            closest: closest.and_then(|(start, similarity)| describe(sheet, &lines, start, similarity)),
        },
        Refusal::AmbiguousFuzzy { lines, count } => {
            let closest = near(sheet, &lines);
            ToolError::AmbiguousFuzzy { path, count, closest }
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

fn clip(line: &str) -> String {
    line.chars().take(SHOWN_CHARACTERS).collect()
}

fn near(sheet: &Sheet, lines: &[String]) -> Option<Near> {
    let lines_as_text: Vec<_> =
        lines.iter().map(|line| (super::hunk::Sign::Keep, line.as_str().into())).collect();
    let (start, similarity) = closest(sheet, &Pattern::new(&lines_as_text).profiles())?;
    describe(sheet, lines, start, similarity)
}

fn describe(sheet: &Sheet, lines: &[String], start: usize, similarity: f64) -> Option<Near> {
    let differs = lines.iter().enumerate().find(|(at, line)| sheet.lines().get(start + at) != Some(&line.as_str()));
    let (at, expected) = differs?;
    Some(Near {
        line: start + 1,
        similarity,
        differs_at: start + at + 1,
        expected: clip(expected),
        actual: sheet.lines().get(start + at).map_or_else(|| "(end of file)".to_owned(), |line| clip(line)),
    })
}
