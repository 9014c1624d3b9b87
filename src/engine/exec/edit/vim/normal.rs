//! Commands of normal mode.

use super::buffer::Position;
use super::cells;
use super::editor::{Editor, Mode, Repeat, Want};
use super::fault::{FaultKind, Run, fault};
use super::insert::Opening;
use super::keys::{Key, Keys, Place};
use super::line::Prompt;
use super::motion::{Travel, Use};
use super::object::object;
use super::operator::{Case, Manner, Operator, in_case};
use super::region::{Region, Shape};
use super::register::Registers;
use super::visual::Visual;

/// The largest count that is told from any larger one.
const MOST: usize = 99_999_999;

/// What stands before a command.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prefix {
    pub count: Option<usize>,
    pub register: Option<char>,
}

impl Prefix {
    /// The count, 1 where none was typed.
    pub fn times(&self) -> usize {
        self.count.unwrap_or(1)
    }
}

impl Editor {
    /// One command with all its keys.
    pub fn normal_command(&mut self, keys: &mut Keys) -> Run<()> {
        keys.take();
        self.status = None;
        let Some((prefix, key)) = self.prefixed(keys)? else { return Ok(()) };
        self.command(key, prefix, keys)
    }

    /// Counts and a register, and the first key of the command behind them.
    pub fn prefixed(&mut self, keys: &mut Keys) -> Run<Option<(Prefix, Key)>> {
        let mut prefix = Prefix::default();
        let Some(mut key) = keys.next(Place::Command)? else { return Ok(None) };
        loop {
            match key {
                Key::Char(digit @ '0'..='9') if digit != '0' || prefix.count.is_some() => {
                    prefix.count = Some(with_digit(prefix.count, digit));
                }
                Key::Char('"') => {
                    keys.drop_taken();
                    let name = Self::character_argument(keys)?;
                    Registers::check(name)?;
                    prefix.register = Some(name);
                }
                _ => return Ok(Some((prefix, key))),
            }
            keys.drop_taken();
            key = keys.argument()?;
        }
    }

    fn command(&mut self, key: Key, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        let times = prefix.times();
        let Key::Char(name) = key else { return self.special_key(key, prefix, keys) };
        match name {
            'd' | 'c' | 'y' | '>' | '<' => {
                return self.operator_pending(operator_of(name), name, prefix, keys);
            }
            'g' => return self.g_command(prefix, keys),
            'z' => return self.z_command(prefix, keys),
            'Z' => return self.quit_command(keys),
            'x' => self.translated("dl", prefix, keys)?,
            'X' => self.translated("dh", prefix, keys)?,
            'D' => self.translated("d$", prefix, keys)?,
            'C' => self.translated("c$", prefix, keys)?,
            's' => self.translated("cl", prefix, keys)?,
            'S' => self.translated("cc", prefix, keys)?,
            'Y' => self.translated("yy", prefix, keys)?,
            'p' | 'P' => {
                self.put(prefix.register, name == 'p', times)?;
                self.changed(prefix, keys);
            }
            'r' => {
                let character = Self::character_argument(keys)?;
                self.replace_characters(character, times);
                self.changed(prefix, keys);
            }
            '~' => {
                self.toggle(times);
                self.changed(prefix, keys);
            }
            'J' => self.join_command(true, prefix, keys),
            'u' => self.undo(times, false),
            '.' => return self.dot(prefix),
            'i' | 'I' | 'a' | 'A' | 'o' | 'O' | 'R' => self.insert_command(name, prefix, keys),
            'v' | 'V' => {
                self.mode =
                    Mode::Visual(Visual { anchor: self.cursor, lines: name == 'V', end: self.cursor });
            }
            ':' => {
                let text = match prefix.count {
                    None => String::new(),
                    Some(1) => ".".to_owned(),
                    Some(count) => format!(".,.+{}", count - 1),
                };
                self.mode = Mode::Line(Box::new(Prompt::new(':', text, None, 1)));
            }
            '/' | '?' => self.mode = Mode::Line(Box::new(Prompt::new(name, String::new(), None, times))),
            _ => return self.move_or_refuse(key, prefix, keys),
        }
        Ok(())
    }

