//! Where in a file lines stand that are like a pattern's, and how much.

use super::sheet::Sheet;
use crate::engine::error::Closest;
use crate::engine::text::similar::{Forms, Prefix, Windows, best_windows, windows_alike};

/// A single line of an accepted place may be this much less alike than all of them together.
pub const LINE_TOLERANCE: f64 = 0.05;
/// A place that is this much alike, and that much more than every other, is meant.
const DOMINANT: (f64, f64) = (0.97, 0.08);
/// Characters of a line that are shown.
const SHOWN_CHARACTERS: usize = 200;

/// Places that are alike enough.
#[derive(Debug)]
pub struct Alike {
    /// Ascending; one alone if it stands out.
    pub places: Vec<usize>,
    /// Others were alike enough too, but much less.
    pub dominant: bool,
}

/// Places from line `from` on that are alike by `enough` or more, and in every line nearly so. Finds nothing once the
/// call is cancelled; the plan then ends as cancelled.
pub fn alike(sheet: &Sheet, lines: &[&str], from: usize, enough: f64) -> Option<Alike> {
    let searched = Forms::new(lines.iter().copied());
    let least_line = enough - LINE_TOLERANCE;
    let found = windows_alike(sheet.forms(), &searched, from, enough, least_line, sheet.cancel()).ok()?;
    let (best, score) =
        found.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let second =
        found.iter().filter(|(place, _)| *place != best).map(|(_, score)| *score).fold(0.0, f64::max);
    let dominant = found.len() > 1 && score >= DOMINANT.0 && score - second >= DOMINANT.1;
    let places = if dominant { vec![best] } else { found.into_iter().map(|(place, _)| place).collect() };
    Some(Alike { places, dominant })
}

/// The place most like the lines, for the report of a failure.
pub fn closest(sheet: &Sheet, lines: &[&str]) -> Option<Box<Closest>> {
    let searched = Forms::new(lines.iter().copied());
    let found =
        best_windows(sheet.forms(), &searched, Prefix::None, 1.0, &|_| false, sheet.cancel()).ok()??;
    if found.score > 0.0 { describe(sheet, lines, &found) } else { None }
}

/// A place, and the first line in which it differs.
pub fn describe(sheet: &Sheet, lines: &[&str], found: &Windows) -> Option<Box<Closest>> {
    let actual = |at: usize| sheet.lines().get(found.line + at).copied().unwrap_or_default();
    let at = (0..lines.len()).find(|at| actual(*at) != lines[*at]).unwrap_or(0);
    Some(Box::new(Closest {
        line: found.line + 1,
        similarity: found.score,
        differs_at: found.line + at + 1,
        expected: clip(lines.get(at)?),
        actual: clip(actual(at)),
    }))
}

/// A line, cut.
pub fn clip(line: &str) -> String {
    line.chars().take(SHOWN_CHARACTERS).collect()
}
