//! Finding the partner of a bracket.

use super::buffer::{Buffer, Position};

/// Opening and closing brackets.
pub const PAIRS: &[(char, char)] = &[('(', ')'), ('[', ']'), ('{', '}')];

/// The bracket at or behind the cursor in its line, and its partner.
pub fn partner(buffer: &Buffer, cursor: Position) -> Option<Position> {
    let line = buffer.line(cursor.line);
    let is_bracket = |(_, character): &(usize, char)| {
        PAIRS.iter().any(|(open, close)| character == open || character == close)
    };
    let (offset, bracket) = line[cursor.col..].char_indices().find(is_bracket)?;
    let at = Position::new(cursor.line, cursor.col + offset);
    let escaped = is_escaped(line, at.col);
    let (open, close) = PAIRS.iter().find(|(open, close)| bracket == *open || bracket == *close)?;
    if bracket == *open {
        closing(buffer, at, *open, *close, escaped)
    } else {
        opening(buffer, at, *open, *close, escaped)
    }
}

/// The closing bracket of what is open at `from`; the character there does not count.
pub fn closing(buffer: &Buffer, from: Position, open: char, close: char, escaped: bool) -> Option<Position> {
    let marks = (from.line..buffer.len()).flat_map(|number| {
        let marks =
            buffer.line(number).char_indices().map(move |(col, mark)| (Position::new(number, col), mark));
        marks.filter(move |(at, _)| number != from.line || at.col > from.col)
    });
    unpaired(buffer, marks, open, close, escaped)
}

/// The opening bracket of what is open right before `from`.
pub fn opening(buffer: &Buffer, from: Position, open: char, close: char, escaped: bool) -> Option<Position> {
    let marks = (0..=from.line).rev().flat_map(|number| {
        let marks = buffer
            .line(number)
            .char_indices()
            .rev()
            .map(move |(col, mark)| (Position::new(number, col), mark));
        marks.filter(move |(at, _)| number != from.line || at.col < from.col)
    });
    unpaired(buffer, marks, close, open, escaped)
}

/// The first `down` that no `up` before it goes with.
fn unpaired(
    buffer: &Buffer,
    marks: impl Iterator<Item = (Position, char)>,
    up: char,
    down: char,
    escaped: bool,
) -> Option<Position> {
    let mut depth = 0_usize;
    for (at, mark) in marks.filter(|(_, mark)| *mark == up || *mark == down) {
        if is_escaped(buffer.line(at.line), at.col) != escaped {
            continue;
        }
        if mark == up {
            depth += 1;
        } else if depth == 0 {
            return Some(at);
        } else {
            depth -= 1;
        }
    }
    None
}

/// Whether an odd number of backslashes stands before a column.
fn is_escaped(line: &str, col: usize) -> bool {
    line.as_bytes()[..col].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}
