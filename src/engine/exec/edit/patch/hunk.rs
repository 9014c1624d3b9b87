//! One hunk of a patch as it was written, and the ways in which it may have been meant.

use std::borrow::Cow;

use super::numbers;

/// What a line of a hunk says about the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It is there and stays.
    Keep,
    /// It is there and goes.
    Remove,
    /// It comes.
    Add,
}

/// One line of a hunk, without its sign.
pub type Line<'p> = (Sign, Cow<'p, str>);

/// What `@@ -OLD,COUNT +NEW,COUNT @@` or `@@ line OLD` says. Lines are 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    /// The line in the file as it is.
    pub old: usize,
    /// The line in the file as it will be, where one is named.
    pub new: Option<usize>,
}

/// A hunk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hunk<'p> {
    /// Lines to look for first, each below the one before.
    pub anchors: Vec<&'p str>,
    /// Where the hunk is said to be.
    pub hint: Option<Hint>,
    /// In the order of the patch.
    pub lines: Vec<Line<'p>>,
    /// `*** End of File` stands below it.
    pub at_end: bool,
    /// Whether the last line of the file shall end with a line break, where the patch says so.
    pub final_break: Option<bool>,
}

impl<'p> Hunk<'p> {
    /// Whether a line comes or goes.
    pub fn changes(&self) -> bool {
        self.lines.iter().any(|(sign, _)| *sign != Sign::Keep)
    }

    /// Nothing but the lines that go tells where it belongs.
    pub fn is_bare(&self) -> bool {
        let has = |wanted: Sign| self.lines.iter().any(|(sign, _)| *sign == wanted);
        self.anchors.is_empty()
            && self.hint.is_none()
            && !self.at_end
            && has(Sign::Remove)
            && !has(Sign::Keep)
    }

    /// The same lines under the same header, `lines` in their place.
    pub fn with(&self, lines: Vec<Line<'p>>) -> Self {
        Self { lines, ..self.clone() }
    }

    /// What the hunk may mean, the literal meaning first: without the dots that stand for lines left out, without
    /// line numbers copied from a listing. The others count only where the literal one is not in the file.
    pub fn readings(&self) -> Vec<Cow<'_, Self>> {
        let mut readings = vec![Cow::Borrowed(self)];
        let is_dots = |(sign, text): &Line| *sign == Sign::Keep && matches!(text.trim(), "..." | "…");
        if self.lines.iter().any(is_dots) {
            let lines = self.lines.iter().filter(|line| !is_dots(line)).cloned().collect();
            readings.push(Cow::Owned(self.with(lines)));
        }
        if let Some(lines) = readings.last().and_then(|last| numbers::without(&last.lines)) {
            readings.push(Cow::Owned(self.with(lines)));
        }
        readings
    }
}

/// The lines a hunk looks for.
pub fn old_lines<'a>(lines: &'a [Line]) -> Vec<&'a str> {
    lines.iter().filter(|(sign, _)| *sign != Sign::Add).map(|(_, text)| text.as_ref()).collect()
}

/// The lines there are afterwards.
pub fn new_lines<'a>(lines: &'a [Line]) -> Vec<&'a str> {
    lines.iter().filter(|(sign, _)| *sign != Sign::Remove).map(|(_, text)| text.as_ref()).collect()
}

/// Lines that are taken out and put back as they were stay: at both ends of each run of changes.
pub fn settle(lines: &[Line<'_>]) -> Vec<Line<'static>> {
    let mut settled = Vec::with_capacity(lines.len());
    for run in lines.chunk_by(|(left, _), (right, _)| (*left == Sign::Keep) == (*right == Sign::Keep)) {
        let of = |wanted: Sign| -> Vec<&str> {
            run.iter().filter(|(sign, _)| *sign == wanted).map(|(_, text)| text.as_ref()).collect()
        };
        let (mut removed, mut added) = (of(Sign::Remove), of(Sign::Add));
        if removed.is_empty() || added.is_empty() {
            settled.extend(run.iter().map(|(sign, text)| owned(*sign, text)));
            continue;
        }
        let head = removed.iter().zip(&added).take_while(|(old, new)| old == new).count();
        settled.extend(removed.drain(..head).map(|text| owned(Sign::Keep, text)));
        added.drain(..head);
        let tail = removed.iter().rev().zip(added.iter().rev()).take_while(|(old, new)| old == new).count();
        let kept = removed.split_off(removed.len() - tail);
        added.truncate(added.len() - tail);
        settled.extend(removed.into_iter().map(|text| owned(Sign::Remove, text)));
        settled.extend(added.into_iter().map(|text| owned(Sign::Add, text)));
        settled.extend(kept.into_iter().map(|text| owned(Sign::Keep, text)));
    }
    settled
}

fn owned(sign: Sign, text: &str) -> Line<'static> {
    (sign, Cow::Owned(text.to_owned()))
}
