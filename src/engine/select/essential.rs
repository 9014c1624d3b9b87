//! The essential set (core.md 2.2 with core-better.md S4, S5).

use serde::Serialize;

use super::facts::Snapshot;
use crate::engine::error::Result;
use crate::engine::registry;

/// The essential tools of a session that overrides nothing.
pub const DEFAULT_ESSENTIAL: &[&str] = &["read", "bash", "edit"];

/// The essential set, and the entries of the override that name no builtin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Essential {
    /// Registered names; order and duplicates of the override are kept.
    pub names: Vec<String>,
    /// Entries without a tool.
    pub unknown: Vec<String>,
}

/// The essential set of a snapshot. An override that names no builtin at all is as good as none.
pub fn essential_names(snapshot: &Snapshot) -> Result<Essential> {
    let entries = snapshot.settings.texts("tools.essentialOverride");
    let entries = entries.iter().map(|entry| entry.trim()).filter(|entry| !entry.is_empty());
    let (mut names, mut unknown) = (Vec::new(), Vec::new());
    for entry in entries {
        let builtin =
            registry::builtins().iter().find(|builtin| builtin.spec.name.eq_ignore_ascii_case(entry));
        match builtin {
            Some(builtin) => names.push(builtin.spec.name.to_owned()),
            None => unknown.push(entry.to_owned()),
        }
    }
    if names.is_empty() {
        names = DEFAULT_ESSENTIAL.iter().map(|name| (*name).to_owned()).collect();
    }
    Ok(Essential { names, unknown })
}
