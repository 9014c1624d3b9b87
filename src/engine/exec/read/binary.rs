//! Files that are no text: named with their size, shown only where lines are asked for, and then only a little.

use serde_json::json;

use super::address::Target;
use super::call::Call;
use super::options::{Prefix, View};
use super::page::Page;
use super::range::left_out_notice;
use super::selector::{Range, Selector};
use super::source::Source;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::files::escape_control;
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::text::format_bytes;

/// Bytes of the whole result.
const MAX_BYTES: usize = 8 * 1024;
/// How far the end of one line is looked for.
const LINE_LIMIT: u64 = 16 * 1024 * 1024;
/// Where the host set no column cap.
const MAX_COLUMNS: usize = 768;

/// The notice, and under it the lines that are asked for.
pub fn describe(call: Call<'_>, source: &mut Source, format: Option<&'static str>) -> Result<Outcome> {
    let Call { target, view, cancel } = call;
    let notice = notice(target, source, format);
    let Some(Selector::Lines { ranges, .. }) = &target.selector else {
        let mut outcome = Outcome::text(notice.text.clone()).detail("resolvedPath", target.resolved());
        outcome.meta = target.meta();
        outcome.note(notice);
        return Ok(outcome.detail("spillEligible", false).detail("binary", true));
    };
    let max_columns = Some(view.max_columns.unwrap_or(MAX_COLUMNS).min(MAX_COLUMNS));
    // Letters promise an edit that a binary file cannot have.
    let prefix = if view.prefix == Prefix::Hash { Prefix::Number } else { view.prefix };
    let view = View { prefix, max_columns, ..view.clone() };
    let mut page = Page::new(&view);
    let budget = MAX_BYTES.saturating_sub(notice.text.len() + 512);
    let rest = lines(&mut page, source, ranges, budget, cancel)?;
    let mut outcome = page.finish(target, None, true).detail("binary", true);
    outcome.text = format!("{}\n{}", notice.text, outcome.text);
    outcome.note(notice);
    if let Some(rest) = rest {
        super::page::append(&mut outcome, "\n", left_out_notice(target, rest));
    }
    Ok(outcome)
}

/// Adds lines while the budget lasts; what is left of the range that did not fit.
fn lines(
    page: &mut Page<'_>,
    source: &mut Source,
    ranges: &[Range],
    budget: usize,
    cancel: &CancelToken,
) -> Result<Option<Range>> {
    let mut lines = source.lines(cancel).with_line_limit(LINE_LIMIT);
    let mut bytes = 0;
    for range in ranges {
        lines.skip_to(range.start)?;
        while range.end.is_none_or(|end| lines.passed() < end) {
            let start = lines.passed() + 1;
            let Some(row) = lines.read(MAX_COLUMNS * 4)? else { break };
            let (number, cut) = (row.number, row.is_cut());
            let (text, lossy) = row.decode();
            let text: String = escape_control(&text).chars().take(MAX_COLUMNS + 1).collect();
            if bytes > 0 && bytes + text.len() > budget {
                return Ok(Some(Range { start, end: range.end }));
            }
            bytes += text.len() + 24;
            page.line(Some(number), &text, cut);
            page.lossy(lossy);
        }
    }
    Ok(None)
}

fn notice(target: &Target, source: &Source, format: Option<&'static str>) -> Notice {
    let (path, size) = (&target.shown, format_bytes(source.size()));
    let kind = format.map(|format| format!(", {format}")).unwrap_or_default();
    let text = format!("[{path} is a binary file ({size}{kind}). Read {path}:raw to force it into text]");
    Notice::new("binary", text, json!({"path": path, "size": size, "format": format}))
}
