//! Finding the texts of an `edit` call in the original file, and refusing what is not clear.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use super::closest::closest;
use super::replace::Edit;
use crate::engine::error::{Result, ToolError};
use crate::engine::text::{Document, Splice};

/// Places named in the error about a text that occurs several times.
const MAX_PLACES: usize = 5;
/// Lines shown on each side of such a place, and characters of each line.
const PREVIEW_LINES: usize = 5;
const PREVIEW_CHARACTERS: usize = 80;

/// A place to change.
#[derive(Debug)]
struct Found<'a> {
    edit: usize,
    range: Range<usize>,
    new: Cow<'a, str>,
}

impl Found<'_> {
    /// The change itself.
    fn into_splice(self) -> Splice<'static> {
        Splice { range: self.range, new: Cow::Owned(self.new.into_owned().into_bytes()) }
    }
}

/// Every place the edits name, in the order of the file; none overlaps another.
pub fn locate(document: &Document, edits: &[Edit], path: &str) -> Result<Vec<Splice<'static>>> {
    let text = document.text().as_bytes();
    let mut found = Vec::with_capacity(edits.len());
    for (index, edit) in edits.iter().enumerate() {
        let searched = document.normalise(&edit.old_text);
        let all = edit.all == Some(true);
        let starts = occurrences(text, &searched, all);
        if starts.is_empty() {
            let closest = closest(text, &searched);
            return Err(ToolError::NoMatch {
                path: path.to_owned(),
                edit: index,
                searched: edit.old_text.clone(),
                closest,
            });
        }
        if starts.len() > 1 && !all {
            return Err(ambiguous(text, &starts, index, path));
        }
        let new = document.normalise(&edit.new_text);
        for start in starts {
            found.push(Found { edit: index, range: start..start + searched.len(), new: new.clone() });
        }
    }
    found.sort_by_key(|found| found.range.start);
    refuse_overlap(&found, path)?;
    Ok(found.into_iter().map(Found::into_splice).collect())
}

/// Where a text occurs, without overlap. If only one place may be meant, one that overlaps the first counts too: in
/// `}\n}\n}` nobody can tell which `}\n}` was meant.
fn occurrences(text: &[u8], searched: &str, all: bool) -> Vec<usize> {
    let finder = Finder::new(searched);
    let mut starts: Vec<usize> = finder.find_iter(text).collect();
    if let ([only], false) = (starts.as_slice(), all) {
        let next = only + 1;
        let reach = text.len().min(only + 2 * searched.len() - 1);
        starts.extend(finder.find(&text[next..reach]).map(|at| next + at));
    }
    starts
}

fn refuse_overlap(found: &[Found], path: &str) -> Result<()> {
    for pair in found.windows(2) {
        if pair[1].range.start < pair[0].range.end {
            let (first, second) = (pair[0].edit.min(pair[1].edit), pair[0].edit.max(pair[1].edit));
            return Err(ToolError::OverlappingOps { path: path.to_owned(), first, second });
        }
    }
    Ok(())
}

fn ambiguous(text: &[u8], starts: &[usize], edit: usize, path: &str) -> ToolError {
    let (mut lines, mut counted, mut line) = (Vec::new(), 0, 1);
    for start in starts.iter().take(MAX_PLACES) {
        line += memchr::memchr_iter(b'\n', &text[counted..*start]).count();
        counted = *start;
        lines.push(line);
    }
    let preview = preview(text, &lines);
    ToolError::AmbiguousMatch { path: path.to_owned(), edit, count: starts.len(), lines, preview }
}

/// The lines around each of `lines` (1-based, ascending), each line once; a bare `…` where lines are left out.
fn preview(text: &[u8], lines: &[usize]) -> String {
    let Some(last) = lines.last() else { return String::new() };
    let is_near = |number: usize| lines.iter().any(|line| line.abs_diff(number) <= PREVIEW_LINES);
    let (mut shown, mut left_out) = (Vec::new(), false);
    for (index, line) in text.split(|byte| *byte == b'\n').take(last + PREVIEW_LINES).enumerate() {
        if !is_near(index + 1) {
            left_out = !shown.is_empty();
            continue;
        }
        if std::mem::take(&mut left_out) {
            shown.push("…".to_owned());
        }
        let text: String = String::from_utf8_lossy(line).chars().take(PREVIEW_CHARACTERS).collect();
        shown.push(format!("{}|{text}", index + 1));
    }
    shown.join("\n")
}