    fn special_key(&mut self, key: Key, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        let times = prefix.times();
        match key {
            Key::Escape => {}
            Key::Ctrl('r') => self.undo(times, true),
            Key::Ctrl(name @ ('d' | 'u')) => self.half_page(name == 'd', times),
            Key::Ctrl(name @ ('f' | 'b')) => self.page(name == 'f', times),
            Key::Ctrl(name @ ('e' | 'y')) => self.scroll(name == 'e', times),
            Key::Delete => self.translated("dl", prefix, keys)?,
            _ => return self.move_or_refuse(key, prefix, keys),
        }
        Ok(())
    }

    fn move_or_refuse(&mut self, key: Key, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        match self.motion(key, prefix.count, keys, Use::Move)? {
            Travel::No => unknown(key),
            travel => {
                self.travel(travel);
                Ok(())
            }
        }
    }

    /// Moves the cursor.
    pub fn travel(&mut self, travel: Travel) {
        if let Travel::To(motion) = travel {
            self.cursor = motion.to;
            self.want = motion.want;
        }
    }

    /// Remembers the command that is complete now as the last change.
    pub fn changed(&mut self, prefix: Prefix, keys: &mut Keys) {
        let keys = keys.take();
        self.remember(Repeat { keys, count: prefix.count, register: prefix.register, selected: None });
    }

    /// A command that stands for others.
    fn translated(&mut self, other: &str, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        let mut longer = Keys::typed(other);
        let Some(Key::Char(name)) = longer.next(Place::Command)? else { return Ok(()) };
        let own = keys.take();
        let before = self.repeat.take();
        self.operator_pending(operator_of(name), name, prefix, &mut longer)?;
        if let Mode::Insert(insert) = &mut self.mode {
            insert.repeat.keys = own;
        } else if let Some(repeat) = &mut self.repeat {
            repeat.keys = own;
            return Ok(());
        }
        self.repeat = before;
        Ok(())
    }

    fn operator_pending(
        &mut self,
        operator: Operator,
        name: char,
        prefix: Prefix,
        keys: &mut Keys,
    ) -> Run<()> {
        let mut count = None;
        let mut key = keys.argument()?;
        while let Key::Char(digit @ '0'..='9') = key {
            if digit == '0' && count.is_none() {
                break;
            }
            count = Some(with_digit(count, digit));
            keys.drop_taken();
            key = keys.argument()?;
        }
        let count = match (prefix.count, count) {
            (None, None) => None,
            (one, two) => Some(one.unwrap_or(1).saturating_mul(two.unwrap_or(1)).min(MOST)),
        };
        let prefix = Prefix { count, ..prefix };
        let mut far = matches!(key, Key::Char('%' | '(' | ')' | '`' | '/' | '?' | 'n' | 'N' | '{' | '}'));
        let region = match key {
            Key::Escape => return Ok(()),
            Key::Char(again) if again == name => {
                let lines = self.whole_lines(prefix.times());
                let is_case = matches!(operator, Operator::Case(_));
                let col = |lines: &Region| if is_case { 0 } else { lines.start.col };
                lines.map(|lines| Region { start: Position::new(lines.start.line, col(&lines)), ..lines })
            }
            Key::Char(kind @ ('i' | 'a')) => {
                let object_name = Self::character_argument(keys)?;
                let found = object(&self.buffer, self.cursor, object_name, kind == 'a', prefix.times())?;
                Some(found.adjusted(&self.buffer))
            }
            Key::Char(direction @ ('/' | '?')) => {
                let Some(to) = self.search_typed(keys, direction == '/', prefix.times())? else {
                    return Ok(());
                };
                let shape = Shape::Characters { inclusive: false };
                Some(Region::of_motion(&self.buffer, self.cursor, to, shape))
            }
            Key::Char('g') => {
                let second = keys.argument()?;
                let doubled = matches!((operator, second), (Operator::Case(case), Key::Char(key)) if case_of(key) == Some(case));
                if doubled {
                    let lines = self.whole_lines(prefix.times());
                    lines.map(|lines| Region { start: Position::new(lines.start.line, 0), ..lines })
                } else {
                    far = false;
                    let travel = self.g_motion(second, prefix.count)?;
                    self.region_of(travel, second)?
                }
            }
            key => {
                let change = operator == Operator::Change;
                let travel = self.motion(key, prefix.count, keys, Use::Operator { change })?;
                self.region_of(travel, key)?
            }
        };
        if let Some(region) = region {
            let manner = Manner { register: prefix.register, visual: false, steps: 1, far };
            self.operate(operator, region, manner);
            self.operated(operator, prefix, keys);
        }
        Ok(())
    }

