//! Finding the texts of an `edit` call in the original file, and refusing what is not clear.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use super::closest::closest;
use super::replace::Edit;
use crate::engine::error::{Result, ToolError};
use crate::engine::text::{LfText, Splice};

/// Places named in the error about a text that occurs several times.
const MAX_PLACES: usize = 5;
/// Lines shown on each side of such a place, and characters of each line.
const PREVIEW_LINES: usize = 5;
const PREVIEW_CHARACTERS: usize = 80;

/// A place to change.
#[derive(Debug)]
pub struct Found<'a> {
    edit: usize,
    range: Range<usize>,
    new: Cow<'a, str>,
}

impl<'a> Found<'a> {
    /// The change itself.
    pub fn into_splice(self) -> Splice<'a> {
        let new = match self.new {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
        Splice { range: self.range, new }
    }
}

/// Every place the edits name, in the order of the file; none overlaps another.
pub fn locate<'a>(text: &LfText, original: &[u8], edits: &'a [Edit], path: &str) -> Result<Vec<Found<'a>>> {
    let encoding = Encoding::of(original, path)?;
    let mut found = Vec::with_capacity(edits.len());
    for (index, edit) in edits.iter().enumerate() {
        let searched = text.normalise(&edit.old_text);
        let all = edit.all == Some(true);
        let starts = occurrences(text.text(), &searched, all);
        if starts.is_empty() {
            encoding.allow_search(&searched, path)?;
            let closest = closest(text.text(), &searched);
            return Err(ToolError::NoMatch {
                path: path.to_owned(),
                edit: index,
                searched: edit.old_text.clone(),
                closest,
            });
        }
        if starts.len() > 1 && !all {
            return Err(ambiguous(text.text(), &starts, index, path));
        }
        let new = text.normalise(&edit.new_text);
        encoding.allow_insertion(&new, path)?;
        for start in starts {
            encoding.allow_start(text.text(), start, path)?;
            found.push(Found { edit: index, range: start..start + searched.len(), new: new.clone() });
        }
    }
    found.sort_by_key(|found| found.range.start);
    refuse_overlap(&found, path)?;
    Ok(found)
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

/// How far the bytes of a file can be taken for text. They are edited as they are, never decoded and encoded
/// again; what could end up inside a character, or in another encoding than the rest, is refused.
enum Encoding {
    /// UTF-8, or so little else that what is inserted should be UTF-8 too.
    Utf8,
    /// Some other encoding in which ASCII is ASCII.
    Unknown {
        /// Offset of the first byte that is not UTF-8.
        at: usize,
    },
}

/// Bytes looked at to tell text from binary data.
const SNIFFED: usize = 8192;

impl Encoding {
    fn of(bytes: &[u8], path: &str) -> Result<Self> {
        if memchr::memchr(0, &bytes[..bytes.len().min(SNIFFED)]).is_some() {
            return Err(not_text(path, "it holds NUL bytes"));
        }
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Err(not_text(path, "it is UTF-16"));
        }
        let Err(error) = std::str::from_utf8(bytes) else { return Ok(Self::Utf8) };
        let (mut valid, mut invalid) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            valid += chunk.valid().bytes().filter(|byte| !byte.is_ascii()).count();
            invalid += chunk.invalid().len();
        }
        let is_mostly_valid = valid * 10 >= (valid + invalid) * 9;
        Ok(if is_mostly_valid { Self::Utf8 } else { Self::Unknown { at: error.valid_up_to() } })
    }

    /// A text that is not there may be there in the file's own encoding.
    fn allow_search(&self, searched: &str, path: &str) -> Result<()> {
        match self {
            Self::Unknown { .. } if !searched.is_ascii() => {
                Err(self.refusal(path, "search for ASCII text only"))
            }
            _ => Ok(()),
        }
    }

    fn allow_insertion(&self, new: &str, path: &str) -> Result<()> {
        match self {
            Self::Unknown { .. } if !new.is_ascii() => {
                Err(self.refusal(path, "only ASCII text can be inserted"))
            }
            _ => Ok(()),
        }
    }

    /// In encodings of East Asia the second byte of a character may look like an ASCII letter or digit.
    fn allow_start(&self, text: &[u8], start: usize, path: &str) -> Result<()> {
        let may_be_second = |byte: u8| byte.is_ascii_digit() || (0x40..0x7F).contains(&byte);
        match self {
            Self::Unknown { .. }
                if start > 0 && !text[start - 1].is_ascii() && may_be_second(text[start]) =>
            {
                Err(self.refusal(path, "the text to replace may start inside a character"))
            }
            _ => Ok(()),
        }
    }

    fn refusal(&self, path: &str, what: &str) -> ToolError {
        let Self::Unknown { at } = self else { return not_text(path, what) };
        not_text(path, &format!("it is not UTF-8 (byte {at}), and its encoding is not known; {what}"))
    }
}

fn not_text(path: &str, reason: &str) -> ToolError {
    ToolError::NotText { path: path.to_owned(), reason: reason.to_owned() }
}
