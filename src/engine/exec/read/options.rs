//! What the caller asked for, and what the settings make of it.

use serde::Deserialize;

use crate::engine::exec::{Context, LineMarks};

/// Arguments of `read`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// File or directory, with an optional selector.
    pub path: String,
    /// Which side of a long text a read without selector shows; the setting `read.truncation` where absent.
    #[serde(default)]
    pub truncation: Option<Direction>,
}

/// The side of a long text that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The start.
    Head,
    /// The end.
    Last,
    /// Both ends.
    Both,
}

/// What stands before each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// Number and letters: `12ab|`.
    Hash,
    /// Number: `12|`.
    Number,
    /// Nothing.
    None,
}

/// Lines of an open range that no setting limits further.
pub const MAX_LINES: u64 = 3000;
const MIN_RANGE_BYTES: usize = 50 * 1024;
const MIN_RAW_BYTES: usize = 2 * 1024 * 1024;
/// No setting makes a receipt hold more of a file in memory.
const MAX_RECEIPT_BYTES: usize = 16 * 1024 * 1024;

/// How this call shows text: the settings, checked and in bytes.
#[derive(Debug, Clone)]
pub struct View {
    /// What stands before each line.
    pub prefix: Prefix,
    /// Characters kept of a line; absent: all.
    pub max_columns: Option<usize>,
    /// The side a long text is shown from.
    pub direction: Direction,
    /// Line budget of a read without selector.
    pub receipt_lines: usize,
    /// Byte budget of a read without selector.
    pub receipt_bytes: usize,
    /// Lines of a range without end.
    pub default_limit: u64,
    /// Bytes of a raw read.
    pub raw_bytes: usize,
}

impl View {
    /// The view of a call; `raw` turns prefixes and the column cap off.
    #[must_use]
    pub fn new(options: &Options, context: &Context, raw: bool) -> Self {
        let settings = &context.settings;
        let prefix = match LineMarks::of(context, raw, false) {
            LineMarks { hash_lines: true, .. } => Prefix::Hash,
            LineMarks { line_numbers: true, .. } => Prefix::Number,
            LineMarks { .. } => Prefix::None,
        };
        let direction =
            options.truncation.unwrap_or_else(|| match settings.text("read.truncation").as_str() {
                "head" => Direction::Head,
                "both" => Direction::Both,
                _ => Direction::Last,
            });
        let kib = |key: &str| kib(settings.number(key));
        Self {
            prefix,
            max_columns: Some(settings.count("tools.outputMaxColumns")).filter(|max| *max > 0 && !raw),
            direction,
            receipt_lines: settings.count("read.receiptBudgetLines").max(1),
            receipt_bytes: kib("read.receiptBudgetBytes").clamp(1, MAX_RECEIPT_BYTES),
            default_limit: (settings.count("read.defaultLimit") as u64).clamp(1, MAX_LINES),
            raw_bytes: kib("tools.readArtifactSpillThreshold").max(MIN_RAW_BYTES),
        }
    }
}

impl View {
    /// The same view of what nobody can edit.
    #[must_use]
    pub fn without_anchors(self, context: &Context) -> Self {
        let numbered = context.settings.truthy("readLineNumbers");
        let prefix = match self.prefix {
            Prefix::Hash if numbered => Prefix::Number,
            Prefix::Hash => Prefix::None,
            prefix => prefix,
        };
        Self { prefix, ..self }
    }
}

/// KiB, perhaps with a fraction, as bytes.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0 and saturating")]
fn kib(number: f64) -> usize {
    (number.max(0.0) * 1024.0) as usize
}

/// Byte budget of a range of `lines` lines.
#[must_use]
pub fn range_bytes(lines: u64) -> usize {
    let lines = usize::try_from(lines.min(MAX_LINES)).unwrap_or(0);
    MIN_RANGE_BYTES.max(lines * 512)
}
