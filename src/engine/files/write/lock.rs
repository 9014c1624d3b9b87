//! One writer at a time for each file, whatever it is called: the span from reading a file to replacing it is held
//! as a whole, so that parallel calls on one file never lose a change. Threads of this process wait for each other
//! in memory; other processes are kept out by the system's lock on the open file itself, which leaves nothing on
//! the disk and ends with the process.
//!
//! A file that does not exist yet is held in this process only; who makes it second is told by the system.

use std::collections::HashSet;
use std::fs::{File, Metadata, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::closing;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::identity::FileId;
use crate::engine::files::kind::open_to_lock;

/// How long another process may hold a file.
const PATIENCE: Duration = Duration::from_secs(30);

/// Pauses between two tries: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_micros(100), Duration::from_millis(5));

/// How often a waiting call looks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(50);

/// What two calls must not work on at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// A file that exists.
    File(FileId),
    /// A path without links in it where nothing is, or, on systems without ids, any path.
    Path(PathBuf),
}

impl Key {
    fn of(path: &Path, metadata: Option<Metadata>) -> Self {
        let id = metadata.and_then(|metadata| FileId::of(&metadata));
        id.map_or_else(|| Self::Path(path.to_owned()), Self::File)
    }
}

#[derive(Debug, Default)]
struct Held {
    keys: Mutex<HashSet<Key>>,
    released: Condvar,
}

static HELD: LazyLock<Held> = LazyLock::new(Held::default);

/// Holds files until it is dropped.
#[derive(Debug)]
pub(super) struct FileLock {
    keys: HashSet<Key>,
    files: Mutex<Vec<File>>,
}

impl FileLock {
    /// Waits for all files at once: none is held while another is waited for, so that no two calls can wait for
    /// each other. `resolve` tells the paths, which have no links in them and come back with the lock; it is asked again
    /// after each wait.
    pub fn acquire(
        resolve: &mut dyn FnMut() -> Result<Vec<PathBuf>>,
        shown: &dyn Fn() -> String,
        cancel: &CancelToken,
    ) -> Result<(Self, Vec<PathBuf>)> {
        let deadline = Instant::now() + PATIENCE;
        let mut pause = PAUSES.0;
        loop {
            let paths = resolve()?;
            let found: Vec<(Key, Option<File>)> = paths.iter().map(|path| identify(path)).collect();
            let (keys, mut files): (Vec<Key>, Vec<Option<File>>) = found.into_iter().unzip();
            let wanted: HashSet<Key> = keys.iter().cloned().collect();
            // Two names of one file are one file to lock.
            let mut seen = HashSet::new();
            for (key, file) in keys.iter().zip(&mut files) {
                file.take_if(|_| !seen.insert(key));
            }
            let mut lock = Self { keys: HELD.take(wanted, cancel)?, files: Mutex::default() };
            let is_free = files.iter().flatten().all(lock_now);
            if is_free
                && resolve()? == paths
                && paths.iter().map(|path| Key::of(path, path.symlink_metadata().ok())).eq(keys)
            {
                lock.files = Mutex::new(files.into_iter().flatten().collect());
                return Ok((lock, paths));
            }
            drop((files, lock));
            cancel.check()?;
            if Instant::now() > deadline {
                return Err(ToolError::LockTimeout { path: shown(), seconds: PATIENCE.as_secs() });
            }
            if !is_free {
                std::thread::sleep(pause);
                pause = (pause * 2).min(PAUSES.1);
            }
        }
    }

    /// Holds one more file, locked already: the one that takes the place of a held one.
    pub fn adopt(&self, file: File) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).push(file);
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Other processes first: a thread that is woken finds the file free.
        let files = std::mem::take(self.files.get_mut().unwrap_or_else(PoisonError::into_inner));
        for file in &files {
            let _ = file.unlock();
        }
        closing::close(files);
        let mut keys = HELD.keys();
        for key in &self.keys {
            keys.remove(key);
        }
        drop(keys);
        HELD.released.notify_all();
    }
}

impl Held {
    /// Takes all keys in one moment.
    fn take(&self, wanted: HashSet<Key>, cancel: &CancelToken) -> Result<HashSet<Key>> {
        let mut keys = self.keys();
        while wanted.iter().any(|key| keys.contains(key)) {
            cancel.check()?;
            let woken = self.released.wait_timeout(keys, GLANCE);
            keys = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        keys.extend(wanted.iter().cloned());
        Ok(wanted)
    }

    fn keys(&self) -> MutexGuard<'_, HashSet<Key>> {
        // The set is whole at every moment, also after a panic elsewhere.
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is at a path, open so that it can be locked where that is possible.
fn identify(path: &Path) -> (Key, Option<File>) {
    let metadata = path.symlink_metadata().ok().filter(|metadata| FileId::of(metadata).is_some());
    // Opening a pipe or device may do something.
    let is_file = metadata.as_ref().is_some_and(Metadata::is_file);
    let file = is_file.then(|| open_to_lock(path).ok()).flatten();
    let open = file.as_ref().and_then(|file| file.metadata().ok());
    (Key::of(path, open.or(metadata)), file)
}

/// Whether the file is ours now. Where the file system has no locks only this process is kept in order.
fn lock_now(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}
