//! Cancelling a call: a flag that loops ask and async code awaits. Never cancels by force; the work stops itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use tokio::sync::Notify;

use super::error::{Result, ToolError};

/// Shared by everyone who works on the same call. Cheap to clone; cancelling is final.
#[derive(Debug, Clone, Default)]
pub struct CancelToken {
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    cancelled: AtomicBool,
    wake: Notify,
}

impl CancelToken {
    /// A token nobody has cancelled yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels; wakes everyone who waits.
    pub fn cancel(&self) {
        self.state.cancelled.store(true, Ordering::Release);
        self.state.wake.notify_waiters();
    }

    /// Whether [`CancelToken::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.cancelled.load(Ordering::Acquire)
    }

    /// Whether both are clones of one token.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }

    /// For loops: an error once cancelled. Ask per file and per 64 KiB.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(ToolError::aborted()) } else { Ok(()) }
    }

    /// For async code: resolves once cancelled, at once if it already was.
    pub async fn cancelled(&self) {
        let mut woken = std::pin::pin!(self.state.wake.notified());
        // Enlisted before the flag is read, so that a cancel in between is not missed.
        woken.as_mut().enable();
        if !self.is_cancelled() {
            woken.await;
        }
    }

    /// The outcome of `work`, or an error as soon as the token is cancelled. An outcome that is there already wins
    /// over a cancel of the same moment.
    pub async fn race<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let mut work = std::pin::pin!(work);
        let mut cancelled = std::pin::pin!(self.cancelled());
        std::future::poll_fn(|context| {
            if let Poll::Ready(outcome) = work.as_mut().poll(context) {
                return Poll::Ready(outcome);
            }
            cancelled.as_mut().poll(context).map(|()| Err(ToolError::aborted()))
        })
        .await
    }
}
