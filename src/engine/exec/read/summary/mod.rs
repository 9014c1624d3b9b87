//! A source file by its structure: bodies, long comments and runs of imports are left out, everything else is shown.
//! Only ever a shorter view: where the file cannot be parsed, in time and without errors, or little would be left of
//! it, there is no summary and the file is shown as text. Never recurses: how deep source is nested is up to others.

mod language;
mod regions;
mod render;

use std::time::Duration;

use super::call::Call;
use super::source::Source;
use crate::engine::code::parse;
use crate::engine::error::Result;
use crate::engine::exec::Context;
use crate::engine::outcome::Outcome;

/// How long a file may take; ordinary ones take milliseconds.
const MAX_TIME: Duration = Duration::from_millis(750);
/// Bytes of a file that is summarised.
const MAX_BYTES: u64 = 2 * 1024 * 1024;
/// Lines of a file that is summarised.
const MAX_LINES: usize = 20_000;
/// Lines that must be left, or the summary says too little.
const MIN_LEFT: usize = 3;

/// What the settings ask for.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Lines from which a body is left out.
    pub body: usize,
    /// Lines from which a comment is left out.
    pub comment: usize,
}

impl Rules {
    fn new(context: &Context) -> Self {
        let settings = &context.settings;
        Self {
            body: settings.count("read.summarize.minBodyLines").max(2),
            comment: settings.count("read.summarize.minCommentLines").max(4),
        }
    }
}

/// The summary of a file, where it has one.
pub fn summarize(call: Call<'_>, source: &mut Source, context: &Context) -> Result<Option<Outcome>> {
    let Call { target, view, cancel } = call;
    let settings = &context.settings;
    if !settings.truthy("read.summarize.enabled") || source.size() > MAX_BYTES || source.separator() != '\n' {
        return Ok(None);
    }
    let Some((language, parts)) = language::of(&target.path, settings.truthy("read.summarize.prose")) else {
        return Ok(None);
    };
    let (text, lossy) = source.decode(usize::try_from(MAX_BYTES).unwrap_or(usize::MAX))?;
    let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(&text).split('\n').collect();
    let rules = Rules::new(context);
    if lossy || lines.len() > MAX_LINES || lines.len() < rules.body.min(rules.comment) {
        return Ok(None);
    }
    let tree = parse(&text, language, MAX_TIME, cancel);
    cancel.check()?;
    let Some(tree) = tree.filter(|tree| !tree.root_node().has_error()) else { return Ok(None) };
    let Some(regions) = regions::find(&tree, parts, rules, lines.len()) else { return Ok(None) };
    let rows = render::rows(&lines, &regions);
    if regions.is_empty() || rows.iter().filter(|row| !row.is_elision()).count() < MIN_LEFT {
        return Ok(None);
    }
    let max_bytes = settings.count("read.summaryMaxBytes").saturating_mul(1024);
    Ok(render::render(target, view, &lines, &rows, max_bytes))
}
