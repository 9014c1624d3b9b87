//! What a tool with a state of its own decides: a result, and what is to be remembered. The state itself is the host's
//! or the session object's; it comes in with the facts of the next call.

use serde_json::Value;

use crate::engine::outcome::Outcome;

/// The result of a call, and the state after it.
#[derive(Debug, Clone, Default)]
pub struct Decision {
    /// For the model and the receipt.
    pub outcome: Outcome,
    /// The state to keep; absent: as it was.
    pub state: Option<Value>,
}

impl Decision {
    /// A result that changes nothing.
    #[must_use]
    pub fn of(outcome: Outcome) -> Self {
        Self { outcome, state: None }
    }

    /// With the state to keep.
    #[must_use]
    pub fn keeping(mut self, state: Value) -> Self {
        self.state = Some(state);
        self
    }
}
