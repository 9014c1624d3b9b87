//! Metadata of an output from what a tool knows of its cut: the rules behind the host's builder.
//!
//! Reports only cuts that happened. Ranges that are given are kept; missing ones follow from the counts.

use serde::Deserialize;
use serde_json::Value;

use super::truncation::Direction;
use crate::engine::error::Result;
use crate::engine::exec::parse_value;
use crate::engine::outcome::{
    ColumnCap, DiagnosticsMeta, Limit, LimitsMeta, LineRange, OutputMeta, PartialLine, SourceMeta,
    TruncationMeta,
};

/// The counts of a text that may have been cut; its content is not needed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cut {
    truncated: bool,
    direction: Option<Direction>,
    truncated_by: Option<String>,
    total_lines: u64,
    total_bytes: u64,
    output_lines: u64,
    output_bytes: u64,
    elided_lines: Option<u64>,
    elided_bytes: Option<u64>,
    last_line_partial: bool,
    shown_range: Option<LineRange>,
    head_range: Option<LineRange>,
    tail_range: Option<LineRange>,
    partial_line: Option<PartialLine>,
    artifact_id: Option<String>,
    artifact_truncated_bytes: Option<u64>,
    artifact_failure_diagnostic: Option<String>,
}

/// What a tool adds to the counts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CutOptions {
    direction: Option<Direction>,
    /// Line of the source that the text begins with.
    start_line: Option<u64>,
    /// Lines of the source, where the text is a part of it.
    total_file_lines: Option<u64>,
    total_lines: Option<u64>,
    total_bytes: Option<u64>,
    max_bytes: Option<u64>,
    artifact_id: Option<String>,
    range_base: Option<String>,
    notice_owner: Option<String>,
}

/// Limits that were reached; 0 is none.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reached {
    match_limit: u64,
    result_limit: u64,
    head_limit: u64,
    column_max: u64,
}

/// Metadata of a list of `[method, ...arguments]`; absent when there is nothing to tell.
///
/// # Errors
/// `invalid_arguments` for arguments of another shape.
pub fn build(calls: &[(String, Vec<Value>)]) -> Result<Option<OutputMeta>> {
    let mut meta = OutputMeta::default();
    for (method, arguments) in calls {
        apply(&mut meta, method, arguments)?;
    }
    Ok((meta != OutputMeta::default()).then_some(meta))
}

fn apply(meta: &mut OutputMeta, method: &str, arguments: &[Value]) -> Result<()> {
    let cut = |fixed: fn(Cut, &CutOptions) -> Cut| -> Result<Option<TruncationMeta>> {
        let options: CutOptions = argument(arguments, 1)?;
        let cut = fixed(argument(arguments, 0)?, &options);
        Ok(cut.truncated.then(|| truncation(cut, options)))
    };
    match method {
        "truncation" | "truncationWindows" => set(&mut meta.truncation, cut(|cut, _| cut)?),
        "truncationFromSummary" => set(&mut meta.truncation, cut(|cut, _| by_bytes(cut))?),
        "truncationFromText" => set(&mut meta.truncation, cut(from_text)?),
        "matchLimit" => reached(meta, Limited::Match, arguments)?,
        "resultLimit" => reached(meta, Limited::Result, arguments)?,
        "headLimit" => reached(meta, Limited::Head, arguments)?,
        "columnTruncated" => column(meta, argument(arguments, 0)?),
        "limits" => {
            let all: Reached = argument(arguments, 0)?;
            limit(meta, Limited::Match, all.match_limit, None);
            limit(meta, Limited::Result, all.result_limit, None);
            limit(meta, Limited::Head, all.head_limit, None);
            column(meta, all.column_max);
        }
        "sourcePath" => set(&mut meta.source, source("path", arguments)?),
        "sourceUrl" => set(&mut meta.source, source("url", arguments)?),
        "sourceInternal" => set(&mut meta.source, source("internal", arguments)?),
        "diagnostics" => {
            let found =
                DiagnosticsMeta { summary: argument(arguments, 0)?, messages: argument(arguments, 1)? };
            set(&mut meta.diagnostics, (!found.messages.is_empty()).then_some(found));
        }
        _ => {}
    }
    Ok(())
}

fn set<T>(slot: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *slot = value;
    }
}

fn argument<T: serde::de::DeserializeOwned + Default>(arguments: &[Value], index: usize) -> Result<T> {
    match arguments.get(index) {
        None | Some(Value::Null) => Ok(T::default()),
        Some(value) => parse_value(value),
    }
}

fn source(kind: &str, arguments: &[Value]) -> Result<Option<SourceMeta>> {
    let value: String = argument(arguments, 0)?;
    Ok((!value.is_empty()).then(|| SourceMeta { kind: kind.into(), value }))
}

#[derive(Debug, Clone, Copy)]
enum Limited {
    Match,
    Result,
    Head,
}

