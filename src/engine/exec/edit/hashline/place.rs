//! From anchors to the lines of the file as it is now.
//!
//! Where the session remembers what it showed, the text that was shown decides, else the two letters do. A file that
//! changed since is compared with what was shown: an anchor follows its line to where it stands now, if there is no
//! doubt where that is. Numbers from before a change of the session's own are led to where their lines went. Nothing ever
//! slides to a line that merely looks the same.

use std::collections::BTreeMap;
use std::ops::Range;

use super::anchor::Anchor;
use super::input::{Operation, Target};
use super::lines::Lines;
use super::meant::{Meant, meant};
use super::moved::{Moved, same_line};
use super::stale::Stale;
use crate::engine::error::{Result, ToolError};
use crate::engine::session::{Former, Turn};
use crate::engine::text::letters;

/// The lines that the session showed, by their numbers.
pub type Seen = BTreeMap<u64, String>;

/// What the session remembers of a file.
#[derive(Debug, Clone, Copy)]
pub struct Memory<'a> {
    /// Its lines as they are known now.
    pub seen: &'a Seen,
    /// These are all lines of the file.
    pub is_whole: bool,
    /// What their numbers meant before changes.
    pub former: &'a [Former],
    /// The turn of the call.
    pub turn: Option<&'a Turn>,
}

impl<'a> Memory<'a> {
    /// Nothing but lines.
    #[must_use]
    pub fn of(seen: &'a Seen) -> Self {
        Self { seen, is_whole: false, former: &[], turn: None }
    }

    /// The model was shown this anchor, and we know with which text.
    pub(super) fn knows(&self, anchor: &Anchor) -> bool {
        self.seen.get(&(anchor.number as u64)).is_some_and(|text| letters(text) == anchor.letters)
    }
}

/// Where lines that were shown stand in a text, by the numbers they had and have; those that are not there for sure are
/// left out.
#[must_use]
pub fn standing(text: &str, memory: &Memory) -> Vec<(u64, u64)> {
    let seen = memory.seen;
    let lines = Lines::new(text);
    if !has_changed(&lines, seen) {
        return seen.keys().map(|number| (*number, *number)).collect();
    }
    let moved = Moved::of(&lines, memory);
    let is_seen = |index: usize| seen.contains_key(&(index as u64 + 1));
    let now = |number: &u64| {
        let index = usize::try_from(*number).ok()?.checked_sub(1)?;
        Some((*number, moved.follow(index..index + 1, is_seen)?.start as u64 + 1))
    };
    seen.keys().filter_map(now).collect()
}

/// An operation and the lines it works on.
#[derive(Debug, Clone)]
pub struct Placed<'a> {
    /// The line of the section on which it stands.
    pub line: usize,
    /// Where it works.
    pub spot: Spot,
    /// The lines it brings in.
    pub payload: Vec<&'a str>,
}

/// Where an operation works; lines count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// Before everything else.
    Top,
    /// Behind the last line that has a text.
    Bottom,
    /// Before a line.
    Before(usize),
    /// After a line.
    After(usize),
    /// These lines; at least one.
    Lines(Range<usize>),
}

/// The lines each operation works on, and whether one of them is not where it was shown. Every anchor that does not
/// fit is told at once.
pub fn place<'a>(
    operations: &[Operation<'a>],
    lines: &Lines,
    memory: &Memory,
    path: &str,
) -> Result<(Vec<Placed<'a>>, bool)> {
    let seen = memory.seen;
    let mut finder = Finder { lines, memory, seen, path, moved: None, has_changed: has_changed(lines, seen) };
    let mut stale = Stale::default();
    let mut placed = Vec::with_capacity(operations.len());
    let mut has_moved = false;
    for operation in operations {
        let (first, last) = match operation.target {
            Target::Top | Target::Bottom => {
                placed.push(at(operation, Spot::of(operation.target, 0..1)));
                continue;
            }
            Target::Before(anchor) | Target::After(anchor) => (anchor, anchor),
            Target::Lines(first, last) => (first, last),
        };
        if let Some(range) = finder.locate(first, last, &mut stale)? {
            has_moved |= range.start + 1 != first.number;
            placed.push(at(operation, Spot::of(operation.target, range)));
        }
    }
    match stale.into_error(lines, seen, path) {
        Some(error) => Err(error),
        None => Ok((placed, has_moved)),
    }
}

fn at<'a>(operation: &Operation<'a>, spot: Spot) -> Placed<'a> {
    Placed { line: operation.line, spot, payload: operation.payload.clone() }
}

