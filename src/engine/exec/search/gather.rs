//! Many files: what a search found in them, in order and up to its end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::scan::{Hits, Plan, Scanned, Skip};
use super::survey::{Found, Search};
use super::together;
use crate::engine::error::Result;
use crate::engine::files::{Course, Entry, EntryKind, Key, Root, Survey, TargetRules, Targets, WalkReport};

/// Everything a search of many files found, in order.
#[derive(Debug, Default)]
pub(super) struct Harvest {
    pub(super) files: Vec<(PathBuf, Hits)>,
    pub(super) skipped: Vec<(PathBuf, Skip)>,
    /// Whether the search ended at `enough` files with files left.
    pub(super) capped: bool,
    pub(super) walk: WalkReport,
}

/// Searches all files of the targets, up to the one with matches that is `enough`.
pub(super) fn gather(
    targets: &mut Targets,
    rules: &TargetRules,
    plan: Plan,
    enough: usize,
    course: &Course,
) -> Result<Harvest> {
    if targets.are_none() {
        return Ok(Harvest::default());
    }
    let search = Search::new(plan, enough, course.cancel.clone());
    let mut share = together::walk(targets, rules, search)?;
    let found = &mut share.found;
    found.sort_unstable_by(|a, b| a.key.cmp(&b.key).then(b.explicit.cmp(&a.explicit)));
    // A file that several targets lead to.
    found.dedup_by(|a, b| a.key == b.key);
    let mut harvest = Harvest { walk: share.report, ..Harvest::default() };
    if let Some((bound, left)) = share.bound {
        found.retain(|found| found.key <= bound);
        harvest.capped = left || any_behind(bound.clone(), targets, rules, course)?;
        // How far the walk got ahead of the search is chance.
        harvest.walk.unreadable.retain(|directory| bound.is_behind(directory));
    }
    for Found { path, result, .. } in share.found {
        match result {
            Scanned::Nothing => {}
            Scanned::Skipped(skip) => harvest.skipped.push((path, skip)),
            Scanned::Hits(hits) => harvest.files.push((path, hits)),
        }
    }
    Ok(harvest)
}

/// Whether there is any file behind a bound.
fn any_behind(bound: Key, targets: &mut Targets, rules: &TargetRules, course: &Course) -> Result<bool> {
    let behind = Behind { bound, found: AtomicBool::new(false) };
    let done = targets.walk(behind, rules, course, None)?;
    Ok(done.survey.found.load(Ordering::Relaxed))
}

/// Looks for a file behind a bound.
struct Behind {
    bound: Key,
    found: AtomicBool,
}

impl Survey for Behind {
    type Worker = ();

    fn worker(&self) {}

    fn enters(&self, root: &Root, relative: &Path) -> bool {
        Key::new(root, &root.path.join(relative)).may_hold_beyond(&self.bound)
    }

    fn goes_on(&self, _: &Root, _: &Path) -> bool {
        !self.found.load(Ordering::Relaxed)
    }

    fn visit(&self, (): &mut (), entry: &Entry<'_>) {
        if entry.kind == EntryKind::File && entry.key() > self.bound {
            self.found.store(true, Ordering::Relaxed);
        }
    }
}
