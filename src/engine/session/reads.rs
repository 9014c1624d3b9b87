//! Lines of files as the model last saw them.
//!
//! For `edit`: an anchor that no longer fits can be led back to what the model meant by it, and a change that
//! somebody else made since is noticed. `read` and `search` record what they show, an edit records the text it left.
//!
//! Of a path, new lines join the recorded ones; where a line is recorded with another text, the file has changed, and
//! the new lines alone are kept. The 30 paths used last are remembered.
//!
//! A change whose way is known keeps what the numbers meant before it, see [`Former`].

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Former, Shown, Turn};
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
/// Changes before which the numbers are known.
const FORMER: usize = 16;

/// What is recorded of a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The text of each line by its number, without line endings.
    pub lines: Arc<BTreeMap<u64, String>>,
    /// The number of the last line of the file, if that is known.
    pub end: Option<u64>,
    /// What numbers meant before, the newest first; where lines stand now is told in the numbers of `lines`.
    pub former: Vec<Former>,
    /// The file when it was last seen, if that is known.
    pub stamp: Option<Stamp>,
}

impl Recorded {
    /// Every line of the file is known.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.end == Some(self.lines.len() as u64)
    }
}

/// What a call saw.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Lines(Shown),
    /// All of a text, as it stands in its file.
    Whole(Arc<Bytes>),
}

impl Seen {
    fn size(&self) -> usize {
        match self {
            Self::Lines(shown) => shown.size(),
            Self::Whole(text) => text.size(),
        }
    }

    fn lines(self) -> Shown {
        match self {
            Self::Lines(shown) => shown,
            Self::Whole(text) => {
                Document::new(text.whole()).map(|document| Shown::all(document.text())).unwrap_or_default()
            }
        }
    }
}

/// Whom lines are shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reader<'a> {
    /// The turn of the call that shows them.
    pub turn: Option<&'a Turn>,
    /// Lines have anchors, unless somebody asks for a text as it is.
    pub sees_anchors: bool,
}

/// A change that a call made or came upon.
#[derive(Debug)]
pub struct Revision<'a, F> {
    /// The lines that are known of the file as it is now.
    pub lines: Shown,
    /// The file now, where all of it was seen.
    pub stamp: Option<Stamp>,
    /// What call it was.
    pub turn: Option<&'a Turn>,
    /// Where lines stand now, by their number before.
    pub now: F,
    /// Numbers of now that the result of the call shows, ascending.
    pub shown: Vec<u64>,
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
    /// Numbers that the result of a turn's calls shows. They mean something only to whoever has read that.
    shown: Option<(Option<Turn>, Vec<u64>)>,
    /// Lines were shown with anchors.
    has_anchors: bool,
    /// What all of it takes.
    bytes: usize,
}

impl Reads {
    /// Records lines that a call showed, and the file it showed them of, where the call saw all of it. `path` is
    /// absolute, as the tools resolve it.
    pub fn record(&self, path: &Path, shown: Shown, stamp: Option<Stamp>, reader: Reader) {
        if shown.is_empty() {
            return;
        }
        let Reader { turn, sees_anchors } = reader;
        self.with(path, |file| {
            file.has_anchors |= sees_anchors;
            file.recorded.stamp = stamp.or(file.recorded.stamp);
            if !file.recorded.former.is_empty() {
                let mut numbers: Vec<u64> = shown.iter().map(|(number, _)| number).collect();
                numbers.sort_unstable();
                file.forget_former(&numbers, turn);
            }
            // The same part once more, as agents read it.
            let seen = Seen::Lines(shown);
            if file.pending.last() == Some(&seen) {
                return;
            }
            file.bytes += seen.size();
            file.pending.push(seen);
            if file.pending.len() > PENDING || file.bytes > BYTES {
                file.join();
            }
        });
    }

    /// Records the bytes of the whole text that a call left in a file. Where earlier lines went is not known.
    pub fn replace(&self, path: &Path, text: Arc<Bytes>, stamp: Option<Stamp>) {
        self.with(path, |file| {
            file.lose();
            file.recorded.stamp = stamp;
            file.shown = None;
            file.take(Seen::Whole(text));
        });
    }

