//! A text as every edit sees it: without byte-order mark, every line ending a single LF. Edits are found there and
//! made in the original bytes, so that whatever they do not touch stays as it is.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::Ending;
use super::script::{Op, script};

/// A piece of a text and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice<'a> {
    /// Byte range in the LF text.
    pub range: Range<usize>,
    /// The new text, its lines ended by LF.
    pub new: Cow<'a, [u8]>,
}

/// The LF form of a text, and the way back to the text with its own line endings.
#[derive(Debug)]
pub struct LfText<'a> {
    text: Cow<'a, str>,
    /// Where in `text` the line ending was CRLF, ascending.
    crlf: Vec<usize>,
    /// The last LF of `text`, where line endings differ.
    last_break: Option<usize>,
    /// How all lines end; `None` if they differ. A text of one line counts as LF.
    ending: Option<Ending>,
}

impl<'a> LfText<'a> {
    /// Takes a text without byte-order mark apart; allocates only if it holds a CR.
    #[must_use]
    pub fn new(text: Cow<'a, str>) -> Self {
        let all = |text, ending| Self { text, crlf: Vec::new(), last_break: None, ending: Some(ending) };
        let body = text.as_bytes();
        if memchr::memchr(b'\r', body).is_none() {
            return all(text, Ending::Lf);
        }
        if memchr::memchr(b'\n', body).is_none() {
            return all(Cow::Owned(text.replace('\r', "\n")), Ending::Cr);
        }
        let (mut lf, mut crlf, mut copied) = (String::with_capacity(body.len()), Vec::new(), 0);
        for at in memchr::memchr_iter(b'\r', body).filter(|at| body.get(at + 1) == Some(&b'\n')) {
            lf.push_str(&text[copied..at]);
            crlf.push(lf.len());
            copied = at + 1;
        }
        lf.push_str(&text[copied..]);
        let ending = match (crlf.len(), memchr::memchr_iter(b'\n', lf.as_bytes()).count()) {
            (0, _) => Some(Ending::Lf),
            (crlf, all) => (crlf == all).then_some(Ending::CrLf),
        };
        let last_break = memchr::memrchr(b'\n', lf.as_bytes());
        Self { text: Cow::Owned(lf), crlf, last_break, ending }
    }

    /// The LF text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A text from outside in the terms of this one: CRLF becomes LF, and so does a lone CR where it ends lines.
    #[must_use]
    pub fn normalise<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if memchr::memchr(b'\r', text.as_bytes()).is_none() {
            return Cow::Borrowed(text);
        }
        let text =
            if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) };
        if self.ending == Some(Ending::Cr) && text.contains('\r') {
            Cow::Owned(text.replace('\r', "\n"))
        } else {
            text
        }
    }

    /// The same splices for the text with its own line endings. They are in order and do not overlap. Each line they
    /// bring in gets an ending as its neighbours have it.
    #[must_use]
    pub fn place<'s>(&self, splices: &'s [Splice]) -> Vec<Splice<'s>> {
        let mut line_end = None;
        let place = |splice: &'s Splice| {
            let range = self.own_offset(splice.range.start)..self.own_offset(splice.range.end);
            let is_same = self.ending == Some(Ending::Lf) || memchr::memchr(b'\n', &splice.new).is_none();
            if is_same {
                return Splice { range, new: Cow::Borrowed(&*splice.new) };
            }
            let mut new = Vec::with_capacity(splice.new.len());
            self.push_with_endings(&mut new, splice, &mut line_end);
            Splice { range, new: Cow::Owned(new) }
        };
        splices.iter().map(place).collect()
    }

    /// Where an offset of the LF text lies in the text with its own endings; before the CR at a CRLF.
    fn own_offset(&self, offset: usize) -> usize {
        offset + self.crlf.partition_point(|at| *at < offset)
    }

    fn push_with_endings(&self, bytes: &mut Vec<u8>, splice: &Splice, line_end: &mut Option<usize>) {
        if let Some(ending) = self.ending {
            push_converted(bytes, &splice.new, ending);
        } else {
            let beside = self.ending_beside(&splice.range, line_end);
            self.push_beside_mixed(bytes, splice, beside);
        }
    }

    /// Among lines with different endings: a line that stays keeps its own, one that takes another's place takes
    /// over its ending, and one that is added ends like the line before it.
    fn push_beside_mixed(&self, bytes: &mut Vec<u8>, splice: &Splice, beside: Ending) {
        // A range that stops right before a line break is compared with it: else a last line that stays would not
        // be known again once another line follows it.
        let stops_at_break = self.text.as_bytes().get(splice.range.end) == Some(&b'\n');
        let old = &self.text.as_bytes()[splice.range.start..splice.range.end + usize::from(stops_at_break)];
        let new = if stops_at_break { [&splice.new, b"\n".as_slice()].concat() } else { splice.new.to_vec() };
        let old_lines = lines_with_ending(old);
        let new_lines = lines_with_ending(&new);
        // What is added before the first line ends like that line.
        let first = old_lines.first().filter(|line| line.ends_with(b"\n"));
        let mut last = first.map_or(beside, |line| self.ending_at(splice.range.start + line.len() - 1));
        let (mut old_at, mut old_offset) = (0, splice.range.start);
        // Endings of removed lines that no added line has taken over yet.
        let mut freed = std::collections::VecDeque::new();
        let mut new_at = 0;
        for op in script(&old_lines, &new_lines) {
            if op != Op::Add {
                let line = old_lines[old_at];
                old_at += 1;
                old_offset += line.len();
                if line.ends_with(b"\n") {
                    freed.push_back(self.ending_at(old_offset - 1));
                }
            }
            match op {
                Op::Keep => {
                    if let Some(own) = freed.pop_back() {
                        last = own;
                    }
                    freed.clear();
                }
                Op::Add => last = freed.pop_front().unwrap_or(last),
                Op::Remove => continue,
            }
            let is_last = new_at + 1 == new_lines.len();
            let line = new_lines[new_at];
            // The break behind the range is there already.
            let line = if stops_at_break && is_last { &line[..line.len() - 1] } else { line };
            push_converted(bytes, line, last);
            new_at += 1;
        }
    }

    /// The ending of the line a range ends in, else of the last line that has one. `known` is where the line of
    /// an earlier range ended: no line is searched twice.
    fn ending_beside(&self, range: &Range<usize>, known: &mut Option<usize>) -> Ending {
        let at = known.filter(|at| *at >= range.end || self.last_break == Some(*at)).or_else(|| {
            let behind = memchr::memchr(b'\n', &self.text.as_bytes()[range.end..]).map(|at| range.end + at);
            behind.or(self.last_break)
        });
        *known = at;
        at.map_or(Ending::Lf, |at| self.ending_at(at))
    }

    fn ending_at(&self, at: usize) -> Ending {
        if self.crlf.binary_search(&at).is_ok() { Ending::CrLf } else { Ending::Lf }
    }
}

