//! The lines of a result: prefixes, the column cap, and the same text without prefixes for interfaces.

use serde_json::{Map, Value, json};

use super::address::Target;
use super::options::{Prefix, View};
use crate::engine::outcome::{ColumnCap, LimitsMeta, Notice, Outcome, TruncationMeta};
use crate::engine::session::Shown;
use crate::engine::text::{anchor, clip, push_anchor, push_number};

/// Beyond it a page grows as it is filled.
const MOST_RESERVED: usize = 256 * 1024;

/// A result under construction.
pub struct Page<'a> {
    view: &'a View,
    newline: char,
    text: String,
    display: String,
    /// The display without lines of ours, where there are any.
    kept: Option<String>,
    first: Option<u64>,
    empty: bool,
    clipped: bool,
    lossy: bool,
    shown: Shown,
}

impl<'a> Page<'a> {
    /// An empty page.
    #[must_use]
    pub fn new(view: &'a View) -> Self {
        Self::joined(view, '\n')
    }

    /// An empty page with the file's own line ends, for raw text.
    #[must_use]
    pub fn joined(view: &'a View, newline: char) -> Self {
        Self {
            view,
            newline,
            text: String::new(),
            display: String::new(),
            kept: None,
            first: None,
            empty: true,
            clipped: false,
            lossy: false,
            shown: Shown::default(),
        }
    }

    /// Makes room for so many bytes of lines at once.
    pub fn reserve(&mut self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(MOST_RESERVED).min(MOST_RESERVED);
        let prefixes = if self.view.prefix == Prefix::None { 0 } else { bytes / 2 };
        self.text.reserve(bytes + prefixes);
        self.display.reserve(bytes);
    }

    /// Adds a line. `number` is absent where it is not known, `cut` says that the text is only a part of the line.
    pub fn line(&mut self, number: Option<u64>, line: &str, cut: bool) {
        self.next_line();
        self.first = self.first.or(number);
        let content = without_return(line);
        let clipped = self.view.max_columns.and_then(|max| clip(content, max));
        self.clipped |= clipped.is_some();
        let shown = clipped.unwrap_or(line);
        let whole = clipped.is_none() && !cut;
        if let Some(number) = number {
            if whole {
                self.shown.push(number, content);
            }
            match self.view.prefix {
                // Letters vouch for a whole line; a part has none to show.
                Prefix::Hash if whole => push_anchor(&mut self.text, number, line),
                Prefix::Hash | Prefix::Number => push_number(&mut self.text, number),
                Prefix::None => {}
            }
            if self.view.prefix != Prefix::None {
                self.text.push('|');
            }
        }
        let kept = self.kept.as_mut();
        for text in [&mut self.text, &mut self.display].into_iter().chain(kept) {
            text.push_str(shown);
            if !whole {
                text.push('…');
            }
        }
    }

    /// Adds a text as it is, all its lines in one.
    pub fn verbatim(&mut self, text: &str) {
        self.next_line();
        self.first = self.first.or(Some(1));
        self.text.push_str(text);
        self.display.push_str(text);
    }

    /// Adds two lines as one row, ` .. ` for what is left out between them.
    pub fn joined_lines(&mut self, (first, head): (u64, &str), (last, tail): (u64, &str)) {
        self.next_line();
        self.first = self.first.or(Some(first));
        let whole = format!("{} .. {}", head.trim_end(), tail.trim());
        let clipped = self.view.max_columns.and_then(|max| clip(&whole, max));
        self.clipped |= clipped.is_some();
        match self.view.prefix {
            Prefix::Hash => self.text.extend([&anchor(first, head), "-", &anchor(last, tail), "|"]),
            Prefix::Number => self.text.extend([format!("{first}-{last}|")]),
            Prefix::None => {}
        }
        for text in [&mut self.text, &mut self.display].into_iter().chain(self.kept.as_mut()) {
            text.push_str(clipped.unwrap_or(&whole));
            text.extend(clipped.map(|_| '…'));
        }
    }

    /// Adds a part of a line that is told about elsewhere: no cap, no mark.
    pub fn part(&mut self, number: Option<u64>, part: &str) {
        self.next_line();
        self.first = self.first.or(number);
        if let Some(number) = number.filter(|_| self.view.prefix != Prefix::None) {
            self.text.extend([number.to_string().as_str(), "|"]);
        }
        self.text.push_str(part);
        self.display.push_str(part);
    }

