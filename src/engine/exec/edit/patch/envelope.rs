//! The envelope of a patch of several files, taken apart into one operation for each. Lines count from the one that
//! begins the envelope.

use std::borrow::Cow;

use super::diff_text::file_marker;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const MOVE: &str = "*** Move to:";

/// What is to be done with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The file.
    pub path: String,
    /// What.
    pub operation: Operation,
}

/// An operation on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// It comes, with this text.
    Add {
        /// Every line ends with LF.
        text: String,
    },
    /// It goes.
    Delete,
    /// It changes, and may get another name.
    Update {
        /// The new name.
        rename: Option<String>,
        /// The hunks, as text.
        diff: String,
        /// Lines of the envelope above it.
        offset: usize,
    },
}

/// What is wrong with an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The first line does not begin it.
    MissingBegin {
        /// What stands there.
        first: String,
    },
    /// The last line does not end it.
    MissingEnd {
        /// What stands there.
        last: String,
    },
    /// Nothing is in it.
    Empty,
    /// A line that starts no operation.
    BadHeader {
        /// Where.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// An update without a line.
    EmptyUpdate {
        /// Where its first line should be.
        line: usize,
        /// The file.
        path: String,
    },
}

/// Takes an envelope apart.
pub fn read(input: &str) -> Result<Vec<Section>, Fault> {
    sections(input, false)
}

/// The same, where the end of the envelope and the lines of an update may be missing.
pub fn read_open(input: &str) -> Result<Vec<Section>, Fault> {
    sections(input, true)
}

fn sections(input: &str, is_open: bool) -> Result<Vec<Section>, Fault> {
    let input = unify_breaks(input);
    let lines = unwrap(&input);
    let shown = |line: Option<&&str>| line.map_or("", |line| line.trim()).to_owned();
    if lines.first().is_none_or(|line| line.trim() != BEGIN) {
        return Err(Fault::MissingBegin { first: shown(lines.first()) });
    }
    let is_ended = lines.len() > 1 && lines.last().is_some_and(|line| line.trim() == END);
    if !is_ended && !is_open {
        return Err(Fault::MissingEnd { last: shown(lines.last()) });
    }
    let mut reader = Reader { at: 1, end: lines.len() - usize::from(is_ended), lines, is_open };
    let mut sections = Vec::new();
    while let Some(line) = reader.line() {
        if line.trim().is_empty() {
            reader.at += 1;
        } else {
            sections.push(reader.section()?);
        }
    }
    if sections.is_empty() && !is_open { Err(Fault::Empty) } else { Ok(sections) }
}

/// CRLF as LF: a CR would end up in files and in their names.
pub fn unify_breaks(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

/// The lines of the envelope without what often surrounds it: a fence, a command with a here-document, quotes.
fn unwrap(input: &str) -> Vec<&str> {
    let mut text = input.trim();
    loop {
        let inner = without_fence(text).or_else(|| without_heredoc(text)).or_else(|| without_quotes(text));
        match inner {
            Some(inner) => text = inner.trim(),
            None => return text.split('\n').collect(),
        }
    }
}

fn without_fence(text: &str) -> Option<&str> {
    let (_, rest) = text.strip_prefix("```")?.split_once('\n')?;
    rest.strip_suffix("```")
}

/// `apply_patch <<'EOF'` or `<<EOF` in front, `EOF` behind.
fn without_heredoc(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    let (command, word) = first.split_once("<<")?;
    if !matches!(command.trim(), "" | "apply_patch" | "$ apply_patch") {
        return None;
    }
    let word = word.strip_prefix('-').unwrap_or(word).trim();
    let quoted = |quote: char| word.strip_prefix(quote).and_then(|word| word.strip_suffix(quote));
    let word = quoted('\'').or_else(|| quoted('"')).unwrap_or(word);
    let (body, last) = rest.rsplit_once('\n')?;
    (!word.is_empty() && last.trim() == word).then_some(body)
}

fn without_quotes(text: &str) -> Option<&str> {
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    quoted('\'').or_else(|| quoted('"')).filter(|inner| inner.trim_start().starts_with(BEGIN))
}

struct Reader<'p> {
    lines: Vec<&'p str>,
    at: usize,
    end: usize,
    is_open: bool,
}

impl<'p> Reader<'p> {
    fn line(&self) -> Option<&'p str> {
        (self.at < self.end).then(|| self.lines[self.at])
    }

    fn section(&mut self) -> Result<Section, Fault> {
        let line = self.lines[self.at].trim();
        let bad = Fault::BadHeader { line: self.at + 1, text: line.to_owned() };
        let path = file_marker(line).filter(|path| !path.is_empty()).ok_or(bad)?.to_owned();
        self.at += 1;
        let operation = match line.as_bytes().get(4) {
            Some(b'A') => self.added(),
            Some(b'D') => Operation::Delete,
            _ => self.update(&path)?,
        };
        Ok(Section { path, operation })
    }

    fn added(&mut self) -> Operation {
        let mut text = String::new();
        while let Some(line) = self.line().and_then(|line| line.strip_prefix('+')) {
            text.push_str(line);
            text.push('\n');
            self.at += 1;
        }
        Operation::Add { text }
    }

    fn update(&mut self, path: &str) -> Result<Operation, Fault> {
        let rename = self.line().and_then(|line| line.strip_prefix(MOVE)).map(|name| name.trim().to_owned());
        if rename.as_deref() == Some("") {
            return Err(Fault::BadHeader { line: self.at + 1, text: self.lines[self.at].to_owned() });
        }
        self.at += usize::from(rename.is_some());
        let start = self.at;
        while self.line().is_some_and(|line| !starts_section(line)) {
            self.at += 1;
        }
        if self.at == start && !self.is_open {
            return Err(Fault::EmptyUpdate { line: start + 1, path: path.to_owned() });
        }
        Ok(Operation::Update { rename, diff: self.lines[start..self.at].join("\n"), offset: start })
    }
}

/// Within an update only a line without anything in front starts another operation.
fn starts_section(line: &str) -> bool {
    file_marker(line).is_some()
}
