//! What is known of the contents of files, so that a search need not open them again.
//!
//! Never trusted without a look at the file: device, inode, size and both times must be those of when it was read, and
//! they must have been old then. A younger file may change once more without any of them telling; what is written
//! through a mapping tells it as late as when the system writes the page back.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::engine::files::{FileId, Identity};
use crate::engine::text::TrigramFilter;

/// Memory for all that is known: 64 MiB, about 90,000 source files.
const BYTES: usize = 64 << 20;

/// What an entry takes beside its filter.
const ENTRY_BYTES: usize = size_of::<Entry>() + 64;

/// Parts with a lock each, so that threads seldom meet.
const SHARDS: usize = 16;

/// How long a file must have been left alone. Linux writes mapped pages back within 35 seconds by default.
const SETTLED: Duration = Duration::from_secs(60);

/// What is known of a file.
#[derive(Debug, Clone)]
pub enum Known {
    /// A NUL lies in its first bytes.
    Binary,
    /// A text that filters say nothing about.
    Other,
    /// A text in UTF-8 with these trigrams.
    Text(TrigramFilter),
}

/// The memory. Any thread may use it.
#[derive(Debug)]
pub struct Contents {
    settled: Duration,
    shards: [Mutex<Shard>; SHARDS],
    /// Counts the searches.
    search: AtomicU32,
    spared: AtomicUsize,
}

#[derive(Debug, Default)]
struct Shard {
    entries: HashMap<FileId, Entry>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    identity: Identity,
    known: Known,
    /// The last search that asked for it.
    used: u32,
}

impl Default for Contents {
    fn default() -> Self {
        Self::settled_after(SETTLED)
    }
}

impl Contents {
    /// A memory of files that were left alone for so long. Anything shorter than a tick of the file system's clock lets
    /// changes go unseen.
    #[must_use]
    pub fn settled_after(settled: Duration) -> Self {
        let shards = std::array::from_fn(|_| Mutex::default());
        Self { settled, shards, search: AtomicU32::new(0), spared: AtomicUsize::new(0) }
    }

    /// How long a file must have been left alone before anything is kept of it.
    #[must_use]
    pub fn settled(&self) -> Duration {
        self.settled
    }

    /// Starts a search: what it asks for counts as used, what no search asked for since may give way.
    pub fn start_search(&self) {
        self.search.fetch_add(1, Ordering::Relaxed);
    }

    /// Asks what is known of a file that looks like this now.
    pub fn ask<T>(&self, identity: &Identity, answer: impl FnOnce(&Known) -> T) -> Option<T> {
        let mut shard = self.shard(identity.file());
        let entry = shard.entries.get_mut(&identity.file()).filter(|entry| entry.identity == *identity)?;
        entry.used = self.search.load(Ordering::Relaxed);
        Some(answer(&entry.known))
    }

    /// Keeps what was read of a file that had been settled before. Without room for it nothing is kept.
    pub fn learn(&self, identity: Identity, known: Known) {
        let search = self.search.load(Ordering::Relaxed);
        let mut shard = self.shard(identity.file());
        if let Some(old) = shard.entries.remove(&identity.file()) {
            shard.bytes -= old.size();
        }
        let entry = Entry { identity, known, used: search };
        if shard.bytes + entry.size() > BYTES / SHARDS {
            shard.forget_unused(search);
        }
        if shard.bytes + entry.size() <= BYTES / SHARDS {
            shard.bytes += entry.size();
            shard.entries.insert(identity.file(), entry);
        }
    }

    /// Counts a file that was not opened.
    pub fn spare(&self) {
        self.spared.fetch_add(1, Ordering::Relaxed);
    }

    /// How many files were not opened so far.
    #[must_use]
    pub fn spared(&self) -> usize {
        self.spared.load(Ordering::Relaxed)
    }

    /// The memory that is taken, in bytes: 64 MiB at most.
    #[must_use]
    pub fn size(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).bytes).sum()
    }

    fn shard(&self, file: FileId) -> MutexGuard<'_, Shard> {
        lock(&self.shards[file.spread(SHARDS)])
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shard {
    /// Makes room: what this search has not asked for goes.
    fn forget_unused(&mut self, search: u32) {
        self.entries.retain(|_, entry| entry.used == search);
        self.bytes = self.entries.values().map(Entry::size).sum();
    }
}

impl Entry {
    fn size(&self) -> usize {
        ENTRY_BYTES + if let Known::Text(filter) = &self.known { filter.size() } else { 0 }
    }
}
