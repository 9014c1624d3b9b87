//! What refusals taught, by model. Only ever lowers a level.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::support::Support;

/// Levels by registry key.
#[derive(Debug, Default)]
pub struct Capabilities {
    levels: RwLock<HashMap<Box<str>, Support>>,
}

impl Capabilities {
    /// The one of this process. It lives here and not in JavaScript, where each worker would have its own and would
    /// pay for each refusal again.
    #[must_use]
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Capabilities> = LazyLock::new(Capabilities::default);
        &SHARED
    }

    /// The level learnt for a model.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Support> {
        self.levels.read().unwrap_or_else(PoisonError::into_inner).get(key).copied()
    }

    /// Keeps the lower of the known level and this one.
    pub fn lower(&self, key: &str, level: Support) {
        let mut levels = self.levels.write().unwrap_or_else(PoisonError::into_inner);
        levels.entry(key.into()).and_modify(|known| *known = level.min(*known)).or_insert(level);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.levels.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
