//! What a finished call gives back: text for the model, a deterministic receipt for logs and interfaces.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::session::Shown;
use super::text::Bytes;

/// The result of an executor.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// For the model. Contains the text of every notice in `notices`, verbatim.
    pub text: String,
    /// Pictures for the model, shown behind the text.
    pub images: Vec<Picture>,
    /// Facts of the call, in a fixed order, without wall-clock times.
    pub details: Map<String, Value>,
    /// What the text leaves out or changed, each with its facts.
    pub notices: Vec<Notice>,
    /// Rendered into a closing notice by `calls::notices`, after the executor.
    pub meta: OutputMeta,
    /// A failed call that keeps its own text.
    pub is_error: bool,
    /// Files that were written, with what they held. No part of the receipt: contents cross only when asked for.
    pub files: Vec<FileContents>,
    /// Lines of the file that stand whole in the text, for the memory of the session. No part of the receipt.
    pub shown: Shown,
}

/// A file before and after a call.
#[derive(Debug, Clone)]
pub struct FileContents {
    /// Absolute.
    pub path: PathBuf,
    /// The name it had before, where that was another one.
    pub from: Option<PathBuf>,
    /// `create`, `update` or `delete`.
    pub op: &'static str,
    /// Absent: there was no such file, or nobody looked.
    pub before: Option<Arc<Bytes>>,
    /// Absent: the file is gone, or the caller knows what it gave.
    pub after: Option<Arc<Bytes>>,
}

impl Outcome {
    /// A plain result.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Sets a detail; an absent value (`None`, `null`) sets nothing.
    ///
    /// # Panics
    /// Never for the plain data executors put in.
    #[must_use]
    pub fn detail(mut self, name: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).expect("details are plain data");
        if !value.is_null() {
            self.details.insert(name.to_owned(), value);
        }
        self
    }

    /// Adds a notice whose text the body already contains.
    pub fn note(&mut self, notice: Notice) {
        debug_assert!(self.text.contains(&notice.text), "a notice must stand in the text: {}", notice.text);
        self.notices.push(notice);
    }

    /// The receipt: details, then `notices` and `meta` where there are any.
    ///
    /// # Panics
    /// Never: notices and metadata are plain data.
    #[must_use]
    pub fn receipt(self) -> (String, Map<String, Value>, bool) {
        let mut details = self.details;
        if !self.notices.is_empty() {
            details.insert("notices".into(), serde_json::to_value(self.notices).expect("plain data"));
        }
        if self.meta != OutputMeta::default() {
            details.insert("meta".into(), serde_json::to_value(self.meta).expect("plain data"));
        }
        (self.text, details, self.is_error)
    }
}

/// An encoded picture, as a model is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Such as `image/png`.
    pub mime_type: &'static str,
    /// The bytes of the file.
    pub data: Vec<u8>,
}

/// One thing the model is told about the output, with the facts behind the words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notice {
    /// Which notice it is, such as `footer_tail` or `column_cap`.
    pub kind: &'static str,
    /// The words, as they stand in the text.
    pub text: String,
    /// Numbers, paths and ranges by name.
    #[serde(flatten)]
    pub facts: Map<String, Value>,
}

impl Notice {
    /// A notice with its facts given as a JSON object.
    ///
    /// # Panics
    /// If `facts` is no object.
    pub fn new(kind: &'static str, text: impl Into<String>, facts: Value) -> Self {
        let Value::Object(facts) = facts else { panic!("the facts of a notice are an object") };
        Self { kind, text: text.into(), facts }
    }
}

/// Where the output came from and what was cut from it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OutputMeta {
    /// The cut, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation: Option<TruncationMeta>,
    /// The source of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceMeta>,
    /// Messages of a language server or formatter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<DiagnosticsMeta>,
    /// Limits that were reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsMeta>,
}

/// The source of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceMeta {
    /// `path`, `url` or `internal`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The path or address.
    pub value: String,
}

/// Messages of a language server or formatter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DiagnosticsMeta {
    /// One line.
    pub summary: String,
    /// One entry for each message.
    pub messages: Vec<String>,
}

/// Limits that were reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LimitsMeta {
    /// Matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_limit: Option<Limit>,
    /// Results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_limit: Option<Limit>,
    /// Head lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_limit: Option<Limit>,
    /// Long lines were cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column_truncated: Option<ColumnCap>,
}

/// A reached limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// The limit.
    pub reached: u64,
    /// What to ask for instead: twice the limit.
    pub suggestion: u64,
}

/// Lines were cut at a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnCap {
    /// Characters kept of a line.
    pub max_column: u64,
}

/// First and last line, 1-based, both shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRange {
    /// First line.
    pub start: u64,
    /// Last line.
    pub end: u64,
}

/// A line of which only a part is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartialLine {
    /// 1-based.
    pub line: u64,
    /// Bytes shown.
    pub bytes: u64,
    /// Bytes of the whole line.
    pub source_bytes: u64,
}

/// How a text was cut. Sizes are UTF-8 bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TruncationMeta {
    /// The side that was kept: `head`, `tail` or `middle` (both ends).
    pub direction: String,
    /// The budget that ended it: `lines`, `bytes` or `middle`.
    pub truncated_by: String,
    /// Lines of the whole text.
    pub total_lines: u64,
    /// `false`: nobody counted to the end, `total_lines` is a lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_lines_exact: Option<bool>,
    /// Bytes of the whole text; of the shown part where the rest was not read.
    pub total_bytes: u64,
    /// Lines shown.
    pub output_lines: u64,
    /// Bytes shown.
    pub output_bytes: u64,
    /// What `shown_range` counts from: `file` or `window`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_base: Option<String>,
    /// `body` when the body already tells of the cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice_owner: Option<String>,
    /// The byte limit, where bytes ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// Lines shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_range: Option<LineRange>,
    /// Lines shown before the gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_range: Option<LineRange>,
    /// Lines shown after the gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail_range: Option<LineRange>,
    /// The line cut in itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_line: Option<PartialLine>,
    /// Bytes left out in the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elided_bytes: Option<u64>,
    /// Lines left out in the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elided_lines: Option<u64>,
    /// Where the whole text was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact_id: Option<String>,
    /// Bytes of the whole text that were beyond what is kept of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact_truncated_bytes: Option<u64>,
    /// Why the whole text was not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact_failure_diagnostic: Option<String>,
    /// The line to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
}
