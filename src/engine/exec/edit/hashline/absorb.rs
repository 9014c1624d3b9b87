//! Payload that repeats the lines around it. A model often copies the lines beside a range into its replacement; put
//! in as they are they would stand there twice. Every line that is taken for such a copy is told in a warning.

use std::ops::Range;

use super::Warning;
use super::lines::Lines;
use super::place::{Placed, Spot};

/// So many equal lines are no coincidence.
const FEWEST: usize = 2;

/// Widens replacements over the lines their payload repeats, and drops what insertions repeat.
pub fn absorb(operations: &mut [Placed], lines: &Lines, drops_repeats: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for at in 0..operations.len() {
        let (before, rest) = operations.split_at_mut(at);
        let Some((operation, after)) = rest.split_first_mut() else { continue };
        let is_free =
            |absorbed: &Range<usize>| before.iter().chain(&*after).all(|other| other.leaves(absorbed));
        match operation.spot.clone() {
            Spot::Lines(range) if !operation.payload.is_empty() => {
                let mut replacement = Replacement { range, payload: &operation.payload, lines };
                replacement.absorb(is_free, &mut warnings);
                operation.spot = Spot::Lines(replacement.range);
            }
            Spot::Before(index) => Insertion { gap: index, anchor: index, lines }.trim(
                &mut operation.payload,
                drops_repeats,
                &mut warnings,
            ),
            Spot::After(index) => Insertion { gap: index + 1, anchor: index, lines }.trim(
                &mut operation.payload,
                drops_repeats,
                &mut warnings,
            ),
            Spot::Lines(_) | Spot::Top | Spot::Bottom => {}
        }
    }
    warnings
}

impl Placed<'_> {
    /// Whether the operation has nothing to do with these lines, nor with the gaps beside them.
    fn leaves(&self, absorbed: &Range<usize>) -> bool {
        match &self.spot {
            Spot::Top => absorbed.start > 0,
            Spot::Bottom => true,
            Spot::Before(index) => !absorbed.contains(index) && *index != absorbed.end,
            Spot::After(index) => !absorbed.contains(index) && *index + 1 != absorbed.start,
            Spot::Lines(range) => range.end <= absorbed.start || absorbed.end <= range.start,
        }
    }
}

struct Replacement<'a> {
    range: Range<usize>,
    payload: &'a [&'a str],
    lines: &'a Lines<'a>,
}

impl Replacement<'_> {
    fn absorb(&mut self, is_free: impl Fn(&Range<usize>) -> bool, warnings: &mut Vec<Warning>) {
        let deleted = self.range.clone();
        let above = self.above(&deleted);
        let absorbed = deleted.start - above..deleted.start;
        let above = if above > 0 && is_free(&absorbed) { above } else { 0 };
        if above > 0 {
            warnings.push(warning("absorbed_above", &absorbed));
            self.range.start = absorbed.start;
        }
        // No line of the payload stands for two lines of the file.
        let below = self.below(&deleted, self.payload.len() - above);
        let absorbed = deleted.end..deleted.end + below;
        if below > 0 && is_free(&absorbed) {
            warnings.push(warning("absorbed_below", &absorbed));
            self.range.end = absorbed.end;
        }
    }

    fn above(&self, deleted: &Range<usize>) -> usize {
        let most = self.payload.len().min(deleted.start);
        let repeats =
            |count: usize| (0..count).all(|at| self.is_line(deleted.start - count + at, self.payload[at]));
        match (FEWEST..=most).rev().find(|count| repeats(*count)) {
            Some(count) => count,
            None if most > 0 && repeats(1) => usize::from(self.closes_twice(deleted, 0)),
            None => 0,
        }
    }

    fn below(&self, deleted: &Range<usize>, available: usize) -> usize {
        let most = available.min(self.lines.count() - deleted.end);
        let first = |count: usize| self.payload.len() - count;
        let repeats = |count: usize| {
            (0..count).all(|at| self.is_line(deleted.end + at, self.payload[first(count) + at]))
        };
        match (FEWEST..=most).rev().find(|count| repeats(*count)) {
            Some(count) => count,
            None if most > 0 && repeats(1) => usize::from(self.closes_twice(deleted, self.payload.len() - 1)),
            None => 0,
        }
    }

    fn is_line(&self, index: usize, text: &str) -> bool {
        self.lines.get(index) == text
    }

    /// The payload line closes brackets that, without it, are as open as in the lines it replaces.
    fn closes_twice(&self, deleted: &Range<usize>, at: usize) -> bool {
        let wanted = deleted.clone().map(|index| Brackets::of(self.lines.get(index))).sum::<Brackets>();
        closes_too_much(self.payload, at, wanted)
    }
}

