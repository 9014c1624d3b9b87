//! Searching: `/`, `?`, `n`, `N`, `*`, `#`.

use super::buffer::Position;
use super::cells::{self, char_at};
use super::editor::Editor;
use super::fault::{FaultKind, Run, fault};
use super::keys::{Key, Keys, Place};
use super::pattern::{Haystack, Pattern};
use super::walk::Walk;

/// Searches that one count can ask for.
const MOST: usize = 10_000;

impl Editor {
    /// Reads the rest of a search line and searches.
    pub fn search_typed(&mut self, keys: &mut Keys, forward: bool, count: usize) -> Run<Option<Position>> {
        let mut text = String::new();
        loop {
            match keys.next(Place::Line)? {
                None => return fault(FaultKind::MissingArgument, "the search line is not finished"),
                Some(Key::Enter) => return self.search_line(&text, forward, count).map(Some),
                Some(Key::Escape) => return Ok(None),
                Some(Key::Backspace) if text.is_empty() => return Ok(None),
                Some(Key::Backspace) => {
                    text.pop();
                }
                Some(Key::Char(character)) => text.push(character),
                Some(_) => {}
            }
        }
    }

    /// Searches for what was typed behind `/` or `?`; nothing means the last pattern.
    pub fn search_line(&mut self, text: &str, forward: bool, count: usize) -> Run<Position> {
        let (source, offset) = split_at_delimiter(text, if forward { '/' } else { '?' });
        if offset.is_some_and(|offset| !offset.is_empty()) {
            return fault(
                FaultKind::UnsupportedCommand,
                "an offset behind a search pattern is not supported",
            );
        }
        if source.is_empty() {
            let Some((pattern, _)) = self.search.take() else {
                return fault(FaultKind::NoPrevious, "nothing was searched for before");
            };
            self.search = Some((pattern, forward));
        } else {
            self.search = Some((Pattern::new(&source, false), forward));
        }
        self.search_again(true, count)
    }

    /// Searches on in the direction of the last search, or against it.
    pub fn search_again(&mut self, same_direction: bool, count: usize) -> Run<Position> {
        let Some((pattern, forward)) = &self.search else {
            return fault(FaultKind::NoPrevious, "nothing was searched for before");
        };
        self.search_for(pattern, *forward == same_direction, self.cursor, count)
    }

    /// The text as one piece.
    pub fn haystack(&self) -> Haystack {
        let haystack = Haystack::of(&self.buffer);
        self.work.add(haystack.len());
        haystack
    }

    fn search_for(&self, pattern: &Pattern, forward: bool, from: Position, count: usize) -> Run<Position> {
        let haystack = self.haystack();
        let (mut at, mut left, mut done) = (from, count.min(MOST), 0);
        let mut first = None;
        while left > 0 {
            let Some(found) = haystack.search(pattern, at, forward)? else {
                let reason = format!("`{}` does not occur", pattern.source);
                return fault(FaultKind::PatternNotFound, reason);
            };
            // Once around the file, whole rounds lead nowhere.
            match first {
                None => first = Some(found),
                Some(first) if first == found => left = (left - 1) % done + 1,
                Some(_) => {}
            }
            at = found;
            left -= 1;
            done += 1;
        }
        Ok(at)
    }

    /// Searches for the word at or behind the cursor.
    pub fn search_word(&mut self, forward: bool, whole: bool, count: usize) -> Run<Position> {
        let line = self.current_line();
        let is_word = |col: usize| cells::class(char_at(line, col), false) >= 2;
        let columns = || line.char_indices().map(|(col, _)| col).filter(|col| *col >= self.cursor.col);
        let not_blank = |col: &usize| cells::class(char_at(line, *col), false) > 0;
        let Some(start) = columns().find(|col| is_word(*col)).or_else(|| columns().find(not_blank)) else {
            return fault(FaultKind::PatternNotFound, "there is no word at the cursor");
        };
        let mut walk = Walk::new(&self.buffer, Position::new(self.cursor.line, start), false);
        walk.seek_class_start();
        let from = walk.at;
        let class = walk.class();
        let text: String =
            line[from.col..].chars().take_while(|next| cells::class(Some(*next), false) == class).collect();
        let escaped: String = text
            .chars()
            .flat_map(|next| {
                let special = matches!(next, '\\' | '/' | '.' | '*' | '$' | '^' | '~' | '[' | ']' | '?');
                special.then_some('\\').into_iter().chain([next])
            })
            .collect();
        let source = if whole && class == 2 { format!("\\<{escaped}\\>") } else { escaped };
        let pattern = Pattern::new(&source, false);
        let found = self.search_for(&pattern, forward, from, count);
        self.search = Some((pattern, forward));
        found
    }
}

/// A text up to a delimiter that no backslash precedes, and what follows it. `\` before the delimiter goes.
pub fn split_at_delimiter(text: &str, delimiter: char) -> (String, Option<&str>) {
    let mut before = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == delimiter {
            return (before, Some(&text[at + character.len_utf8()..]));
        }
        if character != '\\' {
            before.push(character);
            continue;
        }
        match characters.next() {
            Some((_, next)) if next == delimiter => before.push(next),
            Some((_, next)) => before.extend(['\\', next]),
            None => before.push('\\'),
        }
    }
    (before, None)
}
