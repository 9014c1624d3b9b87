//! A change of lines without any context: they must be much alike to lines of the file, and to one place only.

use super::likeness::{LINE_TOLERANCE, describe};
use super::place::Refusal;
use super::sheet::Sheet;
use crate::engine::exec::edit::locate::Tolerance;
use crate::engine::text::similar::{Forms, Windows, closest_windows};

/// A second search takes lines that are only this much alike.
const LENIENT: f64 = 0.92;

/// The one place that is meant, and whether others are alike too but much less.
pub fn alike(sheet: &Sheet, lines: &[&str], tolerance: Tolerance) -> Result<(usize, bool), Refusal> {
    let searched = lines.join("\n");
    let look = |threshold| {
        closest_windows(sheet.forms(), &searched, threshold, &|_| false, sheet.cancel()).ok().flatten()
    };
    let accepts = |found: &Windows, threshold: f64| {
        tolerance.allow_fuzzy
            && found.score >= threshold
            && found.is_clear()
            && found.weakest >= threshold - LINE_TOLERANCE
            && sheet.forms().agrees(found.line, &Forms::new(lines.iter().copied()))
    };
    let lenient = tolerance.threshold.min(LENIENT);
    let first = look(tolerance.threshold);
    let accepted = first.filter(|found| accepts(found, tolerance.threshold)).or_else(|| {
        // Nothing new can be found unless the first search was the stricter one.
        let again = lenient < tolerance.threshold && first.is_some_and(|found| found.score >= lenient);
        again.then(|| look(lenient)).flatten().filter(|found| accepts(found, lenient))
    });
    if let Some(found) = accepted {
        return Ok((found.line, found.reaching > 1));
    }
    let owned = lines.iter().map(|line| (*line).to_owned()).collect();
    Err(match first.filter(|found| found.score > 0.0) {
        Some(found) if found.reaching > 1 => Refusal::AmbiguousFuzzy { lines: owned, count: found.reaching },
        Some(found) => Refusal::NoMatch { lines: owned, closest: describe(sheet, lines, &found) },
        None => Refusal::Missing { lines: owned },
    })
}
