//! `find`: files by name, newest first.
//!
//! Never opens a file, never enters a link it was not asked to enter.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::Deserialize;
use serde_json::json;

use super::{Context, notes};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{
    Course, Entry, EntryKind, Facts, Survey, TargetRules, Targets, WalkReport, display_path,
};
use crate::engine::outcome::{Limit, LimitsMeta, Notice, Outcome, TruncationMeta};
use crate::engine::text::{format_bytes, head};

const DEFAULT_LIMIT: f64 = 1000.0;
const DEFAULT_TIMEOUT: f64 = 5.0;
const TIMEOUTS: std::ops::RangeInclusive<f64> = 0.5..=60.0;

/// How often a call tells what it has.
pub const PROGRESS: Duration = Duration::from_millis(200);

/// Bytes of the list.
const LIST_BYTES: usize = 50 << 10;

/// Arguments of `find`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Files, directories and globs.
    pub paths: Vec<String>,
    /// Include hidden entries; true by default.
    #[serde(default)]
    pub hidden: Option<bool>,
    /// Leave out what git ignores; true by default.
    #[serde(default)]
    pub gitignore: Option<bool>,
    /// Most results.
    #[serde(default)]
    pub limit: Option<f64>,
    /// Seconds after which what was found is returned.
    #[serde(default)]
    pub timeout: Option<f64>,
    /// What to look for; files by default.
    #[serde(default, rename = "type")]
    pub wanted: Option<Wanted>,
}

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// Files, and links to files.
    #[default]
    File,
    /// Directories, and links to directories.
    Directory,
    /// Both.
    Any,
}

impl Wanted {
    /// Whether this kind of entry is or leads to what is wanted.
    pub(super) fn is(self, kind: EntryKind) -> bool {
        match kind {
            EntryKind::File => self != Self::Directory,
            EntryKind::Directory => self != Self::File,
            EntryKind::Link | EntryKind::Special => false,
        }
    }

    /// The same before it is known where a link leads.
    pub(super) fn may_be(self, kind: EntryKind) -> bool {
        kind == EntryKind::Link || self.is(kind)
    }
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    run_telling(options, context, cancel, PROGRESS, &mut |_| {})
}

/// Runs the call and tells every so often of what there is so far.
pub fn run_telling(
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
    every: Duration,
    progress: &mut dyn FnMut(Outcome),
) -> Result<Outcome> {
    cancel.check()?;
    let limit = limit_of(options)?;
    let seconds = timeout_of(options)?;
    if options.paths.is_empty() {
        return Err(ToolError::argument("paths", "expected at least one path"));
    }
    let mut targets = Targets::resolve(&options.paths, context.origin())?;
    let rules = TargetRules {
        hidden: options.hidden.unwrap_or(true),
        gitignore: options.gitignore.unwrap_or(true),
        global_excludes: context.global_excludes(),
    };
    let deadline = Some(Instant::now() + Duration::from_secs_f64(seconds));
    let course = Course { cancel: cancel.clone(), deadline };
    let finding = Finding { wanted: options.wanted.unwrap_or_default(), found: Mutex::default() };
    let scope = targets.shown(&context.cwd);
    let mut tell = |finding: &Finding| progress(partial(finding, limit, &scope, context));
    let done = targets.walk(finding, &rules, &course, Some((every, &mut tell)))?;
    let mut found = std::mem::take(&mut *done.survey.lock());
    let total = in_order(&mut found, limit, targets.are_several());
    let files: Vec<String> = found.iter().map(|entry| entry.shown(context)).collect();
    Ok(report(&List { files, total, limit, seconds }, &done.report, &targets, context))
}

/// Newest first, up to the limit; returns how many there are without it.
fn in_order(found: &mut Vec<Found>, limit: usize, several_targets: bool) -> usize {
    if several_targets {
        // They may lead to the same.
        found.sort_unstable_by(|a, b| a.path_bytes().cmp(b.path_bytes()));
        found.dedup_by(|a, b| a.path_bytes() == b.path_bytes());
    }
    let total = found.len();
    let order =
        |a: &Found, b: &Found| b.modified.cmp(&a.modified).then_with(|| a.path_bytes().cmp(b.path_bytes()));
    // Most of a large tree is left out, and need not be sorted for that.
    if limit < total {
        found.select_nth_unstable_by(limit, order);
        found.truncate(limit);
    }
    found.sort_unstable_by(order);
    total
}

/// What there is of a call that still runs.
fn partial(finding: &Finding, limit: usize, scope: &str, context: &Context) -> Outcome {
    let mut found = finding.lock().clone();
    let total = in_order(&mut found, limit, true);
    let files: Vec<String> = found.iter().map(|entry| entry.shown(context)).collect();
    let text = files.join("\n");
    let kept = head(&text, usize::MAX, LIST_BYTES);
    let shown = if kept.by.is_some() { kept.lines } else { files.len() };
    Outcome::text(kept.content)
        .detail("scopePath", scope)
        .detail("fileCount", shown)
        .detail("files", &files[..shown])
        .detail("truncated", shown < total)
}

