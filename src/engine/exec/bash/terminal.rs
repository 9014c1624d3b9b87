//! From the bytes of a command to the text a terminal would show line by line.
//!
//! UTF-8 with U+FFFD for what is none, escape sequences removed, a carriage return starts the line over, a backspace
//! goes back one character, erasing is followed, other control characters but tab and newline are dropped. State is
//! kept between pieces, so it never matters where a read happened to end.

use super::window::Window;
use crate::engine::text::floor_char_boundary;

/// A line longer than this many bytes (or cells) is passed on in parts; what was passed on cannot be written over.
const LINE_LIMIT: usize = 64 * 1024;

/// The terminal. Writes what is final into a [`Window`].
#[derive(Debug, Clone, Default)]
pub struct Terminal {
    /// The start of a character whose rest has not come yet.
    incomplete: Vec<u8>,
    state: State,
    line: Line,
}

/// Where in an escape sequence the stream stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Text,
    /// Behind ESC.
    Escape,
    /// Behind ESC and an intermediate such as `(`.
    EscapeMore,
    /// Behind ESC `[`; the number so far, none after a private or second parameter.
    Control(Option<usize>),
    /// In a title, link or device string, which ends with BEL or ESC `\`.
    String,
    /// Behind an ESC in such a string.
    StringEscape,
}

impl Terminal {
    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8], window: &mut Window) {
        if self.incomplete.is_empty() {
            self.decode(bytes, window);
        } else {
            let mut joined = std::mem::take(&mut self.incomplete);
            joined.extend_from_slice(bytes);
            self.decode(&joined, window);
        }
    }

    /// The stream has ended.
    pub fn finish(mut self, window: &mut Window) {
        if !self.incomplete.is_empty() {
            self.text("\u{FFFD}", window);
        }
        self.line.flush(window);
    }

    fn decode(&mut self, bytes: &[u8], window: &mut Window) {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.text(chunk.valid(), window);
            let invalid = chunk.invalid();
            let may_go_on = || std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            if chunks.peek().is_none() && may_go_on() {
                self.incomplete = invalid.to_vec();
            } else if !invalid.is_empty() {
                self.text("\u{FFFD}", window);
            }
        }
    }

    fn text(&mut self, mut text: &str, window: &mut Window) {
        loop {
            if self.state == State::Text {
                let (plain, rest) = text.split_at(plain_length(text.as_bytes()));
                self.line.write(plain, window);
                text = rest;
            }
            let Some(c) = text.chars().next() else { return };
            let (this, rest) = text.split_at(c.len_utf8());
            self.state = self.step(c, this, window);
            text = rest;
        }
    }

    /// Takes one character; `this` is the same as text.
    fn step(&mut self, c: char, this: &str, window: &mut Window) -> State {
        match (self.state, c) {
            // A newline or a cancel ends whatever sequence it stands in: a broken one must not swallow the rest.
            (State::Text, _) | (_, '\n' | '\r' | '\x18' | '\x1a') => self.plain_step(c, this, window),
            (State::String, '\x1b') => State::StringEscape,
            (State::String, '\x07' | '\u{9c}') | (State::StringEscape, '\\') => State::Text,
            (State::Escape | State::EscapeMore | State::Control(_) | State::StringEscape, '\x1b') => {
                State::Escape
            }
            // The ESC that ended the string started this sequence.
            (State::Escape | State::StringEscape, '[') => State::Control(Some(0)),
            (State::String, _) | (State::Escape | State::StringEscape, ']' | 'P' | 'X' | '^' | '_') => {
                State::String
            }
            (State::Escape | State::StringEscape | State::EscapeMore, ' '..='/') => State::EscapeMore,
            (State::Escape | State::StringEscape | State::EscapeMore, '0'..='~') => State::Text,
            (State::Control(Some(number)), '0'..='9') => {
                State::Control(Some((number * 10 + (c as usize - '0' as usize)).min(LINE_LIMIT)))
            }
            (State::Control(_), ' '..='?') => State::Control(None),
            (State::Control(number), '@'..='~') => {
                self.control(c, number);
                State::Text
            }
            _ => self.plain_step(c, this, window),
        }
    }

    fn plain_step(&mut self, c: char, this: &str, window: &mut Window) -> State {
        match c {
            '\x1b' => return State::Escape,
            '\u{9b}' => return State::Control(Some(0)),
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => return State::String,
            '\r' => self.line.returned = true,
            '\x08' => self.line.go_back(),
            '\n' | '\t' => self.line.write(this, window),
            c if c.is_control() => {}
            _ => self.line.write(this, window),
        }
        State::Text
    }

    /// The sequences that progress bars use on their own line; all others only colour or move elsewhere.
    fn control(&mut self, command: char, number: Option<usize>) {
        match (command, number) {
            ('K', Some(0)) => self.line.erase_behind(),
            ('K', Some(1)) => self.line.erase_before(),
            ('K', Some(2)) => self.line.erase_all(),
            ('G', Some(column)) => self.line.go_to(column.saturating_sub(1)),
            _ => {}
        }
    }
}

