//! Moving over the text character by character and word by word, with the end of a line as a place of its own.

use super::buffer::{Buffer, Position};
use super::cells::{self, char_at};

/// What a step led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Another character of the line.
    Character,
    /// The place behind the last character of the line.
    LineEnd,
    /// Another line.
    Line,
    /// There is nothing more.
    Stuck,
}

/// A place that moves.
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    buffer: &'a Buffer,
    /// Where it is.
    pub at: Position,
    /// Whether all that is not blank makes one word.
    pub big: bool,
}

impl<'a> Walk<'a> {
    /// Starts somewhere.
    pub fn new(buffer: &'a Buffer, at: Position, big: bool) -> Self {
        Self { buffer, at, big }
    }

    fn line(&self) -> &'a str {
        self.buffer.line(self.at.line)
    }

    /// The character here; none at the end of the line.
    pub fn here(&self) -> Option<char> {
        char_at(self.line(), self.at.col)
    }

    /// The class of the character here.
    pub fn class(&self) -> u32 {
        cells::class(self.here(), self.big)
    }

    fn on_empty_line(&self) -> bool {
        self.line().is_empty()
    }

    /// One step on; the end of a line is a step too.
    pub fn forward(&mut self) -> Step {
        let line = self.line();
        if self.at.col < line.len() {
            self.at.col = cells::next(line, self.at.col);
            return if self.at.col < line.len() { Step::Character } else { Step::LineEnd };
        }
        if self.at.line == self.buffer.last() {
            return Step::Stuck;
        }
        self.at = Position::new(self.at.line + 1, 0);
        Step::Line
    }

    /// One step back.
    pub fn back(&mut self) -> Step {
        if self.at.col > 0 {
            self.at.col = cells::prev(self.line(), self.at.col);
            return Step::Character;
        }
        if self.at.line == 0 {
            return Step::Stuck;
        }
        self.at.line -= 1;
        self.at.col = self.line().len();
        Step::Line
    }

    /// One character on, over the end of the line.
    pub fn forward_over(&mut self) -> Step {
        match self.forward() {
            Step::LineEnd => self.forward(),
            step => step,
        }
    }

    /// One character back, over the end of the line before.
    pub fn back_over(&mut self) -> Step {
        match self.back() {
            Step::Line if self.at.col > 0 => self.back(),
            step => step,
        }
    }

    /// To the start of the next word. With `stop_at_end` the last word ends with its line. `false`: there is no
    /// next word.
    pub fn next_word(&mut self, count: usize, stop_at_end: bool) -> bool {
        for left in (0..count).rev() {
            let class = self.class();
            let is_last_line = self.at.line == self.buffer.last();
            let step = self.forward();
            let left_line = matches!(step, Step::LineEnd | Step::Line);
            if step == Step::Stuck || left_line && is_last_line {
                return false;
            }
            if left_line && stop_at_end && left == 0 {
                return true;
            }
            while class != 0 && self.class() == class {
                match self.forward() {
                    Step::Stuck => return true,
                    Step::LineEnd | Step::Line if stop_at_end && left == 0 => return true,
                    _ => {}
                }
            }
            while self.class() == 0 {
                if self.at.col == 0 && self.on_empty_line() {
                    break;
                }
                match self.forward() {
                    Step::Stuck => return true,
                    Step::LineEnd | Step::Line if is_last_line => return true,
                    _ => {}
                }
            }
        }
        true
    }

    /// To the start of the word before.
    pub fn previous_word(&mut self, count: usize) -> bool {
        for _ in 0..count {
            if self.back() == Step::Stuck {
                return false;
            }
            let mut found = true;
            while self.class() == 0 {
                if self.at.col == 0 && self.on_empty_line() {
                    found = false;
                    break;
                }
                if self.back() == Step::Stuck {
                    return true;
                }
            }
            if found {
                if !self.skip(Self::back) {
                    return true;
                }
                self.forward();
            }
        }
        true
    }

    /// To the end of a word. With `stay` the first word may end right here; with `on_empty` an empty line is a word.
    pub fn word_end(&mut self, count: usize, mut stay: bool, on_empty: bool) -> bool {
        for _ in 0..count {
            let class = self.class();
            if self.forward() == Step::Stuck {
                return false;
            }
            let mut overshot = true;
            if class != 0 && self.class() == class {
                if !self.skip(Self::forward) {
                    return false;
                }
            } else if !stay || class == 0 {
                while self.class() == 0 {
                    if on_empty && self.at.col == 0 && self.on_empty_line() {
                        overshot = false;
                        break;
                    }
                    if self.forward() == Step::Stuck {
                        return false;
                    }
                }
                if overshot && !self.skip(Self::forward) {
                    return false;
                }
            }
            if overshot {
                self.back();
            }
            stay = false;
        }
        true
    }

    /// To the end of the word before.
    pub fn previous_word_end(&mut self, count: usize) -> bool {
        for _ in 0..count {
            let class = self.class();
            if self.back() == Step::Stuck {
                return false;
            }
            while class != 0 && self.class() == class {
                if self.back() == Step::Stuck {
                    return true;
                }
            }
            while self.class() == 0 {
                if self.at.col == 0 && self.on_empty_line() {
                    break;
                }
                if self.back() == Step::Stuck {
                    return true;
                }
            }
        }
        true
    }

    /// Leaves the characters of this class; `false` at the end of the text.
    fn skip(&mut self, step: fn(&mut Self) -> Step) -> bool {
        let class = self.class();
        while self.class() == class {
            if step(self) == Step::Stuck {
                return false;
            }
        }
        true
    }

    /// To the first character of this class in the line, going back.
    pub fn to_class_start(&mut self) {
        let class = self.class();
        while self.at.col > 0 {
            self.back();
            if self.class() != class {
                self.forward();
                return;
            }
        }
    }

    /// One character back, if there is one in this line.
    pub fn left(&mut self) -> bool {
        let can = self.at.col > 0;
        if can {
            self.back();
        }
        can
    }
}
