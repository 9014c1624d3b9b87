//! Lines of files as the model last saw them.
//!
//! For `edit`: an anchor that no longer fits can be led back to what the model meant by it, and a change that
//! somebody else made since is noticed. `read` and `search` record what they show, an edit records the text it left.
//!
//! Of a path, new lines join the recorded ones; where a line is recorded with another text, the file has changed, and
//! the new lines alone are kept. The 30 paths used last are remembered.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Shown;
use crate::engine::files::Stamp;
use crate::engine::text::{Bytes, Document};

/// Paths that are remembered.
const PATHS: usize = 30;
/// Bytes that are remembered of one path, and of all.
const BYTES: usize = 4 * 1024 * 1024;
const ALL_BYTES: usize = 16 * 1024 * 1024;
/// What a line takes beside its text.
const LINE_BYTES: usize = 64;
/// Calls that are kept as they came before they are joined.
const PENDING: usize = 16;

/// What is recorded of a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The text of each line by its number, without line endings.
    pub lines: BTreeMap<u64, String>,
    /// The file when it was last seen, if that is known.
    pub stamp: Option<Stamp>,
}

/// What a call saw.
#[derive(Debug, PartialEq)]
enum Seen {
    Lines(Shown),
    /// All of a text, as it stands in its file.
    Whole(Arc<Bytes>),
}

/// The memory. Any thread may use it.
#[derive(Debug, Default)]
pub struct Reads {
    /// The path used last comes first.
    files: Mutex<VecDeque<File>>,
}

#[derive(Debug, Default)]
struct File {
    path: PathBuf,
    recorded: Recorded,
    /// Later than `recorded`, in the order of the calls: joining waits until somebody asks.
    pending: Vec<Seen>,
    /// What both take.
    bytes: usize,
}

impl Reads {
    /// Records lines that a call showed, and the file it showed them of, where the call saw all of it. `path` is
    /// absolute, as the tools resolve it.
    pub fn record(&self, path: &Path, shown: Shown, stamp: Option<Stamp>) {
        if shown.is_empty() {
            return;
        }
        self.with(path, |file| {
            file.recorded.stamp = stamp.or(file.recorded.stamp);
            // The same part once more, as agents read it.
            let size = shown.size();
            let shown = Seen::Lines(shown);
            if file.pending.last() == Some(&shown) {
                return;
            }
            file.bytes += size;
            file.pending.push(shown);
            if file.pending.len() > PENDING || file.bytes > BYTES {
                file.join();
            }
        });
    }

    /// Records the bytes of the whole text that a call left in a file; earlier lines are forgotten.
    pub fn replace(&self, path: &Path, text: Arc<Bytes>, stamp: Option<Stamp>) {
        self.with(path, |file| {
            file.recorded = Recorded { lines: BTreeMap::new(), stamp };
            let is_kept = text.size() <= BYTES;
            file.bytes = if is_kept { text.size() } else { 0 };
            file.pending = Vec::from_iter(is_kept.then_some(Seen::Whole(text)));
        });
    }

    /// The file when it was last seen, if that is known.
    #[must_use]
    pub fn stamp(&self, path: &Path) -> Option<Stamp> {
        self.lock().iter().find(|file| file.path == path)?.recorded.stamp
    }

    /// What is recorded of a path.
    #[must_use]
    pub fn recall(&self, path: &Path) -> Option<Recorded> {
        let mut files = self.lock();
        let at = files.iter().position(|file| file.path == path)?;
        let mut file = files.remove(at)?;
        file.join();
        let recorded = file.recorded.clone();
        files.push_front(file);
        Some(recorded)
    }

    /// Forgets a path: the file is gone, or is no longer what was shown.
    pub fn forget(&self, path: &Path) {
        self.lock().retain(|file| file.path != path);
    }

    fn with(&self, path: &Path, change: impl FnOnce(&mut File)) {
        let mut files = self.lock();
        let known = files.iter().position(|file| file.path == path).and_then(|at| files.remove(at));
        let mut file = known.unwrap_or_else(|| File { path: path.to_owned(), ..File::default() });
        change(&mut file);
        files.push_front(file);
        files.truncate(PATHS);
        while files.iter().map(|file| file.bytes).sum::<usize>() > ALL_BYTES {
            files.pop_back();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<File>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl File {
    fn join(&mut self) {
        for seen in std::mem::take(&mut self.pending) {
            let shown = match seen {
                Seen::Lines(shown) => shown,
                Seen::Whole(bytes) => Document::new(bytes.whole())
                    .map(|document| Shown::all(document.text()))
                    .unwrap_or_default(),
            };
            let lines = &mut self.recorded.lines;
            if shown.iter().any(|(number, line)| lines.get(&number).is_some_and(|known| known != line)) {
                lines.clear();
            }
            lines.extend(shown.iter().map(|(number, line)| (number, line.to_owned())));
        }
        self.bytes = self.recorded.lines.values().map(|line| line.len() + LINE_BYTES).sum();
        if self.bytes > BYTES {
            self.recorded.lines.clear();
            self.bytes = 0;
        }
    }
}