    /// Adds a line of ours, without prefix.
    pub fn marker(&mut self, marker: &str) {
        let kept = self.display.clone();
        self.next_line();
        self.text.push_str(marker);
        self.display.push_str(marker);
        self.kept = Some(kept);
    }

    /// Starts a new block of lines, `…` between it and the one before.
    pub fn gap(&mut self) {
        self.separate("\n\n…\n\n");
        self.empty = true;
    }

    /// Notes that bytes were replaced in what the page shows.
    pub fn lossy(&mut self, lossy: bool) {
        self.lossy |= lossy;
    }

    /// Nothing was added yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.empty && self.text.is_empty()
    }

    /// The text without prefixes.
    #[must_use]
    pub fn display(&self) -> &str {
        &self.display
    }

    /// The result, `details` in their order.
    #[must_use]
    pub fn finish(self, target: &Target, cut: Option<Cut>, spill_eligible: bool) -> Outcome {
        let mut meta = target.meta();
        let mut outcome = Outcome::text(self.text).detail("resolvedPath", target.resolved());
        let truncation = cut.map(|cut| {
            let details = cut.details(self.kept.as_deref().unwrap_or(&self.display));
            meta.truncation = Some(cut.meta);
            details
        });
        // Moved, not copied: it is as long as the text.
        let mut display = Map::from_iter([("text".to_owned(), Value::String(self.display))]);
        display.extend(self.first.map(|first| ("startLine".to_owned(), first.into())));
        outcome.details.insert("displayContent".into(), Value::Object(display));
        outcome = outcome.detail("truncation", truncation);
        if let Some(max) = self.view.max_columns.filter(|_| self.clipped) {
            let cap = ColumnCap { max_column: max as u64 };
            meta.limits = Some(LimitsMeta { column_truncated: Some(cap), ..LimitsMeta::default() });
        }
        outcome.meta = meta;
        outcome.shown = self.shown;
        outcome.detail("spillEligible", spill_eligible).detail("lossy", self.lossy.then_some(true))
    }

    fn next_line(&mut self) {
        self.separate(self.newline.encode_utf8(&mut [0; 4]));
    }

    fn separate(&mut self, separator: &str) {
        if !std::mem::take(&mut self.empty) {
            let kept = self.kept.as_mut();
            for text in [&mut self.text, &mut self.display].into_iter().chain(kept) {
                text.push_str(separator);
            }
        }
    }
}

/// A line without the carriage return of its ending, which is no character of it.
fn without_return(line: &str) -> &str {
    // Asked of every line: by its bytes, not by the general search for a suffix.
    if line.as_bytes().last() == Some(&b'\r') { &line[..line.len() - 1] } else { line }
}

/// How a text was cut: the metadata, and what only `details` say.
#[derive(Debug, Default)]
pub struct Cut {
    /// For the closing notice.
    pub meta: TruncationMeta,
    /// Only the end of the last line is shown.
    pub last_line_partial: bool,
    /// The first line alone was too large.
    pub first_line_exceeds: bool,
}

impl Cut {
    fn details(&self, content: &str) -> serde_json::Value {
        let meta = &self.meta;
        let mut details = json!({
            "content": content,
            "truncated": true,
            "truncatedBy": meta.truncated_by,
            "totalLines": meta.total_lines,
            "totalBytes": meta.total_bytes,
            "outputLines": meta.output_lines,
            "outputBytes": meta.output_bytes,
        });
        let facts = [
            ("elidedLines", meta.elided_lines.map(Into::into)),
            ("elidedBytes", meta.elided_bytes.map(Into::into)),
            ("lastLinePartial", Some(self.last_line_partial.into())),
            ("firstLineExceedsLimit", Some(self.first_line_exceeds.into())),
            ("totalLinesExact", meta.total_lines_exact.map(Into::into)),
        ];
        for (name, value) in facts {
            if let Some(value) = value {
                details[name] = value;
            }
        }
        details
    }
}

/// Adds a notice below the text, after an empty line.
pub fn footer(outcome: &mut Outcome, notice: Notice) {
    append(outcome, "\n\n", notice);
}

/// Adds a notice below the text.
pub fn append(outcome: &mut Outcome, separator: &str, notice: Notice) {
    if !outcome.text.is_empty() {
        outcome.text.push_str(separator);
    }
    outcome.text.push_str(&notice.text);
    outcome.note(notice);
}
