//! Insert and replace mode.

use super::buffer::Position;
use super::cells;
use super::editor::{Editor, Mode, Repeat, Want};
use super::fault::{FaultKind, Run, fault};
use super::keys::{Key, Keys, Place};
use super::visual::Selected;
use super::walk::Walk;
use super::work::check_size;

/// How an insert begins.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// How often the text is inserted.
    pub count: usize,
    /// Each time on a line of its own, opened below or above.
    pub opens_line: bool,
    /// Characters are overwritten.
    pub replaces: bool,
}

/// An insert that goes on.
#[derive(Debug, Clone)]
pub struct Insert {
    opening: Opening,
    /// Where it began.
    start: Position,
    /// For `.`: what led here, and what was typed since.
    pub repeat: Repeat,
    typed: Vec<Key>,
    /// In replace mode, what each typed character took the place of.
    replaced: Vec<Option<String>>,
    /// Typed text is not repeated after the cursor was moved.
    moved: bool,
}

impl Insert {
    /// Whether nothing was typed.
    pub fn is_unused(&self) -> bool {
        self.typed.is_empty() && !self.moved
    }
}

impl Editor {
    /// Goes over to insert mode at the cursor.
    pub fn begin_insert(&mut self, opening: Opening) {
        let repeat = Repeat { keys: Vec::new(), count: None, register: None, selected: None };
        self.mode = Mode::Insert(Box::new(Insert {
            opening,
            start: self.cursor,
            repeat,
            typed: Vec::new(),
            replaced: Vec::new(),
            moved: false,
        }));
    }

    /// Says how the insert that just began is repeated.
    pub fn insert_repeats(
        &mut self,
        keys: Vec<Key>,
        count: Option<usize>,
        register: Option<char>,
        selected: Option<Selected>,
    ) {
        if let Mode::Insert(insert) = &mut self.mode {
            insert.repeat = Repeat { keys, count, register, selected };
        }
    }

    /// One key of insert mode.
    pub fn insert_key(&mut self, keys: &mut Keys) -> Run<()> {
        let Some(key) = keys.next(Place::Insert)? else { return Ok(()) };
        self.work.next_key()?;
        if key == Key::Ctrl('o') {
            return self.one_command(keys);
        }
        if key == Key::Escape {
            return self.end_insert();
        }
        let Some(mut insert) = self.take_insert() else { return Ok(()) };
        insert.typed.push(key);
        let done = self.type_key(key, &mut insert);
        self.mode = Mode::Insert(insert);
        done
    }

    /// Types a whole text.
    pub fn type_text(&mut self, text: &str) {
        let Some(mut insert) = self.take_insert() else { return };
        insert.typed.extend(text.chars().map(Key::Char));
        if insert.opening.replaces {
            for character in text.chars() {
                self.type_character(character, &mut insert);
            }
        } else {
            self.cursor = self.replace_between(self.cursor, self.cursor, text);
        }
        self.mode = Mode::Insert(insert);
    }

    fn take_insert(&mut self) -> Option<Box<Insert>> {
        match std::mem::replace(&mut self.mode, Mode::Normal) {
            Mode::Insert(insert) => Some(insert),
            other => {
                self.mode = other;
                None
            }
        }
    }

    fn type_key(&mut self, key: Key, insert: &mut Insert) -> Run<()> {
        match key {
            Key::Char(character) => self.type_character(character, insert),
            Key::Enter => self.type_character('\n', insert),
            Key::Backspace => {
                self.erase(insert, |editor| cells::prev(editor.current_line(), editor.cursor.col));
            }
            Key::Ctrl('w') => self.erase(insert, Self::word_before),
            Key::Ctrl('u') => self.erase(insert, |_| 0),
            Key::Delete => {
                let line = self.current_line();
                if self.cursor.col < line.len() {
                    let range = self.cursor.col..cells::next(line, self.cursor.col);
                    self.replace_in_line(self.cursor.line, range, "");
                }
            }
            Key::Ctrl(name) => {
                return fault(
                    FaultKind::UnsupportedCommand,
                    format!("`<C-{name}>` does nothing in insert mode"),
                );
            }
            Key::Escape => {}
        }
        Ok(())
    }

    fn type_character(&mut self, character: char, insert: &mut Insert) {
        let mut buffer = [0; 4];
        let text = character.encode_utf8(&mut buffer);
        if insert.opening.replaces && character != '\n' {
            let line = self.current_line();
            let stop = if self.cursor.col < line.len() {
                cells::next(line, self.cursor.col)
            } else {
                self.cursor.col
            };
            let old = line[self.cursor.col..stop].to_owned();
            self.replace_in_line(self.cursor.line, self.cursor.col..stop, text);
            self.cursor.col += text.len();
            insert.replaced.push(Some(old));
        } else {
            self.cursor = self.replace_between(self.cursor, self.cursor, text);
            if insert.opening.replaces {
                insert.replaced.push(None);
            }
        }
    }

