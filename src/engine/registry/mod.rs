//! The table of all tools: name, identity flags, gate and order. Says nothing of how a tool works.

mod gate;
mod table;
mod texts;

pub use gate::{Condition, Gate};
pub use table::Entry;
pub use texts::{bash_description, edit_texts, texts};

use super::tool::ToolSpec;

/// Builtin tools in registry order.
#[must_use]
pub fn builtins() -> &'static [Entry] {
    table::BUILTINS
}

/// Hidden tools in registry order.
#[must_use]
pub fn hidden() -> &'static [Entry] {
    table::HIDDEN
}

/// The entry of a name; names are compared exactly.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    builtins().iter().chain(hidden()).find(|entry| entry.spec.name == name)
}

/// Builtin and hidden tools, as they cross to JavaScript.
#[must_use]
pub fn all() -> (Vec<&'static ToolSpec>, Vec<&'static ToolSpec>) {
    let specs = |entries: &'static [Entry]| entries.iter().map(|entry| &entry.spec).collect();
    (specs(builtins()), specs(hidden()))
}
