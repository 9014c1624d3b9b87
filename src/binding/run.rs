//! The only road for work: cancel race, panic catch, error map. Nothing here knows a tool.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use napi::bindgen_prelude::*;
use tokio::task::JoinHandle;

use super::cancel::CancelHandle;
use super::error::to_js;
use super::unfinished;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::files;

/// What a cancelled call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCancel {
    /// Rejects at once; the work notices its token and stops behind the scenes. For work that only reads.
    Reject,
    /// Waits for the work, which stops where it is safe and says what it did. For work that changes something.
    Wait,
}

/// Runs blocking work on tokio's blocking pool. The thread that did it answers itself, and closes only then what it
/// replaced.
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
    keep_panics_quiet();
    let token = handle.map(|handle| handle.token.clone()).unwrap_or_default();
    let at_exit = (on_cancel == OnCancel::Wait).then(|| unfinished::enlist(*env, &token)).transpose()?;
    let (answer, promise) = env.create_deferred()?;
    // Of two answers the first one counts.
    let watch = (on_cancel == OnCancel::Reject && handle.is_some()).then(|| {
        let (token, answer) = (token.clone(), answer.clone());
        spawn(async move {
            token.cancelled().await;
            answer.resolve(settle(Err(ToolError::aborted())));
        })
    });
    spawn_blocking(move || {
        let work = || catch(|| token.check().and_then(|()| work(&token)));
        files::close_after(work, |outcome| {
            drop(at_exit);
            answer.resolve(settle(outcome));
        });
        watch.inspect(JoinHandle::abort);
    });
    Ok(PromiseRaw::new(env.raw(), promise.raw()))
}

/// What becomes of an outcome on the JavaScript thread.
fn settle<T>(outcome: EngineResult<T>) -> impl FnOnce(Env) -> Result<T> {
    move |env| outcome.map_err(|error| to_js(env, &error))
}

/// Runs a short decision on the calling thread.
pub fn inline<T>(env: Env, work: impl FnOnce() -> EngineResult<T>) -> Result<T> {
    keep_panics_quiet();
    catch(work).map_err(|error| to_js(env, &error))
}

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Turns a panic into an error with its message and place.
fn catch<T>(work: impl FnOnce() -> EngineResult<T>) -> EngineResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(from_panic(panic.as_ref())))
}

fn from_panic(panic: &(dyn Any + Send)) -> ToolError {
    let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
    let message = message.unwrap_or_else(|| "panic without a message".into());
    ToolError::Internal { message: format!("{message}{}", PLACE.take()) }
}

/// The default hook prints to the terminal, which belongs to the host. The hook is this addon's own: other addons
/// and the host have theirs.
fn keep_panics_quiet() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            PLACE.set(panic.location().map(|place| format!(" (at {place})")).unwrap_or_default());
        }));
    });
}
