//! `edit`: changes pieces of a file and leaves every other byte as it is. One module for each mode.
//!
//! Never writes a part of a call: either every change is made or none.

mod closest;
pub mod hashline;
mod locate;
mod replace;

use serde::Deserialize;
use serde_json::Value;

use super::{Context, parse_value};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::outcome::Outcome;

/// Arguments of `edit`, in the shape of the mode that is set.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct Options {
    arguments: Value,
}

/// Runs the call.
///
/// Only `replace` is there yet, and it is what the tool's schema shows, whatever mode is set. Arguments in the
/// shape of the mode that is set are told so.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let mode = context.settings.text("edit.mode");
    if mode != "replace" && has_shape_of_another_mode(&options.arguments) {
        let path = options.arguments.get("path").and_then(Value::as_str).map(str::to_owned);
        return Err(ToolError::Unsupported { feature: format!("edit mode `{mode}`"), path });
    }
    let options: replace::Options = parse_value(&options.arguments)?;
    replace::run(&options, context, cancel)
}

/// Told by members that `replace` does not have; everything else is judged as arguments of `replace`.
fn has_shape_of_another_mode(arguments: &Value) -> bool {
    let has = |value: &Value, names: &[&str]| names.iter().any(|name| value.get(name).is_some());
    let entries = arguments.get("edits").and_then(Value::as_array);
    has(arguments, &["input", "steps"])
        || entries.is_some_and(|entries| entries.iter().any(|entry| has(entry, &["diff", "op"])))
}
