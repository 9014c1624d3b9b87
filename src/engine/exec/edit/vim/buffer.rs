//! The lines of a file while they are edited, with a history of every change. Never holds line endings: those
//! belong to the file.

use std::ops::Range;
use std::sync::Arc;

use super::undo::{Change, Entry, History};

/// A line without its ending.
pub type Line = Arc<str>;

/// A place in the buffer. Both numbers start at 0; the column counts bytes and lies between characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position {
    pub line: usize,
    pub col: usize,
}

impl Position {
    /// A place.
    pub fn new(line: usize, col: usize) -> Self {
        Self { line, col }
    }
}

/// The text. There is always a line.
#[derive(Debug, Clone)]
pub struct Buffer {
    lines: Vec<Line>,
    /// The one line is not there either: the file is empty.
    is_empty: bool,
    /// Whether the last line ends with a line break.
    final_newline: bool,
    /// What can be undone and redone.
    pub history: History,
    /// Changes so far.
    changes: u64,
    /// Bytes of the lines and their breaks.
    size: usize,
}

fn bytes_of(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum()
}

impl Buffer {
    /// The buffer of an LF text.
    pub fn new(text: &str) -> Self {
        let is_empty = text.is_empty();
        let body = text.strip_suffix('\n').unwrap_or(text);
        let lines: Vec<Line> = body.split('\n').map(Line::from).collect();
        let size = bytes_of(&lines);
        // A file without lines gets whole lines.
        let final_newline = is_empty || text.ends_with('\n');
        Self { lines, is_empty, final_newline, history: History::default(), changes: 0, size }
    }

    /// The LF text.
    pub fn text(&self) -> String {
        if self.is_empty {
            return String::new();
        }
        let mut text = self.lines.join("\n");
        if self.final_newline {
            text.push('\n');
        }
        text
    }

    /// All lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Bytes of the lines and their breaks.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many lines there are, at least 1.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// The number of the last line.
    pub fn last(&self) -> usize {
        self.lines.len() - 1
    }

    /// A line; past the end the last one.
    pub fn line(&self, number: usize) -> &str {
        &self.lines[number.min(self.last())]
    }

    /// Whether two buffers hold the same text.
    pub fn same_text(&self, other: &Self) -> bool {
        self.is_empty == other.is_empty
            && self.final_newline == other.final_newline
            && self.lines.len() == other.lines.len()
            && self.lines.iter().zip(&other.lines).all(|(one, two)| Arc::ptr_eq(one, two) || one == two)
    }

    /// A number that every change makes larger.
    pub fn history_mark(&self) -> u64 {
        self.changes
    }

    /// Whether there is no text at all, not even an empty line.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The one way in which the text changes. `cursor` is where undo may lead back to.
    /// Gives the bytes that are kept to be undone.
    pub fn replace(&mut self, range: Range<usize>, new: Vec<Line>, cursor: Position) -> usize {
        let was_empty = self.is_empty;
        self.changes += 1;
        let change = self.splice(range, new);
        let bytes = bytes_of(&change.old);
        if self.history.record(change, cursor, was_empty) { bytes } else { 0 }
    }

    fn splice(&mut self, range: Range<usize>, new: Vec<Line>) -> Change {
        let first = range.start;
        let added = new.len();
        // The line that is not there has no content that could be kept.
        let replaces_nothing = self.is_empty && range.is_empty() && added > 0;
        let range = if replaces_nothing { 0..1 } else { range };
        let first = if replaces_nothing { 0 } else { first };
        self.size += bytes_of(&new);
        let old: Vec<Line> = self.lines.splice(range, new).collect();
        self.size -= bytes_of(&old);
        self.is_empty = self.lines.is_empty();
        let mut count = added;
        if self.is_empty {
            self.lines.push(Line::from(""));
            self.size += 1;
            count = 1;
        }
        Change { first, old, count }
    }

    /// Makes the changes of an entry undone; gives the entry that makes them again, and where the cursor goes.
    pub fn undo(&mut self, entry: &Entry, cursor: Position) -> (Entry, Position) {
        let mut place = UndoCursor { saved: entry.cursor, line: None, to: cursor };
        let was_empty = self.is_empty;
        let mut inverse = Vec::with_capacity(entry.changes.len());
        for (left, change) in entry.changes.iter().enumerate().rev() {
            let range = change.first..change.first + change.count;
            place.see(change, &self.lines[range.clone()], left == 0);
            let old: Vec<Line> = self.lines.splice(range, change.old.iter().cloned()).collect();
            self.size += bytes_of(&change.old);
            self.size -= bytes_of(&old);
            inverse.push(Change { first: change.first, old, count: change.old.len() });
        }
        self.is_empty = entry.was_empty;
        let to = place.finish(self);
        (Entry { changes: inverse, cursor: entry.cursor, was_empty }, to)
    }
}

/// Finds the line that the cursor goes to: the first one that changes, or where it was before the change.
struct UndoCursor {
    saved: Position,
    /// Lines before the chosen one.
    line: Option<usize>,
    to: Position,
}

impl UndoCursor {
    fn see(&mut self, change: &Change, now: &[Line], is_last: bool) {
        let top = change.first;
        if self.line.is_some_and(|line| top >= line) {
            return;
        }
        let saved = self.saved.line + 1;
        if saved >= top && saved <= top + change.old.len() + 1 {
            self.to = self.saved;
            self.line = Some(self.saved.line);
            return;
        }
        let same = change.old.iter().zip(now).take_while(|(old, now)| old == now).count();
        if same < change.old.len() {
            self.line = Some(top + same);
            self.to.line = top + same;
        } else if self.line.is_none() && is_last {
            self.line = Some(top);
            self.to.line = top;
        }
    }

    fn finish(self, buffer: &Buffer) -> Position {
        let mut line = self.to.line;
        if self.saved.line + 1 == line && line > 0 {
            line -= 1;
        }
        if line > buffer.last() {
            return Position::new(buffer.last(), 0);
        }
        if line == self.saved.line {
            return Position::new(line, self.saved.col);
        }
        Position::new(line, super::cells::first_nonblank(buffer.line(line)))
    }
}
