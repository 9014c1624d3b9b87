//! The one line splitter of read, search and edit.
//!
//! A byte-order mark belongs to no line. LF and CRLF end a line; a lone CR ends one only in a text without any LF.
//! A text with a final line ending has one more, empty, line; an empty text is one empty line.

/// The UTF-8 byte-order mark.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// `\r`, in texts without LF.
    Cr,
    /// The end of the text.
    None,
}

impl Ending {
    /// The bytes of the ending.
    #[must_use]
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::Cr => b"\r",
            Self::None => b"",
        }
    }
}

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Byte offset of the line in the text, the byte-order mark counted.
    pub start: usize,
    /// The line without its ending.
    pub text: &'a [u8],
    /// How it ends.
    pub ending: Ending,
}

impl Line<'_> {
    /// Byte offset behind the ending.
    #[must_use]
    pub fn end(&self) -> usize {
        self.start + self.text.len() + self.ending.bytes().len()
    }
}

/// Whether a text starts with a byte-order mark.
#[must_use]
pub fn has_bom(bytes: &[u8]) -> bool {
    bytes.starts_with(BOM)
}

/// The lines of a text.
#[must_use]
pub fn split_lines(bytes: &[u8]) -> Lines<'_> {
    let separator = if memchr::memchr(b'\n', bytes).is_none() { b'\r' } else { b'\n' };
    let start = if has_bom(bytes) { BOM.len() } else { 0 };
    Lines { bytes, next: Some(start), separator }
}

/// See [`split_lines`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    next: Option<usize>,
    separator: u8,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let start = self.next?;
        let rest = &self.bytes[start..];
        let Some(at) = memchr::memchr(self.separator, rest) else {
            self.next = None;
            return Some(Line { start, text: rest, ending: Ending::None });
        };
        self.next = Some(start + at + 1);
        let line = match (self.separator, rest[..at].last()) {
            (b'\r', _) => Line { start, text: &rest[..at], ending: Ending::Cr },
            (_, Some(b'\r')) => Line { start, text: &rest[..at - 1], ending: Ending::CrLf },
            _ => Line { start, text: &rest[..at], ending: Ending::Lf },
        };
        Some(line)
    }
}
