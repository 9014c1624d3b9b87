//! What an operator works on.

use super::buffer::{Buffer, Position};
use super::cells;
use super::object::in_indent;

/// How a region is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// From character to character.
    Characters {
        /// Whether the last one belongs to it.
        inclusive: bool,
    },
    /// Whole lines.
    Lines,
}

/// A part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Not behind `end`.
    pub start: Position,
    pub end: Position,
    pub shape: Shape,
}

impl Region {
    /// What lies between the cursor and the target of a motion.
    pub fn of_motion(buffer: &Buffer, from: Position, to: Position, shape: Shape) -> Self {
        let (start, end) = if from <= to { (from, to) } else { (to, from) };
        Self { start, end, shape }.adjusted(buffer)
    }

    /// An exclusive region that ends at the start of a line ends with the line before, and is made of lines if
    /// it starts at or before the first character of one.
    pub fn adjusted(self, buffer: &Buffer) -> Self {
        let is_exclusive = self.shape == Shape::Characters { inclusive: false };
        if !is_exclusive || self.end.col != 0 || self.end.line == self.start.line {
            return self;
        }
        let line = self.end.line - 1;
        if in_indent(buffer, self.start, 0) {
            return Self { end: Position::new(line, 0), shape: Shape::Lines, ..self };
        }
        let text = buffer.line(line);
        let shape = Shape::Characters { inclusive: !text.is_empty() };
        Self { end: Position::new(line, cells::last(text)), shape, ..self }
    }

    /// Whether it is made of lines.
    pub fn is_lines(&self) -> bool {
        self.shape == Shape::Lines
    }

    /// The place behind a region of characters.
    pub fn stop(&self, buffer: &Buffer) -> Position {
        let line = buffer.line(self.end.line);
        let inclusive = self.shape == Shape::Characters { inclusive: true };
        let col = if inclusive && self.end.col < line.len() {
            cells::next(line, self.end.col)
        } else {
            self.end.col.min(line.len())
        };
        Position::new(self.end.line, col)
    }

    /// Nothing at all.
    pub fn is_empty(&self, buffer: &Buffer) -> bool {
        !self.is_lines() && self.stop(buffer) <= self.start
    }

    /// The text, lines without endings.
    pub fn text(&self, buffer: &Buffer) -> Vec<String> {
        if self.is_lines() {
            return (self.start.line..=self.end.line).map(|number| buffer.line(number).to_owned()).collect();
        }
        let stop = self.stop(buffer);
        let piece = |number: usize| {
            let line = buffer.line(number);
            let from = if number == self.start.line { self.start.col.min(line.len()) } else { 0 };
            let to = if number == stop.line { stop.col } else { line.len() };
            line[from..to.max(from)].to_owned()
        };
        (self.start.line..=stop.line).map(piece).collect()
    }
}
