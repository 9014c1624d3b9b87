//! Finding the place of each hunk in the file as it is, or saying why there is none. All hunks are found before any
//! is made; a hunk that could be meant for several places is refused.

use std::ops::Range;

use super::anchor::{self, Astray, nearest};
use super::forms::Strategy;
use super::hunk::{Hint, Hunk, Line, Sign, settle};
use super::seek::{Found, Pattern};
use super::sheet::Sheet;
use super::variants::variants;
use crate::engine::error::Closest;
use crate::engine::exec::edit::indent::adjust;
use crate::engine::exec::edit::locate::Tolerance;

/// A hunk in its place.
#[derive(Debug)]
pub struct Placed {
    /// First line of the match, 0-based.
    pub start: usize,
    /// Lines as they belong into the file.
    pub lines: Vec<Line<'static>>,
    /// Other places below that fit just as well.
    rivals: Vec<usize>,
    by: Strategy,
    is_bare: bool,
    /// What the caller should know.
    pub remark: Option<Remark>,
    /// See [`Hunk::final_break`].
    pub final_break: Option<bool>,
}

/// Something that was not as the patch has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remark {
    /// Context lines are not in the file and were not looked at.
    ContextIgnored,
    /// The line that the header names is not there, or several times.
    AnchorIgnored,
    /// It stands above the place where it should be.
    OutOfOrder,
    /// Lines are only alike; other places are alike too, but much less.
    Dominant,
    /// Lines are only alike.
    Similar,
}

/// Why a hunk has no place.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The line of the header leads nowhere, or to several places.
    Anchor(Astray),
    /// Several places fit.
    Several {
        /// The places, and how they were found.
        found: Found,
        /// Lines of each.
        height: usize,
        /// There is no context to tell them apart.
        is_bare: bool,
    },
    /// No place fits these lines.
    Missing {
        /// The lines.
        lines: Vec<String>,
    },
    /// A lone change of lines fits nowhere.
    NoMatch {
        /// The lines.
        lines: Vec<String>,
        /// The place that is most alike.
        closest: Option<Box<Closest>>,
    },
    /// A lone change of lines fits several places more or less.
    AmbiguousFuzzy {
        /// The lines.
        lines: Vec<String>,
        /// How many.
        count: usize,
    },
    /// A line is named that the file does not have.
    Hint {
        /// The line.
        line: usize,
    },
    /// Two hunks change the same lines.
    Overlap {
        /// Lines of the one and of the other, 0-based.
        ranges: [Range<usize>; 2],
    },
}

impl Refusal {
    /// Nothing was found that fits: another reading of the hunk may.
    fn is_absence(&self) -> bool {
        match self {
            Self::Anchor(astray) => astray.found.is_none(),
            Self::Missing { .. } | Self::NoMatch { .. } => true,
            _ => false,
        }
    }
}

/// Where all hunks belong, in the order of the patch.
pub fn place_all(sheet: &Sheet, hunks: &[Hunk], tolerance: Tolerance) -> Result<Vec<Placed>, Refusal> {
    let mut search = Search { sheet, tolerance, at: 0, shift: 0, is_lone: hunks.len() == 1 };
    let mut placed: Vec<Placed> = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let found = search.place(hunk)?;
        search.pass(&found);
        placed.push(found);
    }
    refuse_rivals(&placed, sheet.len())?;
    Ok(placed)
}

/// A hunk that fits several places is told apart only by the hunk below it: no other place may lie between them.
fn refuse_rivals(placed: &[Placed], end: usize) -> Result<(), Refusal> {
    for (at, hunk) in placed.iter().enumerate() {
        let next = placed.get(at + 1).map(|next| next.start).filter(|next| *next >= hunk.start);
        let (height, limit) = (hunk.height(), next.unwrap_or(end));
        let fits = |rival: &usize| hunk.is_bare || rival + height <= limit;
        if hunk.rivals.iter().any(fits) {
            let all = [hunk.start].into_iter().chain(hunk.rivals.iter().copied()).collect();
            let found = Found { places: all, by: hunk.by, dominant: false };
            return Err(Refusal::Several { found, height, is_bare: hunk.is_bare });
        }
    }
    Ok(())
}

impl Placed {
    /// Lines of the file that it looks at.
    pub fn height(&self) -> usize {
        self.lines.iter().filter(|(sign, _)| *sign != Sign::Add).count()
    }

    /// The line behind the last one that changes; behind the match if none does.
    fn end_of_changes(&self) -> usize {
        let trailing = self.lines.iter().rev().take_while(|(sign, _)| *sign == Sign::Keep).count();
        let kept = if trailing == self.lines.len() { 0 } else { trailing };
        self.start + self.height() - kept
    }
}

