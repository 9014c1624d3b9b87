//! `edit`: changes pieces of files and leaves every other byte as it is. One module for each mode, and one road for
//! all: [`Rehearsal`].
//!
//! Never writes a part of a call: either every change is made or none.

mod change;
mod closest;
mod locate;
mod mode;
mod rehearsal;
mod replace;
mod report;

use serde::Deserialize;
use serde_json::Value;

use super::{Context, parse_value};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::outcome::Outcome;

pub use change::{Change, DiffStyle, Op, Plan, Warning};
pub use mode::{Mode, VARIABLES};
pub use rehearsal::{Done, Rehearsal, Wanted};
pub use report::Report;

/// Arguments of `edit`, in the shape of the mode that is set.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct Options {
    arguments: Value,
}

/// Runs the call in the mode that is set.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let arguments = &options.arguments;
    match Mode::of(context)? {
        Mode::Replace => replace::run(&parse_value(arguments)?, context, cancel),
        mode => not_yet(mode, arguments, context, cancel),
    }
}

/// A mode that is not there yet: what the tool's schema shows is `replace`, so arguments in that shape are taken.
fn not_yet(mode: Mode, arguments: &Value, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let has = |value: &Value, names: &[&str]| names.iter().any(|name| value.get(name).is_some());
    let entries = arguments.get("edits").and_then(Value::as_array);
    let is_other = has(arguments, &["input", "steps"])
        || entries.is_some_and(|entries| entries.iter().any(|entry| has(entry, &["diff", "op"])));
    if is_other {
        let path = arguments.get("path").and_then(Value::as_str).map(str::to_owned);
        return Err(ToolError::Unsupported { feature: format!("edit mode `{}`", mode.name()), path });
    }
    replace::run(&parse_value(arguments)?, context, cancel)
}