fn limit_of(options: &Options) -> Result<usize> {
    let limit = options.limit.unwrap_or(DEFAULT_LIMIT).floor();
    if limit.is_nan() || limit < 1.0 {
        return Err(ToolError::InvalidLimit { limit: options.limit.unwrap_or(limit) });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1, saturating")]
    Ok(limit as usize)
}

fn timeout_of(options: &Options) -> Result<f64> {
    let seconds = options.timeout.unwrap_or(DEFAULT_TIMEOUT);
    if TIMEOUTS.contains(&seconds) {
        return Ok(seconds);
    }
    let (least, most) = (TIMEOUTS.start(), TIMEOUTS.end());
    Err(ToolError::argument("timeout", format!("expected {least} to {most} seconds, got {seconds}")))
}

/// The search for names, as what a walk is for.
struct Finding {
    wanted: Wanted,
    /// What there is so far.
    found: Mutex<Vec<Found>>,
}

impl Finding {
    fn lock(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Survey for Finding {
    type Worker = Vec<Found>;

    fn worker(&self) -> Vec<Found> {
        Vec::new()
    }

    fn visit(&self, found: &mut Vec<Found>, entry: &Entry<'_>) {
        found.extend(Found::of(entry, self.wanted));
    }

    fn pause(&self, found: &mut Vec<Found>) {
        if !found.is_empty() {
            self.lock().append(found);
        }
    }
}

/// A result, before it is known whether it is among the newest.
#[derive(Clone)]
struct Found {
    path: PathBuf,
    modified: Option<SystemTime>,
    is_directory: bool,
}

impl Found {
    fn of(entry: &Entry, wanted: Wanted) -> Option<Self> {
        // What vanished meanwhile, what a link does not lead to, and what lies outside of the allowed roots is no result.
        let Facts { kind, modified } = wanted.may_be(entry.kind).then(|| entry.facts().ok()).flatten()?;
        wanted.is(kind).then(|| Self {
            path: entry.path(),
            modified,
            is_directory: kind == EntryKind::Directory,
        })
    }

    fn path_bytes(&self) -> &[u8] {
        self.path.as_os_str().as_encoded_bytes()
    }

    fn shown(&self, context: &Context) -> String {
        let shown = display_path(&self.path, &context.cwd);
        if self.is_directory { format!("{shown}/") } else { shown }
    }
}

/// The list and its bounds.
struct List {
    files: Vec<String>,
    /// How many there were before the limit.
    total: usize,
    limit: usize,
    seconds: f64,
}

fn report(list: &List, walk: &WalkReport, targets: &Targets, context: &Context) -> Outcome {
    let whole = list.files.join("\n");
    let kept = head(&whole, usize::MAX, LIST_BYTES);
    let shown = if kept.by.is_some() { kept.lines } else { list.files.len() };
    let limited = list.total > list.limit;
    let cut = kept.by.is_some().then(|| TruncationMeta {
        direction: "head".into(),
        truncated_by: "bytes".into(),
        total_lines: kept.total_lines as u64,
        total_bytes: whole.len() as u64,
        output_lines: kept.lines as u64,
        output_bytes: kept.content.len() as u64,
        max_bytes: Some(LIST_BYTES as u64),
        notice_owner: Some("body".into()),
        ..TruncationMeta::default()
    });
    let notices = [
        cut.is_some().then(|| cut_notice(shown, list.files.len())),
        walk.timed_out.then(|| timeout_notice(list)),
        notes::unreadable(&walk.unreadable, &context.cwd),
        notes::missing(&targets.missing),
    ];
    let notices = notices.into_iter().flatten().collect();
    let mut outcome = notes::close(kept.content, "No files found matching pattern", notices);
    outcome.meta.truncation.clone_from(&cut);
    if limited {
        let (reached, suggestion) = (list.limit as u64, 2 * list.limit as u64);
        let result_limit = Some(Limit { reached, suggestion });
        outcome.meta.limits = Some(LimitsMeta { result_limit, ..LimitsMeta::default() });
    }
    outcome
        .detail("scopePath", targets.shown(&context.cwd))
        .detail("fileCount", shown)
        .detail("files", &list.files[..shown])
        .detail("truncated", limited || cut.is_some() || walk.timed_out)
        .detail("cwd", display_path(&context.cwd, std::path::Path::new("")))
        .detail("resultLimitReached", limited.then_some(list.limit))
        .detail("missingPaths", (!targets.missing.is_empty()).then_some(&targets.missing))
        .detail("truncation", cut)
}

fn cut_notice(shown: usize, total: usize) -> Notice {
    let limit = format_bytes(LIST_BYTES as u64);
    let text =
        format!("Showing {shown} of {total} paths ({limit} limit). Name a narrower path to see the others.");
    Notice::new("listing_truncated", text, json!({"shown": shown, "total": total, "byte_limit": limit}))
}

fn timeout_notice(list: &List) -> Notice {
    let (seconds, count) = (list.seconds, list.total);
    let text = format!(
        "The search ended after {seconds} seconds with {count} found so far. Name a narrower path, or set a longer timeout."
    );
    Notice::new("find_timeout", text, json!({"seconds": seconds, "count": count}))
}
