//! Diffs for people and models: numbered lines around each change. Works on LF texts, and only on the lines that
//! known changes touch.

use std::borrow::Cow;
use std::fmt::Write;

use super::lf::{Splice, lines_with_ending};
use super::script::{Op, script};
use super::unified;

/// Unchanged lines shown on each side of a change, unless somebody asks for another number.
const CONTEXT: usize = 4;

/// A numbered diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberedDiff {
    /// Lines `<sign><number>|<text>`: `+` with the new number, `-` and blank with the old one. A bare `…` stands
    /// for lines left out. Empty if nothing changed.
    pub text: String,
    /// The new number of the first line that was added or removed.
    pub first_changed_line: Option<usize>,
}

/// The diff that splices of `old` make. They are in order and do not overlap.
#[must_use]
pub fn numbered_diff(old: &[u8], splices: &[Splice]) -> NumberedDiff {
    diff_with(old, splices, |old, changes| render(old, changes, CONTEXT))
}

/// The same in hunks: a header with the lines of both sides, three lines around each change, nothing left out within
/// a hunk, and a remark where a text ends without a line ending.
#[must_use]
pub fn unified_diff(old: &[u8], splices: &[Splice]) -> NumberedDiff {
    diff_with(old, splices, |old, changes| unified::render(old, changes, unified::CONTEXT))
}

fn diff_with(old: &[u8], splices: &[Splice], render: impl Fn(&[u8], &[Change]) -> String) -> NumberedDiff {
    let blocks = blocks(old, splices);
    let mut changes = Vec::new();
    let (mut counted, mut line) = (0, 0);
    for block in &blocks {
        line += count_lines(&old[counted..block.start]);
        counted = block.start;
        push_changes(&mut changes, old, block, line);
    }
    slide(&mut changes, old);
    let mut shift = 0;
    let first_changed_line = changes.iter_mut().fold(None, |first, change| {
        change.new_line = change.line.saturating_add_signed(shift);
        shift += change.count(Op::Add).cast_signed() - change.count(Op::Remove).cast_signed();
        first.or(Some(change.line + 1))
    });
    NumberedDiff { text: render(old, &changes), first_changed_line }
}

/// The diff of two whole texts.
#[must_use]
pub fn numbered_diff_of_texts(old: &[u8], new: &[u8]) -> NumberedDiff {
    compare(old, new, DiffForm::Numbered, CONTEXT)
}

/// How a diff looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffForm {
    /// As [`numbered_diff`] has it.
    Numbered,
    /// As [`unified_diff`] has it.
    Hunks,
}

/// The diff of two whole texts, with so many unchanged lines on each side of a change.
#[must_use]
pub fn compare(old: &[u8], new: &[u8], form: DiffForm, context: usize) -> NumberedDiff {
    let whole = Splice { range: 0..old.len(), new: Cow::Borrowed(new) };
    diff_with(old, &[whole], |old, changes| match form {
        DiffForm::Numbered => render(old, changes, context),
        DiffForm::Hunks => unified::render(old, changes, context),
    })
}

/// Whole lines that one splice touches, or several that share or adjoin lines.
struct Block {
    start: usize,
    end: usize,
    new: Vec<u8>,
}

/// Looks at each line once, however many splices are in it.
fn blocks(old: &[u8], splices: &[Splice]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // Up to here the old text is in the last block.
    let mut copied = 0;
    for splice in splices {
        let known = blocks.last().map_or(0, |block| block.end);
        let before = old.get(known..splice.range.start);
        let start = before.map(|text| known + memchr::memrchr(b'\n', text).map_or(0, |at| at + 1));
        match blocks.last_mut() {
            Some(block) if start.is_none_or(|start| start == known) => {
                block.end = block.end.max(splice.range.start);
            }
            _ => {
                finish(blocks.last_mut(), old, copied);
                copied = start.unwrap_or_default();
                blocks.push(Block { start: copied, end: copied, new: Vec::new() });
            }
        }
        let Some(block) = blocks.last_mut() else { continue };
        block.new.extend_from_slice(&old[copied..splice.range.start]);
        block.new.extend_from_slice(&splice.new);
        copied = splice.range.end;
        if block.end <= copied {
            block.end = memchr::memchr(b'\n', &old[copied..]).map_or(old.len(), |at| copied + at + 1);
        }
    }
    finish(blocks.last_mut(), old, copied);
    blocks
}

/// Adds what follows the last splice of a block.
fn finish(block: Option<&mut Block>, old: &[u8], copied: usize) {
    if let Some(block) = block {
        block.new.extend_from_slice(&old[copied..block.end]);
    }
}

/// Lines that change without an unchanged line between them.
pub(super) struct Change<'a> {
    /// Bytes of the removed lines in the old text.
    pub start: usize,
    pub end: usize,
    /// Old and new lines before it.
    pub line: usize,
    pub new_line: usize,
    /// In the order of the script.
    pub lines: Vec<(Op, &'a [u8])>,
}

