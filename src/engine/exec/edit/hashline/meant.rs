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

/// What the anchors mean, a line or the ends of a range. A call of the turn that made the changes was written before them.
/// Any other may speak of every state that was known: where these say different things, none is chosen.
pub fn meant(first: Anchor, last: Anchor, memory: &Memory) -> Meant {
    let of_turn = memory.former.iter().rev().find(|former| Turn::is_same(former.turn.as_ref(), memory.turn));
    if let Some(meant) = of_turn.and_then(|former| before(former, first, last)) {
        return meant;
    }
    let is_shown = memory.knows(&first) && memory.knows(&last);
    let now = is_shown.then_some(Meant::From(first.number));
    let mut meanings =
        now.into_iter().chain(memory.former.iter().filter_map(|former| before(former, first, last)));
    match meanings.next() {
        None => Meant::AsGiven,
        Some(one) if meanings.all(|other| other == one) => one,
        Some(_) => Meant::Doubt,
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
