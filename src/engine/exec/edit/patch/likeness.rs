//! Where in a file lines stand that are like a pattern's, and how much.

use super::sheet::Sheet;
use crate::engine::error::Closest;
use crate::engine::text::similar::{Forms, Prefix, Windows, best_windows};

/// A single line of an accepted place may be this much less alike than all of them together.
pub const LINE_TOLERANCE: f64 = 0.05;
/// Places named where several are meant.
const MAX_PLACES: usize = 5;
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

/// Places from line `from` on that are alike by `enough` or more.
pub fn alike(sheet: &Sheet, lines: &[&str], from: usize, enough: f64) -> Option<Alike> {
    let searched = Forms::new(lines.iter().copied());
    let best = search(sheet, &searched, enough, &|place| place < from)?;
    if best.score < enough || best.weakest < enough - LINE_TOLERANCE {
        return None;
    }
    let mut places = vec![best.line];
    if !best.is_clear() {
        while places.len() < MAX_PLACES.min(best.reaching) {
            let Some(next) =
                search(sheet, &searched, enough, &|place| place < from || places.contains(&place))
            else {
                break;
            };
            places.push(next.line);
        }
        places.sort_unstable();
    }
    Some(Alike { places, dominant: best.is_clear() && best.reaching > 1 })
}

/// The place most like the lines, for the report of a failure.
pub fn closest(sheet: &Sheet, lines: &[&str]) -> Option<Box<Closest>> {
    let found = search(sheet, &Forms::new(lines.iter().copied()), 1.0, &|_| false)?;
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

/// Finds nothing once the call is cancelled; the plan then ends as cancelled.
fn search(sheet: &Sheet, searched: &Forms, enough: f64, is_taken: &dyn Fn(usize) -> bool) -> Option<Windows> {
    let is_taken = |window: std::ops::Range<usize>| is_taken(window.start);
    best_windows(sheet.forms(), searched, Prefix::None, enough, &is_taken, sheet.cancel()).ok().flatten()
}