/// A text with every splice made. The splices are in order and do not overlap.
#[must_use]
pub fn apply_splices(text: &[u8], splices: &[Splice]) -> Vec<u8> {
    let added: usize = splices.iter().map(|splice| splice.new.len()).sum();
    let (mut bytes, mut copied) = (Vec::with_capacity(text.len() + added), 0);
    for splice in splices {
        bytes.extend_from_slice(&text[copied..splice.range.start]);
        bytes.extend_from_slice(&splice.new);
        copied = splice.range.end;
    }
    bytes.extend_from_slice(&text[copied..]);
    bytes
}

/// The splices of whole lines that make `new` of `old`.
#[must_use]
pub fn splices_between<'n>(old: &[u8], new: &'n [u8]) -> Vec<Splice<'n>> {
    let (old_lines, new_lines) = (lines_with_ending(old), lines_with_ending(new));
    let script = script(&old_lines, &new_lines);
    let mut splices: Vec<Splice> = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    let (mut old_lines, mut new_lines) = (old_lines.iter(), new_lines.iter());
    let mut start = None;
    for op in script.into_iter().chain([Op::Keep]) {
        match (op, start) {
            (Op::Keep, Some((old_start, new_start))) => {
                splices
                    .push(Splice { range: old_start..old_at, new: Cow::Borrowed(&new[new_start..new_at]) });
                start = None;
            }
            (Op::Add | Op::Remove, None) => start = Some((old_at, new_at)),
            _ => {}
        }
        if op != Op::Add {
            old_at += old_lines.next().map_or(0, |line| line.len());
        }
        if op != Op::Remove {
            new_at += new_lines.next().map_or(0, |line| line.len());
        }
    }
    splices
}

/// The lines of an LF text, each with its LF. A text that ends with LF has no empty line behind it.
pub(super) fn lines_with_ending(text: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in memchr::memchr_iter(b'\n', text) {
        lines.push(&text[start..=at]);
        start = at + 1;
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

fn push_converted(bytes: &mut Vec<u8>, text: &[u8], ending: Ending) {
    let mut copied = 0;
    for at in memchr::memchr_iter(b'\n', text) {
        bytes.extend_from_slice(&text[copied..at]);
        bytes.extend_from_slice(ending.bytes());
        copied = at + 1;
    }
    bytes.extend_from_slice(&text[copied..]);
}
