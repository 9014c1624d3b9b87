//! For the package's own tests and benchmarks: the road without a tool on it. Not exported by `src/js/index.js`.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::run::{self, OnCancel};
use crate::engine::error::ToolError;

/// An async call that does nothing.
#[napi]
pub fn probe_noop<'env>(env: &'env Env, handle: Option<&CancelHandle>) -> Result<PromiseRaw<'env, ()>> {
    run::blocking(env, handle, OnCancel::Reject, |_| Ok(()))
}

/// An async call that waits until it is cancelled: with `wait` it then finishes in its own way, else it rejects.
#[napi]
pub fn probe_wait<'env>(
    env: &'env Env,
    wait: bool,
    handle: Option<&CancelHandle>,
) -> Result<PromiseRaw<'env, bool>> {
    let on_cancel = if wait { OnCancel::Wait } else { OnCancel::Reject };
    run::blocking(env, handle, on_cancel, move |token| {
        while !token.is_cancelled() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        if wait { Ok(true) } else { Err(ToolError::aborted()) }
    })
}

/// An async call that panics.
///
/// # Panics
/// Always, on the pool.
#[napi]
pub fn probe_panic(env: &Env, message: String) -> Result<PromiseRaw<'_, ()>> {
    run::blocking(env, None, OnCancel::Reject, move |_| panic!("{message}"))
}

/// A synchronous call that panics.
///
/// # Panics
/// Always, caught by the road.
#[napi]
pub fn probe_panic_inline(env: Env, message: String) -> Result<()> {
    run::inline(env, || panic!("{message}"))
}

/// Every error code, for the comparison with `index.d.ts`.
#[napi]
#[must_use]
pub fn error_codes() -> Vec<&'static str> {
    ToolError::CODES.to_vec()
}
