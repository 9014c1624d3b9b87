//! Many files: a walk on the calling thread feeds search threads of our own, and the outcome is the same whichever
//! thread was faster.
//!
//! Batches are taken in the order of the walk, and a batch that was taken is finished. So when there are enough
//! matches, everything before the point of the cut has been searched.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Scope;

use super::scan::{Candidate, Hits, Plan, Scanned, Scanner, Skip};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::files::Confinement;

/// Files a thread takes at once. A tree with fewer is searched on the calling thread.
const BATCH: usize = 64;

/// More threads than this only wait for the disk.
const MOST_THREADS: usize = 8;

/// Everything a search of many files found, in the order of the walk.
#[derive(Debug, Default)]
pub(super) struct Harvest {
    pub(super) files: Vec<(PathBuf, Hits)>,
    pub(super) skipped: Vec<(PathBuf, Skip)>,
    /// Whether the search ended at `enough` matches with files left.
    pub(super) capped: bool,
}

/// Searches the files that `feed` hands out, until `enough` matches are collected. `feed` is told to break then.
pub(super) fn search_all<R>(
    plan: &Plan,
    enough: usize,
    cancel: &CancelToken,
    feed: impl FnOnce(&mut dyn FnMut(Candidate) -> ControlFlow<()>) -> Result<R>,
) -> Result<(Harvest, R)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let (sender, receiver) = sync_channel(2 * threads);
    let shared = Shared {
        plan,
        cancel,
        enough,
        collected: AtomicUsize::new(0),
        batches: Mutex::new(receiver),
        results: Mutex::default(),
    };
    let outcome = std::thread::scope(|scope| {
        let mut feeder = Feeder { scope, shared: &shared, sender, threads, batch: Vec::new(), sent: 0 };
        let report = feed(&mut |candidate| feeder.push(candidate))?;
        feeder.finish().map(|count| (count, report))
    });
    cancel.check()?;
    let (count, report) = outcome?;
    let mut results = shared.results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|result| result.index);
    Ok((harvest(results, enough, count), report))
}

/// Puts results together, up to the file that makes it enough. `count` files were handed out.
fn harvest(results: Vec<Searched>, enough: usize, count: usize) -> Harvest {
    let mut harvest = Harvest::default();
    let mut collected = 0;
    for Searched { index, path, result } in results {
        match result {
            Scanned::Nothing => {}
            Scanned::Skipped(skip) => harvest.skipped.push((path, skip)),
            Scanned::Hits(hits) => {
                collected += hits.matches;
                harvest.files.push((path, hits));
            }
        }
        if collected >= enough {
            harvest.capped = index + 1 < count;
            break;
        }
    }
    harvest
}

struct Searched {
    /// Position in the walk.
    index: usize,
    path: PathBuf,
    result: Scanned,
}

struct Batch {
    first: usize,
    files: Vec<Candidate>,
}

struct Shared<'a> {
    plan: &'a Plan,
    cancel: &'a CancelToken,
    enough: usize,
    /// Matches of finished files.
    collected: AtomicUsize,
    batches: Mutex<Receiver<Batch>>,
    results: Mutex<Vec<Searched>>,
}

impl Shared<'_> {
    fn is_enough(&self) -> bool {
        self.collected.load(Ordering::Acquire) >= self.enough
    }

    /// Searches batches until the walk is over. What comes after enough is only taken off the queue, so that the
    /// walk never waits for room in it.
    fn work(&self) {
        lower_priority();
        let mut scanner = Scanner::new(self.plan, self.cancel);
        while let Some(batch) = self.take() {
            self.search(&mut scanner, batch);
        }
    }

    /// The next batch, emptied if it is not wanted any more. Decided under the lock: what is wanted are always the
    /// first batches.
    fn take(&self) -> Option<Batch> {
        let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut batch = batches.recv().ok()?;
        if self.is_enough() {
            batch.files.clear();
        }
        Some(batch)
    }

    fn search(&self, scanner: &mut Scanner, batch: Batch) {
        let mut searched = Vec::new();
        for (index, file) in (batch.first..).zip(batch.files) {
            // An error is a cancel, which the caller sees by itself.
            let Ok(result) = scanner.scan(&file) else { return };
            if let Scanned::Hits(hits) = &result {
                self.collected.fetch_add(hits.matches, Ordering::AcqRel);
            }
            if !matches!(result, Scanned::Nothing) {
                searched.push(Searched { index, path: file.path, result });
            }
        }
        self.results.lock().unwrap_or_else(PoisonError::into_inner).extend(searched);
    }
}

/// Takes files from the walk; threads start with the first full batch.
struct Feeder<'scope, 'env, 'a> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'env Shared<'a>,
    sender: SyncSender<Batch>,
    threads: usize,
    batch: Vec<Candidate>,
    /// Files of the batches so far.
    sent: usize,
}

impl Feeder<'_, '_, '_> {
    fn push(&mut self, candidate: Candidate) -> ControlFlow<()> {
        // Asked before this batch is sent: a file behind the one that makes it enough is always handed out, if there
        // is one, and tells a search that was cut from one that was just done.
        let enough = self.shared.is_enough();
        self.batch.push(candidate);
        if self.batch.len() == BATCH {
            self.send();
        }
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn send(&mut self) {
        if self.sent == 0 {
            let here = Confinement::current();
            for _ in 0..self.threads {
                let (here, shared) = (here.clone(), self.shared);
                self.scope.spawn(move || here.enter(|| shared.work()));
            }
        }
        let batch = self.next_batch();
        // Fails only if every thread is gone, which means a panic that the scope passes on.
        let _ = self.sender.send(batch);
    }

    fn next_batch(&mut self) -> Batch {
        let files = std::mem::take(&mut self.batch);
        let first = self.sent;
        self.sent += files.len();
        Batch { first, files }
    }

    /// Searches what is left; returns how many files there were.
    fn finish(mut self) -> Result<usize> {
        if self.sent > 0 {
            self.send();
            return Ok(self.sent);
        }
        let batch = self.next_batch();
        self.shared.search(&mut Scanner::new(self.shared.plan, self.shared.cancel), batch);
        self.shared.cancel.check()?;
        Ok(self.sent)
    }
}

/// The host's event loop goes first. Only on Linux does this speak of one thread alone.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}
