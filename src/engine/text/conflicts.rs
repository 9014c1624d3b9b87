//! Merge conflicts in a text, as git marks them: lines of exactly seven `<`, `|`, `=` or `>` at the start of a line,
//! alone or followed by a blank and a label. Endings of lines do not matter.

use std::ops::Range;

use super::lines::{Line, split_lines};

/// How a conflict starts, for a quick look whether there may be one.
pub const CONFLICT_START: &[u8] = b"<<<<<<<";

/// One conflict of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Line of the opening marker, 1-based.
    pub start: u64,
    /// Line of the closing marker.
    pub end: u64,
    /// From the opening marker to behind the ending of the closing one.
    pub bytes: Range<usize>,
    /// What the merge was made into.
    pub ours: Side,
    /// What both sides come from, where the merge kept it.
    pub base: Option<Side>,
    /// What was merged.
    pub theirs: Side,
}

/// The lines of one side, without markers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// What stands behind the marker; may be empty.
    pub label: String,
    /// The first line, 1-based, of the side or of what follows it.
    pub line: u64,
    /// With the endings of the lines.
    pub bytes: Range<usize>,
}

/// The conflicts of a text, in order. What is not closed, or not in order, is none.
#[must_use]
pub fn find_conflicts(text: &[u8]) -> Vec<Conflict> {
    let mut found = Vec::new();
    let mut open: Option<Open> = None;
    for (number, line) in (1..).zip(split_lines(text)) {
        let Some((marker, label)) = marker(&line) else { continue };
        open = match (marker, open.take()) {
            (b'<', _) => Some(Open::new(number, &line, label)),
            (b'|', Some(block)) if block.base.is_none() && block.theirs.is_none() => {
                Some(Open { base: Some(Mark::new(number, &line, label)), ..block })
            }
            (b'=', Some(block)) if block.theirs.is_none() => {
                Some(Open { theirs: Some(Mark::new(number, &line, label)), ..block })
            }
            (b'>', Some(block)) if block.theirs.is_some() => {
                found.extend(block.close(number, &line, label));
                None
            }
            // An end without a middle; anything else is content of a side.
            (b'>', _) => None,
            (_, block) => block,
        };
    }
    found
}

/// The character of a marker line and its label.
fn marker(line: &Line<'_>) -> Option<(u8, String)> {
    let (&first, _) = line.text.split_first()?;
    if !matches!(first, b'<' | b'|' | b'=' | b'>') {
        return None;
    }
    let length = line.text.iter().take_while(|byte| **byte == first).count();
    let (_, label) = line.text.split_at(length);
    let is_marker = length == CONFLICT_START.len() && (label.is_empty() || label.starts_with(b" "));
    is_marker.then(|| (first, String::from_utf8_lossy(label).trim().to_owned()))
}

/// A marker line that starts a side.
struct Mark {
    line: u64,
    bytes: Range<usize>,
    label: String,
}

impl Mark {
    fn new(number: u64, line: &Line<'_>, label: String) -> Self {
        Self { line: number, bytes: line.start..line.end(), label }
    }

    /// The side up to the next marker.
    fn side(&self, end: usize, label: String) -> Side {
        Side { label, line: self.line + 1, bytes: self.bytes.end..end }
    }
}

/// A conflict whose end was not seen yet.
struct Open {
    ours: Mark,
    base: Option<Mark>,
    theirs: Option<Mark>,
}

impl Open {
    fn new(number: u64, line: &Line<'_>, label: String) -> Self {
        Self { ours: Mark::new(number, line, label), base: None, theirs: None }
    }

    fn close(self, number: u64, line: &Line<'_>, label: String) -> Option<Conflict> {
        let Self { ours, base, theirs } = self;
        let theirs = theirs?;
        let end_of_ours = base.as_ref().unwrap_or(&theirs).bytes.start;
        Some(Conflict {
            start: ours.line,
            end: number,
            bytes: ours.bytes.start..line.end(),
            ours: ours.side(end_of_ours, ours.label.clone()),
            base: base.map(|base| base.side(theirs.bytes.start, base.label.clone())),
            // The label of this side stands at its end.
            theirs: theirs.side(line.start, label),
        })
    }
}
