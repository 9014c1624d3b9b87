//! A text by its lines: what anchors count.

use std::ops::Range;

use crate::engine::text::letters;

/// The lines of an LF text. What follows the last line end counts as a line, even where it is empty.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    /// Where each line starts, and behind them one byte past the text.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines.
    pub fn new(text: &'a str) -> Self {
        let behind = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let starts = std::iter::once(0).chain(behind).chain(std::iter::once(text.len() + 1)).collect();
        Self { text, starts }
    }

    /// At least 1.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// There is no text at all.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The bytes of a line (0-based) in the text, without its ending.
    pub fn span(&self, index: usize) -> Range<usize> {
        self.starts[index]..self.starts[index + 1] - 1
    }

    /// A line (0-based) without its ending.
    pub fn get(&self, index: usize) -> &'a str {
        &self.text[self.span(index)]
    }

    /// The letters of a line (0-based).
    pub fn letters(&self, index: usize) -> &'static str {
        letters(self.get(index))
    }

    /// Where the empty line behind the last line end stands, if there is one besides other lines.
    pub fn final_blank(&self) -> Option<usize> {
        let last = self.count() - 1;
        (last > 0 && self.get(last).is_empty()).then_some(last)
    }
}
