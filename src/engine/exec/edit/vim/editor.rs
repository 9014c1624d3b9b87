//! The editor of one file: text, cursor, mode, and what it remembers from key to key.

use super::buffer::{Buffer, Line, Position};
use super::cells;
use super::fault::{FaultKind, Run, fault};
use super::insert::Insert;
use super::keys::{Key, Keys};
use super::line::Prompt;
use super::motion::Find;
use super::pattern::Pattern;
use super::register::Registers;
use super::substitute::Substitution;
use super::view::View;
use super::visual::{Selected, Visual};
use super::work::{Work, require_size};

/// What keys mean at the moment.
#[derive(Debug, Clone)]
pub enum Mode {
    Normal,
    Insert(Box<Insert>),
    Visual(Visual),
    /// A line for `:`, `/` or `?` is typed.
    Line(Box<Prompt>),
}

/// The column that vertical motions try to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// That of the cursor.
    Cursor,
    /// A cell of the line.
    Cell(usize),
    /// The end of every line.
    End,
}

/// The last change, to be made again.
#[derive(Debug, Clone)]
pub struct Repeat {
    /// Without counts.
    pub keys: Vec<Key>,
    pub count: Option<usize>,
    pub register: Option<char>,
    /// What was selected, if the change began in visual mode.
    pub selected: Option<Selected>,
}

/// What became of the file by `:w` and `:q`.
#[derive(Debug, Clone, Default)]
pub struct Leaving {
    /// The text at the last `:w`.
    pub written: Option<String>,
    /// `:w!`: whatever is on the disk.
    pub forced: bool,
    /// The buffer was closed.
    pub closed: bool,
}

/// The state.
#[derive(Debug, Clone)]
pub struct Editor {
    pub(super) buffer: Buffer,
    /// The text as it was loaded or written.
    pub(super) saved: Buffer,
    /// The text as the disk held it when the call began.
    pub(super) disk: String,
    pub(super) cursor: Position,
    pub(super) want: Want,
    pub(super) mode: Mode,
    pub(super) registers: Registers,
    pub(super) search: Option<(Pattern, bool)>,
    pub(super) find: Option<Find>,
    pub(super) last_visual: Option<Visual>,
    pub(super) repeat: Option<Repeat>,
    pub(super) substitution: Option<Substitution>,
    pub(super) view: View,
    pub(super) leaving: Leaving,
    pub(super) work: Work,
    /// Somebody else changed the file since it was loaded.
    pub(super) disk_differs: bool,
    /// The last line that was entered, and what was said of it.
    pub(super) last_line: Option<String>,
    pub(super) status: Option<String>,
    /// An ex command changed the text: no key repeats that.
    pub(super) changed_by_line: bool,
    /// Keys are being repeated.
    pub(super) replaying: bool,
    /// A count stood before `i` or `o`, which is often meant as a line number.
    pub(super) repeated_insert: Option<usize>,
    /// The file as the caller named it, for `:e`.
    pub(super) name: String,
}

