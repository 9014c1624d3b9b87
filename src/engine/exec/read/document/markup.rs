//! What is measured of the markup of a document before a converter sees it, in one pass and without a tree: how deep
//! it is nested, and over how many cells a sheet is spread, all of which the converter would make room for.

use std::io::Read;

/// Measures markup byte by byte.
#[derive(Debug, Default)]
pub struct Markup {
    state: State,
    /// The last two bytes.
    before: [u8; 2],
    has_doctype: bool,
    depth: usize,
    deepest: usize,
    name: Vec<u8>,
    reference: Vec<u8>,
    rows: Extent,
    columns: Extent,
}

/// Rows or columns: between which the named ones lie, and how many are only counted on.
#[derive(Debug, Default)]
struct Extent {
    named: Option<(u64, u64)>,
    elements: u64,
    names: u64,
}

impl Extent {
    fn name(&mut self, number: u64) {
        self.names += 1;
        let (first, last) = self.named.unwrap_or((number, number));
        self.named = Some((first.min(number), last.max(number)));
    }

    fn size(&self) -> u64 {
        let named = self.named.map_or(0, |(first, last)| last - first + 1);
        named.saturating_add(self.elements.saturating_sub(self.names)).max(1)
    }
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// Behind `<`.
    Open,
    /// In the name of a start tag.
    Name,
    /// In a start tag, behind a blank.
    Blank,
    /// Behind an attribute's name that is `r`.
    Attribute,
    /// Behind its `=`.
    Equals,
    /// In its value.
    Value(u8),
    /// In the value of any other attribute.
    Quoted(u8),
    /// Behind `<!`.
    Declaration,
    /// In what these bytes end: comments, character data, instructions.
    Until(&'static [u8]),
    /// Anywhere else in a tag; the byte before.
    Tag(u8),
}

impl Markup {
    /// Reads to the end; the bytes read.
    pub fn measure(&mut self, reader: &mut impl Read) -> std::io::Result<u64> {
        let mut buffer = [0; 16 * 1024];
        let mut measured = 0;
        loop {
            let size = reader.read(&mut buffer)?;
            if size == 0 {
                return Ok(measured);
            }
            measured += size as u64;
            for byte in &buffer[..size] {
                self.state = self.next(*byte);
                self.before = [self.before[1], *byte];
            }
        }
    }

    /// There is a document type, which no office document has and which may hide anything.
    #[must_use]
    pub fn has_doctype(&self) -> bool {
        self.has_doctype
    }

    /// Elements within one another.
    #[must_use]
    pub fn nesting(&self) -> usize {
        self.deepest
    }

    /// Cells of the rectangle around everything that is a cell, at most.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.rows.size().saturating_mul(self.columns.size())
    }

    fn next(&mut self, byte: u8) -> State {
        let blank = byte.is_ascii_whitespace();
        match self.state {
            State::Text if byte == b'<' => State::Open,
            State::Text => State::Text,
            State::Open if byte == b'/' => {
                self.depth = self.depth.saturating_sub(1);
                State::Text
            }
            State::Open if byte == b'!' => State::Declaration,
            State::Open if byte == b'?' => State::Until(b"?>"),
            State::Declaration if byte == b'-' => State::Until(b"-->"),
            State::Declaration if byte == b'[' => State::Until(b"]]>"),
            State::Declaration => {
                self.has_doctype = true;
                State::Text
            }
            State::Until(end) if byte == b'>' && self.before.ends_with(&end[..end.len() - 1]) => State::Text,
            State::Until(end) => State::Until(end),
            State::Quoted(quote) if byte == quote => State::Tag(quote),
            State::Quoted(quote) => State::Quoted(quote),
            State::Open => {
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
                self.name.clear();
                self.name.push(byte);
                State::Name
            }
            State::Name if blank || byte == b'/' || byte == b'>' => {
                self.element();
                self.in_tag(byte)
            }
            State::Name => {
                // Only the part behind a prefix counts.
                match byte {
                    b':' => self.name.clear(),
                    _ if self.name.len() < 8 => self.name.push(byte),
                    _ => {}
                }
                State::Name
            }
            State::Blank if byte == b'r' => State::Attribute,
            State::Attribute if blank => State::Attribute,
            State::Attribute if byte == b'=' => State::Equals,
            State::Equals if blank => State::Equals,
            State::Equals if byte == b'"' || byte == b'\'' => {
                self.reference.clear();
                State::Value(byte)
            }
            State::Value(quote) if byte == quote => {
                self.refer();
                State::Tag(byte)
            }
            State::Value(quote) => {
                if self.reference.len() < 32 {
                    self.reference.push(byte);
                }
                State::Value(quote)
            }
            State::Blank | State::Attribute | State::Equals | State::Tag(_) => self.in_tag(byte),
        }
    }

    fn in_tag(&mut self, byte: u8) -> State {
        match byte {
            b'>' => {
                if self.state == State::Tag(b'/') {
                    self.depth = self.depth.saturating_sub(1);
                }
                State::Text
            }
            b'"' | b'\'' => State::Quoted(byte),
            byte if byte.is_ascii_whitespace() => State::Blank,
            byte => State::Tag(byte),
        }
    }

    fn element(&mut self) {
        match self.name.as_slice() {
            b"row" => self.rows.elements += 1,
            b"c" => self.columns.elements += 1,
            _ => {}
        }
    }

    /// `B7` names a column and a row, `7` a row.
    fn refer(&mut self) {
        let letters = self.reference.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let column = self.reference[..letters].iter().fold(0_u64, |column, letter| {
            column.saturating_mul(26).saturating_add(u64::from(letter.to_ascii_uppercase() - b'A') + 1)
        });
        let row = std::str::from_utf8(&self.reference[letters..]).ok().and_then(|row| row.parse().ok());
        match (self.name.as_slice(), row) {
            (b"c", Some(row)) => {
                self.columns.name(column);
                // Counted on by no element of its own.
                self.rows.elements += 1;
                self.rows.name(row);
            }
            (b"row", Some(row)) => self.rows.name(row),
            _ => {}
        }
    }
}
