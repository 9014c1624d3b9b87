//! The plain unified diff of two texts: three lines around each change, no line numbers.

use std::fmt::Write;

use crate::engine::text::splices_between;

const RADIUS: usize = 3;

/// A diff, and the number of the first new line that differs.
pub struct PlainDiff {
    pub text: String,
    pub first_changed_line: Option<usize>,
}

/// Lines that go and lines that come.
struct Change<'a> {
    /// Old lines before it.
    at: usize,
    removed: Vec<&'a [u8]>,
    added: Vec<&'a [u8]>,
}

/// The diff of two LF texts.
pub fn plain_diff(old: &str, new: &str) -> PlainDiff {
    let splices = splices_between(old.as_bytes(), new.as_bytes());
    let (mut line, mut counted) = (0, 0);
    let mut changes = Vec::with_capacity(splices.len());
    for splice in &splices {
        line += memchr::memchr_iter(b'\n', &old.as_bytes()[counted..splice.range.start]).count();
        counted = splice.range.start;
        changes.push(Change {
            at: line,
            removed: lines(&old.as_bytes()[splice.range.clone()]),
            added: lines(&splice.new),
        });
    }
    let first_changed_line = changes.first().map(|change| change.at + 1);
    PlainDiff { text: render(&lines(old.as_bytes()), &changes), first_changed_line }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn render(old: &[&[u8]], changes: &[Change]) -> String {
    let mut out = String::new();
    let mut rest = changes;
    // Lines that earlier hunks added, less those they removed.
    let mut shift = 0_isize;
    while !rest.is_empty() {
        let near = |pair: &[Change]| pair[1].at - (pair[0].at + pair[0].removed.len()) <= 2 * RADIUS;
        let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (hunk, later) = rest.split_at(count);
        shift += push_hunk(&mut out, old, hunk, shift);
        rest = later;
    }
    out
}

fn push_hunk(out: &mut String, old: &[&[u8]], hunk: &[Change], shift: isize) -> isize {
    let (first, last) = (&hunk[0], &hunk[hunk.len() - 1]);
    let start = first.at.saturating_sub(RADIUS);
    let end = (last.at + last.removed.len() + RADIUS).min(old.len());
    let removed: usize = hunk.iter().map(|change| change.removed.len()).sum();
    let added: usize = hunk.iter().map(|change| change.added.len()).sum();
    let old_count = end - start;
    let new_start = start.saturating_add_signed(shift) + 1;
    let separator = if out.is_empty() { "" } else { "\n" };
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "{separator}@@ -{},{old_count} +{new_start},{} @@",
        start + 1,
        old_count + added - removed
    );
    let mut at = start;
    for change in hunk {
        old[at..change.at].iter().for_each(|line| push_line(out, ' ', line));
        change.removed.iter().for_each(|line| push_line(out, '-', line));
        change.added.iter().for_each(|line| push_line(out, '+', line));
        at = change.at + change.removed.len();
    }
    old[at..end].iter().for_each(|line| push_line(out, ' ', line));
    added.cast_signed() - removed.cast_signed()
}

fn push_line(out: &mut String, sign: char, line: &[u8]) {
    out.push('\n');
    out.push(sign);
    let text = line.strip_suffix(b"\n");
    out.push_str(&String::from_utf8_lossy(text.unwrap_or(line)));
    if text.is_none() {
        out.push_str("\n\\ No newline at end of file");
    }
}
