//! The part of an output that is kept: its end, on request also its start. Memory does not grow with the output.

use serde_json::json;

use crate::engine::calls::notices;
use crate::engine::files::Spool;
use crate::engine::outcome::{ColumnCap, LimitsMeta, LineRange, Notice, OutputMeta, TruncationMeta};
use crate::engine::settings::Settings;
use crate::engine::text::{elision_marker, format_bytes};

/// What is kept of an output, in bytes of cleaned text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the start.
    pub head: usize,
    /// From the end.
    pub tail: usize,
    /// Lines of the tail; absent: any number.
    pub tail_lines: Option<usize>,
    /// Characters of a line; 0: any number.
    pub columns: usize,
}

impl Limits {
    /// Kept of the end unless `tools.artifactTailBytes` says otherwise.
    pub const DEFAULT_TAIL: usize = 50 * 1024;
    /// The same where the whole output is kept elsewhere and can be read there.
    const TAIL_BESIDE_WHOLE: usize = 1024;
    /// Lines kept of the end when no setting says otherwise.
    pub const DEFAULT_LINES: usize = 3000;
    /// No setting goes beyond, so that memory stays bounded.
    const MOST: usize = 10 * 1024 * 1024;
    /// The same for jobs, of which there may be many.
    const MOST_OF_JOB: usize = 512 * 1024;