impl Editor {
    /// An editor on an LF text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let buffer = Buffer::new(text);
        Self {
            saved: buffer.clone(),
            disk: text.to_owned(),
            buffer,
            cursor: Position::default(),
            want: Want::Cursor,
            mode: Mode::Normal,
            registers: Registers::default(),
            search: None,
            find: None,
            last_visual: None,
            repeat: None,
            substitution: None,
            view: View::default(),
            leaving: Leaving::default(),
            work: Work::default(),
            disk_differs: false,
            last_line: None,
            status: None,
            changed_by_line: false,
            replaying: false,
            repeated_insert: None,
            name: String::new(),
        }
    }

    /// The LF text.
    #[must_use]
    pub fn text(&self) -> String {
        self.buffer.text()
    }

    /// Line and column of the cursor, from 1; the column counts UTF-16 units.
    #[must_use]
    pub fn cursor(&self) -> (usize, usize) {
        let line = self.current_line();
        (self.cursor.line + 1, cells::units(line, self.cursor.col.min(line.len())) + 1)
    }

    /// Takes another text; the cursor stays where it can.
    pub fn reload(&mut self, text: &str) {
        self.buffer = Buffer::new(text);
        self.saved = self.buffer.clone();
        self.disk_differs = false;
        self.mode = Mode::Normal;
        self.settle();
    }

    /// Carries out keys until there are no more.
    pub fn feed(&mut self, keys: &mut Keys) -> Run<()> {
        while !keys.is_done() {
            if self.leaving.closed {
                return fault(FaultKind::UnsupportedCommand, "the buffer is closed; no key can follow");
            }
            self.step(keys)?;
        }
        Ok(())
    }

    fn step(&mut self, keys: &mut Keys) -> Run<()> {
        self.work.next_key()?;
        match &self.mode {
            Mode::Normal => self.normal_command(keys)?,
            Mode::Insert(_) => self.insert_key(keys)?,
            Mode::Visual(_) => self.visual_command(keys)?,
            Mode::Line(_) => self.line_key(keys)?,
        }
        self.settle();
        require_size(self.buffer.size())
    }

    /// What holds after each key: the cursor is on a character, and a finished command is one step of undo.
    pub fn settle(&mut self) {
        self.cursor.line = self.cursor.line.min(self.buffer.last());
        let line = self.buffer.line(self.cursor.line);
        let limit = match self.mode {
            Mode::Normal => cells::last(line),
            _ => line.len(),
        };
        if self.cursor.col > limit {
            self.cursor.col = limit;
        }
        self.cursor.col = cells::align(line, self.cursor.col);
        if !matches!(self.mode, Mode::Insert(_)) {
            self.buffer.history.close();
        }
        self.view.follow(self.cursor.line, self.buffer.len());
    }

    /// Whether the text differs from what is on the disk.
    #[must_use]
    pub fn is_modified(&self) -> bool {
        !self.buffer.same_text(&self.saved)
    }

    /// The line of the cursor.
    #[must_use]
    pub fn current_line(&self) -> &str {
        self.buffer.line(self.cursor.line)
    }

    /// Puts the cursor on a line, at its first character that is no blank.
    pub fn go_to_line(&mut self, line: usize) {
        let line = line.min(self.buffer.last());
        self.cursor = Position::new(line, cells::first_nonblank(self.buffer.line(line)));
        self.want = Want::Cursor;
    }

    /// Replaces whole lines.
    pub fn replace_lines(&mut self, range: std::ops::Range<usize>, new: Vec<String>) {
        let new: Vec<Line> = new.into_iter().map(Line::from).collect();
        let moves_the_rest = new.len() != range.len();
        let rest = if moves_the_rest { self.buffer.len() - range.start } else { 0 };
        self.work.add_lines(new.len(), new.iter().map(|line| line.len()).sum(), rest);
        let kept = self.buffer.replace(range, new, self.cursor);
        self.work.add(kept);
    }

    /// Replaces a part of a line.
    pub fn replace_in_line(&mut self, line: usize, range: std::ops::Range<usize>, new: &str) {
        let old = self.buffer.line(line);
        let text = [&old[..range.start], new, &old[range.end..]].concat();
        self.replace_lines(line..line + 1, vec![text]);
    }

    /// Replaces what lies between two places by a text that may hold line breaks. Gives the place behind it.
    pub fn replace_between(&mut self, start: Position, stop: Position, new: &str) -> Position {
        let head = &self.buffer.line(start.line)[..start.col];
        let tail = &self.buffer.line(stop.line)[stop.col..];
        let mut lines: Vec<String> = new.split('\n').map(str::to_owned).collect();
        let count = lines.len();
        lines[0].insert_str(0, head);
        let end_col = lines[count - 1].len();
        lines[count - 1].push_str(tail);
        self.replace_lines(start.line..stop.line + 1, lines);
        Position::new(start.line + count - 1, end_col)
    }

    /// Undoes or redoes commands.
    pub fn undo(&mut self, count: usize, redo: bool) {
        for done in 0..count {
            let Some(entry) = self.buffer.history.pop(redo) else {
                if done == 0 {
                    self.status = Some(if redo { "nothing to redo" } else { "nothing to undo" }.to_owned());
                }
                return;
            };
            let (inverse, cursor) = self.buffer.undo(&entry, self.cursor);
            self.buffer.history.push(inverse, redo);
            self.cursor = cursor;
            self.want = Want::Cursor;
            self.settle();
        }
    }

    /// Takes back what the open command or insert did.
    pub fn roll_back_open(&mut self) {
        if let Some(entry) = self.buffer.history.take_open() {
            let (_, cursor) = self.buffer.undo(&entry, self.cursor);
            self.cursor = cursor;
        }
        self.mode = Mode::Normal;
        self.settle();
    }

    /// Remembers a change for `.`, unless it is itself a repetition.
    pub fn remember(&mut self, repeat: Repeat) {
        if !self.replaying {
            self.repeat = Some(repeat);
        }
    }
}
