//! One writer at a time for each file of this process: the span from reading a file to replacing it is held as a
//! whole, so that parallel calls on one file never lose a change. Other processes are not kept out here.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

/// What two calls must not work on at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// A path without links in it. Stays the same when a rename gives the file a new inode.
    Path(PathBuf),
    /// A file with several names: device and inode. Such a file is written in place, so its inode stays.
    Inode(u64, u64),
}

#[derive(Debug, Default)]
struct Held {
    keys: Mutex<HashSet<Key>>,
    released: Condvar,
}

static HELD: LazyLock<Held> = LazyLock::new(Held::default);

/// Holds a file until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    keys: Vec<Key>,
}

impl FileLock {
    /// Waits for the file at `path`, which has no links in it; the file need not exist.
    ///
    /// The path always comes before the inode, and a call holds one file only: no two calls can wait for each
    /// other.
    pub fn acquire(path: &Path) -> Self {
        let mut lock = Self { keys: Vec::with_capacity(2) };
        lock.take(Key::Path(path.to_owned()));
        if let Some(key) = inode_of_linked_file(path) {
            lock.take(key);
        }
        lock
    }

    fn take(&mut self, key: Key) {
        let mut keys = HELD.keys();
        while keys.contains(&key) {
            keys = HELD.released.wait(keys).unwrap_or_else(PoisonError::into_inner);
        }
        keys.insert(key.clone());
        self.keys.push(key);
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        let mut keys = HELD.keys();
        for key in &self.keys {
            keys.remove(key);
        }
        drop(keys);
        HELD.released.notify_all();
    }
}

impl Held {
    fn keys(&self) -> MutexGuard<'_, HashSet<Key>> {
        // The set is whole at every moment, also after a panic elsewhere.
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn inode_of_linked_file(path: &Path) -> Option<Key> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.symlink_metadata().ok()?;
    (metadata.is_file() && metadata.nlink() > 1).then(|| Key::Inode(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn inode_of_linked_file(_: &Path) -> Option<Key> {
    None
}
