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
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    /// Adds documents from one text: every field closed by one character of any kind, `lengths` their lengths in
    /// UTF-16 code units without that character.
    pub fn append(&mut self, text: &str, lengths: &[u32]) -> Result<()> {
        if !lengths.len().is_multiple_of(FIELDS.len()) {
            return Err(ToolError::argument("lengths", "expected seven lengths for each tool"));
        }
        self.text.reserve(text.len());
        self.ends.reserve(lengths.len());
        let (mut rest, ascii) = (text, text.is_ascii());
        for &units in lengths {
            let (field, after) = if ascii { split_bytes(rest, units) } else { split_units(rest, units) }
                .ok_or_else(|| ToolError::argument("lengths", "the lengths do not fit the text"))?;
            self.text.push_str(field);
            self.ends.push(self.text.len());
            rest = after;
        }
        Ok(())
    }

    /// Adds one document from its fields.
    pub fn push(&mut self, fields: [&str; FIELDS.len()]) {
        for field in fields {
            self.text.push_str(field);
            self.ends.push(self.text.len());
        }
    }

    /// Adds a document of another corpus.
    pub fn copy(&mut self, from: &Self, document: u32) {
        self.push(FIELDS.map(|field| from.field(document, field)));
    }
}

/// The field and what follows its closing character.
fn split_bytes(text: &str, length: u32) -> Option<(&str, &str)> {
    let length = length as usize;
    Some((text.get(..length)?, text.get(length + 1..)?))
}

fn split_units(text: &str, units: u32) -> Option<(&str, &str)> {
    let mut left = units as usize;
    let mut characters = text.char_indices();
    loop {
        let (at, character) = characters.next()?;
        if left == 0 {
            return Some((&text[..at], characters.as_str()));
        }
        left = left.checked_sub(character.len_utf16())?;
    }
}
