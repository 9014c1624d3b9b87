//! The course of a call: arguments, targets, search, page, and every omission as a notice.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;

use super::gather::{Harvest, gather};
use super::member::{self, Searched};
use super::page::{Cut, FileHits, PAGE_BYTES, PAGE_FILES, Page};
use super::pattern::Pattern;
use super::scan::{Plan, Skip};
use super::scope::Scope;
use super::{layout, line, said};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::{Context, notes};
use crate::engine::files::{Course, TargetRules, display_path};
use crate::engine::outcome::{ColumnCap, LimitsMeta, Notice, Outcome, TruncationMeta};
use crate::engine::session::Shown;

/// Matches of one file among several, and of a file that is searched alone.
const PER_FILE: usize = 20;
pub(super) const PER_SINGLE_FILE: usize = 200;

/// Files with matches behind the skipped ones, a few pages of them, before the search ends.
pub(super) const FILE_CAP: usize = 100;

/// What that is in matches at most.
pub(super) const MATCH_CAP: usize = FILE_CAP * PER_FILE;

/// Arguments of `search`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The regular expression.
    pub pattern: String,
    /// Files, directories and globs; the working directory by default.
    #[serde(default)]
    pub paths: Option<Vec<String>>,
    /// Ignore case.
    #[serde(default)]
    pub i: Option<bool>,
    /// Leave out what git ignores; true by default.
    #[serde(default)]
    pub gitignore: Option<bool>,
    /// Files to skip.
    #[serde(default)]
    pub skip: Option<f64>,
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    cancel.check()?;
    let skip = skip_of(options.skip)?;
    let pattern = Pattern::new(&options.pattern, options.i.unwrap_or(false))?;
    let here = [".".to_owned()];
    let entries = options.paths.as_deref().unwrap_or(&here);
    if entries.is_empty() {
        return Err(ToolError::argument("paths", "expected at least one path"));
    }
    let mut scope = Scope::resolve(entries, context)?;
    let single = scope.is_single();
    let plan = Plan {
        pattern,
        before: context.settings.count("search.contextBefore"),
        after: context.settings.count("search.contextAfter"),
        per_file: if single { PER_SINGLE_FILE } else { PER_FILE },
        anchors: context.shows_anchors(),
        session: context.session.clone().filter(|_| context.settings.truthy("search.cache")),
    };
    if let Some(session) = &plan.session {
        session.contents.start_search();
    }
    let skip = if single { 0 } else { skip };
    let rules = TargetRules {
        hidden: true,
        gitignore: options.gitignore.unwrap_or(true),
        global_excludes: context.global_excludes(),
    };
    let enough = if single { usize::MAX } else { FILE_CAP.saturating_add(skip) };
    let course = Course { cancel: cancel.clone(), deadline: None };
    let pattern = plan.pattern.clone();
    let members = member::search(&scope.members, &plan, scope.targets.are_none(), cancel)?;
    let mut harvest = gather(&mut scope.targets, &rules, plan, enough, &course)?;
    pattern.check(&options.pattern)?;
    if single
        && let Some((_, Skip::Unreadable(error))) =
            harvest.skipped.pop_if(|(_, skip)| matches!(skip, Skip::Unreadable(_)))
    {
        return Err(error);
    }
    Ok(report(members, harvest, skip, &scope, context))
}