/// The line that is being written. As long as nothing is written over it is plain text; then it is cells.
#[derive(Debug, Clone, Default)]
struct Line {
    text: String,
    cells: Vec<char>,
    /// Index of the next cell; absent while the line is plain text.
    cursor: Option<usize>,
    /// A carriage return came last. Before a newline it means nothing.
    returned: bool,
}

impl Line {
    /// Writes text without control characters other than tab and newline.
    fn write(&mut self, text: &str, window: &mut Window) {
        if text.is_empty() {
            return;
        }
        if self.returned && !text.starts_with('\n') {
            self.spread();
        }
        let mut rest = if self.cursor.is_some() { self.write_over(text, window) } else { text };
        if let Some(end) = memchr::memrchr(b'\n', rest.as_bytes()) {
            self.flush(window);
            window.push(&rest[..=end]);
            rest = &rest[end + 1..];
        }
        // Counted from the start of the line, not from that of the piece.
        while self.text.len() + rest.len() > LINE_LIMIT {
            let (fits, more) = rest.split_at(floor_char_boundary(rest, LINE_LIMIT - self.text.len()));
            self.text.push_str(fits);
            self.flush(window);
            rest = more;
        }
        self.text.push_str(rest);
    }

    /// Writes into the cells; what comes behind the end of the line or of the last possible cell is given back.
    fn write_over<'a>(&mut self, text: &'a str, window: &mut Window) -> &'a str {
        let mut cursor = self.cursor.unwrap_or(0);
        for (at, c) in text.char_indices() {
            if c == '\n' || cursor == LINE_LIMIT {
                self.flush(window);
                return &text[at..];
            }
            match self.cells.get_mut(cursor) {
                Some(cell) => *cell = c,
                None => self.cells.push(c),
            }
            cursor += 1;
        }
        self.cursor = Some(cursor);
        ""
    }

    /// Passes the line on as it is.
    fn flush(&mut self, window: &mut Window) {
        self.text.extend(self.cells.drain(..));
        window.push(&self.text);
        self.text.clear();
        self.cursor = None;
        self.returned = false;
    }

    /// Moves to a cell, at most behind the last one.
    fn go_to(&mut self, column: usize) {
        self.spread();
        self.cursor = Some(column.min(self.cells.len()));
    }

    fn go_back(&mut self) {
        let cursor = self.spread();
        self.cursor = Some(cursor.saturating_sub(1));
    }

    fn erase_behind(&mut self) {
        let cursor = self.spread();
        self.cells.truncate(cursor);
    }

    fn erase_before(&mut self) {
        let cursor = self.spread();
        self.cells[..cursor].fill(' ');
    }

    /// From plain text to cells; the cursor, a carriage return carried out.
    fn spread(&mut self) -> usize {
        if self.cursor.is_none() {
            self.cells.extend(self.text.chars());
            self.text.clear();
        }
        let returned = std::mem::take(&mut self.returned);
        let cursor = if returned { 0 } else { self.cursor.unwrap_or(self.cells.len()) };
        self.cursor = Some(cursor);
        cursor
    }

    fn erase_all(&mut self) {
        self.spread();
        self.cells.clear();
        self.cursor = Some(0);
    }
}

/// How many bytes from the start are neither a control character (but tab and newline) nor may start one of the
/// two-byte control characters. Eight at a time, since nearly all output is nothing but this.
fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return index * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |byte: &u8| matches!(*byte, 0..=8 | 11..=31 | 0x7F | 0xC2);
    words.len() * 8 + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// The high bit of each byte that [`plain_length`] stops at.
fn special_bytes(word: u64) -> u64 {
    const LOW_BITS: u64 = all(0x7F);
    const NOT_BELOW_SPACE: u64 = all(0xE0);
    const NEWLINE: u64 = all(b'\n');
    const TAB: u64 = all(b'\t');
    const DELETE: u64 = all(0x7F);
    const TWO_BYTE_CONTROL: u64 = all(0xC2);
    // Exact for each byte: no carry leaves its byte.
    let not_zero = |word: u64| ((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS;
    let special = !not_zero(word & NOT_BELOW_SPACE) & not_zero(word ^ NEWLINE) & not_zero(word ^ TAB);
    special | !(not_zero(word ^ DELETE) & not_zero(word ^ TWO_BYTE_CONTROL))
}

const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}
