//! The native end of a session object; `src/js/session.js` holds the other.

use std::sync::Arc;

use napi_derive::napi;

use crate::engine::session::Session;

/// What a session remembers between calls: one for each session object, shared by all its tools, gone with it.
#[napi]
#[derive(Debug, Default)]
pub struct SessionState {
    pub(super) session: Arc<Session>,
}

#[napi]
impl SessionState {
    /// The state of a session that has done nothing yet.
    #[napi(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl SessionState {
    /// The memory of the session that a call belongs to, for the thread that runs it.
    pub(super) fn memory(state: Option<&Self>) -> Option<Arc<Session>> {
        state.map(|state| Arc::clone(&state.session))
    }
}