/// How many results a call asks to leave out.
pub fn skip_of(skip: Option<f64>) -> Result<usize> {
    let skip = skip.unwrap_or(0.0);
    if skip.is_nan() || skip < 0.0 {
        return Err(ToolError::InvalidSkip { skip });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, saturating")]
    Ok(skip as usize)
}

/// Builds the outcome: the page, then a notice for everything that is not in it.
fn report(members: Searched, harvest: Harvest, skip: usize, scope: &Scope, context: &Context) -> Outcome {
    let single = scope.is_single();
    // What was named comes before what was met.
    let in_archives = members.found.len();
    let total = in_archives + harvest.files.len();
    let found: Vec<_> = members.found.into_iter().chain(harvest.files).skip(skip).collect();
    let paths: Vec<PathBuf> = found.iter().map(|(path, _)| path.clone()).collect();
    let named =
        found.into_iter().map(|(path, hits)| FileHits { name: display_path(&path, &context.cwd), hits });
    let page = Page::new(named.collect(), skip, total);
    let editable = in_archives.saturating_sub(skip);
    remember(paths.iter().zip(&page.files).skip(editable), context);
    let per_file = if single { PER_SINGLE_FILE } else { PER_FILE };

    let notices: Vec<Notice> = [
        said::page(&page, harvest.capped),
        page.cut.map(|cut| said::cut(&page, cut)),
        said::per_file(&page, per_file, single),
        harvest.capped.then(said::match_cap),
        said::skipped(&harvest.skipped, single, &context.cwd),
        notes::unreadable(&harvest.walk.unreadable, &context.cwd),
        notes::missing(&scope.targets.missing),
        said::members(&members.refused),
    ]
    .into_iter()
    .flatten()
    .collect();

    let body = layout::text(&page.files, single);
    let display = (!page.files.is_empty()).then(|| layout::display(&page.files, single));
    let outcome = notes::close(&body, "No matches found", notices);
    with_details(outcome, &page, display, harvest.capped, scope, context)
}

/// What was shown is remembered for `edit`, which may be given the anchors.
fn remember<'a>(files: impl Iterator<Item = (&'a PathBuf, &'a FileHits)>, context: &Context) {
    let Some(session) = context.session.as_deref().filter(|_| context.has_edit_tool) else { return };
    for (path, file) in files {
        let mut shown = Shown::default();
        for line in file.hits.lines.iter().filter(|line| line.is_whole) {
            shown.push(line.number, &line.shown.text);
        }
        session.reads.record(path, shown, None, context.reader());
    }
}

fn with_details(
    mut outcome: Outcome,
    page: &Page,
    display: Option<String>,
    capped: bool,
    scope: &Scope,
    context: &Context,
) -> Outcome {
    let lines = || page.files.iter().flat_map(|file| &file.hits.lines);
    let lines_cut = lines().any(|line| line.shown.cut);
    let next_page = page.end() < page.total;
    let per_file = if scope.is_single() { PER_SINGLE_FILE } else { PER_FILE };
    let over_cap = page.files.iter().any(|file| file.hits.more).then_some(per_file);
    let counts: Vec<_> =
        page.files.iter().map(|file| json!({"path": file.name, "count": file.hits.matches})).collect();
    if lines_cut {
        let max_column = line::LINE_LIMIT as u64;
        outcome.meta.limits =
            Some(LimitsMeta { column_truncated: Some(ColumnCap { max_column }), ..LimitsMeta::default() });
    }
    if let Some(cut) = page.cut {
        outcome.meta.truncation = Some(truncation(page, cut));
    }
    let truncation = outcome.meta.truncation.clone();
    outcome
        .detail("scopePath", scope.shown(&context.cwd))
        .detail("searchPath", scope.base())
        .detail("matchCount", page.files.iter().map(|file| file.hits.matches).sum::<usize>())
        .detail("fileCount", page.files.len())
        .detail("files", page.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>())
        .detail("fileMatches", (!counts.is_empty()).then_some(counts))
        .detail("truncated", next_page || capped || lines_cut || over_cap.is_some() || page.cut.is_some())
        .detail("displayContent", display)
        .detail("fileLimitReached", (next_page && page.files.len() == PAGE_FILES).then_some(PAGE_FILES))
        .detail("perFileLimitReached", over_cap)
        .detail("linesTruncated", lines_cut.then_some(true))
        .detail("missingPaths", (!scope.targets.missing.is_empty()).then_some(&scope.targets.missing))
        .detail("truncation", truncation)
}

fn truncation(page: &Page, cut: Cut) -> TruncationMeta {
    let block: String = page.files.iter().map(|file| layout::block(&file.hits.lines)).collect();
    TruncationMeta {
        direction: "head".into(),
        truncated_by: "bytes".into(),
        total_lines: cut.total_lines as u64,
        total_bytes: cut.total_bytes as u64,
        output_lines: block.lines().count() as u64,
        output_bytes: block.len() as u64,
        max_bytes: Some(PAGE_BYTES as u64),
        notice_owner: Some("body".into()),
        ..TruncationMeta::default()
    }
}