    /// Records what is known of a file after a change, and what its numbers meant before.
    pub fn revise(&self, path: &Path, revision: Revision<impl Fn(u64) -> Option<u64>>) {
        let Revision { lines, stamp, turn, now, shown } = revision;
        self.with(path, |file| {
            file.has_anchors = true;
            file.join();
            file.settle(turn);
            let Recorded { lines: before, former, stamp: old_stamp, .. } = std::mem::take(&mut file.recorded);
            file.recorded.stamp = stamp.or(old_stamp);
            file.recorded.former = former;
            let former = &mut file.recorded.former;
            for former in &mut *former {
                former.follow(&now);
            }
            let before = before.iter().map(|(number, text)| (*number, text.as_str()));
            former.insert(0, Former::new(turn.cloned(), before, now));
            former.truncate(FORMER);
            file.shown = Some((turn.cloned(), shown));
            file.take(Seen::Lines(lines));
        });
    }

    /// The file when it was last seen, if that is known.
    #[must_use]
    pub fn stamp(&self, path: &Path) -> Option<Stamp> {
        self.lock().iter().find(|file| file.path == path)?.recorded.stamp
    }

    /// What is recorded of a path, for a call of a turn.
    #[must_use]
    pub fn recall(&self, path: &Path, turn: Option<&Turn>) -> Option<Recorded> {
        let mut files = self.lock();
        let at = files.iter().position(|file| file.path == path)?;
        let mut file = files.remove(at)?;
        file.join();
        file.settle(turn);
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
    /// The only lines that are known.
    fn take(&mut self, seen: Seen) {
        self.bytes = seen.size() + self.former_bytes();
        self.pending = vec![seen];
        if self.bytes > BYTES {
            self.join();
        }
    }

    fn join(&mut self) {
        for seen in std::mem::take(&mut self.pending) {
            let shown = seen.lines();
            let lines = Arc::make_mut(&mut self.recorded.lines);
            if shown.iter().any(|(number, line)| lines.get(&number).is_some_and(|known| known != line)) {
                lines.clear();
                self.recorded.end = None;
                // Where their lines went is not known.
                self.recorded.former.clear();
            }
            lines.extend(shown.iter().map(|(number, line)| (number, line.to_owned())));
            let last = lines.keys().next_back().copied();
            // What was the last line is not any more where others were shown behind it.
            self.recorded.end = shown.end().or(self.recorded.end).filter(|end| Some(*end) == last);
        }
        let bytes: usize = self.recorded.lines.values().map(|line| line.len() + LINE_BYTES).sum();
        if bytes > BYTES {
            self.recorded.lines = Arc::default();
            self.recorded.end = None;
            self.recorded.former.clear();
        }
        while self.former_bytes() > BYTES {
            self.recorded.former.pop();
        }
        self.bytes = if bytes > BYTES { 0 } else { bytes + self.former_bytes() };
    }

    fn former_bytes(&self) -> usize {
        self.recorded.former.iter().map(Former::size).sum()
    }

    /// A call that was written with the last results at hand means the numbers they show.
    fn settle(&mut self, turn: Option<&Turn>) {
        if let Some((_, numbers)) =
            self.shown.take_if(|(shown_by, _)| Turn::is_later(shown_by.as_ref(), turn))
        {
            self.forget_former(&numbers, turn);
        }
    }

    /// Numbers that were shown anew have no other meaning, except for calls that were written before.
    fn forget_former(&mut self, numbers: &[u64], turn: Option<&Turn>) {
        for former in &mut self.recorded.former {
            if !Turn::is_same(former.turn.as_ref(), turn) {
                former.forget(numbers);
            }
        }
        self.recorded.former.retain(|former| !former.is_empty());
    }

    /// The lines that are known are those of before a change that nobody followed. Lines that had no anchors are not missed.
    fn lose(&mut self) {
        let former = &mut self.recorded.former;
        for former in &mut *former {
            former.follow(|_| None);
        }
        if std::mem::take(&mut self.has_anchors) {
            self.join();
            let bytes = self.bytes.saturating_sub(self.former_bytes());
            let lines = std::mem::take(&mut self.recorded.lines);
            self.recorded.former.insert(0, Former::lost(lines, bytes));
            self.recorded.former.truncate(FORMER);
        }
        self.recorded.lines = Arc::default();
        self.recorded.end = None;
    }
}