impl Spot {
    fn of(target: Target, lines: Range<usize>) -> Self {
        match target {
            Target::Top => Self::Top,
            Target::Bottom => Self::Bottom,
            Target::Before(_) => Self::Before(lines.start),
            Target::After(_) => Self::After(lines.start),
            Target::Lines(..) => Self::Lines(lines),
        }
    }
}

fn has_changed(lines: &Lines, seen: &Seen) -> bool {
    seen.iter().any(|(number, text)| !is_still(lines, *number, text))
}

/// Whether a line that was shown stands where it stood.
fn is_still(lines: &Lines, number: u64, text: &str) -> bool {
    let index = usize::try_from(number).unwrap_or(usize::MAX).wrapping_sub(1);
    index < lines.count() && same_line(lines.get(index), text)
}

struct Finder<'a> {
    lines: &'a Lines<'a>,
    memory: &'a Memory<'a>,
    seen: &'a Seen,
    path: &'a str,
    has_changed: bool,
    /// Where the lines that were shown stand now; found out when somebody asks.
    moved: Option<Moved>,
}

impl Finder<'_> {
    /// The lines from one anchor to the other, or nothing if they are not what was shown.
    fn locate(&mut self, first: Anchor, last: Anchor, stale: &mut Stale) -> Result<Option<Range<usize>>> {
        match meant(first, last, self.memory) {
            Meant::AsGiven => self.locate_now(first, last, stale),
            Meant::From(number) => {
                let renumbered = Anchor { number: number + (last.number - first.number), ..last };
                self.locate_now(Anchor { number, ..first }, renumbered, stale)
            }
            Meant::Gone | Meant::Doubt => {
                for anchor in [last, first] {
                    self.require_inside(anchor)?;
                    stale.add(self.lines, anchor.number, anchor.letters);
                }
                Ok(None)
            }
        }
    }

    fn locate_now(&mut self, first: Anchor, last: Anchor, stale: &mut Stale) -> Result<Option<Range<usize>>> {
        let known = [first, last].iter().filter(|anchor| self.memory.knows(anchor)).count();
        if self.has_changed && known == 2 {
            return self.follow(first, last, stale);
        }
        // The end of a range first: nothing is done for each line of a range that cannot be.
        for anchor in [last, first] {
            self.require_inside(anchor)?;
        }
        let before = stale.len();
        for anchor in [first, last] {
            let fits = self.lines.letters(anchor.number - 1) == anchor.letters
                && !(self.memory.knows(&anchor) && self.differs(anchor.number as u64));
            if !fits {
                stale.add(self.lines, anchor.number, anchor.letters);
            }
        }
        self.check_inside(first, last, stale);
        Ok((stale.len() == before).then(|| first.number - 1..last.number))
    }

    fn differs(&self, number: u64) -> bool {
        self.seen.get(&number).is_some_and(|text| !is_still(self.lines, number, text))
    }

    /// The lines between the anchors have no letters in the input, but the model saw what they were.
    fn check_inside(&self, first: Anchor, last: Anchor, stale: &mut Stale) {
        if !self.has_changed || last.number <= first.number + 1 {
            return;
        }
        for (number, text) in self.seen.range(first.number as u64 + 1..last.number as u64) {
            if !is_still(self.lines, *number, text) {
                stale.add(self.lines, usize::try_from(*number).unwrap_or(usize::MAX), letters(text));
            }
        }
    }

    fn follow(&mut self, first: Anchor, last: Anchor, stale: &mut Stale) -> Result<Option<Range<usize>>> {
        let (lines, seen) = (self.lines, self.seen);
        let moved = self.moved.get_or_insert_with(|| Moved::of(lines, self.memory));
        let now = moved.follow(first.number - 1..last.number, |index| seen.contains_key(&(index as u64 + 1)));
        if now.is_some() {
            return Ok(now);
        }
        for anchor in [last, first] {
            self.require_inside(anchor)?;
        }
        let before = stale.len();
        for anchor in [first, last] {
            if self.differs(anchor.number as u64) {
                stale.add(lines, anchor.number, anchor.letters);
            }
        }
        self.check_inside(first, last, stale);
        if stale.len() == before {
            // The text is there, but whether it is the line that was meant is not clear.
            stale.add(lines, first.number, first.letters);
            stale.add(lines, last.number, last.letters);
        }
        Ok(None)
    }

    fn require_inside(&self, anchor: Anchor) -> Result<()> {
        let total = self.lines.count();
        if anchor.number > total {
            return Err(ToolError::AnchorOutOfRange {
                path: self.path.to_owned(),
                line: anchor.number,
                total,
            });
        }
        Ok(())
    }
}