fn reached(meta: &mut OutputMeta, which: Limited, arguments: &[Value]) -> Result<()> {
    limit(meta, which, argument(arguments, 0)?, argument(arguments, 1)?);
    Ok(())
}

fn limit(meta: &mut OutputMeta, which: Limited, reached: u64, suggestion: Option<u64>) {
    if reached == 0 {
        return;
    }
    let limits = meta.limits.get_or_insert_with(LimitsMeta::default);
    let slot = match which {
        Limited::Match => &mut limits.match_limit,
        Limited::Result => &mut limits.result_limit,
        Limited::Head => &mut limits.head_limit,
    };
    *slot = Some(Limit { reached, suggestion: suggestion.unwrap_or(reached.saturating_mul(2)) });
}

fn column(meta: &mut OutputMeta, max_column: u64) {
    if max_column > 0 {
        let limits = meta.limits.get_or_insert_with(LimitsMeta::default);
        limits.column_truncated = Some(ColumnCap { max_column });
    }
}

fn by_bytes(cut: Cut) -> Cut {
    let by = if cut.output_bytes < cut.total_bytes { "bytes" } else { "lines" };
    Cut { truncated_by: cut.truncated_by.or_else(|| Some(by.into())), ..cut }
}

/// The text's own counts are what is shown; the totals are those of the options.
fn from_text(shown: Cut, options: &CutOptions) -> Cut {
    let total_lines = options.total_lines.unwrap_or(shown.output_lines).max(shown.output_lines);
    let total_bytes = options.total_bytes.unwrap_or(shown.output_bytes).max(shown.output_bytes);
    let truncated = total_lines > shown.output_lines || total_bytes > shown.output_bytes;
    by_bytes(Cut { truncated, total_lines, total_bytes, ..shown })
}

fn truncation(cut: Cut, options: CutOptions) -> TruncationMeta {
    let direction = options.direction.or(cut.direction).unwrap_or(Direction::Head);
    let total_lines = options.total_file_lines.unwrap_or(cut.total_lines);
    let first = options.start_line.unwrap_or(1).max(1);
    let by = if direction == Direction::Middle { "middle" } else { "lines" };
    let mut meta = TruncationMeta {
        direction: direction.name().into(),
        truncated_by: cut.truncated_by.unwrap_or_else(|| by.into()),
        total_lines,
        total_bytes: cut.total_bytes,
        output_lines: cut.output_lines,
        output_bytes: cut.output_bytes,
        range_base: options.range_base,
        notice_owner: options.notice_owner,
        max_bytes: options.max_bytes,
        artifact_id: options.artifact_id.or(cut.artifact_id),
        artifact_truncated_bytes: cut.artifact_truncated_bytes,
        artifact_failure_diagnostic: cut.artifact_failure_diagnostic,
        ..TruncationMeta::default()
    };
    let moved = |line: u64| line.saturating_add(first - 1);
    let shift = |range: LineRange| LineRange { start: moved(range.start), end: moved(range.end) };
    let last = moved(cut.total_lines);
    match direction {
        Direction::Head => {
            let end = moved(cut.output_lines);
            meta.shown_range = cut.shown_range.map(shift).or_else(|| range(first, end));
            meta.next_offset = Some(meta.shown_range.map_or(first, |shown| shown.end.saturating_add(1)));
        }
        Direction::Tail => {
            let single = cut.last_line_partial && cut.total_lines == 1;
            let (bytes, source_bytes) = (cut.output_bytes, cut.total_bytes);
            let whole = single.then_some(PartialLine { line: 1, bytes, source_bytes });
            meta.partial_line = cut.partial_line.or(whole);
            if meta.partial_line.is_none() {
                let start = last.saturating_add(1).saturating_sub(cut.output_lines).max(1);
                meta.shown_range = cut.shown_range.map(shift).or_else(|| range(start, last));
            }
        }
        Direction::Middle => {
            // Without real windows: the marker takes a line, the larger half is the head.
            let kept = cut.output_lines.saturating_sub(1);
            let (head, tail) = (kept.div_ceil(2), kept / 2);
            meta.head_range = cut.head_range.map(shift).or_else(|| range(first, moved(head)));
            meta.tail_range = cut
                .tail_range
                .map(shift)
                .or_else(|| range(last.saturating_add(1).saturating_sub(tail), last));
            meta.partial_line = cut.partial_line;
            meta.elided_lines =
                Some(cut.elided_lines.unwrap_or(cut.total_lines.saturating_sub(cut.output_lines)));
            meta.elided_bytes =
                Some(cut.elided_bytes.unwrap_or(cut.total_bytes.saturating_sub(cut.output_bytes)));
        }
    }
    if let Some(partial) = &mut meta.partial_line {
        partial.line = moved(partial.line);
    }
    meta
}

fn range(start: u64, end: u64) -> Option<LineRange> {
    (start <= end).then_some(LineRange { start, end })
}