    /// As the settings have it; sizes there are KiB.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let size = |key| settings.get(key).as_f64().map(kibibytes);
        let (head, tail) = (size("tools.artifactHeadBytes"), size("tools.artifactTailBytes"));
        Self {
            head: head.unwrap_or(0),
            tail: tail.unwrap_or(Self::DEFAULT_TAIL),
            tail_lines: (head.is_none() && tail.is_none()).then_some(Self::DEFAULT_LINES),
            columns: settings.count("tools.outputMaxColumns"),
        }
    }

    /// What is held of a job, whose result may wait for a while.
    #[must_use]
    pub fn of_job(self) -> Self {
        Self {
            head: self.head.min(Self::MOST_OF_JOB / 2),
            tail: self.tail.min(Self::MOST_OF_JOB / 2),
            ..self
        }
    }

    /// What is shown where the whole output is kept elsewhere: less, unless a setting says how much.
    #[must_use]
    pub fn beside_whole(self) -> Self {
        let is_default = self.tail_lines.is_some();
        if is_default { Self { tail: Self::TAIL_BESIDE_WHOLE, tail_lines: None, ..self } } else { self }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is bounded next")]
fn kibibytes(value: f64) -> usize {
    ((value * 1024.0) as usize).min(Limits::MOST)
}

/// Takes an output piece by piece and forgets the middle.
#[derive(Debug)]
pub struct Window {
    limits: Limits,
    head: Vec<u8>,
    /// Holds up to twice its limit, so that forgetting costs one move per limit, not one per piece.
    tail: Vec<u8>,
    bytes: u64,
    newlines: u64,
    whole: Option<Spool>,
}

/// What a window shows.
#[derive(Debug, Default)]
pub struct Shown {
    /// The text; empty when there was no output at all.
    pub text: String,
    /// What was cut.
    pub meta: OutputMeta,
    /// The marker in a text that lacks its middle.
    pub marker: Option<Notice>,
}

impl Window {
    /// An empty window.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, head: Vec::new(), tail: Vec::new(), bytes: 0, newlines: 0, whole: None }
    }

    /// One that also holds the whole output, as far as a store takes it.
    #[must_use]
    pub fn with_whole(limits: Limits, whole: Spool) -> Self {
        Self { whole: Some(whole), ..Self::new(limits) }
    }

    /// What there is now, apart from the whole output.
    #[must_use]
    pub fn copy(&self) -> Self {
        let Self { limits, ref head, ref tail, bytes, newlines, whole: _ } = *self;
        Self { limits, head: head.clone(), tail: tail.clone(), bytes, newlines, whole: None }
    }

    /// The whole output, where it is held.
    #[must_use]
    pub fn whole(&self) -> Option<&Spool> {
        self.whole.as_ref()
    }

    /// Appends.
    pub fn push(&mut self, text: &str) {
        let mut bytes = text.as_bytes();
        self.bytes += bytes.len() as u64;
        self.newlines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        if let Some(whole) = &mut self.whole {
            whole.push(text);
        }
        if self.head.len() < self.limits.head {
            let (first, rest) = bytes.split_at(bytes.len().min(self.limits.head - self.head.len()));
            self.head.extend_from_slice(first);
            bytes = rest;
        }
        // One byte more than is shown: it tells whether what is shown begins with a line.
        let limit = self.limits.tail + 1;
        if bytes.len() >= limit {
            self.tail.clear();
            self.tail.extend_from_slice(&bytes[bytes.len() - limit..]);
        } else {
            if self.tail.len() + bytes.len() > 2 * limit {
                self.tail.drain(..self.tail.len() - limit);
            }
            self.tail.extend_from_slice(bytes);
        }
    }

    /// The end of the output was reached.
    #[must_use]
    pub fn finish(&self) -> Shown {
        self.finish_within(self.limits)
    }

    /// The same, with a shorter end than the window holds.
    #[must_use]
    pub fn finish_within(&self, limits: Limits) -> Shown {
        let Choice { text, torn, cut, marker } = self.choose(limits);
        let capped = cap_columns(&text, limits.columns, torn);
        let max_column = limits.columns as u64;
        let limits = capped.is_some().then(|| LimitsMeta {
            column_truncated: Some(ColumnCap { max_column }),
            ..LimitsMeta::default()
        });
        let text = capped.unwrap_or(text);
        let truncation = cut.map(|cut| TruncationMeta { output_bytes: text.len() as u64, ..cut });
        Shown { text, meta: OutputMeta { truncation, limits, ..OutputMeta::default() }, marker }
    }

    /// What is shown of the output before long lines are cut.
    fn choose(&self, limits: Limits) -> Choice {
        let (before, tail) = self.tail.split_at(self.tail.len().saturating_sub(limits.tail));
        let total = self.total();
        if (self.head.len() + tail.len()) as u64 == self.bytes {
            let text = last_lines(text_of(&[&self.head, tail].concat()), limits.tail_lines);
            let cut = ((text.len() as u64) < self.bytes).then(|| tail_cut(&text, total, None));
            return Choice { text, torn: None, cut, marker: None };
        }
        let is_torn = !before.ends_with(b"\n");
        let tail = text_of(tail);
        if self.head.is_empty() {
            let length = tail.len();
            let text = last_lines(tail, limits.tail_lines);
            let is_by_bytes = text.len() == length;
            let cut = tail_cut(&text, total, is_by_bytes.then_some(limits.tail));
            return Choice {
                text,
                torn: (is_by_bytes && is_torn).then_some(0),
                cut: Some(cut),
                marker: None,
            };
        }
        let head = text_of(&self.head);
        let (marker, cut) = without_middle(&head, &tail, total);
        let text = format!("{head}{}{}\n{tail}", line_end(&head), marker.text);
        let torn = is_torn.then(|| text.len() - tail.len());
        Choice { text, torn, cut: Some(cut), marker: Some(marker) }
    }

    /// The cut of a text of which only long lines were shortened.
    #[must_use]
    pub fn uncut(&self, shown: &str) -> TruncationMeta {
        let output_bytes = shown.len() as u64;
        TruncationMeta { truncated_by: "bytes".into(), output_bytes, ..tail_cut(shown, self.total(), None) }
    }

    fn total(&self) -> Total {
        Total { lines: self.newlines + 1, bytes: self.bytes }
    }
}

impl Shown {
    /// Whether anything of the output is not shown.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.meta.truncation.is_some() || self.meta.limits.is_some()
    }

    /// The text with what was cut from it in words, for errors: nothing is appended to those later.
    #[must_use]
    pub fn into_error_text(self) -> String {
        let (appended, _) = notices::render(&self.meta);
        self.text + &appended
    }
}

/// A part of an output.
struct Choice {
    text: String,
    /// Where a line begins that lacks its start.
    torn: Option<usize>,
    cut: Option<TruncationMeta>,
    marker: Option<Notice>,
}

