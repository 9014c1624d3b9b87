//! Putting a register into the text.

use super::buffer::Position;
use super::cells;
use super::editor::{Editor, Want};
use super::fault::Run;
use super::register::Text;
use super::work::check_size;

impl Editor {
    /// `p` and `P`.
    pub fn put(&mut self, register: Option<char>, after: bool, count: usize) -> Run<()> {
        let Some(text) = self.registers.get(register).cloned() else {
            self.status = Some("the register is empty".to_owned());
            return Ok(());
        };
        check_size(text.pieces.iter().map(String::len).sum::<usize>() + text.pieces.len(), count)?;
        self.want = Want::Cursor;
        if text.lines {
            let at = self.cursor.line + usize::from(after);
            self.put_lines(at, &text, count);
            self.go_to_line(at);
        } else {
            self.put_characters(&text, after, count);
        }
        Ok(())
    }

    /// Puts lines before line `at`; gives the number of the last one.
    pub fn put_lines(&mut self, at: usize, text: &Text, count: usize) -> usize {
        let was_empty = self.buffer.is_empty();
        let lines: Vec<String> = std::iter::repeat_n(&text.pieces, count).flatten().cloned().collect();
        let last = at + lines.len() - 1;
        // An empty file has an empty line for the cursor, and putting beside it makes it a real one.
        if was_empty && !lines.is_empty() {
            self.replace_lines(0..1, vec![String::new()]);
        }
        self.replace_lines(at..at, lines);
        last
    }

    fn put_characters(&mut self, text: &Text, after: bool, count: usize) {
        let line = self.current_line();
        let col = if after && self.cursor.col < line.len() {
            cells::next(line, self.cursor.col)
        } else {
            self.cursor.col
        };
        let at = Position::new(self.cursor.line, col);
        let joined = text.pieces.join("\n").repeat(count);
        let end = self.replace_between(at, at, &joined);
        // A text of one line leaves the cursor on its last character, a longer one on its first.
        self.cursor = if text.pieces.len() > 1 || joined.is_empty() {
            if joined.is_empty() { self.cursor } else { at }
        } else {
            Position::new(end.line, cells::prev(self.buffer.line(end.line), end.col))
        };
    }

    /// `p` over a selection that was just deleted; `at_end`: the cursor slid off the end of the line.
    pub fn put_in_place(&mut self, text: &Text, was_lines: bool, start: Position, count: usize) -> Run<()> {
        check_size(text.pieces.iter().map(String::len).sum::<usize>() + text.pieces.len(), count)?;
        if was_lines {
            let at = if self.buffer.is_empty() { 0 } else { start.line.min(self.buffer.len()) };
            if self.buffer.is_empty() {
                let lines = std::iter::repeat_n(&text.pieces, count).flatten().cloned().collect();
                self.replace_lines(0..1, lines);
            } else {
                self.put_lines(at, text, count);
            }
            self.go_to_line(at);
            return Ok(());
        }
        if text.lines {
            let lines = std::iter::repeat_n(text.pieces.join("\n"), count).collect::<Vec<_>>().join("\n");
            self.replace_between(start, start, &format!("\n{lines}\n"));
            self.go_to_line(start.line + 1);
            return Ok(());
        }
        self.cursor = start;
        self.put_characters(text, false, count);
        Ok(())
    }
}
