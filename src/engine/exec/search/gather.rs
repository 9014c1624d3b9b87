//! Many files: search fused with the walk, on the threads of the walk.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::cut::Cut;
use super::pattern::Pattern;
use super::scan::{Hits, Plan, Scanned, Scanner, Skip};
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
    let search = Search { plan, cut: Cut::at(enough), course: course.clone() };
    let done = targets.walk(search, rules, course, None)?;
    let mut found: Vec<Found> = done.workers.into_iter().flat_map(|worker| worker.found).collect();
    found.sort_unstable_by(|a, b| a.key.cmp(&b.key).then(b.explicit.cmp(&a.explicit)));
    // A file that several targets lead to.
    found.dedup_by(|a, b| a.key == b.key);
    let mut harvest = Harvest { walk: done.report, ..Harvest::default() };
    if let Some((bound, left)) = done.survey.cut.bound() {
        found.retain(|found| found.key <= bound);
        harvest.capped = left || any_behind(bound.clone(), targets, rules, course)?;
        // How far the walk got ahead of the search is chance.
        harvest.walk.unreadable.retain(|directory| bound.is_behind(directory));
    }
    for Found { path, result, .. } in found {
        match result {
            Scanned::Nothing => {}
            Scanned::Skipped(skip) => harvest.skipped.push((path, skip)),
            Scanned::Hits(hits) => harvest.files.push((path, hits)),
        }
    }
    Ok(harvest)
}

/// The search as what a walk is for.
struct Search {
    plan: Plan,
    cut: Cut,
    course: Course,
}

/// What one thread searches with, and what it found.
struct Worker {
    scanner: Scanner,
    found: Vec<Found>,
}

struct Found {
    key: Key,
    path: PathBuf,
    explicit: bool,
    result: Scanned,
}

impl Survey for Search {
    type Worker = Worker;

    // Opening, reading and closing a file is as much as looking at several names.
    const WEIGHT: usize = 5;

    fn worker(&self) -> Worker {
        let Plan { pattern, before, after, .. } = &self.plan;
        let pattern: Pattern = pattern.clone();
        let scanner = Scanner::new(pattern, *before, *after, self.course.cancel.clone()).decoding();
        let scanner = scanner.recalling(self.plan.session.clone());
        Worker { scanner, found: Vec::new() }
    }

    fn enters(&self, root: &Root, relative: &Path) -> bool {
        self.goes_on(root, relative)
    }

    fn goes_on(&self, root: &Root, from: &Path) -> bool {
        !self.cut.leaves_out_from(|| Key::new(root, &root.path.join(from)))
    }

    fn visit(&self, worker: &mut Worker, entry: &Entry<'_>) {
        if entry.kind != EntryKind::File || self.cut.leaves_out(|| entry.key()) {
            return;
        }
        let result = worker.scanner.scan(&self.plan, entry);
        if matches!(result, Scanned::Nothing) {
            return;
        }
        let path = entry.path();
        let key = Key::new(entry.root, &path);
        if matches!(result, Scanned::Hits(_)) {
            self.cut.add(key.clone());
        }
        worker.found.push(Found { key, path, explicit: entry.explicit, result });
    }
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
