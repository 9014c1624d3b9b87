//! What may be left of a hunk whose context is not in the file: fewer and fewer of its lines.

use super::hunk::{Line, Sign, new_lines, old_lines, settle};

/// A hunk with fewer lines.
pub type Variant = Vec<Line<'static>>;

/// Reduced forms, the one that keeps most first, each of which still looks for a line. `placed` says that the header
/// names a place, so that more may be left out.
pub fn variants(lines: &[Line], placed: bool) -> Vec<Variant> {
    let whole = settle(lines);
    let core = without_outer_context(&whole);
    let known = |variants: &[Variant], new: &Variant| *new == whole || variants.contains(new);
    let mut variants: Vec<Variant> = Vec::new();
    let mut add = |variant: Option<Variant>| {
        if let Some(variant) =
            variant.filter(|variant| !known(&variants, variant) && !old_lines(variant).is_empty())
        {
            variants.push(variant);
        }
    };
    add(Some(core.clone()));
    let single = without_repeats(&core);
    add(Some(single.clone()));
    if placed {
        add(Some(without_repeated_blocks(&single)));
        add(only_change(&whole));
    }
    variants
}

fn without_outer_context(lines: &[Line<'static>]) -> Variant {
    let changes = |(sign, _): &Line| *sign != Sign::Keep;
    let first = lines.iter().position(changes).unwrap_or(0);
    let last = lines.iter().rposition(changes).map_or(0, |last| last + 1);
    lines[first..last.max(first)].to_vec()
}

/// A kept line that follows itself is there once.
fn without_repeats(lines: &[Line<'static>]) -> Variant {
    let mut single: Variant = Vec::with_capacity(lines.len());
    for line in lines {
        if line.0 != Sign::Keep || single.last() != Some(line) {
            single.push(line.clone());
        }
    }
    single
}

/// Of two equal blocks of kept lines, one below the other, the second goes; the largest ones first.
fn without_repeated_blocks(lines: &[Line<'static>]) -> Variant {
    let mut lines = lines.to_vec();
    for size in (2..=lines.len() / 2).rev() {
        let mut at = 0;
        while at + 2 * size <= lines.len() {
            let (first, second) = (&lines[at..at + size], &lines[at + size..at + 2 * size]);
            if first == second && first.iter().all(|(sign, _)| *sign == Sign::Keep) {
                lines.drain(at + size..at + 2 * size);
            } else {
                at += 1;
            }
        }
    }
    lines
}

/// The line that changes, if it is one that becomes one.
fn only_change(lines: &[Line<'static>]) -> Option<Variant> {
    let is_same_length = old_lines(lines).len() == new_lines(lines).len();
    let changes: Variant = lines.iter().filter(|(sign, _)| *sign != Sign::Keep).cloned().collect();
    (is_same_length && changes.len() == 2 && changes[0].0 == Sign::Remove).then_some(changes)
}
