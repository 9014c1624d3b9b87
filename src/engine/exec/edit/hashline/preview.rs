//! The lines around a change, with anchors that the next call can use.

use std::fmt::Write;

use crate::engine::text::letters;

/// A numbered diff with anchors in place of the numbers: those of the new text, and none for lines that are gone or
/// left out.
#[must_use]
pub fn preview(diff: &str) -> String {
    let (mut text, mut added, mut removed) = (String::with_capacity(diff.len() * 2), 0, 0);
    for line in diff.split('\n').filter(|line| !line.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a String cannot fail.
        let _ = match DiffLine::of(line) {
            DiffLine::Added(number, content) => {
                added += 1;
                write!(text, "+{number}{}|{content}", letters(content))
            }
            DiffLine::Removed(number, content) => {
                removed += 1;
                write!(text, "-{number}--|{content}")
            }
            DiffLine::Kept(number, content) => {
                write!(text, " {}{}|{content}", number + added - removed, letters(content))
            }
            DiffLine::Other(line) => write!(text, "{line}"),
        };
    }
    text
}

/// The numbers that [`preview`] gives anchors, ascending.
#[must_use]
pub fn shown_numbers(diff: &str) -> Vec<u64> {
    let (mut added, mut removed) = (0, 0);
    let number = |line| match DiffLine::of(line) {
        DiffLine::Added(number, _) => {
            added += 1;
            Some(number as u64)
        }
        DiffLine::Removed(..) => {
            removed += 1;
            None
        }
        DiffLine::Kept(number, _) => Some((number + added - removed) as u64),
        DiffLine::Other(_) => None,
    };
    diff.split('\n').filter_map(number).collect()
}

enum DiffLine<'a> {
    Added(usize, &'a str),
    Removed(usize, &'a str),
    Kept(usize, &'a str),
    /// Lines are left out here.
    Other(&'a str),
}

impl<'a> DiffLine<'a> {
    fn of(line: &'a str) -> Self {
        let numbered = line.get(1..).and_then(|rest| rest.split_once('|'));
        let numbered = numbered.and_then(|(number, content)| Some((number.parse().ok()?, content)));
        match (line.as_bytes().first(), numbered) {
            (Some(b'+'), Some((number, content))) => Self::Added(number, content),
            (Some(b'-'), Some((number, content))) => Self::Removed(number, content),
            (Some(b' '), Some((number, content))) => Self::Kept(number, content),
            _ => Self::Other(line),
        }
    }
}
