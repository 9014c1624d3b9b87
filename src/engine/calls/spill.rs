//! Results that are too long for a conversation: whether to cut, what to show, where the pieces go.
//!
//! Decides only. The whole text is kept by the host's store or by `files::keep_text`, and nothing is cut by the spill
//! unless that worked; the inline cap cuts in any case. Images and the order of the blocks stay as they were.

use serde::{Deserialize, Serialize};

use super::truncation::{Budget, Direction, Truncation, truncate};
use crate::engine::outcome::{LineRange, Notice, OutputMeta, TruncationMeta};
use crate::engine::settings::Settings;

/// Left of the inline cap for the marker and its newlines.
const MARKER_RESERVE: usize = 256;
/// Bytes kept of each side where no setting says otherwise.
pub const DEFAULT_SIDE_BYTES: usize = 20 * 1024;

/// A result without its texts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    /// The name of the tool.
    pub tool: String,
    /// Those of the group `spill`.
    pub settings: Settings,
    /// Somewhere to keep the whole text.
    pub has_store: bool,
    /// `read` says that its result may be cut.
    pub spill_eligible: bool,
    /// What the tool itself reports.
    pub meta: Option<OutputMeta>,
    /// The texts of its notices.
    pub notices: Vec<String>,
    /// For the inline cap: the size after the spill, where there was one.
    pub spilled_bytes: Option<u64>,
}

/// What becomes of the texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// One entry for each text block; absent: the block is left out.
    pub texts: Vec<Option<String>>,
    /// Without an artifact id.
    pub truncation: TruncationMeta,
    /// What the texts say in addition.
    pub notices: Vec<Notice>,
}

/// The bytes that a result must exceed before anything can happen to it; absent: nothing ever does.
#[must_use]
pub fn floor(facts: &Facts) -> Option<usize> {
    let limits = [spill_threshold(facts), inline_cap(facts)];
    limits.into_iter().flatten().min()
}

/// The cut of a result above the threshold, if it cuts anything.
#[must_use]
pub fn spill(facts: &Facts, texts: &[String]) -> Option<Plan> {
    let whole = texts.join("\n");
    if whole.len() <= spill_threshold(facts)? {
        return None;
    }
    let (head_bytes, tail_bytes) =
        (side(facts, "tools.artifactHeadBytes"), side(facts, "tools.artifactTailBytes"));
    let lines = facts.settings.count("tools.artifactTailLines");
    let (direction, budget) = if head_bytes > 0 {
        let max_bytes = head_bytes.saturating_add(tail_bytes);
        (
            Direction::Middle,
            Budget {
                max_lines: lines.saturating_mul(2),
                max_bytes,
                head_lines: Some(lines),
                head_bytes: Some(head_bytes),
            },
        )
    } else {
        let budget = Budget { max_lines: lines, max_bytes: tail_bytes, ..Budget::default() };
        (Direction::Tail, budget)
    };
    let cut = truncate(&whole, direction, budget)?;
    Some(plan(facts, texts, &whole, &cut, budget.max_bytes))
}

/// The cut that holds a result within the inline cap. A footer that the body has of its own stays and is not counted.
#[must_use]
pub fn cap(facts: &Facts, texts: &[String]) -> Option<Plan> {
    let limit = inline_cap(facts)?;
    let (bodies, footer) = without_footer(facts, texts);
    let whole = bodies.join("\n");
    if facts.spilled_bytes.map_or(whole.len(), saturated) <= limit {
        return None;
    }
    let room = limit.saturating_sub(MARKER_RESERVE).max(1);
    let any = usize::MAX / 2;
    let head_bytes = side(facts, "tools.artifactHeadBytes").min(room / 2);
    let budget =
        Budget { max_lines: any, max_bytes: room, head_lines: Some(any / 2), head_bytes: Some(head_bytes) };
    let direction = if head_bytes > 0 { Direction::Middle } else { Direction::Tail };
    let fits = |cut: &Truncation| saturated(cut.meta.output_bytes) <= limit;
    let last_resort = Budget { max_lines: any, max_bytes: limit, ..Budget::default() };
    let cut = truncate(&whole, direction, budget).filter(fits);
    let cut = cut.or_else(|| truncate(&whole, Direction::Tail, last_resort))?;
    let mut plan = plan(facts, &bodies, &whole, &cut, limit);
    if !footer.is_empty() {
        match plan.texts.iter_mut().rev().flatten().next() {
            Some(last) => last.push_str(&footer),
            None => plan.texts.push(Some(footer.trim_start().to_owned())),
        }
    }
    Some(plan)
}