impl Change<'_> {
    pub fn count(&self, op: Op) -> usize {
        self.lines.iter().filter(|(kind, _)| *kind == op).count()
    }
}

fn push_changes<'a>(changes: &mut Vec<Change<'a>>, old: &'a [u8], block: &'a Block, mut line: usize) {
    let old_lines = lines_with_ending(&old[block.start..block.end]);
    let new_lines = lines_with_ending(&block.new);
    let (mut old_at, mut new_at, mut offset) = (0, 0, block.start);
    let mut open = false;
    for op in script(&old_lines, &new_lines) {
        if op != Op::Keep && !open {
            changes.push(Change { start: offset, end: offset, line, new_line: line, lines: Vec::new() });
        }
        open = op != Op::Keep;
        let text = if op == Op::Add { new_lines[new_at] } else { old_lines[old_at] };
        if op != Op::Remove {
            new_at += 1;
        }
        if op != Op::Add {
            (old_at, offset, line) = (old_at + 1, offset + text.len(), line + 1);
        }
        if let Some(change) = changes.last_mut().filter(|_| open) {
            change.end = offset;
            change.lines.push((op, text));
        }
    }
}

/// Moves each pure addition or removal down as far as the text stays the same, where the trimming of whole texts
/// would put it.
fn slide(changes: &mut [Change], old: &[u8]) {
    for at in 0..changes.len() {
        let limit = changes.get(at + 1).map_or(old.len(), |next| next.start);
        let change = &mut changes[at];
        let (removed, added) = (change.count(Op::Remove), change.count(Op::Add));
        if (removed > 0) == (added > 0) {
            continue;
        }
        let mut passed = 0;
        while change.end < limit {
            let next = first_line(&old[change.end..limit]);
            if next != change.lines[passed % change.lines.len()].1 {
                break;
            }
            (change.start, change.end) = (change.start + next.len(), change.end + next.len());
            passed += 1;
        }
        change.line += passed;
        let rotation = passed % change.lines.len();
        change.lines.rotate_left(rotation);
    }
}

fn render(old: &[u8], changes: &[Change], context: usize) -> String {
    let mut text = String::new();
    let (mut shown_to, mut line) = (0, 0);
    for (index, change) in changes.iter().enumerate() {
        let gap = &old[shown_to..change.start];
        push_gap(&mut text, gap, line, change.line, index == 0, context);
        push_changed_lines(&mut text, change);
        (shown_to, line) = (change.end, change.line + change.count(Op::Remove));
    }
    if !changes.is_empty() {
        let rest = push_context(&mut text, &old[shown_to..], line, context);
        if !rest.is_empty() {
            push_elision(&mut text);
        }
    }
    text
}

/// The lines of a change.
fn push_changed_lines(text: &mut String, change: &Change) {
    let (mut old, mut new) = (change.line, change.new_line);
    for (op, content) in &change.lines {
        let (sign, number) = if *op == Op::Remove { ('-', &mut old) } else { ('+', &mut new) };
        *number += 1;
        push_line(text, sign, *number, content);
    }
}

/// The unchanged lines before a change: all, or those nearest to changes.
fn push_gap(text: &mut String, gap: &[u8], line: usize, next_line: usize, is_first: bool, context: usize) {
    let count = next_line - line;
    let head = if is_first { 0 } else { context };
    if count <= head + context {
        push_context(text, gap, line, count);
        return;
    }
    push_context(text, gap, line, head);
    push_elision(text);
    push_context(text, last_lines(gap, context), next_line - context, context);
}

/// Prints up to `count` lines of `bytes`; gives back what is left.
fn push_context<'a>(text: &mut String, mut bytes: &'a [u8], line: usize, count: usize) -> &'a [u8] {
    for number in line..line + count {
        if bytes.is_empty() {
            break;
        }
        let content = first_line(bytes);
        push_line(text, ' ', number + 1, content);
        bytes = &bytes[content.len()..];
    }
    bytes
}

pub(super) fn push_line(text: &mut String, sign: char, number: usize, content: &[u8]) {
    separate(text);
    let content = String::from_utf8_lossy(content.strip_suffix(b"\n").unwrap_or(content));
    // Writing to a String cannot fail.
    let _ = write!(text, "{sign}{number}|{content}");
}

fn push_elision(text: &mut String) {
    separate(text);
    text.push('…');
}

pub(super) fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push('\n');
    }
}

/// The first line with its ending.
pub(super) fn first_line(bytes: &[u8]) -> &[u8] {
    memchr::memchr(b'\n', bytes).map_or(bytes, |at| &bytes[..=at])
}

/// The last `count` lines of a text that ends with a line ending.
pub(super) fn last_lines(bytes: &[u8], count: usize) -> &[u8] {
    let mut start = bytes.len();
    for _ in 0..count {
        start = memchr::memrchr(b'\n', &bytes[..start.saturating_sub(1)]).map_or(0, |at| at + 1);
    }
    &bytes[start..]
}

fn count_lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}
