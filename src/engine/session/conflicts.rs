//! Merge conflicts that were shown, under numbers that stay the same as long as the session lasts.
//!
//! A conflict is known by its file and the line it starts at; one that moved is known by its text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Conflicts that are remembered; the oldest go first.
const MOST: usize = 10_000;

/// A conflict as it was when it was last seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownConflict {
    /// Never used twice.
    pub id: u64,
    /// The file, without links in its path.
    pub path: PathBuf,
    /// Line of the opening marker.
    pub start: u64,
    /// Line of the closing marker.
    pub end: u64,
    /// All of it, markers included.
    pub text: Arc<[u8]>,
}

/// The memory. Any thread may use it.
#[derive(Debug, Default)]
pub struct Conflicts {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    last: u64,
    known: BTreeMap<u64, KnownConflict>,
}

impl Conflicts {
    /// Remembers the conflicts a file has now, given as lines and text, and forgets those it no longer has. The number
    /// of each, in order.
    pub fn record(&self, path: &Path, found: &[(u64, u64, &[u8])]) -> Vec<u64> {
        let mut inner = self.inner();
        let (mut before, others) =
            std::mem::take(&mut inner.known).into_iter().partition(|(_, known)| known.path == path);
        inner.known = others;
        let mut ids: Vec<Option<u64>> = vec![None; found.len()];
        let same: [Likeness; 3] = [
            |known, start, text| known.start == start && *known.text == *text,
            |known, _, text| *known.text == *text,
            |known, start, _| known.start == start,
        ];
        for is_same in same {
            for (id, (start, _, text)) in ids.iter_mut().zip(found).filter(|(id, _)| id.is_none()) {
                *id = take_first(&mut before, |known| is_same(known, *start, text));
            }
        }
        let ids: Vec<u64> = ids.into_iter().map(|id| id.unwrap_or_else(|| inner.next())).collect();
        for (id, (start, end, text)) in ids.iter().zip(found) {
            let known = KnownConflict {
                id: *id,
                path: path.to_owned(),
                start: *start,
                end: *end,
                text: Arc::from(*text),
            };
            inner.known.insert(*id, known);
        }
        while inner.known.len() > MOST {
            inner.known.pop_first();
        }
        ids
    }

    /// The conflict of a number.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<KnownConflict> {
        self.inner().known.get(&id).cloned()
    }

    /// All conflicts, in order of their numbers.
    #[must_use]
    pub fn all(&self) -> Vec<KnownConflict> {
        self.inner().known.values().cloned().collect()
    }

    /// Forgets conflicts that are resolved.
    pub fn forget(&self, ids: &[u64]) {
        self.inner().known.retain(|id, _| !ids.contains(id));
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

/// Whether a known conflict is the one that starts at a line and has a text.
type Likeness = fn(&KnownConflict, u64, &[u8]) -> bool;

fn take_first(
    known: &mut BTreeMap<u64, KnownConflict>,
    is_it: impl Fn(&KnownConflict) -> bool,
) -> Option<u64> {
    let id = known.values().find(|known| is_it(known))?.id;
    known.remove(&id).map(|known| known.id)
}
