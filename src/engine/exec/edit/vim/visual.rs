//! Visual mode: the region is selected first.

use super::buffer::{Line, Position};
use super::cells;
use super::editor::{Editor, Mode, Repeat, Want};
use super::fault::{FaultKind, Run, fault};
use super::keys::{Key, Keys};
use super::line::Prompt;
use super::motion::{Travel, Use};
use super::normal::{Prefix, case_of, operator_of, unknown};
use super::object::object;
use super::operator::{Case, Manner, Operator};
use super::region::{Region, Shape};
use super::work::check_size;

/// What is selected.
#[derive(Debug, Clone)]
pub struct Visual {
    /// The end that stays.
    pub anchor: Position,
    /// Whole lines.
    pub lines: bool,
    /// The other end, once the selection is over.
    pub end: Position,
}

/// How much was selected, to select as much again.
#[derive(Debug, Clone, Copy)]
pub struct Selected {
    lines: bool,
    /// Lines after the first.
    more_lines: usize,
    /// Characters of the last line.
    characters: usize,
    to_line_end: bool,
}

impl Editor {
    /// One command of visual mode.
    pub fn visual_command(&mut self, keys: &mut Keys) -> Run<()> {
        keys.take();
        self.status = None;
        let Some((prefix, key)) = self.prefixed(keys)? else { return Ok(()) };
        self.visual_key(key, prefix, keys)
    }

    /// A command whose first key is known.
    pub fn visual_key(&mut self, key: Key, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        let Mode::Visual(visual) = &self.mode else { return Ok(()) };
        let visual = visual.clone();
        let times = prefix.times();
        match key {
            Key::Escape => self.leave_visual(),
            Key::Char(name @ ('v' | 'V')) => {
                let lines = name == 'V';
                if visual.lines == lines {
                    self.leave_visual();
                } else {
                    self.mode = Mode::Visual(Visual { lines, ..visual });
                }
            }
            Key::Char('o' | 'O') => {
                self.mode = Mode::Visual(Visual { anchor: self.cursor, ..visual });
                self.cursor = visual.anchor;
                self.want = Want::Cursor;
            }
            Key::Char(':') => {
                self.leave_visual();
                let prompt = Prompt::new(':', "'<,'>".to_owned(), None, 1);
                self.mode = Mode::Line(Box::new(prompt));
            }
            Key::Char(name @ ('/' | '?')) => {
                let prompt = Prompt::new(name, String::new(), Some(visual), times);
                self.mode = Mode::Line(Box::new(prompt));
            }
            Key::Char(kind @ ('i' | 'a')) => return self.select_object(&visual, kind == 'a', times, keys),
            Key::Char('g') => return self.visual_g(prefix, keys),
            Key::Char(name) if is_visual_operator(name) => {
                return self.visual_operator(name, &visual, prefix, keys);
            }
            Key::Delete => return self.visual_operator('d', &visual, prefix, keys),
            _ => match self.motion(key, prefix.count, keys, Use::Move)? {
                Travel::No => return unknown(key),
                travel => self.travel(travel),
            },
        }
        Ok(())
    }

    fn visual_g(&mut self, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        let key = keys.argument()?;
        let Mode::Visual(visual) = &self.mode else { return Ok(()) };
        let visual = visual.clone();
        match key {
            Key::Char(name @ ('u' | 'U' | '~')) => {
                let name = if name == '~' { '~' } else { name };
                self.visual_operator(name, &visual, prefix, keys)
            }
            Key::Char('J') => self.visual_join(&visual, false, keys),
            Key::Char('v') => {
                if let Some(last) = self.last_visual.clone() {
                    let now = Visual { end: self.cursor, ..visual };
                    self.cursor = last.end;
                    self.mode = Mode::Visual(last);
                    self.last_visual = Some(now);
                }
                Ok(())
            }
            key => match self.g_motion(key, prefix.count)? {
                Travel::No => unknown(key),
                travel => {
                    self.travel(travel);
                    Ok(())
                }
            },
        }
    }

    /// Ends the selection, which `gv` brings back.
    pub fn leave_visual(&mut self) {
        if let Mode::Visual(visual) = &self.mode {
            self.last_visual = Some(Visual { end: self.cursor, ..visual.clone() });
            self.mode = Mode::Normal;
        }
    }

