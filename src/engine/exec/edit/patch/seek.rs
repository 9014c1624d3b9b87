//! Looking for lines that follow each other: strictly first, then more and more forgivingly. The first way that finds
//! anything decides.

use std::borrow::Cow;

use super::forms::Strategy;
use super::hunk::{Line, Sign};
use super::likeness::alike;
use super::sheet::Sheet;

/// Lines that are this much like the pattern's may be meant.
const ENOUGH: f64 = 0.92;
/// A part of a line counts as that line from this many units on.
pub const LEAST_UNITS: usize = 6;
/// And if it is at least this share of it.
pub const LEAST_SHARE: f64 = 0.30;

/// Whether a line of the file, the first, may be meant by a context line.
type Fits = fn(&str, &str) -> bool;

/// The lines a hunk looks for.
pub struct Pattern<'a> {
    lines: Vec<&'a str>,
    /// Whether the line goes; such a line is never taken for a longer one.
    goes: Vec<bool>,
}

/// Where a pattern was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Ascending, never empty.
    pub places: Vec<usize>,
    /// How.
    pub by: Strategy,
    /// Other places were alike too, but much less.
    pub dominant: bool,
}

impl<'a> Pattern<'a> {
    /// Of the lines of a hunk.
    pub fn new(lines: &'a [Line]) -> Self {
        let old = || lines.iter().filter(|(sign, _)| *sign != Sign::Add);
        Self {
            lines: old().map(|(_, text)| text.as_ref()).collect(),
            goes: old().map(|(sign, _)| *sign == Sign::Remove).collect(),
        }
    }

    /// The lines.
    pub fn lines(&self) -> &[&'a str] {
        &self.lines
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    fn forms(&self, strategy: Strategy) -> Vec<Cow<'a, str>> {
        self.lines.iter().map(|line| strategy.form(line)).collect()
    }

    /// Looks from line `from` on; `fuzzy` allows ways in which lines need not be equal.
    pub fn seek(&self, sheet: &Sheet, from: usize, fuzzy: bool) -> Option<Found> {
        if self.lines.is_empty() || from + self.len() > sheet.len() {
            return None;
        }
        let found = |(places, by): (Vec<usize>, Strategy)| Found { places, by, dominant: false };
        let equal = Strategy::EQUAL
            .into_iter()
            .map(|strategy| (sheet.index(strategy).runs(&self.forms(strategy), from), strategy))
            .find(|(places, _)| !places.is_empty());
        if equal.is_some() || !fuzzy {
            return equal.map(found);
        }
        self.partial(sheet, from).map(found).or_else(|| self.similar(sheet, from))
    }

    /// Looks only at the end of the file, and only for equal lines.
    pub fn seek_at_end(&self, sheet: &Sheet) -> Option<Found> {
        let from = sheet.len().checked_sub(self.len())?;
        self.seek(sheet, from, false)
    }

    /// Places where each line that goes is there whole, and of the others at least the start or a good part.
    fn partial(&self, sheet: &Sheet, from: usize) -> Option<(Vec<usize>, Strategy)> {
        let index = sheet.index(Strategy::Similar);
        let forms = self.forms(Strategy::Similar);
        let gone = forms.iter().zip(&self.goes).enumerate().filter(|(_, (_, goes))| **goes);
        let rarest =
            gone.map(|(at, (form, _))| (at, index.places(form))).min_by_key(|(_, places)| places.len());
        let last = sheet.len() - self.len();
        let starts: Vec<usize> = match rarest {
            Some((at, places)) => places.iter().filter_map(|place| place.checked_sub(at)).collect(),
            None => (from..=last).collect(),
        };
        let places_by = |fits: Fits| -> Vec<usize> {
            let here = |start: &usize| {
                let lines = &index.forms[*start..*start + self.len()];
                let mut pairs = lines.iter().zip(forms.iter().zip(&self.goes));
                pairs.all(|(line, (form, goes))| line == form || (!goes && fits(line, form)))
            };
            starts.iter().copied().filter(|start| (from..=last).contains(start)).filter(here).collect()
        };
        let ways: [(Fits, Strategy); 2] = [(is_start, Strategy::Prefix), (is_good_part, Strategy::Substring)];
        ways.into_iter().map(|(fits, by)| (places_by(fits), by)).find(|(places, _)| !places.is_empty())
    }

    fn similar(&self, sheet: &Sheet, from: usize) -> Option<Found> {
        let alike = alike(sheet, &self.lines, from, ENOUGH)?;
        Some(Found { places: alike.places, by: Strategy::Similar, dominant: alike.dominant })
    }
}

/// Both in the folded form.
pub fn is_start(line: &str, part: &str) -> bool {
    !part.is_empty() && line.starts_with(part)
}

fn is_good_part(line: &str, part: &str) -> bool {
    units(part) >= LEAST_UNITS && line.contains(part) && share(part, line) >= LEAST_SHARE
}

/// Units of 16 bits.
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// How much of a line a part of it is.
#[expect(clippy::cast_precision_loss, reason = "lines have far fewer than 2^52 units")]
pub fn share(part: &str, line: &str) -> f64 {
    units(part) as f64 / units(line).max(1) as f64
}
