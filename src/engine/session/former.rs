//! What line numbers stood for before a file was changed.
//!
//! A model names a line as it was last shown to it, which may have been before a change of its own: several calls of one
//! turn are written before the first of them runs. Of equal lines only the numbers tell which one is meant, so the old
//! numbers are kept, with where their lines stand now.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::engine::text::letters;

/// The calls that a model wrote at once: none of them has seen the result of another.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// Calls with the same one belong together.
    pub id: String,
    /// No other call belongs to it; else other turns may be the same one.
    #[serde(default)]
    pub is_whole: bool,
    /// Others that it belongs to as well.
    #[serde(default)]
    pub also: Vec<String>,
}

impl Turn {
    /// A call was written before the result of an earlier one was there, for sure.
    #[must_use]
    pub fn is_same(earlier: Option<&Self>, call: Option<&Self>) -> bool {
        let (Some(earlier), Some(call)) = (earlier, call) else { return false };
        earlier.id == call.id || call.also.contains(&earlier.id)
    }

    /// A call was written with the result of an earlier one at hand, for sure.
    #[must_use]
    pub fn is_later(earlier: Option<&Self>, call: Option<&Self>) -> bool {
        let is_whole = |turn: Option<&Self>| turn.is_some_and(|turn| turn.is_whole);
        !Self::is_same(earlier, call) && (is_whole(earlier) || is_whole(call))
    }
}

/// The numbers before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Former {
    /// The turn that made the change.
    pub turn: Option<Turn>,
    lines: Lines,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Lines {
    /// Where each went, in order of their numbers.
    Followed(Vec<FormerLine>),
    /// Nobody looked where they went; with the bytes they take.
    Lost(Arc<BTreeMap<u64, String>>, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FormerLine {
    number: u64,
    letters: &'static str,
    now: Option<u64>,
}

/// What a former number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The letters of the line.
    pub letters: &'static str,
    /// Its number now; absent where it is gone.
    pub now: Option<u64>,
}

impl Former {
    /// Lines as they were known, in order of their numbers, and where they stand after the change.
    pub(super) fn new<'l>(
        turn: Option<Turn>,
        lines: impl Iterator<Item = (u64, &'l str)>,
        now: impl Fn(u64) -> Option<u64>,
    ) -> Self {
        let line = |(number, text)| FormerLine { number, letters: letters(text), now: now(number) };
        Self { turn, lines: Lines::Followed(lines.map(line).collect()) }
    }

    /// Lines as they were known before a change that nobody followed.
    pub(super) fn lost(lines: Arc<BTreeMap<u64, String>>, bytes: usize) -> Self {
        Self { turn: None, lines: Lines::Lost(lines, bytes) }
    }

    /// What a number meant.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<Meaning> {
        match &self.lines {
            Lines::Followed(lines) => {
                let at = lines.binary_search_by_key(&number, |line| line.number).ok()?;
                let FormerLine { letters, now, .. } = lines[at];
                Some(Meaning { letters, now })
            }
            Lines::Lost(lines, _) => Some(Meaning { letters: letters(lines.get(&number)?), now: None }),
        }
    }

    /// The lines moved once more.
    pub(super) fn follow(&mut self, now: impl Fn(u64) -> Option<u64>) {
        if let Lines::Followed(lines) = &mut self.lines {
            for line in lines {
                line.now = line.now.and_then(&now);
            }
        }
    }

    /// Numbers that were shown anew mean what they were shown for.
    pub(super) fn forget(&mut self, numbers: &[u64]) {
        match &mut self.lines {
            Lines::Followed(lines) => lines.retain(|line| numbers.binary_search(&line.number).is_err()),
            Lines::Lost(lines, _) => {
                let lines = Arc::make_mut(lines);
                for number in numbers {
                    lines.remove(number);
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match &self.lines {
            Lines::Followed(lines) => lines.is_empty(),
            Lines::Lost(lines, _) => lines.is_empty(),
        }
    }

    /// The bytes it takes, at most.
    pub(super) fn size(&self) -> usize {
        match &self.lines {
            Lines::Followed(lines) => lines.len() * size_of::<FormerLine>(),
            Lines::Lost(_, bytes) => *bytes,
        }
    }
}
