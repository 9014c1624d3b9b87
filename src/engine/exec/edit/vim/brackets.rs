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
    let mut depth = 0_usize;
    for number in from.line..buffer.len() {
        let line = buffer.line(number);
        for (col, character) in line.char_indices() {
            if number == from.line && col <= from.col || character != open && character != close {
                continue;
            }
            if is_escaped(line, col) != escaped {
                continue;
            }
            if character == open {
                depth += 1;
            } else if depth == 0 {
                return Some(Position::new(number, col));
            } else {
                depth -= 1;
            }
        }
    }
    None
}

/// The opening bracket of what is open right before `from`.
pub fn opening(buffer: &Buffer, from: Position, open: char, close: char, escaped: bool) -> Option<Position> {
    let mut depth = 0_usize;
    for number in (0..=from.line).rev() {
        let line = buffer.line(number);
        for (col, character) in line.char_indices().rev() {
            if number == from.line && col >= from.col || character != open && character != close {
                continue;
            }
            if is_escaped(line, col) != escaped {
                continue;
            }
            if character == close {
                depth += 1;
            } else if depth == 0 {
                return Some(Position::new(number, col));
            } else {
                depth -= 1;
            }
        }
    }
    None
}

/// Whether an odd number of backslashes stands before a column.
fn is_escaped(line: &str, col: usize) -> bool {
    line.as_bytes()[..col].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}
