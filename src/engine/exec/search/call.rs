//! The course of a call: arguments, targets, search, page, and every omission as a notice.

use std::ops::ControlFlow;
use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::page::{Cut, FileHits, PAGE_BYTES, PAGE_FILES, Page};
use super::pattern::Pattern;
use super::pool::{Harvest, search_all};
use super::scan::{Candidate, Plan, Scanned, Scanner, Skip, WALKED_LIMIT};
use super::{layout, line};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::{Context, notes};
use crate::engine::files::{EntryKind, TargetRules, Targets, WalkReport, display_path};
use crate::engine::outcome::{ColumnCap, LimitsMeta, Notice, Outcome, TruncationMeta};
use crate::engine::text::format_bytes;

/// Matches of one file among several, and of a file that is searched alone.
const PER_FILE: usize = 20;
const PER_SINGLE_FILE: usize = 200;

/// Matches collected behind the skipped files before the search ends.
const MATCH_CAP: usize = 2000;

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
    let skip = skip_of(options)?;
    let pattern = Pattern::new(&options.pattern, options.i.unwrap_or(false))?;
    let here = [".".to_owned()];
    let entries = options.paths.as_deref().unwrap_or(&here);
    if entries.is_empty() {
        return Err(ToolError::argument("paths", "expected at least one path"));
    }
    let mut targets = Targets::resolve(entries, context.origin())?;
    let single = targets.single_file().map(Path::to_owned);
    let plan = Plan {
        pattern,
        before: context.settings.count("search.contextBefore"),
        after: context.settings.count("search.contextAfter"),
        per_file: if single.is_some() { PER_SINGLE_FILE } else { PER_FILE },
        anchors: context.shows_anchors(),
    };
    let (found, skip) = match &single {
        Some(file) => (search_one(file, &plan, context, cancel)?, 0),
        None => (search_many(&mut targets, options, skip, &plan, cancel)?, skip),
    };
    Ok(report(found, skip, single.is_some(), &targets, context))
}

