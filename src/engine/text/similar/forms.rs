//! Lines in their fuzzy form, with what can be said about them without comparing them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::operators::has_same_operators;
use crate::engine::text::normalise::{fuzzy_form, indent};

/// Lines in their fuzzy form, ready to be compared. Made once for each text.
#[derive(Debug)]
pub struct Forms<'t> {
    lines: Vec<Form<'t>>,
    /// Counted for those lines alone whose length does not tell enough.
    bags: Vec<OnceCell<Bag>>,
}

/// A line in its fuzzy form.
#[derive(Debug)]
pub(super) struct Form<'t> {
    pub text: Cow<'t, str>,
    /// Its length.
    pub units: usize,
    indent: usize,
}

impl Form<'_> {
    fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// Every other character has fewer units than bytes.
    pub fn is_ascii(&self) -> bool {
        self.text.len() == self.units
    }

    /// Digits of the greatest depth that the line can have in any window.
    pub fn most_digits(&self) -> usize {
        1 + self.indent.checked_ilog10().unwrap_or(0) as usize
    }
}

impl<'t> Forms<'t> {
    /// The forms of lines.
    pub fn new(lines: impl IntoIterator<Item = &'t str>) -> Self {
        let lines = lines.into_iter().map(|line| {
            let text = fuzzy_form(line);
            let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
            Form { text, units, indent: indent(line).len() }
        });
        let lines: Vec<Form> = lines.collect();
        let bags = lines.iter().map(|_| OnceCell::new()).collect();
        Self { lines, bags }
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Not a single line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether the lines from `from` on have the operators of others, line by line: `a != b` is much like `a == b`, but
    /// says the opposite.
    #[must_use]
    pub fn agrees(&self, from: usize, others: &Self) -> bool {
        let own = self.lines.iter().skip(from);
        own.zip(&others.lines).all(|(own, other)| has_same_operators(&own.text, &other.text))
    }

    pub(super) fn line(&self, line: usize) -> &Form<'t> {
        &self.lines[line]
    }

    pub(super) fn bag(&self, line: usize) -> &Bag {
        self.bags[line].get_or_init(|| Bag::of(&self.lines[line]))
    }

    /// How deep each line of a window is indented, in steps of its smallest indentation.
    pub(super) fn depths(&self, window: Range<usize>, depths: &mut Vec<usize>) {
        let lines = &self.lines[window];
        let written = || lines.iter().filter(|line| !line.is_blank());
        let least = written().map(|line| line.indent).min().unwrap_or(0);
        let step = written().map(|line| line.indent - least).filter(|more| *more > 0).min().unwrap_or(1);
        let depth = |line: &Form| {
            if line.is_blank() { 0 } else { (2 * (line.indent - least) + step) / (2 * step) }
        };
        depths.clear();
        depths.extend(lines.iter().map(depth));
    }
}

/// How often units occur, by their last bits.
#[derive(Debug)]
pub(super) struct Bag {
    counts: [u8; 32],
    sum: u32,
}

impl Bag {
    fn of(form: &Form) -> Self {
        let mut counts = [0_u8; 32];
        let mut count = |unit: usize| counts[unit & 31] = counts[unit & 31].saturating_add(1);
        if form.is_ascii() {
            form.text.bytes().for_each(|byte| count(usize::from(byte)));
        } else {
            form.text.encode_utf16().for_each(|unit| count(usize::from(unit)));
        }
        let sum = counts.iter().map(|count| u32::from(*count)).sum();
        Self { counts, sum }
    }

    /// At least so many edits lie between two texts with these bags: what one has more of, or the other, whichever is
    /// more. Both together are the sum of the differences, and one less the other is the difference of the sums.
    pub fn distance(&self, other: &Self) -> usize {
        let apart = self.counts.iter().zip(&other.counts).map(|(one, other)| u32::from(one.abs_diff(*other)));
        u32::midpoint(apart.sum(), self.sum.abs_diff(other.sum)) as usize
    }
}
