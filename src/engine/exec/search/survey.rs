//! Search fused with the walk, on the threads of the walk: one search, or several of the same tree, for which every file
//! is met, opened and read once.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use super::cut::Cut;
use super::glance::Glance;
use super::needs::Needs;
use super::opened::{AS_READ, How, Opened};
use super::scan::{Plan, Scanned, Scanner};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{Course, Done, Entry, EntryKind, Key, Root, Survey, WalkReport};

/// One search.
#[derive(Debug)]
pub(super) struct Search {
    plan: Plan,
    cut: Cut,
    cancel: CancelToken,
    /// Whether it was told that it is cancelled.
    is_over: AtomicBool,
    /// Where its share goes if it walks with others.
    answer: Option<Sender<Result<Share>>>,
}

/// Searches of the same tree.
#[derive(Debug)]
pub(super) struct Searches {
    all: Vec<Search>,
    /// Ends the walk: the one search is cancelled, or all are.
    cancel: CancelToken,
    /// How many go on.
    left: AtomicUsize,
}

/// What one thread searches with, and what it found.
pub(super) struct Worker {
    file: Opened,
    parts: Vec<Part>,
}

/// The part of one search.
struct Part {
    scanner: Scanner,
    found: Vec<Found>,
}

/// A file with matches, or one that was left out.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) key: Key,
    pub(super) path: PathBuf,
    pub(super) explicit: bool,
    pub(super) result: Scanned,
}

/// What came of one search.
#[derive(Debug)]
pub(super) struct Share {
    /// In no order.
    pub(super) found: Vec<Found>,
    /// The last file that counts, and whether files were met behind it.
    pub(super) bound: Option<(Key, bool)>,
    pub(super) report: WalkReport,
}

impl Search {
    /// A search that ends at the first file that makes it `enough`.
    pub(super) fn new(plan: Plan, enough: usize, cancel: CancelToken) -> Self {
        Self { plan, cut: Cut::at(enough), cancel, is_over: AtomicBool::new(false), answer: None }
    }

    /// Sends its share there.
    #[must_use]
    pub(super) fn answering(self, answer: Sender<Result<Share>>) -> Self {
        Self { answer: Some(answer), ..self }
    }

    /// Whether most files are of no use to it, so that it is no burden on others.
    pub(super) fn is_light(&self) -> bool {
        self.plan.pattern.needs() != Needs::Nothing
    }

    fn part(&self) -> Part {
        Part { scanner: Scanner::of(&self.plan, self.cancel.clone()), found: Vec::new() }
    }

    fn tell(&self, share: Result<Share>) {
        if let Some(answer) = &self.answer {
            // Nobody waits for it any more if its thread is gone.
            let _ = answer.send(share);
        }
    }
}

impl Searches {
    /// A search by itself.
    pub(super) fn one(search: Search) -> Self {
        Self { cancel: search.cancel.clone(), left: AtomicUsize::new(1), all: vec![search] }
    }

    /// Searches that all have somewhere to send their shares.
    pub(super) fn several(all: Vec<Search>) -> Self {
        Self { cancel: CancelToken::new(), left: AtomicUsize::new(all.len()), all }
    }

    /// The course of their walk.
    pub(super) fn course(&self) -> Course {
        Course { cancel: self.cancel.clone(), deadline: None }
    }

    /// Whether a search is cancelled. One that is need not wait for the others.
    fn is_over(&self, search: &Search) -> bool {
        if !search.cancel.is_cancelled() {
            return false;
        }
        if !search.is_over.swap(true, Ordering::Relaxed) {
            search.tell(Err(ToolError::aborted()));
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.cancel.cancel();
            }
        }
        true
    }

    /// Sends every search its share, or why there is none.
    pub(super) fn tell(&self, done: Result<Done<Self>>) {
        match done {
            Ok(done) => self.all.iter().zip(shares(done)).for_each(|(search, share)| search.tell(Ok(share))),
            Err(error) => self.all.iter().for_each(|search| search.tell(Err(error.clone()))),
        }
    }
}

/// The share of each search, in their order.
pub(super) fn shares(done: Done<Searches>) -> impl Iterator<Item = Share> {
    let Done { survey, workers, report, .. } = done;
    let mut parts: Vec<_> = workers.into_iter().map(|worker| worker.parts.into_iter()).collect();
    let count = survey.all.len();
    (0..count).map(move |number| Share {
        found: parts.iter_mut().filter_map(Iterator::next).flat_map(|part| part.found).collect(),
        bound: survey.all[number].cut.bound(),
        report: report.clone(),
    })
}

impl Survey for Searches {
    type Worker = Worker;

    // Opening, reading and closing a file is as much as looking at several names.
    const WEIGHT: usize = 5;

    fn worker(&self) -> Worker {
        let keeps_facts = self.all.iter().any(|search| search.plan.session.is_some());
        // The session learns of files as a whole.
        let glance =
            if keeps_facts { None } else { Glance::of(self.all.iter().map(|search| &search.plan.pattern)) };
        let file = Opened::new(How { keeps_facts, ..AS_READ }, glance, self.cancel.clone());
        Worker { file, parts: self.all.iter().map(Search::part).collect() }
    }

    fn enters(&self, root: &Root, relative: &Path) -> bool {
        self.goes_on(root, relative)
    }

    fn goes_on(&self, root: &Root, from: &Path) -> bool {
        let key = || Key::new(root, &root.path.join(from));
        self.all.iter().any(|search| !self.is_over(search) && !search.cut.leaves_out_from(key))
    }

    fn visit(&self, worker: &mut Worker, entry: &Entry<'_>) {
        if entry.kind != EntryKind::File {
            return;
        }
        for (search, part) in self.all.iter().zip(&mut worker.parts) {
            if !self.is_over(search) && !search.cut.leaves_out(|| entry.key()) {
                part.visit(search, &mut worker.file, entry);
            }
        }
        worker.file.close();
    }
}

impl Part {
    fn visit(&mut self, search: &Search, file: &mut Opened, entry: &Entry<'_>) {
        let result = self.scanner.scan(&search.plan, file, entry);
        if matches!(result, Scanned::Nothing) {
            return;
        }
        let path = entry.path();
        let key = Key::new(entry.root, &path);
        if matches!(result, Scanned::Hits(_)) {
            search.cut.add(key.clone());
        }
        self.found.push(Found { key, path, explicit: entry.explicit, result });
    }
}
