//! Calls that must not be left halfway: a shell would outlive its host, a file be written in part. When an environment
//! ends, those of it are cancelled and waited for. The end of a worker runs the hook; Node runs none of the main thread
//! at `process.exit`, so `src/js/signal.js` asks for it there. A host that is killed by a signal runs neither.

use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::engine::cancel::CancelToken;

/// How long the end of an environment waits for work that changes something.
const EXIT_GRACE: Duration = Duration::from_secs(2);

/// The calls of one environment, which has one thread.
#[derive(Debug, Default)]
struct Unfinished {
    calls: Mutex<Vec<CancelToken>>,
    finished: Condvar,
}

/// Keeps a call enlisted until it is dropped.
#[derive(Debug)]
pub struct Enlisted {
    list: Arc<Unfinished>,
    token: CancelToken,
}

thread_local! {
    static UNFINISHED: RefCell<Option<Arc<Unfinished>>> = const { RefCell::new(None) };
}

/// Cancels what must not be left halfway and waits for it, at most two seconds.
#[napi]
pub fn end_unfinished_calls() {
    if let Some(list) = UNFINISHED.with_borrow(Clone::clone) {
        list.end();
    }
}

/// Enlists a call; to be called on the thread of its environment.
pub fn enlist(env: Env, token: &CancelToken) -> Result<Enlisted> {
    let known = UNFINISHED.with_borrow(Clone::clone);
    let list = match known {
        Some(list) => list,
        None => Unfinished::watch(env)?,
    };
    list.calls().push(token.clone());
    Ok(Enlisted { list, token: token.clone() })
}

impl Unfinished {
    fn calls(&self) -> MutexGuard<'_, Vec<CancelToken>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(env: Env) -> Result<Arc<Self>> {
        let list = Arc::new(Self::default());
        env.add_env_cleanup_hook(Arc::clone(&list), |list| {
            UNFINISHED.set(None);
            list.end();
        })?;
        UNFINISHED.set(Some(Arc::clone(&list)));
        Ok(list)
    }

    fn end(&self) {
        let calls = self.calls();
        calls.iter().for_each(CancelToken::cancel);
        let _ = self.finished.wait_timeout_while(calls, EXIT_GRACE, |calls| !calls.is_empty());
    }
}

impl Drop for Enlisted {
    fn drop(&mut self) {
        let mut calls = self.list.calls();
        // One of them: several calls may share a token.
        if let Some(at) = calls.iter().position(|token| token.is_same(&self.token)) {
            calls.swap_remove(at);
        }
        drop(calls);
        self.list.finished.notify_all();
    }
}
