//! Where lines that were shown stand in a text that changed since.
//!
//! A change can often be read in several ways: of two equal lines one is gone, but which? The shortest script is looked
//! for from the start and from the end, which gives the two extreme readings; where they disagree about a line, its
//! neighbours decide or nobody does.
//!
//! Where only a part of the old text was shown, the rest may have been anything. A line is followed only if it comes to
//! stand at the same place whether the rest was nothing or was the text as it is now.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::lines::Lines;
use super::place::Memory;
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

/// The readings of a change.
#[derive(Debug)]
pub struct Moved {
    changes: Vec<Change>,
}

impl Moved {
    /// Compares what was shown with the text as it is.
    pub fn of(lines: &Lines, memory: &Memory) -> Self {
        let new: Vec<Cow<str>> = (0..lines.count()).map(|index| bare(lines.get(index).into())).collect();
        let shown: Vec<(usize, Cow<str>)> = memory
            .seen
            .iter()
            .filter_map(|(number, text)| Some((index_of(*number)?, bare(text.into()))))
            .collect();
        let mut changes = vec![Change::of(&shown, &new)];
        if !memory.is_whole {
            changes.push(Change::of(&completed(&shown, &new), &new));
        }
        Self { changes }
    }

    /// Where these lines (from 0) stand now, if they still stand together and there is no doubt about it.
    pub fn follow(&self, lines: Range<usize>, is_seen: impl Fn(usize) -> bool) -> Option<Range<usize>> {
        let mut places = self.changes.iter().map(|change| change.follow(&lines, &is_seen));
        let place = places.next()??;
        places.all(|other| other.as_ref() == Some(&place)).then_some(place)
    }
}

fn index_of(number: u64) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

/// The lines that were shown, and where none was the line that stands there now.
fn completed<'t>(shown: &[(usize, Cow<'t, str>)], new: &[Cow<'t, str>]) -> Vec<(usize, Cow<'t, str>)> {
    let mut all: BTreeMap<usize, Cow<str>> = new.iter().cloned().enumerate().collect();
    all.extend(shown.iter().cloned());
    all.into_iter().collect()
}

/// Both extreme readings of a change of an old text, of which some lines are known.
#[derive(Debug)]
struct Change {
    from_start: Reading,
    from_end: Reading,
}

impl Change {
    fn of(old: &[(usize, Cow<str>)], new: &[Cow<str>]) -> Self {
        let numbers: Vec<usize> = old.iter().map(|(number, _)| *number).collect();
        let mut old: Vec<&[u8]> = old.iter().map(|(_, line)| line.as_bytes()).collect();
        let mut new: Vec<&[u8]> = new.iter().map(|line| line.as_bytes()).collect();
        let from_start = Reading::of(&old, &new);
        old.reverse();
        new.reverse();
        let from_end = Reading::of(&old, &new).reversed();
        Self { from_start: from_start.numbered(&numbers), from_end: from_end.numbered(&numbers) }
    }

    fn follow(&self, lines: &Range<usize>, is_seen: impl Fn(usize) -> bool) -> Option<Range<usize>> {
        let [one, other] = [&self.from_start, &self.from_end].map(|reading| reading.find(lines, &is_seen));
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

    /// The same with the old lines at the numbers they have.
    fn numbered(mut self, numbers: &[usize]) -> Self {
        let mut new_of_old = vec![None; numbers.last().map_or(0, |last| last + 1)];
        for (number, new) in numbers.iter().zip(&self.new_of_old) {
            new_of_old[*number] = *new;
        }
        self.new_of_old = new_of_old;
        self.old_of_new.iter_mut().flatten().for_each(|at| *at = numbers[*at]);
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