struct Search<'s, 't> {
    sheet: &'s Sheet<'t>,
    tolerance: Tolerance,
    /// Where the hunk before ends.
    at: usize,
    /// Lines that the hunks before add.
    shift: isize,
    is_lone: bool,
}

impl Search<'_, '_> {
    /// Later hunks are looked for below this one first.
    fn pass(&mut self, placed: &Placed) {
        self.at = placed.end_of_changes();
        let added = placed.lines.iter().filter(|(sign, _)| *sign == Sign::Add).count();
        let removed = placed.lines.iter().filter(|(sign, _)| *sign == Sign::Remove).count();
        self.shift += added.cast_signed() - removed.cast_signed();
    }

    /// The literal reading first; its refusal counts.
    fn place(&self, hunk: &Hunk) -> Result<Placed, Refusal> {
        let mut first = None;
        for reading in hunk.readings() {
            match self.place_reading(&reading) {
                Err(refusal) if refusal.is_absence() => first = first.or(Some(refusal)),
                decided => return decided,
            }
        }
        Err(first.unwrap_or(Refusal::Missing { lines: Vec::new() }))
    }

    fn place_reading(&self, hunk: &Hunk) -> Result<Placed, Refusal> {
        let lines = settle(&hunk.lines);
        let pattern = Pattern::new(&lines);
        if pattern.len() == 0 {
            return self.insertion(hunk, lines);
        }
        if self.is_lone && hunk.is_bare() {
            return self.lone(hunk, lines.clone(), &pattern);
        }
        let hint = hunk.hint.map(|hint| hint.old.saturating_sub(1));
        let anchor = anchor::locate(self.sheet, &hunk.anchors, hint, self.at, self.tolerance.allow_fuzzy);
        match anchor {
            Ok(line) => self.below(hunk, &lines, hint, line),
            Err(astray) => self.unique(hunk, &lines, Remark::AnchorIgnored).ok_or(Refusal::Anchor(astray)),
        }
    }

    /// Lines that only come: behind the anchor, at the line that is named, else at the end.
    fn insertion(&self, hunk: &Hunk, lines: Vec<Line<'static>>) -> Result<Placed, Refusal> {
        let total = self.sheet.len();
        let start = if hunk.anchors.is_empty() {
            match hunk.hint {
                Some(hint) if !hunk.at_end => self.hinted(hint)?,
                _ => total,
            }
        } else {
            let hint = hunk.hint.map(|hint| hint.old.saturating_sub(1));
            let found = anchor::locate(self.sheet, &hunk.anchors, hint, self.at, self.tolerance.allow_fuzzy);
            found.map_err(Refusal::Anchor)? + 1
        };
        Ok(Placed::new(hunk, start, lines, Strategy::Exact))
    }

    /// Programs name the line above an insertion, people the line it shall become: the new number tells which.
    fn hinted(&self, hint: Hint) -> Result<usize, Refusal> {
        let total = self.sheet.len();
        if hint.old > total + 1 {
            return Err(Refusal::Hint { line: hint.old });
        }
        let unshifted = hint.new.and_then(|new| new.checked_add_signed(-self.shift));
        let is_above = unshifted == Some(hint.old + 1);
        Ok(if is_above { hint.old.min(total) } else { hint.old.saturating_sub(1) })
    }

