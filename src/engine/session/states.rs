//! What executors keep for themselves between calls: one value of each kind, made when it is first asked for.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The values by their types. Any thread may use it.
#[derive(Debug, Default)]
pub struct States {
    kept: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl States {
    /// The value of a type.
    #[must_use]
    pub fn of<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let value = kept.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default()));
        // A value lies under its own type, so this is never another one.
        Arc::clone(value).downcast().unwrap_or_default()
    }
}
