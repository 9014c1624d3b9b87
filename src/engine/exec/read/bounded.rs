//! Work of libraries on bytes that nobody vouches for: on a thread of its own with a large stack, within a time, and
//! a panic is a reason like any other. A stack overflow cannot be caught: callers bound nesting before.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

const STACK: usize = 64 * 1024 * 1024;
/// Between two looks at the token.
const TICK: Duration = Duration::from_millis(20);
/// Work that was given up runs on until it notices nothing; so much of it may there be.
const MAX_RUNNING: usize = 8;

static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The result of the work, or why there is none.
pub fn run<T: Send + 'static>(
    time: Duration,
    cancel: &CancelToken,
    work: impl FnOnce() -> std::result::Result<T, String> + Send + 'static,
) -> Result<std::result::Result<T, String>> {
    cancel.check()?;
    if RUNNING.fetch_add(1, Ordering::AcqRel) >= MAX_RUNNING {
        RUNNING.fetch_sub(1, Ordering::AcqRel);
        return Ok(Err("too many conversions are running already".into()));
    }
    let (sender, receiver) = channel();
    let started = Instant::now();
    let thread = thread::Builder::new().name("conversion".into()).stack_size(STACK).spawn(move || {
        let _running = Running;
        let outcome = catch_unwind(AssertUnwindSafe(work));
        let _ = sender.send(outcome.unwrap_or_else(|_| Err("the converter failed on it".into())));
    });
    if thread.is_err() {
        RUNNING.fetch_sub(1, Ordering::AcqRel);
        return Ok(Err("no thread could be started".into()));
    }
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(outcome) => return Ok(outcome),
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(Err("the converter ended without a result".into()));
            }
            Err(RecvTimeoutError::Timeout) => cancel.check()?,
        }
        if started.elapsed() >= time {
            return Ok(Err(format!("it takes more than {} seconds", time.as_secs())));
        }
    }
}

/// Counts a thread until it ends, however it ends.
struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::AcqRel);
    }
}