    /// A hunk with a place: below the hunk before, or below its anchor.
    fn below(
        &self,
        hunk: &Hunk,
        lines: &[Line<'static>],
        hint: Option<usize>,
        from: usize,
    ) -> Result<Placed, Refusal> {
        let pattern = Pattern::new(lines);
        // A blank line at the end may be none of the file's: many patches end with one.
        let shorter = || {
            let (last, rest) = lines.split_last()?;
            let is_blank = last.0 == Sign::Keep && last.1.is_empty();
            (is_blank && Pattern::new(rest).len() > 0).then_some(rest)
        };
        let Some((found, above)) = self.find(hunk, &pattern, from) else {
            return match shorter() {
                Some(rest) => self.below(hunk, rest, hint, from),
                None => self
                    .reduced(hunk, lines, from)
                    .ok_or_else(|| Refusal::Missing { lines: owned(pattern.lines()) }),
            };
        };
        let Some((start, rivals)) = choose(&found, hint, above) else {
            let height = pattern.len();
            return self.unique(hunk, lines, Remark::ContextIgnored).ok_or(Refusal::Several {
                found,
                height,
                is_bare: hunk.is_bare(),
            });
        };
        let mut placed = self.fitted(hunk, start, lines, found.by);
        // The first one below an anchor is the one that the anchor means.
        placed.rivals = if hunk.anchors.is_empty() { rivals } else { Vec::new() };
        placed.remark = match found.by {
            _ if above => Some(Remark::OutOfOrder),
            Strategy::Similar if found.dominant => Some(Remark::Dominant),
            Strategy::Prefix | Strategy::Substring | Strategy::Similar => Some(Remark::Similar),
            _ => None,
        };
        Ok(placed)
    }

    /// Looks below `from`, then in the whole file; says whether that was needed.
    fn find(&self, hunk: &Hunk, pattern: &Pattern, from: usize) -> Option<(Found, bool)> {
        if hunk.at_end
            && let Some(found) = pattern.seek_at_end(self.sheet)
        {
            return Some((found, false));
        }
        let below = pattern.seek(self.sheet, from, self.tolerance.allow_fuzzy).map(|found| (found, false));
        let anywhere = || pattern.seek(self.sheet, 0, self.tolerance.allow_fuzzy).map(|found| (found, true));
        below.or_else(|| (from > 0).then(anywhere).flatten())
    }

    /// What is left of the hunk, if that is somewhere once: below the anchor, else in the whole file.
    fn reduced(&self, hunk: &Hunk, lines: &[Line<'static>], from: usize) -> Option<Placed> {
        let is_placed = !hunk.anchors.is_empty() || hunk.hint.is_some() || hunk.at_end;
        let from = if hunk.anchors.is_empty() { 0 } else { from };
        variants(lines, is_placed)
            .iter()
            .find_map(|variant| self.once(hunk, variant, from, Remark::ContextIgnored))
    }

    /// The hunk, or what is left of it, if that is in the whole file once.
    fn unique(&self, hunk: &Hunk, lines: &[Line<'static>], remark: Remark) -> Option<Placed> {
        self.once(hunk, lines, 0, remark).or_else(|| {
            let is_placed = !hunk.anchors.is_empty() || hunk.hint.is_some() || hunk.at_end;
            variants(lines, is_placed).iter().find_map(|variant| self.once(hunk, variant, 0, remark))
        })
    }

    fn once(&self, hunk: &Hunk, lines: &[Line<'static>], from: usize, remark: Remark) -> Option<Placed> {
        let found = Pattern::new(lines).seek(self.sheet, from, self.tolerance.allow_fuzzy)?;
        let [start] = found.places[..] else { return None };
        let mut placed = self.fitted(hunk, start, lines, found.by);
        placed.remark = Some(remark);
        Some(placed)
    }

    fn fitted(&self, hunk: &Hunk, start: usize, lines: &[Line<'static>], by: Strategy) -> Placed {
        let height = lines.iter().filter(|(sign, _)| *sign != Sign::Add).count();
        let adjusted = adjust(lines, &self.sheet.lines()[start..start + height]);
        let lines = adjusted.into_iter().map(|(sign, text)| (sign, text.into_owned().into())).collect();
        Placed::new(hunk, start, lines, by)
    }

    /// Nothing but the lines that go tells the place: they must be there once, or be alike once.
    fn lone(&self, hunk: &Hunk, lines: Vec<Line<'static>>, pattern: &Pattern) -> Result<Placed, Refusal> {
        let exact = self.sheet.index(Strategy::Exact).runs(&exact_forms(pattern), 0);
        match exact[..] {
            [start] => return Ok(Placed::new(hunk, start, lines, Strategy::Exact)),
            [] => {}
            _ => {
                let found = Found { places: exact, by: Strategy::Exact, dominant: false };
                return Err(Refusal::Several { found, height: pattern.len(), is_bare: true });
            }
        }
        super::lone::alike(self.sheet, pattern.lines(), self.tolerance).map(|(start, dominant)| {
            let mut placed = self.fitted(hunk, start, &lines, Strategy::Similar);
            placed.remark = Some(if dominant { Remark::Dominant } else { Remark::Similar });
            placed
        })
    }
}

/// Which of the places is meant, and which others below fit as well; nothing if that cannot be told.
fn choose(found: &Found, hint: Option<usize>, above: bool) -> Option<(usize, Vec<usize>)> {
    let (first, rest) = found.places.split_first()?;
    if rest.is_empty() {
        return Some((*first, Vec::new()));
    }
    if let Some(place) = hint.and_then(|hint| nearest(&found.places, hint)) {
        return Some((place, Vec::new()));
    }
    (!above && found.by < Strategy::Prefix).then(|| (*first, rest.to_vec()))
}

fn exact_forms<'a>(pattern: &Pattern<'a>) -> Vec<std::borrow::Cow<'a, str>> {
    pattern.lines().iter().map(|line| std::borrow::Cow::Borrowed(*line)).collect()
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

impl Placed {
    fn new(hunk: &Hunk, start: usize, lines: Vec<Line<'static>>, by: Strategy) -> Self {
        Self {
            start,
            lines,
            rivals: Vec::new(),
            by,
            is_bare: hunk.is_bare(),
            remark: None,
            final_break: hunk.final_break,
        }
    }
}