struct Insertion<'a> {
    /// The payload comes before this line.
    gap: usize,
    /// The line that the operation names.
    anchor: usize,
    lines: &'a Lines<'a>,
}

impl Insertion<'_> {
    fn trim(&self, payload: &mut Vec<&str>, drops_repeats: bool, warnings: &mut Vec<Warning>) {
        let leading = self.leading(payload, drops_repeats);
        if leading > 0 {
            payload.drain(..leading);
            warnings.push(warning("dropped_leading", &(self.gap - leading..self.gap)));
        }
        let trailing = self.trailing(payload, drops_repeats);
        if trailing > 0 {
            payload.truncate(payload.len() - trailing);
            warnings.push(warning("dropped_trailing", &(self.gap..self.gap + trailing)));
        }
    }

    fn leading(&self, payload: &[&str], drops_repeats: bool) -> usize {
        let most = payload.len().min(self.gap);
        let repeats = |count: usize| (0..count).all(|at| self.is_line(self.gap - count + at, payload[at]));
        if most == 0 {
            return 0;
        }
        let several = (FEWEST..=most).rev().find(|count| drops_repeats && repeats(*count));
        several.unwrap_or_else(|| {
            usize::from(repeats(1) && self.is_echo(payload, 0, self.gap - 1, drops_repeats))
        })
    }

    fn trailing(&self, payload: &[&str], drops_repeats: bool) -> usize {
        let most = payload.len().min(self.lines.count().saturating_sub(self.gap));
        let first = |count: usize| payload.len() - count;
        let repeats =
            |count: usize| (0..count).all(|at| self.is_line(self.gap + at, payload[first(count) + at]));
        if most == 0 {
            return 0;
        }
        let several = (FEWEST..=most).rev().find(|count| drops_repeats && repeats(*count));
        several.unwrap_or_else(|| {
            usize::from(repeats(1) && self.is_echo(payload, payload.len() - 1, self.gap, drops_repeats))
        })
    }

    /// One line that repeats its neighbour: a bracket too many, or the line that the operation named.
    fn is_echo(&self, payload: &[&str], at: usize, neighbour: usize, drops_repeats: bool) -> bool {
        if is_closer(payload[at]) {
            closes_too_much(payload, at, Brackets::default())
        } else {
            drops_repeats && neighbour == self.anchor
        }
    }

    fn is_line(&self, index: usize, text: &str) -> bool {
        self.lines.get(index) == text
    }
}

fn warning(kind: &'static str, range: &Range<usize>) -> Warning {
    let lines = match range.len() {
        1 => format!("line {}", range.end),
        _ => format!("lines {} to {}", range.start + 1, range.end),
    };
    let text = match kind {
        "absorbed_above" | "absorbed_below" => {
            format!("The new text repeats {lines} beside the range; they were replaced with it, not doubled.")
        }
        _ => format!("The new text repeats {lines} beside it; the repetition was dropped."),
    };
    Warning { kind, text }
}

/// Only closing brackets, and perhaps a mark behind them.
fn is_closer(line: &str) -> bool {
    let line = line.trim();
    let brackets = line.strip_suffix([';', ',']).unwrap_or(line);
    !brackets.is_empty() && brackets.bytes().all(|byte| matches!(byte, b']' | b')' | b'}'))
}

/// Without its line `at` the payload opens and closes as much as it should; with it, it does not.
fn closes_too_much(payload: &[&str], at: usize, wanted: Brackets) -> bool {
    let line = payload[at];
    if !is_closer(line) {
        return false;
    }
    let whole: Brackets = payload.iter().map(|line| Brackets::of(line)).sum();
    let rest: Brackets = payload
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != at)
        .map(|(_, line)| Brackets::of(line))
        .sum();
    rest == wanted && whole != wanted
}

/// How many more brackets of each kind open than close.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Brackets {
    round: isize,
    square: isize,
    curly: isize,
}

impl Brackets {
    fn of(line: &str) -> Self {
        let mut brackets = Self::default();
        for byte in line.bytes() {
            match byte {
                b'(' => brackets.round += 1,
                b')' => brackets.round -= 1,
                b'[' => brackets.square += 1,
                b']' => brackets.square -= 1,
                b'{' => brackets.curly += 1,
                b'}' => brackets.curly -= 1,
                _ => {}
            }
        }
        brackets
    }
}

impl std::iter::Sum for Brackets {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            round: sum.round + one.round,
            square: sum.square + one.square,
            curly: sum.curly + one.curly,
        })
    }
}
