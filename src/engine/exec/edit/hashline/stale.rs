//! What is told about anchors that do not fit: which, what stands there now, and where the line went.

use std::fmt::Write;

use super::lines::Lines;
use super::moved::same_line;
use super::place::Seen;
use crate::engine::error::{Mismatch, ToolError};
use crate::engine::session::Shown;
use crate::engine::text::{anchor, letters};

/// Lines shown on each side of a mismatch, and characters of each.
const AROUND: usize = 2;
const SHOWN_CHARACTERS: usize = 200;
/// Mismatches whose surroundings are shown, and whose new place is looked for.
const SHOWN: usize = 20;

/// Anchors that do not fit, each once.
#[derive(Debug, Default)]
pub struct Stale {
    mismatches: Vec<Mismatch>,
}

impl Stale {
    pub fn len(&self) -> usize {
        self.mismatches.len()
    }

    /// Notes that a line (1-based) is not the one that has these letters. A line beyond the end is none.
    pub fn add(&mut self, lines: &Lines, line: usize, expected: &str) {
        let is_known = |known: &Mismatch| known.line == line && known.expected == expected;
        if self.mismatches.iter().any(is_known) {
            return;
        }
        let actual = if line <= lines.count() { lines.letters(line - 1) } else { "" };
        self.mismatches.push(Mismatch {
            line,
            expected: expected.to_owned(),
            actual: actual.to_owned(),
            moved_to: None,
        });
    }

    /// The error, if there is something to tell.
    pub fn into_error(mut self, lines: &Lines, seen: &Seen, path: &str) -> Option<ToolError> {
        if self.mismatches.is_empty() {
            return None;
        }
        let all_letters: Vec<&str> = (0..lines.count()).map(|index| lines.letters(index)).collect();
        for mismatch in self.mismatches.iter_mut().take(SHOWN) {
            mismatch.moved_to = moved_to(mismatch, lines, &all_letters, seen);
        }
        let excerpt = self.excerpt(lines);
        Some(ToolError::StaleAnchor { path: path.to_owned(), mismatches: self.mismatches, excerpt })
    }

    /// The lines around each mismatch as they are now; `*` marks those that do not fit.
    fn excerpt(&self, lines: &Lines) -> String {
        let marked = marked(&self.mismatches);
        let (mut text, mut next) = (String::new(), 0);
        for line in around(&marked, lines) {
            if line > next && next > 0 {
                text.push_str("…\n");
            }
            let mark = if marked.binary_search(&line).is_ok() { '*' } else { ' ' };
            let shown = lines.get(line);
            let anchor = anchor(line as u64 + 1, shown);
            let shown: String = shown.chars().take(SHOWN_CHARACTERS).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{mark}{anchor}|{shown}");
            next = line + 1;
        }
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

/// The lines that the error shows whole.
pub fn shown_with(mismatches: &[Mismatch], lines: &Lines) -> Shown {
    let mut shown = Shown::default();
    for line in around(&marked(mismatches), lines) {
        let text = lines.get(line);
        if text.chars().nth(SHOWN_CHARACTERS).is_none() {
            shown.push(line as u64 + 1, text);
        }
    }
    shown
}

/// The lines that do not fit, of those that are shown; from 0.
fn marked(mismatches: &[Mismatch]) -> Vec<usize> {
    let mut marked: Vec<usize> = mismatches.iter().take(SHOWN).map(|one| one.line - 1).collect();
    marked.sort_unstable();
    marked.dedup();
    marked
}

/// These lines and those beside them, each once.
fn around(marked: &[usize], lines: &Lines) -> Vec<usize> {
    let mut all: Vec<usize> = Vec::new();
    for index in marked {
        let next = all.last().map_or(0, |last| last + 1);
        all.extend(index.saturating_sub(AROUND).max(next)..(index + AROUND + 1).min(lines.count()));
    }
    all
}

/// The anchor of the only line that has the text that was shown, else the letters.
fn moved_to(mismatch: &Mismatch, lines: &Lines, all_letters: &[&str], seen: &Seen) -> Option<String> {
    let shown = seen
        .get(&(mismatch.line as u64))
        .filter(|text| letters(text) == mismatch.expected && !text.trim().is_empty());
    let mut same = (0..lines.count()).filter(|index| match shown {
        Some(text) => same_line(lines.get(*index), text),
        None => all_letters[*index] == mismatch.expected,
    });
    match (same.next(), same.next()) {
        (Some(only), None) if only + 1 != mismatch.line => Some(anchor(only as u64 + 1, lines.get(only))),
        _ => None,
    }
}
