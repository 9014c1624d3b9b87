//! Which lines anchors mean where a number has stood for several: the model may have written the call before it saw what
//! an earlier one left, or after.

use super::anchor::Anchor;
use super::place::Memory;
use crate::engine::session::{Former, Turn};

/// What the numbers of two anchors mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// What they say.
    AsGiven,
    /// Lines that stand together and start at this line (1-based) now.
    From(usize),
    /// Lines that are gone.
    Gone,
    /// This or that.
    Doubt,
}

/// What the anchors mean, a line or the ends of a range. They may speak of any state that was known before the turn of the
/// call, and only if none of those has them of a later one. Where these say different things, none is chosen.
pub fn meant(first: Anchor, last: Anchor, memory: &Memory) -> Meant {
    let meanings = |states: &[Former]| -> Vec<Meant> {
        states.iter().filter_map(|former| before(former, first, last)).collect()
    };
    let is_of_turn = |former: &Former| Turn::is_same(former.turn.as_ref(), memory.turn);
    if let Some(at) = memory.former.iter().rposition(is_of_turn) {
        let before_turn = meanings(&memory.former[at..]);
        if !before_turn.is_empty() {
            return agreed(&before_turn);
        }
    }
    let mut all = meanings(memory.former);
    if memory.knows(&first) && memory.knows(&last) {
        all.push(Meant::From(first.number));
    }
    agreed(&all)
}

fn agreed(meanings: &[Meant]) -> Meant {
    match meanings {
        [] => Meant::AsGiven,
        [one, others @ ..] if others.iter().all(|other| other == one) => *one,
        _ => Meant::Doubt,
    }
}

/// What the anchors meant before a change; nothing where these lines were not known.
fn before(former: &Former, first: Anchor, last: Anchor) -> Option<Meant> {
    let meaning =
        |anchor: Anchor| former.get(anchor.number as u64).filter(|meaning| meaning.letters == anchor.letters);
    let (from, to) = (meaning(first)?, meaning(last)?);
    let (Some(start), Some(end)) = (from.now, to.now) else { return Some(Meant::Gone) };
    let (number, length) = (first.number as u64, last.number.saturating_sub(first.number) as u64);
    let stand_together = end.checked_sub(start) == Some(length)
        && (0..length).all(|at| former.get(number + at).is_none_or(|line| line.now == Some(start + at)));
    Some(if stand_together { Meant::From(usize::try_from(start).unwrap_or(usize::MAX)) } else { Meant::Gone })
}
