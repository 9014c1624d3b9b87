//! The native end of an `AbortSignal`; `src/js/signal.js` holds the other.

use napi_derive::napi;

use crate::engine::cancel::CancelToken;

/// One for each signal, shared by all its calls.
#[napi]
#[derive(Debug, Default)]
pub struct CancelHandle {
    pub(super) token: CancelToken,
}

#[napi]
impl CancelHandle {
    /// A handle nobody has cancelled yet.
    #[napi(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels every call that was given this handle.
    #[napi]
    pub fn cancel(&self) {
        self.token.cancel();
    }
}
