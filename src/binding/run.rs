//! The only road for work: cancel race, panic catch, error map. Nothing here knows a tool.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::bindgen_prelude::*;

use super::cancel::CancelHandle;
use super::error::to_js;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result as EngineResult, ToolError};

/// What a cancelled call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCancel {
    /// Rejects at once; the work notices its token and stops behind the scenes. For work that only reads.
    Reject,
    /// Waits for the work, which stops where it is safe and says what it did. For work that changes something.
    Wait,
}

/// Runs blocking work on tokio's blocking pool.
pub fn blocking<'env, T, F>(
    env: &'env Env,
    handle: Option<&CancelHandle>,
    on_cancel: OnCancel,
    work: F,
) -> Result<PromiseRaw<'env, T>>
where
    T: ToNapiValue + Send + 'static,
    F: FnOnce(&CancelToken) -> EngineResult<T> + Send + 'static,
{
    let token = handle.map(|handle| handle.token.clone()).unwrap_or_default();
    let outcome = async move {
        token.check()?;
        let worker = token.clone();
        let task = tokio::task::spawn_blocking(move || work(&worker));
        match on_cancel {
            OnCancel::Wait => join(task).await,
            OnCancel::Reject => token.race(join(task)).await,
        }
    };
    env.spawn_future_with_callback(async { Ok(outcome.await) }, |env, outcome| {
        outcome.map_err(|error| to_js(*env, &error))
    })
}

/// Runs a short decision on the calling thread.
pub fn inline<T>(env: Env, work: impl FnOnce() -> EngineResult<T>) -> Result<T> {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    let outcome = outcome.unwrap_or_else(|panic| Err(from_panic(panic.as_ref())));
    outcome.map_err(|error| to_js(env, &error))
}

async fn join<T>(task: tokio::task::JoinHandle<EngineResult<T>>) -> EngineResult<T> {
    match task.await {
        Ok(outcome) => outcome,
        Err(failure) => match failure.try_into_panic() {
            Ok(panic) => Err(from_panic(panic.as_ref())),
            Err(failure) => Err(ToolError::Internal { message: failure.to_string() }),
        },
    }
}

fn from_panic(panic: &(dyn Any + Send)) -> ToolError {
    let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
    ToolError::Internal { message: message.unwrap_or_else(|| "panic without a message".into()) }
}