/// `read` has a threshold of its own, and spills only what it marked. What was kept already is not kept again.
fn spill_threshold(facts: &Facts) -> Option<usize> {
    let kept = facts.meta.as_ref().and_then(|meta| meta.truncation.as_ref()?.artifact_id.as_ref());
    let is_read = facts.tool == "read";
    if !facts.has_store || kept.is_some() || is_read && !facts.spill_eligible {
        return None;
    }
    let key = if is_read { "tools.readArtifactSpillThreshold" } else { "tools.artifactSpillThreshold" };
    Some(kibibytes(facts.settings.number(key))).filter(|bytes| *bytes > 0)
}

fn inline_cap(facts: &Facts) -> Option<usize> {
    Some(kibibytes(facts.settings.number("tools.maxInlineResultBytes"))).filter(|bytes| *bytes > 0)
}

/// These settings have no default of their own, because `bash` tells a given one from none.
fn side(facts: &Facts, key: &str) -> usize {
    facts.settings.get(key).as_f64().map_or(DEFAULT_SIDE_BYTES, kibibytes)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn kibibytes(value: f64) -> usize {
    (value * 1024.0).max(0.0) as usize
}

fn saturated(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// The texts, and what the last of them ends with: a notice of the body with the blank before it.
fn without_footer(facts: &Facts, texts: &[String]) -> (Vec<String>, String) {
    let mut bodies = texts.to_vec();
    let owner = facts.meta.as_ref().and_then(|meta| meta.truncation.as_ref()?.notice_owner.as_deref());
    let Some(last) = bodies.last_mut().filter(|_| owner == Some("body")) else {
        return (bodies, String::new());
    };
    let trimmed = last.trim_end();
    let footers = facts.notices.iter().map(|notice| notice.trim_end());
    let body = footers.filter(|footer| !footer.is_empty()).find_map(|footer| {
        // The brackets around a notice belong to it.
        let bracketed =
            trimmed.strip_suffix(']').and_then(|text| text.strip_suffix(footer)?.strip_suffix('['));
        trimmed.strip_suffix(footer).or(bracketed)
    });
    let Some(at) = body.map(|body| body.trim_end().len()) else { return (bodies, String::new()) };
    let footer = last.split_off(at);
    (bodies, footer)
}

fn plan(facts: &Facts, texts: &[String], whole: &str, cut: &Truncation, max_bytes: usize) -> Plan {
    let truncation = TruncationMeta { max_bytes: Some(max_bytes as u64), ..cut.meta.clone() };
    Plan {
        texts: placed(texts, whole, cut),
        truncation: within_earlier_cut(facts, truncation, whole),
        notices: cut.marker.iter().cloned().collect(),
    }
}

/// Gives each block what was kept of it. A block of which nothing was kept is left out.
fn placed(texts: &[String], whole: &str, cut: &Truncation) -> Vec<Option<String>> {
    let head_end = cut.head.as_ref().map(|head| head.content.len());
    let tail_start = cut.tail.as_ref().map(|tail| whole.len() - tail.content.len());
    let mut marker = cut.marker.as_ref().map(|marker| marker.text.as_str());
    let mut start = 0;
    let mut pieces = Vec::with_capacity(texts.len());
    for text in texts {
        let end = start + text.len();
        let mut parts: Vec<&str> = Vec::new();
        parts.extend(head_end.filter(|head| start <= *head).map(|head| &whole[start..head.min(end)]));
        if head_end.is_some_and(|head| head <= end) {
            parts.extend(marker.take());
        }
        parts.extend(tail_start.filter(|tail| *tail <= end).map(|tail| &whole[tail.max(start)..end]));
        pieces.push((!parts.is_empty()).then(|| parts.join("\n")));
        start = end + 1;
    }
    pieces
}

/// The lines of a text that a tool has cut already are lines of its source, and what is kept is not all of it.
fn within_earlier_cut(facts: &Facts, mut cut: TruncationMeta, whole: &str) -> TruncationMeta {
    let earlier = facts.meta.as_ref().and_then(|meta| meta.truncation.as_ref());
    let Some((earlier, shown)) = earlier.and_then(|earlier| Some((earlier, earlier.shown_range?))) else {
        return cut;
    };
    let moved = |line: u64| line.saturating_add(shown.start.saturating_sub(1));
    let range = |range: LineRange| LineRange { start: moved(range.start), end: moved(range.end) };
    cut.shown_range = cut.shown_range.map(range);
    cut.head_range = cut.head_range.map(range);
    cut.tail_range = cut.tail_range.map(range);
    cut.next_offset = cut.next_offset.map(moved).or(earlier.next_offset);
    if let Some(partial) = &mut cut.partial_line {
        partial.line = moved(partial.line);
    }
    cut.total_lines = earlier.total_lines.max(cut.total_lines);
    cut.total_bytes = earlier.total_bytes.max(cut.total_bytes);
    cut.total_lines_exact = earlier.total_lines_exact;
    let missing = earlier.total_bytes.saturating_sub(whole.len() as u64);
    cut.artifact_truncated_bytes = Some(missing).filter(|bytes| *bytes > 0);
    cut
}
