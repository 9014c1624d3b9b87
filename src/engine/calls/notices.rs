//! The closing notice of a result: what was cut, which limit was reached, where to go on.
//!
//! Placement (core.md 6.10): an empty line, then one bracket with the parts joined by ". "; diagnostics follow
//! after another empty line.

use serde_json::json;

use crate::engine::outcome::{LineRange, Notice, OutputMeta, TruncationMeta};
use crate::engine::text::format_bytes;

/// The text to append to the last text block (empty: nothing), and each notice in it.
#[must_use]
pub fn render(meta: &OutputMeta) -> (String, Vec<Notice>) {
    let mut notices = Vec::new();
    if let Some(truncation) =
        meta.truncation.as_ref().filter(|cut| cut.notice_owner.as_deref() != Some("body"))
    {
        notices.push(truncation_notice(truncation));
    }
    if let Some(limits) = &meta.limits {
        let counted = [
            ("match_limit", "matches", &limits.match_limit),
            ("result_limit", "results", &limits.result_limit),
            ("head_limit", "lines", &limits.head_limit),
        ];
        for (kind, noun, limit) in counted {
            if let Some(limit) = limit {
                let text = format!(
                    "{} {noun} limit reached, ask for {} to see more",
                    limit.reached, limit.suggestion
                );
                notices.push(Notice::new(
                    kind,
                    text,
                    json!({"reached": limit.reached, "suggestion": limit.suggestion}),
                ));
            }
        }
        if let Some(cap) = &limits.column_truncated {
            let text = format!("Lines longer than {} characters are cut", cap.max_column);
            notices.push(Notice::new("column_cap", text, json!({"max": cap.max_column})));
        }
    }
    let mut appended = String::new();
    if !notices.is_empty() {
        let parts: Vec<&str> = notices.iter().map(|notice| notice.text.as_str()).collect();
        appended = format!("\n\n[{}]", parts.join(". "));
    }
    if let Some(diagnostics) = &meta.diagnostics {
        let text = format!("{}\n{}", diagnostics.summary, diagnostics.messages.join("\n"));
        appended.push_str("\n\n");
        appended.push_str(&text);
        notices.push(Notice::new("diagnostics", text, json!({"count": diagnostics.messages.len()})));
    }
    (appended, notices)
}

/// Where the whole text is, and how much of it is missing even there.
#[must_use]
pub fn artifact_reference(id: &str, missing: Option<u64>) -> String {
    match missing.filter(|bytes| *bytes > 0) {
        Some(bytes) => format!("Output, {} of it missing: artifact://{id}", format_bytes(bytes)),
        None => format!("Full output: artifact://{id}"),
    }
}

/// The notice of a cut, whoever owns it.
#[must_use]
pub fn truncation_notice(cut: &TruncationMeta) -> Notice {
    let shown = |range: &LineRange| format!("{}-{}", range.start, range.end);
    let total = match cut.total_lines_exact {
        Some(false) => format!("at least {}", cut.total_lines),
        _ => cut.total_lines.to_string(),
    };
    // The lines of a selected range are counted within it.
    let total = if cut.range_base.as_deref() == Some("window") { format!("{total} selected") } else { total };
    let mut facts = json!({"total": cut.total_lines, "by": cut.truncated_by});
    if cut.total_lines_exact == Some(false) {
        facts["totalLinesExact"] = json!(false);
    }
    if let Some(partial) = &cut.partial_line {
        facts["line"] = json!(partial.line);
        facts["bytes"] = json!(partial.bytes);
        facts["source_bytes"] = json!(partial.source_bytes);
    }
    let partial = cut.partial_line.as_ref().map(|partial| {
        format!(
            "{} of line {} ({})",
            format_bytes(partial.bytes),
            partial.line,
            format_bytes(partial.source_bytes)
        )
    });
    let (kind, mut text) = if let (Some(head), Some(tail)) = (&cut.head_range, &cut.tail_range) {
        facts["head"] = json!([head.start, head.end]);
        facts["tail"] = json!([tail.start, tail.end]);
        facts["elided_lines"] = json!(cut.elided_lines);
        facts["elided_bytes"] = json!(cut.elided_bytes);
        let elided = format!(
            "{} lines, {} left out",
            cut.elided_lines.unwrap_or(0),
            format_bytes(cut.elided_bytes.unwrap_or(0))
        );
        let only = partial.map(|partial| format!(", only {partial}")).unwrap_or_default();
        (
            "meta_middle",
            format!("Showing lines {} and {} of {total} ({elided}){only}", shown(head), shown(tail)),
        )
    } else if let Some(partial) = partial {
        ("meta_partial", format!("Showing {partial}"))
    } else if let Some(range) = &cut.shown_range {
        facts["start"] = json!(range.start);
        facts["end"] = json!(range.end);
        ("meta_window", format!("Showing lines {} of {total}", shown(range)))
    } else {
        facts["shown"] = json!(cut.output_lines);
        ("meta_count", format!("Showing {} of {total} lines", cut.output_lines))
    };
    if cut.truncated_by == "bytes"
        && let Some(limit) = cut.max_bytes
    {
        facts["byte_limit"] = json!(format_bytes(limit));
        text = format!("{text} ({} limit)", format_bytes(limit));
    }
    if let Some(next) = cut.next_offset {
        facts["next"] = json!(next);
        text = format!("{text}. Use :{next} to continue");
    }
    if let Some(artifact) = &cut.artifact_id {
        facts["artifact"] = json!(artifact);
        text = format!("{text}. {}", artifact_reference(artifact, cut.artifact_truncated_bytes));
    }
    if let Some(reason) = &cut.artifact_failure_diagnostic {
        facts["artifact_failure"] = json!(reason);
        text = format!("{text}. The full output was not kept: {reason}");
    }
    Notice::new(kind, text, facts)
}
