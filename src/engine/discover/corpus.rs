//! The texts of the tools, field by field, in one string.

use crate::engine::error::{Result, ToolError};

/// The fields of a tool that can be searched, in the order in which they are handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The name the model calls.
    Name,
    /// The label people see.
    Label,
    /// The MCP server that offers the tool.
    Server,
    /// The tool's name on its server.
    ServerTool,
    /// The short description.
    Summary,
    /// What the description says beyond the summary.
    Tail,
    /// The names of the parameters, separated by spaces.
    Keys,
}

/// Every [`Field`], in order.
pub const FIELDS: [Field; 7] =
    [Field::Name, Field::Label, Field::Server, Field::ServerTool, Field::Summary, Field::Tail, Field::Keys];

/// Texts of tools. A document keeps its number until the corpus is rebuilt.
#[derive(Debug, Default, Clone)]
pub struct Corpus {
    /// Every field closed by a line feed.
    text: String,
    /// Where each field ends in `text`; [`FIELDS`] of them for each document.
    ends: Vec<usize>,
}

impl Corpus {
    /// How many documents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len() / FIELDS.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A field of a document.
    #[must_use]
    pub fn field(&self, document: u32, field: Field) -> &str {
        let at = document as usize * FIELDS.len() + field as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] + 1 };
        &self.text[start..self.ends[at]]
    }

    /// Documents from one text: every field closed by a line feed, `lengths` their lengths in UTF-16 code units
    /// without it.
    pub fn parse(text: String, lengths: &[u32]) -> Result<Self> {
        if !lengths.len().is_multiple_of(FIELDS.len()) {
            return Err(ToolError::argument("lengths", "expected seven lengths for each tool"));
        }
        let mut ends = Vec::with_capacity(lengths.len());
        let mut start = 0;
        for &units in lengths {
            let length = text.get(start..).and_then(|rest| length_of(rest, units as usize));
            let Some(length) = length else {
                return Err(ToolError::argument("lengths", "the lengths do not fit the text"));
            };
            ends.push(start + length);
            start += length + 1;
        }
        Ok(Self { text, ends })
    }

    /// Adds one document from its fields.
    pub fn push(&mut self, fields: [&str; FIELDS.len()]) {
        for field in fields {
            self.text.push_str(field);
            self.ends.push(self.text.len());
            self.text.push('\n');
        }
    }

    /// Adds a document of another corpus.
    pub fn copy(&mut self, from: &Self, document: u32) {
        self.push(FIELDS.map(|field| from.field(document, field)));
    }
}

/// The bytes of the first `units` UTF-16 code units; none unless a line feed follows.
fn length_of(text: &str, units: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let ascii = bytes.get(..units).is_some_and(<[u8]>::is_ascii);
    let length = if ascii { units } else { length_of_any(text, units)? };
    (bytes.get(length) == Some(&b'\n')).then_some(length)
}

fn length_of_any(text: &str, units: usize) -> Option<usize> {
    let mut left = units;
    for (at, character) in text.char_indices() {
        if left == 0 {
            return Some(at);
        }
        left = left.checked_sub(character.len_utf16())?;
    }
    None
}