/// Sizes of the whole output; a newline at its end starts one more line.
#[derive(Debug, Clone, Copy)]
struct Total {
    lines: u64,
    bytes: u64,
}

fn tail_cut(text: &str, total: Total, byte_limit: Option<usize>) -> TruncationMeta {
    let lines = newlines(text) + 1;
    TruncationMeta {
        direction: "tail".into(),
        truncated_by: if byte_limit.is_some() { "bytes" } else { "lines" }.into(),
        total_lines: total.lines,
        total_bytes: total.bytes,
        output_lines: lines,
        max_bytes: byte_limit.map(|limit| limit as u64),
        shown_range: Some(LineRange { start: total.lines - lines + 1, end: total.lines }),
        ..TruncationMeta::default()
    }
}

fn without_middle(head: &str, tail: &str, total: Total) -> (Notice, TruncationMeta) {
    let head_lines = newlines(head) + u64::from(!line_end(head).is_empty());
    let tail_lines = if tail.is_empty() { 0 } else { newlines(tail) + 1 };
    let elided_lines = total.lines.saturating_sub(head_lines + tail_lines);
    let elided_bytes = total.bytes - (head.len() + tail.len()) as u64;
    let size = format_bytes(elided_bytes);
    let marker = elision_marker(elided_lines, elided_bytes);
    let range = |start, end| (start <= end).then_some(LineRange { start, end });
    let cut = TruncationMeta {
        direction: "middle".into(),
        truncated_by: "middle".into(),
        total_lines: total.lines,
        total_bytes: total.bytes,
        output_lines: head_lines + 1 + tail_lines,
        head_range: range(1, head_lines),
        tail_range: range(total.lines - tail_lines + 1, total.lines),
        elided_lines: Some(elided_lines),
        elided_bytes: Some(elided_bytes),
        ..TruncationMeta::default()
    };
    let facts = json!({"lines": elided_lines, "size": size});
    (Notice::new("elision_marker", marker, facts), cut)
}

/// What has to follow a start before a line of its own.
fn line_end(head: &str) -> &'static str {
    if head.is_empty() || head.ends_with('\n') { "" } else { "\n" }
}

fn newlines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}

/// A slice of UTF-8 without the parts of characters at its ends.
fn text_of(bytes: &[u8]) -> String {
    let start = bytes.iter().take(3).take_while(|byte| (0x80..0xC0).contains(*byte)).count();
    let mut text = String::with_capacity(bytes.len());
    text.extend(bytes[start..].utf8_chunks().map(|chunk| chunk.valid()));
    text
}

/// The last lines of a text; the newline that ends it starts no line of its own.
fn last_lines(mut text: String, limit: Option<usize>) -> String {
    let Some(limit) = limit else { return text };
    let body = text.strip_suffix('\n').unwrap_or(&text);
    let mut newlines = memchr::memrchr_iter(b'\n', body.as_bytes());
    if let Some(at) = newlines.nth(limit - 1) {
        text.drain(..=at);
    }
    text
}

/// Cuts each line to `columns` characters and an ellipsis; absent if none is longer. A line loses its end; the one that
/// begins at `torn` has lost its start already and keeps its end.
fn cap_columns(text: &str, columns: usize, torn: Option<usize>) -> Option<String> {
    let is_long = |line: &str| line.len() > columns && line.chars().nth(columns).is_some();
    if columns == 0 || !text.split('\n').any(is_long) {
        return None;
    }
    let mut capped = String::with_capacity(text.len());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.strip_suffix('\n').unwrap_or(line);
        if !is_long(body) {
            capped.push_str(body);
        } else if torn == Some(at) {
            let start = body.char_indices().nth_back(columns - 1).map_or(0, |(start, _)| start);
            capped.extend(["…", &body[start..]]);
        } else {
            let end = body.char_indices().nth(columns).map_or(body.len(), |(end, _)| end);
            capped.extend([&body[..end], "…"]);
        }
        capped.push_str(&line[body.len()..]);
        at += line.len();
    }
    Some(capped)
}
