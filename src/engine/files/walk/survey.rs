//! What a walk is for.

use std::path::Path;

use super::entry::Entry;
use super::root::Root;

/// Looks at what a walk meets, on several threads at once. Each has a worker of its own, so nothing is locked.
pub trait Survey: Send + Sync + 'static {
    /// What one thread gathers.
    type Worker: Send + 'static;

    /// How much work an entry is, as a multiple of looking at its name. Help is called for when there is enough.
    const WEIGHT: usize = 1;

    /// A worker for one more thread.
    fn worker(&self) -> Self::Worker;

    /// Whether a directory, by its path from the root, is worth entering.
    fn enters(&self, _root: &Root, _relative: &Path) -> bool {
        true
    }

    /// Whether anything from a path on, in byte order, may still be of use. Asked before a task that was put off: what
    /// was found meanwhile may have made it needless.
    fn goes_on(&self, _root: &Root, _from: &Path) -> bool {
        true
    }

    /// Looks at one entry that no rule leaves out.
    fn visit(&self, worker: &mut Self::Worker, entry: &Entry<'_>);

    /// Called now and then between entries, to make public what was gathered so far.
    fn pause(&self, _worker: &mut Self::Worker) {}
}