    /// What is selected, as an operator takes it.
    fn selected_region(&self, visual: &Visual, takes_lines: bool) -> Region {
        let (start, mut end) = ordered(visual.anchor, self.cursor);
        if visual.lines {
            let start = Position::new(start.line, 0);
            return Region { start, end, shape: Shape::Lines };
        }
        let mut inclusive = true;
        if end.col >= self.buffer.line(end.line).len() {
            inclusive = false;
            // The end of the line stands for its line break.
            if !takes_lines && end.line < self.buffer.last() {
                end = Position::new(end.line + 1, 0);
            }
        }
        Region { start, end, shape: Shape::Characters { inclusive } }
    }

    fn visual_operator(&mut self, name: char, visual: &Visual, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        // Upper case means whole lines.
        let lines = visual.lines || matches!(name, 'X' | 'D' | 'Y' | 'C' | 'S' | 'R');
        let visual = Visual { lines, ..visual.clone() };
        let selected = self.measure(&visual);
        let takes_lines = matches!(name, '>' | '<' | 'J');
        let region = self.selected_region(&visual, takes_lines);
        let manner = Manner { register: prefix.register, visual: true, steps: prefix.times(), far: false };
        match name {
            'p' | 'P' => {
                self.leave_visual();
                self.put_over(region, prefix, name == 'p')?;
            }
            'r' => {
                let character = Self::character_argument(keys)?;
                self.leave_visual();
                self.replace_selected(region, character);
            }
            'J' => return self.visual_join(&visual, true, keys),
            _ => {
                self.leave_visual();
                let operator = match name {
                    'u' | 'U' | '~' => Operator::Case(case_of(name).unwrap_or(Case::Toggle)),
                    'c' | 's' | 'C' | 'S' | 'R' => Operator::Change,
                    'y' | 'Y' => Operator::Yank,
                    '>' | '<' => operator_of(name),
                    _ => Operator::Delete,
                };
                let region = if takes_lines { Region { shape: Shape::Lines, ..region } } else { region };
                if let Operator::Shift { right: true } = operator {
                    check_size(region.end.line - region.start.line + 1, manner.steps)?;
                }
                self.operate(operator, region, manner);
                if operator == Operator::Yank {
                    return Ok(());
                }
            }
        }
        let taken = keys.take();
        if let Mode::Insert(_) = self.mode {
            self.insert_repeats(taken, prefix.count, prefix.register, Some(selected));
        } else {
            self.remember(Repeat {
                keys: taken,
                count: prefix.count,
                register: prefix.register,
                selected: Some(selected),
            });
        }
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "one shape for all that keys and commands do")]
    fn visual_join(&mut self, visual: &Visual, spaced: bool, keys: &mut Keys) -> Run<()> {
        let (start, end) = ordered(visual.anchor, self.cursor);
        let selected = self.measure(visual);
        self.leave_visual();
        self.cursor = start;
        self.join(start.line, (end.line - start.line + 1).max(2), spaced);
        let keys = keys.take();
        self.remember(Repeat { keys, count: None, register: None, selected: Some(selected) });
        Ok(())
    }

    fn put_over(&mut self, region: Region, prefix: Prefix, swaps: bool) -> Run<()> {
        let Some(text) = self.registers.get(prefix.register).cloned() else {
            self.status = Some("the register is empty".to_owned());
            return Ok(());
        };
        let kept = self.registers.clone();
        self.operate(Operator::Delete, region, Manner { visual: true, ..Manner::default() });
        if !swaps {
            self.registers = kept;
        }
        let start = if region.is_lines() { Position::new(region.start.line, 0) } else { region.start };
        self.want = Want::Cursor;
        self.put_in_place(&text, region.is_lines(), start, prefix.times())
    }

    fn replace_selected(&mut self, region: Region, character: char) {
        let lines = region.is_lines();
        let stop = region.stop(&self.buffer);
        let replaced = |number: usize| -> Line {
            let line = self.buffer.line(number);
            let from = if lines || number > region.start.line { 0 } else { region.start.col.min(line.len()) };
            let to = if lines || number < stop.line { line.len() } else { stop.col };
            let (_, count) = cells::forward(&line[..to.max(from)], from, usize::MAX);
            let new = String::from(character).repeat(count);
            Line::from([&line[..from], new.as_str(), &line[to.max(from)..]].concat())
        };
        let last = if lines { region.end.line } else { stop.line };
        let new: Vec<Line> = (region.start.line..=last).map(replaced).collect();
        self.cursor = region.start;
        let text: Vec<String> = new.iter().flat_map(|line| line.split('\n')).map(str::to_owned).collect();
        self.replace_lines(region.start.line..last + 1, text);
        self.want = Want::Cursor;
    }

    fn select_object(&mut self, visual: &Visual, around: bool, count: usize, keys: &mut Keys) -> Run<()> {
        let name = Self::character_argument(keys)?;
        let single = visual.anchor == self.cursor;
        let found = if single {
            object(&self.buffer, self.cursor, name, around, count)?
        } else {
            self.extended(visual, name, around, count)?
        };
        let stop = match found.shape {
            Shape::Lines | Shape::Characters { inclusive: true } => found.end,
            Shape::Characters { inclusive: false } => self.before(found.end),
        };
        let lines = found.is_lines();
        let anchor = if single || found.start < visual.anchor { found.start } else { visual.anchor };
        if stop < anchor {
            return fault(FaultKind::TextObjectNotFound, "the text object is empty");
        }
        self.mode = Mode::Visual(Visual { anchor, lines, end: stop });
        self.cursor = stop;
        self.want = Want::Cursor;
        Ok(())
    }

    /// A selection that is there already grows by another object.
    fn extended(&self, visual: &Visual, name: char, around: bool, count: usize) -> Run<Region> {
        let (start, end) = ordered(visual.anchor, self.cursor);
        if matches!(name, 'w' | 'W' | 'p') {
            let next = if name == 'p' {
                Position::new((end.line + 1).min(self.buffer.last()), 0)
            } else {
                let line = self.buffer.line(end.line);
                let col = if end.col < line.len() { cells::next(line, end.col) } else { end.col };
                if col >= line.len() && end.line < self.buffer.last() {
                    Position::new(end.line + 1, 0)
                } else {
                    Position::new(end.line, col)
                }
            };
            let found = object(&self.buffer, next, name, around, count)?;
            return Ok(Region { start, ..found });
        }
        // Brackets and quotes: the next larger one.
        let mut wider = count;
        loop {
            let found = object(&self.buffer, start, name, around, wider)?;
            if found.start > end {
                return fault(FaultKind::TextObjectNotFound, "the selection is in no such text object");
            }
            if found.start < start || found.end > end || wider > count + 1 {
                return Ok(found);
            }
            wider += 1;
        }
    }

    fn before(&self, at: Position) -> Position {
        if at.col > 0 {
            return Position::new(at.line, cells::prev(self.buffer.line(at.line), at.col));
        }
        match at.line.checked_sub(1) {
            Some(line) => Position::new(line, self.buffer.line(line).len()),
            None => at,
        }
    }

    fn measure(&self, visual: &Visual) -> Selected {
        let (start, end) = ordered(visual.anchor, self.cursor);
        let line = self.buffer.line(end.line);
        let from = if start.line == end.line { start.col } else { 0 };
        let to = if end.col < line.len() { cells::next(line, end.col) } else { end.col };
        let (_, characters) = cells::forward(&line[..to], from.min(to), usize::MAX);
        Selected {
            lines: visual.lines,
            more_lines: end.line - start.line,
            characters: characters.max(1),
            to_line_end: self.want == Want::End,
        }
    }

    /// Selects as much as was selected before, from the cursor on.
    pub fn select_again(&mut self, selected: &Selected) {
        let anchor = self.cursor;
        let line = (anchor.line + selected.more_lines).min(self.buffer.last());
        let text = self.buffer.line(line);
        let from = if selected.more_lines == 0 { anchor.col } else { 0 };
        let (col, _) = cells::forward(text, from.min(text.len()), selected.characters - 1);
        let col = if selected.to_line_end { text.len() } else { col };
        self.cursor = Position::new(line, col.min(cells::last(text).max(from)));
        if selected.to_line_end {
            self.cursor.col = text.len();
        }
        self.mode = Mode::Visual(Visual { anchor, lines: selected.lines, end: self.cursor });
    }
}

fn is_visual_operator(name: char) -> bool {
    "dxXDyYcsCSR><~uUpPrJ".contains(name)
}

fn ordered(one: Position, other: Position) -> (Position, Position) {
    if one <= other { (one, other) } else { (other, one) }
}