    /// Erases back to a column of the line; at its start, the line break. What was typed goes first.
    fn erase(&mut self, insert: &mut Insert, target: impl Fn(&Self) -> usize) {
        if insert.opening.replaces {
            let col = target(self);
            loop {
                self.restore_replaced(insert);
                if self.cursor.col <= col || insert.replaced.is_empty() {
                    return;
                }
            }
        }
        if self.cursor.col == 0 {
            if self.cursor.line > 0 {
                let before = self.cursor.line - 1;
                let end = Position::new(before, self.buffer.line(before).len());
                self.replace_between(end, self.cursor, "");
                self.cursor = end;
                insert.start = insert.start.min(end);
            }
            return;
        }
        let mut col = target(self);
        let starts_here = insert.start.line == self.cursor.line && insert.start.col < self.cursor.col;
        if starts_here {
            col = col.max(insert.start.col);
        }
        self.replace_in_line(self.cursor.line, col..self.cursor.col, "");
        self.cursor.col = col;
        insert.start = insert.start.min(self.cursor);
    }

    fn word_before(&self) -> usize {
        let line = self.current_line();
        let mut col = self.cursor.col;
        let class_before = |col: usize| cells::class(cells::char_at(line, cells::prev(line, col)), false);
        while col > 0 && class_before(col) == 0 {
            col = cells::prev(line, col);
        }
        if col > 0 {
            let class = class_before(col);
            while col > 0 && class_before(col) == class {
                col = cells::prev(line, col);
            }
        }
        col
    }

    /// In replace mode `<BS>` brings back what was overwritten.
    fn restore_replaced(&mut self, insert: &mut Insert) {
        match insert.replaced.pop() {
            Some(Some(old)) => {
                let col = cells::prev(self.current_line(), self.cursor.col);
                self.replace_in_line(self.cursor.line, col..self.cursor.col, &old);
                self.cursor.col = col;
            }
            Some(None) if self.cursor.line > 0 => {
                let before = self.cursor.line - 1;
                let end = Position::new(before, self.buffer.line(before).len());
                self.replace_between(end, self.cursor, "");
                self.cursor = end;
            }
            _ => {
                let mut walk = Walk::new(&self.buffer, self.cursor, false);
                if !walk.left() {
                    walk.back();
                }
                self.cursor = walk.at;
            }
        }
    }

    /// `<C-o>`: one command of normal mode, then the insert goes on.
    fn one_command(&mut self, keys: &mut Keys) -> Run<()> {
        let Some(mut insert) = self.take_insert() else { return Ok(()) };
        let at_end = self.cursor.col > 0 && self.cursor.col == self.current_line().len();
        let before = self.cursor;
        if at_end {
            self.cursor.col = cells::last(self.current_line());
        }
        let shown = self.cursor;
        self.normal_command(keys)?;
        if let Mode::Normal = self.mode {
            let line_end = self.current_line().len();
            let stays = self.cursor == shown && at_end;
            if stays || self.want == Want::End {
                self.cursor = if stays { before } else { Position::new(self.cursor.line, line_end) };
            }
            self.cursor.col = self.cursor.col.min(self.current_line().len());
            insert.start = self.cursor;
            insert.moved = true;
            insert.typed.clear();
            self.mode = Mode::Insert(insert);
        }
        Ok(())
    }

    /// `<Esc>`: the text is repeated as often as asked for, and the cursor steps back.
    pub fn end_insert(&mut self) -> Run<()> {
        let Some(mut insert) = self.take_insert() else { return Ok(()) };
        let count = insert.opening.count;
        if count > 1 && !insert.moved {
            check_size(insert.typed.len() + 1, count)?;
            self.type_again(&mut insert, count - 1)?;
        }
        if self.cursor.col > 0 {
            self.cursor.col = cells::prev(self.current_line(), self.cursor.col);
        }
        self.want = Want::Cursor;
        let mut repeat = insert.repeat;
        repeat.keys.extend(insert.typed);
        repeat.keys.push(Key::Escape);
        self.remember(repeat);
        Ok(())
    }

    /// Types what was typed, so many times.
    fn type_again(&mut self, insert: &mut Insert, times: usize) -> Run<()> {
        let is_plain = !insert.opening.opens_line && !insert.opening.replaces;
        if let Some(text) = text_of(&insert.typed).filter(|_| is_plain) {
            // In one go: character by character the rest of the line would be moved each time.
            if !text.is_empty() {
                self.cursor = self.replace_between(self.cursor, self.cursor, &text.repeat(times));
            }
            return Ok(());
        }
        let typed = insert.typed.clone();
        for _ in 0..times {
            self.work.next_key()?;
            if insert.opening.opens_line {
                self.open_line(self.cursor.line + 1);
                insert.start = self.cursor;
            }
            for key in &typed {
                self.work.next_key()?;
                self.type_key(*key, insert)?;
            }
        }
        Ok(())
    }

    /// Makes an empty line before line `at` and puts the cursor there.
    pub fn open_line(&mut self, at: usize) {
        // The empty line of an empty file becomes a real one.
        if self.buffer.is_empty() {
            self.replace_lines(0..1, vec![String::new()]);
        }
        self.replace_lines(at..at, vec![String::new()]);
        self.cursor = Position::new(at, 0);
    }
}

/// The text that keys type; none if one of them does something else.
fn text_of(keys: &[Key]) -> Option<String> {
    let character = |key: &Key| match key {
        Key::Char(character) => Some(*character),
        Key::Enter => Some('\n'),
        _ => None,
    };
    keys.iter().map(character).collect()
}
