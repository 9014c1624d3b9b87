//! Raw text: no prefixes, no column cap, exactly the named lines. Only the byte-order mark is left out.

use serde_json::json;

use super::address::Target;
use super::call::Call;
use super::exact::{self, Limits};
use super::options::View;
use super::page::{Cut, Page, append, footer};
use super::range;
use super::selector::Range;
use super::source::Source;
use crate::engine::error::Result;
use crate::engine::outcome::{LineRange, Notice, Outcome, TruncationMeta};
use crate::engine::text::format_bytes;

/// The whole text, up to the raw cap.
pub fn whole(call: Call<'_>, source: &mut Source) -> Result<Outcome> {
    let Call { target, view, cancel } = call;
    cancel.check()?;
    let (mut text, lossy) = source.decode(view.raw_bytes)?;
    let fits = source.size() <= view.raw_bytes as u64;
    let end = if fits { None } else { text.rfind(source.separator()) };
    text.truncate(end.unwrap_or(text.len()));
    let mut page = Page::new(view);
    page.verbatim(&text);
    page.lossy(lossy);
    if fits {
        return Ok(page.finish(target, None, true));
    }
    let lines = text.matches(source.separator()).count() as u64 + 1;
    let meta = TruncationMeta {
        direction: "head".into(),
        truncated_by: "bytes".into(),
        notice_owner: Some("body".into()),
        total_lines: lines + 1,
        total_lines_exact: Some(false),
        total_bytes: source.size(),
        output_lines: lines,
        output_bytes: text.len() as u64,
        max_bytes: Some(view.raw_bytes as u64),
        shown_range: Some(LineRange { start: 1, end: lines }),
        next_offset: Some(lines + 1),
        ..TruncationMeta::default()
    };
    let mut outcome = page.finish(target, Some(Cut { meta, ..Cut::default() }), true);
    let within = end.is_none().then_some(1);
    footer(&mut outcome, cap_notice(target, source, view, within, Some(lines + 1)));
    Ok(outcome)
}

/// Exactly the lines of some ranges.
pub fn lines(call: Call<'_>, source: &mut Source, ranges: &[Range]) -> Result<Outcome> {
    let Call { target, view, cancel } = call;
    let limits = Limits { open_lines: u64::MAX, lines: u64::MAX, bytes: view.raw_bytes };
    let mut page = Page::joined(view, source.separator());
    let reading = exact::add(&mut page, &mut source.lines(cancel), view, ranges, limits)?;
    if let ([range], [(_, total)]) = (ranges, reading.beyond.as_slice()) {
        return Ok(range::beyond_end(target, range.start, *total, target.entity));
    }
    let mut outcome = page.finish(target, None, true);
    for (range, total) in &reading.beyond {
        append(&mut outcome, "\n", range::skipped_notice(target, *range, *total));
    }
    if reading.partial.is_some() || !reading.left_out.is_empty() {
        let next = reading.left_out.first().map(|range| range.start);
        let within = reading.partial.map(|line| line.line);
        footer(&mut outcome, cap_notice(target, source, view, within, next));
    }
    Ok(outcome)
}

/// Says where the text stops. The rest of a line that it stops `within` is out of reach, so `next` is behind it.
fn cap_notice(
    target: &Target,
    source: &Source,
    view: &View,
    within: Option<u64>,
    next: Option<u64>,
) -> Notice {
    let (path, cap, size) = (&target.shown, format_bytes(view.raw_bytes as u64), format_bytes(source.size()));
    let place = within.map(|line| format!(" within line {line}")).unwrap_or_default();
    let purpose = if within.is_some() { "for what follows that line" } else { "to go on" };
    let more = next.map(|next| format!(". Read {path}:raw:{next}- {purpose}")).unwrap_or_default();
    let text = format!("[Raw text stops at {cap}{place}; the file has {size}{more}]");
    let mut facts = json!({"cap": cap, "size": size, "path": path, "next": next});
    if let Some(line) = within {
        facts["within"] = json!(line);
    }
    Notice::new("raw_cap", text, facts)
}
