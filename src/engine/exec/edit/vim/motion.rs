//! Motions: where they lead, and what lies between for an operator.

use super::brackets;
use super::buffer::Position;
use super::cells::{self, char_at};
use super::editor::{Editor, Mode, Want};
use super::fault::{FaultKind, Run, fault};
use super::keys::{Key, Keys};
use super::region::Shape;
use super::walk::Walk;

const EXCLUSIVE: Shape = Shape::Characters { inclusive: false };
const INCLUSIVE: Shape = Shape::Characters { inclusive: true };

/// Where a motion leads.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    pub to: Position,
    pub shape: Shape,
    pub want: Want,
}

/// What came of a key that may be a motion.
#[derive(Debug, Clone, Copy)]
pub enum Travel {
    To(Motion),
    /// There is nowhere to go; an operator does nothing.
    Stuck,
    /// The key is no motion.
    No,
}

/// The last `f`, `F`, `t` or `T`.
#[derive(Debug, Clone, Copy)]
pub struct Find {
    character: char,
    forward: bool,
    before: bool,
}

/// What a motion is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Moving the cursor.
    Move,
    /// An operator; with `change` words end before the blanks behind them.
    Operator { change: bool },
}

fn exclusive(to: Position) -> Travel {
    Travel::To(Motion { to, shape: EXCLUSIVE, want: Want::Cursor })
}

fn inclusive(to: Position) -> Travel {
    Travel::To(Motion { to, shape: INCLUSIVE, want: Want::Cursor })
}

impl Editor {
    /// The motion of a key. `g` and `z` commands are not among them.
    pub fn motion(&mut self, key: Key, count: Option<usize>, keys: &mut Keys, use_: Use) -> Run<Travel> {
        let times = count.unwrap_or(1);
        let is_operator = use_ != Use::Move;
        Ok(match key {
            Key::Char('h') => exclusive(self.left(times)),
            Key::Backspace | Key::Ctrl('h') => exclusive(self.left_over_lines(times, is_operator)),
            Key::Char('l') => self.right(times, is_operator),
            Key::Char(' ') => self.right_over_lines(times, is_operator),
            Key::Char('j' | '\n') | Key::Ctrl('n') => self.vertical(times, true),
            Key::Char('k') | Key::Ctrl('p') => self.vertical(times, false),
            Key::Char('+') | Key::Enter => self.line_below(times),
            Key::Char('-') => self.line_above(times),
            Key::Char('_') => self.line_below(times - 1),
            Key::Char('0') => exclusive(Position::new(self.cursor.line, 0)),
            Key::Char('^') => {
                exclusive(Position::new(self.cursor.line, cells::first_nonblank(self.current_line())))
            }
            Key::Char('$') => self.end_of_line(times),
            Key::Char('|') => {
                let cell = times - 1;
                let to = Position::new(self.cursor.line, cells::col_at_cell(self.current_line(), cell));
                Travel::To(Motion { to, shape: EXCLUSIVE, want: Want::Cell(cell) })
            }
            Key::Char('G') => self.to_line(count.map_or(self.buffer.last(), |count| count - 1)),
            Key::Char('w' | 'W') => self.word(times, key == Key::Char('W'), use_),
            Key::Char('b' | 'B') => {
                let mut walk = Walk::new(&self.buffer, self.cursor, key == Key::Char('B'));
                if walk.previous_word(times) { exclusive(walk.at) } else { Travel::Stuck }
            }
            Key::Char('e' | 'E') => self.word_end(times, key == Key::Char('E'), false),
            Key::Char('{') => self.paragraph(times, false),
            Key::Char('}') => self.paragraph(times, true),
            Key::Char(name @ ('f' | 'F' | 't' | 'T')) => {
                let character = Self::character_argument(keys)?;
                let find =
                    Find { character, forward: name.is_lowercase(), before: matches!(name, 't' | 'T') };
                self.find = Some(find);
                self.find_character(find, times, false)?
            }
            Key::Char(name @ (';' | ',')) => {
                let Some(find) = self.find else {
                    return fault(FaultKind::NoPrevious, "there was no `f`, `F`, `t` or `T` before");
                };
                let find = Find { forward: find.forward == (name == ';'), ..find };
                self.find_character(find, times, times == 1)?
            }
            Key::Char('%') => self.partner(count)?,
            Key::Char(name @ ('H' | 'M' | 'L')) => self.to_line(self.view_line(name, times)),
            Key::Char(name @ ('n' | 'N')) => exclusive(self.search_again(name == 'n', times)?),
            Key::Char(name @ ('*' | '#')) => exclusive(self.search_word(name == '*', true, times)?),
            _ => Travel::No,
        })
    }

