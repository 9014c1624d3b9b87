//! What costs something to make, kept a while for the next page.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Values kept; the least recently used one goes first.
const MOST: usize = 16;
/// Bytes of all kept values.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A small store.
#[derive(Debug)]
pub struct Memory<K, V> {
    kept: Mutex<VecDeque<Kept<K, V>>>,
}

#[derive(Debug)]
struct Kept<K, V> {
    key: K,
    value: Arc<V>,
    bytes: usize,
}

impl<K: PartialEq, V> Memory<K, V> {
    /// An empty store.
    pub const fn new() -> Self {
        Self { kept: Mutex::new(VecDeque::new()) }
    }

    /// The value of a key.
    pub fn recall(&self, key: &K) -> Option<Arc<V>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|known| known.key == *key)?;
        let found = kept.remove(at)?;
        let value = Arc::clone(&found.value);
        kept.push_front(found);
        Some(value)
    }

    /// Keeps a value of so many bytes in place of an earlier one. One that alone is too much is not kept.
    pub fn remember(&self, key: K, value: Arc<V>, bytes: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|known| known.key != key);
        if bytes <= MOST_BYTES {
            kept.push_front(Kept { key, value, bytes });
        }
        let mut total = 0;
        kept.retain(|known| {
            total += known.bytes;
            total <= MOST_BYTES
        });
        kept.truncate(MOST);
    }
}
