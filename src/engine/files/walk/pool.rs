//! The threads of all walks: a few, kept warm, below the priority of the host's own, so that its event loop stays
//! smooth whatever is searched.
//!
//! Walks take turns: after a slice of time a walk goes to the end of the queue if others wait.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// More threads than this only wait for the disk.
const MOST_THREADS: usize = 8;

/// What looks at source code may go deep, and an overflowing stack ends the process. Memory is taken as it is used.
const STACK_BYTES: usize = 64 << 20;

/// Threads that may be added while the others hang in a file system that does not answer.
const MOST_SPARES: usize = 24;

/// How long a walk works before it lets others have the thread.
pub(super) const SLICE: Duration = Duration::from_millis(8);

/// What a thread can work at for a while.
pub(super) trait Work: Send + Sync {
    /// Works until there is nothing to do or it is the others' turn. Never panics.
    fn work(self: Arc<Self>);
}

static POOL: Pool = Pool {
    state: Mutex::new(State { queue: VecDeque::new(), threads: 0, idle: 0 }),
    wake: Condvar::new(),
    waiting: AtomicUsize::new(0),
};

struct Pool {
    state: Mutex<State>,
    wake: Condvar,
    /// Length of the queue, to be asked without the lock.
    waiting: AtomicUsize,
}

struct State {
    queue: VecDeque<Arc<dyn Work>>,
    threads: usize,
    idle: usize,
}

/// How many threads work at once.
pub(super) fn width() -> usize {
    static WIDTH: AtomicUsize = AtomicUsize::new(0);
    match WIDTH.load(Ordering::Relaxed) {
        0 => {
            let width = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
            WIDTH.store(width, Ordering::Relaxed);
            width
        }
        width => width,
    }
}

/// Queues work. False if there is no thread and none can be made.
#[must_use]
pub(super) fn submit(work: Arc<dyn Work>) -> bool {
    let mut state = POOL.lock();
    if state.idle <= state.queue.len() && state.threads < width() {
        POOL.start_thread(&mut state);
    }
    let served = state.threads > 0;
    if served {
        POOL.push(&mut state, work);
    }
    served
}

/// Queues work only if a thread is free for it at once.
pub(super) fn invite(work: &Arc<dyn Work>) {
    let mut state = POOL.lock();
    if state.idle <= state.queue.len() && state.threads < width() {
        POOL.start_thread(&mut state);
    }
    if state.idle > state.queue.len() {
        POOL.push(&mut state, Arc::clone(work));
    }
}

/// Puts work at the end of the queue.
pub(super) fn requeue(work: Arc<dyn Work>) {
    let mut state = POOL.lock();
    if state.threads > 0 {
        POOL.push(&mut state, work);
    }
}

/// One more thread, for work that waits although the others should long be done with their slices.
pub(super) fn add_spare() {
    let mut state = POOL.lock();
    if state.threads < width() + MOST_SPARES {
        POOL.start_thread(&mut state);
    }
}

/// Whether other work waits for a thread.
pub(super) fn others_wait() -> bool {
    POOL.waiting.load(Ordering::Relaxed) > 0
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, state: &mut State, work: Arc<dyn Work>) {
        state.queue.push_back(work);
        self.waiting.store(state.queue.len(), Ordering::Relaxed);
        self.wake.notify_one();
    }

    /// Counted as idle from the start: it takes what is pushed next.
    fn start_thread(&'static self, state: &mut State) {
        let thread = std::thread::Builder::new().name("walk".into()).stack_size(STACK_BYTES);
        if thread.spawn(|| self.serve()).is_ok() {
            state.threads += 1;
            state.idle += 1;
        }
    }

    fn serve(&self) {
        lower_priority();
        let mut state = self.lock();
        loop {
            if let Some(work) = state.queue.pop_front() {
                self.waiting.store(state.queue.len(), Ordering::Relaxed);
                state.idle -= 1;
                drop(state);
                work.work();
                state = self.lock();
                state.idle += 1;
            } else {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// The host's event loop goes first. Only on Linux does this speak of one thread alone.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}