    /// The motions that begin with `g`.
    pub fn g_motion(&mut self, key: Key, count: Option<usize>) -> Run<Travel> {
        let times = count.unwrap_or(1);
        Ok(match key {
            Key::Char('g') => self.to_line(times - 1),
            Key::Char('e' | 'E') => {
                let mut walk = Walk::new(&self.buffer, self.cursor, key == Key::Char('E'));
                if walk.previous_word_end(times) { inclusive(walk.at) } else { Travel::Stuck }
            }
            Key::Char('_') => {
                let line = (self.cursor.line + times - 1).min(self.buffer.last());
                let text = self.buffer.line(line);
                inclusive(Position::new(line, cells::last(text.trim_end_matches(cells::is_blank))))
            }
            Key::Char(name @ ('*' | '#')) => exclusive(self.search_word(name == '*', false, times)?),
            _ => Travel::No,
        })
    }

    /// The character that `f`, `r` and others are followed by.
    pub fn character_argument(keys: &mut Keys) -> Run<char> {
        match keys.argument()? {
            Key::Char(character) => Ok(character),
            Key::Enter => Ok('\n'),
            _ => fault(FaultKind::MissingArgument, "a character is expected here"),
        }
    }

    /// Whether the cursor may stand behind the last character.
    #[must_use]
    pub fn may_stand_at_end(&self) -> bool {
        matches!(self.mode, Mode::Visual(_))
    }

    fn left(&self, count: usize) -> Position {
        Position::new(self.cursor.line, cells::backward(self.current_line(), self.cursor.col, count))
    }

    fn left_over_lines(&self, count: usize, is_operator: bool) -> Position {
        let mut at = self.cursor;
        for _ in 0..count {
            if at.col > 0 {
                at.col = cells::prev(self.buffer.line(at.line), at.col);
            } else if at.line > 0 {
                at.line -= 1;
                let line = self.buffer.line(at.line);
                at.col = if is_operator { line.len() } else { cells::last(line) };
            } else {
                break;
            }
        }
        at
    }

    fn right(&self, count: usize, is_operator: bool) -> Travel {
        let line = self.current_line();
        let (to, _) = cells::forward(line, self.cursor.col, count);
        let at = |col| Position::new(self.cursor.line, col);
        if is_operator || self.may_stand_at_end() {
            return exclusive(at(to));
        }
        exclusive(at(to.min(cells::last(line))))
    }

    fn right_over_lines(&self, count: usize, is_operator: bool) -> Travel {
        let mut at = self.cursor;
        for left in (0..count).rev() {
            let line = self.buffer.line(at.line);
            let end = if is_operator { line.len() } else { cells::last(line) };
            if at.col < end {
                at.col = cells::next(line, at.col);
                if is_operator && at.col == line.len() && left > 0 && at.line < self.buffer.last() {
                    at = Position::new(at.line + 1, 0);
                }
            } else if at.line < self.buffer.last() {
                at = Position::new(at.line + 1, 0);
            } else {
                break;
            }
        }
        exclusive(at)
    }

    fn vertical(&mut self, count: usize, down: bool) -> Travel {
        let last = self.buffer.last();
        let line = if down {
            (self.cursor.line.saturating_add(count)).min(last)
        } else {
            self.cursor.line.saturating_sub(count)
        };
        if line == self.cursor.line {
            return Travel::Stuck;
        }
        let want = self.wanted();
        Travel::To(Motion { to: self.at_wanted(line, want), shape: Shape::Lines, want })
    }

    /// The wanted column, decided.
    #[must_use]
    pub fn wanted(&self) -> Want {
        if self.want != Want::Cursor {
            return self.want;
        }
        let line = self.current_line();
        let mut cell = cells::cells_before(line, self.cursor.col);
        let before_anchor = match &self.mode {
            Mode::Visual(visual) => self.cursor <= visual.anchor,
            _ => false,
        };
        // The cursor is shown at the end of a tab.
        if char_at(line, self.cursor.col) == Some('\t') && !before_anchor {
            cell += cells::width('\t', cell) - 1;
        }
        Want::Cell(cell)
    }

    fn at_wanted(&self, number: usize, want: Want) -> Position {
        let line = self.buffer.line(number);
        let col = match want {
            Want::End if self.may_stand_at_end() => line.len(),
            Want::End | Want::Cursor => cells::last(line),
            Want::Cell(cell) if self.may_stand_at_end() && cell >= cells::cells_before(line, line.len()) => {
                line.len()
            }
            Want::Cell(cell) => cells::col_at_cell(line, cell),
        };
        Position::new(number, col)
    }

    fn to_line(&self, line: usize) -> Travel {
        let line = line.min(self.buffer.last());
        let to = Position::new(line, cells::first_nonblank(self.buffer.line(line)));
        Travel::To(Motion { to, shape: Shape::Lines, want: Want::Cursor })
    }