fn skip_of(options: &Options) -> Result<usize> {
    let skip = options.skip.unwrap_or(0.0);
    if skip.is_nan() || skip < 0.0 {
        return Err(ToolError::InvalidSkip { skip });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, saturating")]
    Ok(skip as usize)
}

/// What a search gave.
#[derive(Default)]
struct Found {
    harvest: Harvest,
    walk: WalkReport,
    /// The file that was left out, where the caller named only one.
    left_out: Option<String>,
}

fn search_one(file: &Path, plan: &Plan, context: &Context, cancel: &CancelToken) -> Result<Found> {
    let shown = display_path(file, &context.cwd);
    let mut found = Found::default();
    match Scanner::new(plan, cancel).scan(&Candidate { path: file.to_owned(), explicit: true })? {
        Scanned::Nothing => {}
        Scanned::Hits(hits) => found.harvest.files.push((file.to_owned(), hits)),
        Scanned::Skipped(Skip::Unreadable(error)) => return Err(error),
        Scanned::Skipped(skip) => {
            found.harvest.skipped.push(skip);
            found.left_out = Some(shown);
        }
    }
    Ok(found)
}

fn search_many(
    targets: &mut Targets,
    options: &Options,
    skip: usize,
    plan: &Plan,
    cancel: &CancelToken,
) -> Result<Found> {
    let gitignore = options.gitignore.unwrap_or(true);
    let rules = TargetRules { hidden: true, gitignore, deadline: None };
    // Skipped files may hold up to the cap each, and count for nothing.
    let enough = MATCH_CAP.saturating_add(skip.saturating_mul(PER_FILE));
    let (harvest, walk) = search_all(plan, enough, cancel, |search| {
        targets.visit(rules, cancel, &mut |entry| {
            if entry.kind != EntryKind::File {
                return ControlFlow::Continue(());
            }
            search(Candidate { path: entry.path.to_owned(), explicit: entry.explicit })
        })
    })?;
    Ok(Found { harvest, walk, left_out: None })
}

/// Builds the outcome: the page, then a notice for everything that is not in it.
fn report(found: Found, skip: usize, single: bool, targets: &Targets, context: &Context) -> Outcome {
    let Found { harvest, walk, left_out } = found;
    let total = harvest.files.len();
    let named = harvest
        .files
        .into_iter()
        .skip(skip)
        .map(|(path, hits)| FileHits { name: display_path(&path, &context.cwd), hits });
    let page = Page::new(named.collect(), skip, total);
    let per_file = if single { PER_SINGLE_FILE } else { PER_FILE };

    let notices: Vec<Notice> = [
        page_notice(&page, harvest.capped),
        page.cut.map(|cut| cut_notice(&page, cut)),
        per_file_notice(&page, per_file, single),
        harvest.capped.then(match_cap_notice),
        skipped_notice(&harvest.skipped, left_out.as_deref()),
        notes::unreadable(&walk.unreadable, &context.cwd),
        notes::missing(&targets.missing),
    ]
    .into_iter()
    .flatten()
    .collect();

    let body = layout::text(&page.files, single);
    let display = (!page.files.is_empty()).then(|| layout::display(&page.files, single));
    let outcome = notes::close(&body, "No matches found", notices);
    with_details(outcome, &page, display, harvest.capped, targets, context)
}

fn with_details(
    mut outcome: Outcome,
    page: &Page,
    display: Option<String>,
    capped: bool,
    targets: &Targets,
    context: &Context,
) -> Outcome {
    let lines = || page.files.iter().flat_map(|file| &file.hits.lines);
    let lines_cut = lines().any(|line| line.shown.cut);
    let next_page = page.end() < page.total;
    let over_cap = page.files.iter().filter(|file| file.hits.more).map(|file| file.hits.matches).max();
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
        .detail("scopePath", targets.shown(&context.cwd))
        .detail("searchPath", display_path(&targets.common_base(), Path::new("")))
        .detail("matchCount", page.files.iter().map(|file| file.hits.matches).sum::<usize>())
        .detail("fileCount", page.files.len())
        .detail("files", page.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>())
        .detail("fileMatches", (!counts.is_empty()).then_some(counts))
        .detail("truncated", next_page || capped || lines_cut || over_cap.is_some() || page.cut.is_some())
        .detail("displayContent", display)
        .detail("fileLimitReached", (next_page && page.files.len() == PAGE_FILES).then_some(PAGE_FILES))
        .detail("perFileLimitReached", over_cap)
        .detail("linesTruncated", lines_cut.then_some(true))
        .detail("missingPaths", (!targets.missing.is_empty()).then_some(&targets.missing))
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

fn page_notice(page: &Page, capped: bool) -> Option<Notice> {
    let or_more = if capped { " or more" } else { "" };
    let (first, last, total) = (page.first + 1, page.end(), page.total);
    if page.files.is_empty() && total > 0 {
        let text = format!("{total} files match; skip={} is behind the last of them", page.first);
        return Some(Notice::new("search_page", text, json!({"total": total, "skip": page.first})));
    }
    (last < total).then(|| {
        let text = format!(
            "Showing files {first}-{last} of {total}{or_more}. Use skip={last} for the next ones, or narrow pattern and paths."
        );
        Notice::new("search_page", text, json!({"first": first, "last": last, "total": total, "next_skip": last}))
    })
}

fn cut_notice(page: &Page, cut: Cut) -> Notice {
    let name = page.files.first().map_or("", |file| file.name.as_str());
    let (line, limit) = (cut.next_line, format_bytes(PAGE_BYTES as u64));
    let text =
        format!("Cut at {limit}. Narrow the pattern, or read {name}:{line}- for the lines that follow.");
    Notice::new("search_cut", text, json!({"path": name, "next": line, "byte_limit": limit}))
}

fn per_file_notice(page: &Page, cap: usize, single: bool) -> Option<Notice> {
    if page.cut.is_some() {
        return None;
    }
    let more: Vec<&FileHits> = page.files.iter().filter(|file| file.hits.more).collect();
    let name = &more.first()?.name;
    let text = if single {
        format!(
            "Only the first {cap} matches are shown and {name} has more. Narrow the pattern, or read the rest."
        )
    } else {
        let others = match more.len() {
            1 => "has".to_owned(),
            count => format!("and {} more have", count - 1),
        };
        format!(
            "Only the first {cap} matches of a file are shown; {name} {others} more. Search a file alone for up to {PER_SINGLE_FILE}."
        )
    };
    Some(Notice::new("per_file_cap", text, json!({"cap": cap, "files": more.len()})))
}

fn match_cap_notice() -> Notice {
    let text = format!("The search ended after {MATCH_CAP} matches; files after that were not searched.");
    Notice::new("match_cap", text, json!({"cap": MATCH_CAP}))
}

/// Files that were not searched, counted by reason; a count of 0 is left out.
fn skipped_notice(skipped: &[Skip], named: Option<&str>) -> Option<Notice> {
    let limit = format_bytes(WALKED_LIMIT);
    let oversized = if named.is_some() { "too large to search".to_owned() } else { format!("over {limit}") };
    let reasons: [(&str, String, fn(&Skip) -> bool); 3] = [
        ("oversized", oversized, |skip| *skip == Skip::Oversized),
        ("binary", "binary".to_owned(), |skip| *skip == Skip::Binary),
        ("unreadable", "unreadable".to_owned(), |skip| matches!(skip, Skip::Unreadable(_))),
    ];
    let (mut facts, mut parts) = (json!({}), Vec::new());
    for (name, words, applies) in reasons {
        let count = skipped.iter().filter(|skip| applies(skip)).count();
        if count > 0 {
            facts[name] = json!(count);
            parts.push(if named.is_some() { words } else { format!("{count} {words}") });
        }
    }
    let text = match (parts.is_empty(), named) {
        (true, _) => return None,
        (_, Some(name)) => format!("{name} was not searched: {}", parts.join(", ")),
        (_, None) => format!("Files not searched: {}", parts.join(", ")),
    };
    Some(Notice::new("skipped_files", text, facts))
}
