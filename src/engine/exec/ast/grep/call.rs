//! The course of a call: arguments, targets, search, page, and every omission as a notice.

use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::page::{Page, Place};
use super::said;
use super::scan::{FileMatches, Search};
use crate::engine::cancel::CancelToken;
use crate::engine::code::Pattern;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::ast::issues;
use crate::engine::exec::ast::sweep::{Swept, sweep};
use crate::engine::exec::search::skip_of;
use crate::engine::exec::{Context, notes};
use crate::engine::files::{Targets, display_path};
use crate::engine::outcome::{Notice, Outcome};

/// Matches of a page.
pub(super) const PAGE_MATCHES: usize = 50;

/// Arguments of `ast_grep`. Others are ignored.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Options {
    /// The pattern.
    pub pat: String,
    /// Files, directories and globs, at least one.
    pub paths: Vec<String>,
    /// Matches to skip.
    #[serde(default)]
    pub skip: Option<f64>,
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    cancel.check()?;
    let pattern = options.pat.trim();
    if pattern.is_empty() {
        return Err(ToolError::EmptyPattern { field: "pat".into() });
    }
    let skip = skip_of(options.skip)?;
    if options.paths.is_empty() {
        return Err(ToolError::argument("paths", "expected at least one path"));
    }
    let mut targets = Targets::resolve(&options.paths, context.origin())?;
    let most = skip.saturating_add(PAGE_MATCHES);
    let swept = sweep(Search::new(Pattern::new(pattern), most), &mut targets, context, cancel)?;
    Ok(report(swept, skip, &targets, context))
}

fn report(mut swept: Swept<Search>, skip: usize, targets: &Targets, context: &Context) -> Outcome {
    let single = targets.single_file().is_some();
    let place = Place { cwd: &context.cwd, anchors: context.shows_anchors() };
    let page = Page::new(&swept.files, skip, &place);
    swept.issues.extend(page.changed.iter().cloned());
    let issues = issues_of(&swept, &page, &context.cwd);
    let notices: Vec<Notice> = [
        said::limit(&page),
        page.cut.as_ref().map(said::cut),
        issues::notice(&issues),
        notes::unreadable(&swept.walk.unreadable, &context.cwd),
        notes::missing(&targets.missing),
    ]
    .into_iter()
    .flatten()
    .collect();
    let nothing = if issues.is_empty() {
        "No matches found"
    } else {
        "No matches found where the code could be parsed"
    };
    let outcome = notes::close(&page.text(single), nothing, notices);
    let outcome = with_details(outcome, &swept, &page, targets, context);
    issues::with_details(outcome, &issues)
}

/// The files first. A language that the pattern is no code of is worth a word only where nothing was found.
fn issues_of(swept: &Swept<Search>, page: &Page, cwd: &Path) -> Vec<String> {
    let mut told = issues::of_files(&swept.issues, cwd);
    if page.total == 0 {
        told.extend(issues::of_pattern(swept.look.look.pattern(), |language| {
            let known = &swept.languages[language.index()];
            let (_, first) = known.first.as_ref()?;
            let first = display_path(first, cwd);
            Some(if known.count == 1 { first } else { format!("{first} and {} more files", known.count - 1) })
        }));
    }
    told
}

fn with_details(
    outcome: Outcome,
    swept: &Swept<Search>,
    page: &Page,
    targets: &Targets,
    context: &Context,
) -> Outcome {
    let single = targets.single_file().is_some();
    let counts: Vec<_> =
        page.files.iter().map(|file| json!({"path": file.name, "count": file.matches})).collect();
    outcome
        .detail("matchCount", page.total)
        .detail(
            "fileCount",
            swept.files.iter().filter(|(_, file): &&(_, FileMatches)| file.count > 0).count(),
        )
        .detail("filesSearched", swept.searched)
        .detail("limitReached", page.end() < page.total)
        .detail("scopePath", targets.shown(&context.cwd))
        .detail("searchPath", display_path(&targets.common_base(), Path::new("")))
        .detail("files", page.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>())
        .detail("fileMatches", counts)
        .detail("displayContent", (!page.files.is_empty()).then(|| page.display(single)))
        .detail("missingPaths", (!targets.missing.is_empty()).then_some(&targets.missing))
}