    fn operated(&mut self, operator: Operator, prefix: Prefix, keys: &mut Keys) {
        if operator == Operator::Yank {
            return;
        }
        if matches!(self.mode, Mode::Insert(_)) {
            let taken = keys.take();
            self.insert_repeats(taken, prefix.count, prefix.register, None);
        } else {
            self.changed(prefix, keys);
        }
    }

    /// `count` lines from the cursor on; none where there are not that many to go down to.
    fn whole_lines(&self, count: usize) -> Option<Region> {
        let line = self.cursor.line;
        if count > 1 && line == self.buffer.last() {
            return None;
        }
        let end = (line + count - 1).min(self.buffer.last());
        let start = Position::new(line, self.cursor.col);
        Some(Region { start, end: Position::new(end, self.cursor.col), shape: Shape::Lines })
    }

    fn region_of(&self, travel: Travel, key: Key) -> Run<Option<Region>> {
        match travel {
            // The line break before the first character goes too, and nothing else.
            Travel::To(motion) if key == Key::Backspace => {
                Ok(Some(Region { start: motion.to, end: self.cursor, shape: motion.shape }))
            }
            Travel::To(motion) => {
                Ok(Some(Region::of_motion(&self.buffer, self.cursor, motion.to, motion.shape)))
            }
            Travel::Stuck => Ok(None),
            Travel::No => unknown(key).map(|()| None),
        }
    }

    fn g_command(&mut self, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        let key = keys.argument()?;
        match key {
            Key::Char(name @ ('u' | 'U' | '~')) => {
                let case = case_of(name).unwrap_or(Case::Toggle);
                self.operator_pending(Operator::Case(case), name, prefix, keys)
            }
            Key::Char('J') => {
                self.join_command(false, prefix, keys);
                Ok(())
            }
            Key::Char('v') => {
                if let Some(visual) = &self.last_visual {
                    let visual = visual.clone();
                    self.cursor = visual.end;
                    self.mode = Mode::Visual(visual);
                }
                Ok(())
            }
            Key::Char('p' | 'P') => unknown(key),
            key => match self.g_motion(key, prefix.count)? {
                Travel::No => unknown(key),
                travel => {
                    self.travel(travel);
                    Ok(())
                }
            },
        }
    }

    fn z_command(&mut self, prefix: Prefix, keys: &mut Keys) -> Run<()> {
        let key = keys.argument()?;
        if let Some(count) = prefix.count {
            self.cursor.line = (count - 1).min(self.buffer.last());
        }
        let line = self.cursor.line;
        match key {
            Key::Char('z' | '.') => self.view.center(line, self.buffer.len()),
            Key::Char('t') | Key::Enter => self.view.start_at(line),
            Key::Char('b' | '-') => self.view.end_at(line, self.buffer.len()),
            Key::Char('a' | 'A' | 'c' | 'C' | 'm' | 'M' | 'o' | 'O' | 'r' | 'R' | 'v' | 'x' | 'X') => {}
            _ => return unknown(key),
        }
        if matches!(key, Key::Char('.' | '-') | Key::Enter) {
            self.go_to_line(line);
        }
        Ok(())
    }

    fn quit_command(&mut self, keys: &mut Keys) -> Run<()> {
        match keys.argument()? {
            Key::Char('Z') => self.ex_line("x"),
            Key::Char('Q') => self.ex_line("q!"),
            key => unknown(key),
        }
    }

    fn insert_command(&mut self, name: char, prefix: Prefix, keys: &mut Keys) {
        let line = self.current_line();
        match name {
            'I' => self.cursor.col = cells::indent_bytes(line),
            'a' if self.cursor.col < line.len() => self.cursor.col = cells::next(line, self.cursor.col),
            'A' => self.cursor.col = line.len(),
            'o' => self.open_line(self.cursor.line + 1),
            'O' => self.open_line(self.cursor.line),
            _ => {}
        }
        let opens_line = matches!(name, 'o' | 'O');
        if prefix.count.is_some_and(|count| count > 1) && !self.replaying {
            self.repeated_insert = prefix.count;
        }
        self.begin_insert(Opening { count: prefix.times(), opens_line, replaces: name == 'R' });
        let taken = keys.take();
        self.insert_repeats(taken, prefix.count, prefix.register, None);
    }

