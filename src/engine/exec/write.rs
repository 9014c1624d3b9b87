//! Placeholder of the first slice.

use serde::Deserialize;

use super::Context;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::outcome::Outcome;

/// Arguments of `write`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let _ = (options, context, cancel);
    Err(ToolError::ToolUnavailable { tool: "write".into(), reason: "being built".into() })
}
