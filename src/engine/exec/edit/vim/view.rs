//! Which lines are shown.

use std::ops::Range;

use super::editor::Editor;

/// Lines shown after keys, and when a file is only looked at.
pub const HEIGHT: usize = 10;
pub const LOOK: usize = 80;
/// Lines of half a page.
const HALF: usize = 5;

/// The part of the text that is shown.
#[derive(Debug, Clone, Copy)]
pub struct View {
    top: usize,
    height: usize,
}

impl Default for View {
    fn default() -> Self {
        Self { top: 0, height: HEIGHT }
    }
}

impl View {
    /// The lines, of so many.
    pub fn lines(&self, of: usize) -> Range<usize> {
        let top = self.top.min(of - 1);
        top..(top + self.height).min(of)
    }

    /// Shows so many lines from now on.
    pub fn resize(&mut self, height: usize) {
        self.height = height;
    }

    /// Scrolls no farther than needed to show a line.
    pub fn follow(&mut self, line: usize, of: usize) {
        if line < self.top {
            self.top = line;
        } else if line >= self.top + self.height {
            self.top = line + 1 - self.height;
        }
        self.top = self.top.min(of - 1);
    }

    /// Shows a line in the middle, with no room left over at the end.
    pub fn recenter(&mut self, line: usize, of: usize) {
        self.top = line.saturating_sub(self.height / 2).min(of.saturating_sub(self.height));
    }

    /// Shows a line in the middle.
    pub fn center(&mut self, line: usize, of: usize) {
        self.recenter(line, of);
    }

    /// Shows a line first.
    pub fn start_at(&mut self, line: usize) {
        self.top = line;
    }

    /// Shows a line last.
    pub fn end_at(&mut self, line: usize, _: usize) {
        self.top = (line + 1).saturating_sub(self.height);
    }
}

impl Editor {
    /// The line that `H`, `M` or `L` means.
    #[must_use]
    pub fn view_line(&self, name: char, count: usize) -> usize {
        let shown = self.view.lines(self.buffer.len());
        match name {
            'H' => (shown.start + count - 1).min(shown.end - 1),
            'L' => shown.end.saturating_sub(count).max(shown.start),
            _ => (shown.start + shown.end - 1) / 2,
        }
    }

    /// `<C-d>` and `<C-u>`.
    pub fn half_page(&mut self, down: bool, count: usize) {
        let by = HALF.saturating_mul(count);
        let line = self.cursor.line;
        self.go_to_line(if down { line.saturating_add(by) } else { line.saturating_sub(by) });
    }

    /// `<C-f>` and `<C-b>`: two lines stay in sight.
    pub fn page(&mut self, down: bool, count: usize) {
        let by = (self.view.height - 2).saturating_mul(count);
        let shown = self.view.lines(self.buffer.len());
        if down {
            self.view.top = shown.start.saturating_add(by).min(self.buffer.last());
            self.go_to_line(self.cursor.line.max(self.view.top));
        } else {
            self.view.top = shown.start.saturating_sub(by);
            let last = self.view.lines(self.buffer.len()).end - 1;
            self.go_to_line(self.cursor.line.min(last));
        }
    }

    /// `<C-e>` and `<C-y>`: the text moves, the cursor only where it would leave the view.
    pub fn scroll(&mut self, down: bool, count: usize) {
        let top = self.view.top;
        self.view.top = if down { (top + count).min(self.buffer.last()) } else { top.saturating_sub(count) };
        let shown = self.view.lines(self.buffer.len());
        self.cursor.line = self.cursor.line.clamp(shown.start, shown.end - 1);
        let line = self.buffer.line(self.cursor.line);
        self.cursor.col = super::cells::align(line, self.cursor.col);
    }
}
