//! Closing the last handle of a file that was replaced frees its blocks, which takes longer than all the rest of a change.
//! Nobody has to wait for it: who answers a call may do so first.

use std::cell::RefCell;
use std::fs::File;

thread_local! {
    /// What the call of this thread has let go.
    static CLOSING: RefCell<Option<Vec<File>>> = const { RefCell::new(None) };
}

/// Works, answers with what came of it, and closes only then the files that the work let go.
pub fn close_after<T>(work: impl FnOnce() -> T, answer: impl FnOnce(T)) {
    CLOSING.set(Some(Vec::new()));
    let outcome = work();
    let files = CLOSING.take();
    answer(outcome);
    drop(files);
}

/// Closes files that nobody relies on: at once, unless this thread has an answer to give first. Where an open file stands
/// in the way of others it never waits.
pub(super) fn close(files: Vec<File>) {
    CLOSING.with_borrow_mut(|closing| {
        if let Some(closing) = closing.as_mut().filter(|_| cfg!(unix)) {
            closing.extend(files);
        }
    });
}
