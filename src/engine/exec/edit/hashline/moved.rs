//! Where lines that were shown stand in a text that changed since.
//!
//! The old text is what was shown, and between that the text as it is now. A change can often be read in several
//! ways: of two equal lines one is gone, but which? The shortest script is looked for from the start and from the
//! end, which gives the two extreme readings; where they disagree about a line, its neighbours decide or nobody does.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::Lines;
use super::place::Seen;
use crate::engine::text::{Op, script};

/// Whether two lines count as the same: carriage returns and trailing blanks are not part of what an anchor says.
pub fn same_line(one: &str, other: &str) -> bool {
    one == other || bare(one.into()) == bare(other.into())
}

fn bare(line: Cow<'_, str>) -> Cow<'_, str> {
    let line = if line.contains('\r') { Cow::Owned(line.replace('\r', "")) } else { line };
    match line {
        Cow::Borrowed(line) => Cow::Borrowed(line.trim_end()),
        Cow::Owned(line) => Cow::Owned(line.trim_end().to_owned()),
    }
}

/// Both extreme readings of a change.
#[derive(Debug)]
pub struct Moved {
    from_start: Reading,
    from_end: Reading,
}

impl Moved {
    /// Compares what was shown with the text as it is.
    pub fn of(lines: &Lines, seen: &Seen) -> Self {
        let new: Vec<Cow<str>> = (0..lines.count()).map(|index| bare(lines.get(index).into())).collect();
        let last_seen =
            seen.keys().next_back().map_or(0, |last| usize::try_from(*last).unwrap_or(usize::MAX));
        let mut old: Vec<Cow<str>> = new.clone();
        old.resize(last_seen.max(new.len()), Cow::Borrowed(""));
        for (number, text) in seen {
            let index = usize::try_from(*number).unwrap_or(usize::MAX).wrapping_sub(1);
            if let Some(line) = old.get_mut(index) {
                *line = bare(text.as_str().into());
            }
        }
        let mut old: Vec<&[u8]> = old.iter().map(|line| line.as_bytes()).collect();
        let mut new: Vec<&[u8]> = new.iter().map(|line| line.as_bytes()).collect();
        let from_start = Reading::of(&old, &new);
        old.reverse();
        new.reverse();
        Self { from_start, from_end: Reading::of(&old, &new).reversed() }
    }

    /// Where these lines (from 0) stand now, if they still stand together and there is no doubt about it.
    pub fn follow(&self, lines: Range<usize>, is_seen: impl Fn(usize) -> bool) -> Option<Range<usize>> {
        let [one, other] = [&self.from_start, &self.from_end].map(|reading| reading.find(&lines, &is_seen));
        let start = match (one, other) {
            (Found::At(one, _), Found::At(other, _)) if one == other => one,
            (Found::At(one, near), Found::At(other, other_near)) if near != other_near => {
                if near > other_near { one } else { other }
            }
            (Found::At(start, _), Found::Apart) | (Found::Apart, Found::At(start, _)) => start,
            (Found::At(start, near), Found::Gone) if near > 0 => {
                self.from_end.is_unclaimed(start..start + lines.len(), is_seen).then_some(start)?
            }
            (Found::Gone, Found::At(start, near)) if near > 0 => {
                self.from_start.is_unclaimed(start..start + lines.len(), is_seen).then_some(start)?
            }
            _ => return None,
        };
        Some(start..start + lines.len())
    }
}

/// What one reading says about some lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// They start here now, with so many of the lines before and after them still beside them.
    At(usize, usize),
    /// They are there, but not together any more.
    Apart,
    /// At least one is gone.
    Gone,
}

/// For each line its counterpart.
#[derive(Debug)]
struct Reading {
    new_of_old: Vec<Option<usize>>,
    old_of_new: Vec<Option<usize>>,
}

impl Reading {
    fn of(old: &[&[u8]], new: &[&[u8]]) -> Self {
        let mut reading = Self { new_of_old: vec![None; old.len()], old_of_new: vec![None; new.len()] };
        let (mut old_at, mut new_at) = (0, 0);
        for op in script(old, new) {
            if op == Op::Keep {
                reading.new_of_old[old_at] = Some(new_at);
                reading.old_of_new[new_at] = Some(old_at);
            }
            old_at += usize::from(op != Op::Add);
            new_at += usize::from(op != Op::Remove);
        }
        reading
    }

    /// The reading of two texts from that of the same texts with their lines in reverse.
    fn reversed(mut self) -> Self {
        let (old, new) = (self.new_of_old.len(), self.old_of_new.len());
        self.new_of_old.reverse();
        self.old_of_new.reverse();
        self.new_of_old.iter_mut().flatten().for_each(|at| *at = new - 1 - *at);
        self.old_of_new.iter_mut().flatten().for_each(|at| *at = old - 1 - *at);
        self
    }

    fn find(&self, lines: &Range<usize>, is_seen: impl Fn(usize) -> bool) -> Found {
        let last = lines.end - 1;
        let (Some(start), Some(end)) = (self.now(lines.start), self.now(last)) else { return Found::Gone };
        for index in (lines.start..=last).filter(|index| is_seen(*index)) {
            match self.now(index) {
                None => return Found::Gone,
                Some(now) if now.checked_sub(start) != Some(index - lines.start) => return Found::Apart,
                Some(_) => {}
            }
        }
        let is_beside = |old: Option<usize>, new: Option<usize>| {
            old.is_some_and(|old| is_seen(old) && new.is_some() && self.now(old) == new)
        };
        let before = is_beside(lines.start.checked_sub(1), start.checked_sub(1));
        let after = is_beside(Some(lines.end), Some(end + 1));
        Found::At(start, usize::from(before) + usize::from(after))
    }

    fn now(&self, index: usize) -> Option<usize> {
        self.new_of_old.get(index).copied().flatten()
    }

    /// None of these lines of the new text is, in this reading, another line that was shown.
    fn is_unclaimed(&self, lines: Range<usize>, is_seen: impl Fn(usize) -> bool) -> bool {
        self.old_of_new[lines].iter().flatten().all(|old| !is_seen(*old))
    }
}