    fn replace_characters(&mut self, character: char, count: usize) {
        let line = self.current_line();
        let (stop, there) = cells::forward(line, self.cursor.col, count);
        if there < count {
            self.status = Some(format!("there are not {count} characters to replace"));
            return;
        }
        if character == '\n' {
            let stop = Position::new(self.cursor.line, stop);
            self.replace_between(self.cursor, stop, "\n");
            self.cursor = Position::new(self.cursor.line + 1, 0);
            self.go_to_line(self.cursor.line);
            return;
        }
        let text = String::from(character).repeat(count);
        self.replace_in_line(self.cursor.line, self.cursor.col..stop, &text);
        self.cursor.col += text.len() - character.len_utf8();
        self.want = Want::Cursor;
    }

    fn toggle(&mut self, count: usize) {
        let line = self.current_line();
        let (stop, there) = cells::forward(line, self.cursor.col, count);
        if there == 0 {
            return;
        }
        let text = in_case(&line[self.cursor.col..stop], Case::Toggle);
        let end = self.cursor.col + text.len();
        self.replace_in_line(self.cursor.line, self.cursor.col..stop, &text);
        self.cursor.col = end;
        self.want = Want::Cursor;
    }

    fn join_command(&mut self, spaced: bool, prefix: Prefix, keys: &mut Keys) {
        let line = self.cursor.line;
        let count = prefix.times().max(2);
        if line == self.buffer.last() {
            if count > 2 {
                self.cursor.col = 0;
            }
            self.status = Some("there is no line to join".to_owned());
            return;
        }
        self.join(line, count, spaced);
        self.changed(prefix, keys);
    }

    fn dot(&mut self, prefix: Prefix) -> Run<()> {
        let Some(mut repeat) = self.repeat.clone() else {
            if self.changed_by_line {
                self.status = Some("`.` repeats no command of `:`".to_owned());
                return Ok(());
            }
            return fault(FaultKind::NoPrevious, "there was no change that `.` could repeat");
        };
        repeat.count = prefix.count.or(repeat.count);
        self.replaying = true;
        let done = self.play(&repeat);
        self.replaying = false;
        done?;
        if prefix.count.is_some() {
            self.repeat = Some(repeat);
        }
        Ok(())
    }

    fn play(&mut self, repeat: &Repeat) -> Run<()> {
        let mut keys = Keys::stored(&repeat.keys);
        let prefix = Prefix { count: repeat.count, register: repeat.register };
        if let Some(selected) = &repeat.selected {
            self.select_again(selected);
            if let Some(key) = keys.next(Place::Command)? {
                self.visual_key(key, prefix, &mut keys)?;
            }
        } else if let Some(key) = keys.next(Place::Command)? {
            self.command(key, prefix, &mut keys)?;
        }
        while let Mode::Insert(_) = self.mode {
            if keys.is_done() {
                return self.end_insert();
            }
            self.insert_key(&mut keys)?;
        }
        Ok(())
    }
}

fn with_digit(count: Option<usize>, digit: char) -> usize {
    let digit = digit.to_digit(10).unwrap_or(0) as usize;
    (count.unwrap_or(0) * 10 + digit).min(MOST)
}

/// The operator of a key.
pub fn operator_of(name: char) -> Operator {
    match name {
        'c' => Operator::Change,
        'y' => Operator::Yank,
        '>' => Operator::Shift { right: true },
        '<' => Operator::Shift { right: false },
        _ => Operator::Delete,
    }
}

/// The case that `gu`, `gU` and `g~` stand for.
pub fn case_of(name: char) -> Option<Case> {
    match name {
        'u' => Some(Case::Lower),
        'U' => Some(Case::Upper),
        '~' => Some(Case::Toggle),
        _ => None,
    }
}

/// The key stands for nothing here.
pub fn unknown(key: Key) -> Run<()> {
    let name = match key {
        Key::Char(character) => character.to_string(),
        Key::Ctrl(character) => format!("<C-{character}>"),
        Key::Escape => "<Esc>".to_owned(),
        Key::Enter => "<CR>".to_owned(),
        Key::Backspace => "<BS>".to_owned(),
        Key::Delete => "<Del>".to_owned(),
    };
    fault(FaultKind::UnsupportedCommand, format!("`{name}` is no command here"))
}