    fn line_below(&self, count: usize) -> Travel {
        if count > 0 && self.cursor.line == self.buffer.last() {
            return Travel::Stuck;
        }
        self.to_line(self.cursor.line.saturating_add(count))
    }

    fn line_above(&self, count: usize) -> Travel {
        if self.cursor.line == 0 {
            return Travel::Stuck;
        }
        self.to_line(self.cursor.line.saturating_sub(count))
    }

    fn end_of_line(&self, count: usize) -> Travel {
        if count > 1 && self.cursor.line == self.buffer.last() {
            return Travel::Stuck;
        }
        let number = (self.cursor.line + count - 1).min(self.buffer.last());
        let to = self.at_wanted(number, Want::End);
        Travel::To(Motion { to, shape: INCLUSIVE, want: Want::End })
    }

    fn word(&self, count: usize, big: bool, use_: Use) -> Travel {
        let here = char_at(self.current_line(), self.cursor.col);
        let changes_word =
            use_ == Use::Operator { change: true } && here.is_some_and(|here| !cells::is_blank(here));
        if changes_word {
            return self.word_end(count, big, true);
        }
        let mut walk = Walk::new(&self.buffer, self.cursor, big);
        let moved = walk.next_word(count, use_ != Use::Move);
        if !moved && use_ == Use::Move && walk.at == self.cursor {
            return Travel::Stuck;
        }
        self.off_line_end(walk.at, EXCLUSIVE)
    }

    fn word_end(&self, count: usize, big: bool, stay: bool) -> Travel {
        let mut walk = Walk::new(&self.buffer, self.cursor, big);
        walk.word_end(count, stay, false);
        self.off_line_end(walk.at, INCLUSIVE)
    }

    /// The last character takes the place of the end of the line, and belongs to what was moved over.
    fn off_line_end(&self, at: Position, shape: Shape) -> Travel {
        let line = self.buffer.line(at.line);
        let is_at_end = at > self.cursor && at.col > 0 && at.col == line.len() && !self.may_stand_at_end();
        let (to, shape) =
            if is_at_end { (Position::new(at.line, cells::last(line)), INCLUSIVE) } else { (at, shape) };
        Travel::To(Motion { to, shape, want: Want::Cursor })
    }

    fn paragraph(&self, count: usize, down: bool) -> Travel {
        let last = self.buffer.last();
        let mut line = self.cursor.line;
        for left in (0..count).rev() {
            let mut skipped = false;
            let mut is_first = true;
            loop {
                let is_boundary = self.buffer.line(line).is_empty();
                skipped |= !is_boundary;
                if !is_first && skipped && is_boundary {
                    break;
                }
                let next =
                    if down { Some(line + 1).filter(|line| *line <= last) } else { line.checked_sub(1) };
                match next {
                    Some(next) => line = next,
                    None if left > 0 => return Travel::Stuck,
                    None => break,
                }
                is_first = false;
            }
        }
        let text = self.buffer.line(line);
        if line == last && !text.is_empty() {
            return inclusive(Position::new(line, cells::last(text)));
        }
        exclusive(Position::new(line, 0))
    }

    /// `is_next`: `;` after `t` passes the character it already stands before.
    fn find_character(&self, find: Find, count: usize, is_next: bool) -> Run<Travel> {
        let line = self.current_line();
        let not_found =
            || fault(FaultKind::CharNotFound, format!("`{}` is not in the rest of the line", find.character));
        let mut col = self.cursor.col;
        let mut skips_first = is_next && find.before;
        for _ in 0..count {
            loop {
                if find.forward {
                    if col >= line.len() {
                        return not_found();
                    }
                    col = cells::next(line, col);
                } else if col > 0 {
                    col = cells::prev(line, col);
                } else {
                    return not_found();
                }
                let is_there = char_at(line, col) == Some(find.character);
                if is_there && !skips_first {
                    break;
                }
                skips_first = false;
            }
        }
        if find.before {
            col = if find.forward { cells::prev(line, col) } else { cells::next(line, col) };
        }
        let to = Position::new(self.cursor.line, col);
        Ok(if find.forward { inclusive(to) } else { exclusive(to) })
    }

    /// `%`: the partner of a bracket; with a count, a line at so many per cent.
    fn partner(&self, count: Option<usize>) -> Run<Travel> {
        if let Some(percent) = count {
            if percent > 100 {
                return Ok(Travel::Stuck);
            }
            return Ok(self.to_line((percent * self.buffer.len()).div_ceil(100).max(1) - 1));
        }
        match brackets::partner(&self.buffer, self.cursor) {
            Some(to) => Ok(inclusive(to)),
            None => fault(FaultKind::BracketNotFound, "there is no bracket with a partner at the cursor"),
        }
    }
}
