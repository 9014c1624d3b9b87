//! Numbered lines in hunks with headers, as `diff -u` groups them.

use std::fmt::Write;
use std::ops::Range;

use super::diff::{Change, first_line, last_lines, push_line, separate};
use super::script::Op;

/// Unchanged lines shown on each side of a change, unless somebody asks for another number.
pub(super) const CONTEXT: usize = 3;

/// The text of the diff.
pub(super) fn render(old: &[u8], changes: &[Change], context: usize) -> String {
    let mut text = String::new();
    let mut rest = changes;
    let mut shown_to = 0;
    while !rest.is_empty() {
        let is_apart = |pair: &[Change]| pair[1].line - after(&pair[0]) > 2 * context;
        let length = rest.windows(2).position(is_apart).map_or(rest.len(), |at| at + 1);
        let (hunk, others) = rest.split_at(length);
        let limit = others.first().map_or(old.len(), |next| next.start);
        push_hunk(&mut text, old, shown_to..limit, hunk, context);
        shown_to = hunk[length - 1].end;
        rest = others;
    }
    text
}

/// Old lines up to the end of a change.
fn after(change: &Change) -> usize {
    change.line + change.count(Op::Remove)
}

/// One hunk; its context lies within `bounds`.
fn push_hunk(text: &mut String, old: &[u8], bounds: Range<usize>, hunk: &[Change], context: usize) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let before: Vec<&[u8]> = lines_of(last_lines(&old[bounds.start..first.start], context)).collect();
    let behind: Vec<&[u8]> = lines_of(&old[last.end..bounds.end]).take(context).collect();
    let removed: usize = hunk.iter().map(|change| change.count(Op::Remove)).sum();
    let added: usize = hunk.iter().map(|change| change.count(Op::Add)).sum();
    let old_count = after(last) - first.line + before.len() + behind.len();
    let new_count = old_count + added - removed;
    // A side without lines is named by the line before it.
    let start = |line: usize, count: usize| line - before.len() + usize::from(count > 0);
    separate(text);
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "@@ -{},{old_count} +{},{new_count} @@",
        start(first.line, old_count),
        start(first.new_line, new_count)
    );
    push_context(text, first.line - before.len(), before);
    let mut shown_to = first.start;
    let mut line = first.line;
    for change in hunk {
        push_context(text, line, lines_of(&old[shown_to..change.start]));
        push_changed(text, change);
        (shown_to, line) = (change.end, after(change));
    }
    push_context(text, line, behind);
}

fn push_context<'a>(text: &mut String, before: usize, lines: impl IntoIterator<Item = &'a [u8]>) {
    for (number, line) in (before + 1..).zip(lines) {
        push(text, ' ', number, line);
    }
}

fn push_changed(text: &mut String, change: &Change) {
    let (mut old, mut new) = (change.line, change.new_line);
    for (op, line) in &change.lines {
        let (sign, number) = if *op == Op::Remove { ('-', &mut old) } else { ('+', &mut new) };
        *number += 1;
        push(text, sign, *number, line);
    }
}

fn push(text: &mut String, sign: char, number: usize, line: &[u8]) {
    push_line(text, sign, number, line);
    if !line.ends_with(b"\n") {
        text.push_str("\n\\ No newline at end of file");
    }
}

fn lines_of(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let line = (!bytes.is_empty()).then(|| first_line(bytes))?;
        bytes = &bytes[line.len()..];
        Some(line)
    })
}
