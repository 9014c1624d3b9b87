//! Which languages `eval` may run (core.md 2.4): environment first, then settings.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::facts::Snapshot;
use crate::engine::error::Result;

/// The languages a session allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EvalAllowance {
    /// Python.
    pub python: bool,
    /// JavaScript.
    pub js: bool,
}

/// A question about eval backends.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase")]
pub enum EvalInput {
    /// `GJC_PY` alone; null where it says nothing.
    Variant {
        /// The environment.
        env: HashMap<String, String>,
    },
    /// The environment alone; null where it says nothing.
    Environment {
        /// The environment.
        env: HashMap<String, String>,
    },
    /// Environment, then settings.
    Session {
        /// The session's facts.
        snapshot: Box<Snapshot>,
    },
}

/// Answers a question about eval backends.
pub fn eval_backends(input: &EvalInput) -> Result<Option<EvalAllowance>> {
    Ok(match input {
        EvalInput::Variant { env } => from_variant(env),
        EvalInput::Environment { env } => from_environment(env),
        EvalInput::Session { snapshot } => Some(allowance(snapshot)),
    })
}

/// What the session allows.
pub(super) fn allowance(snapshot: &Snapshot) -> EvalAllowance {
    from_environment(&snapshot.host.env).unwrap_or_else(|| EvalAllowance {
        python: snapshot.settings.truthy("eval.py"),
        js: snapshot.settings.truthy("eval.js"),
    })
}

fn from_environment(env: &HashMap<String, String>) -> Option<EvalAllowance> {
    from_variant(env).or_else(|| {
        let (python, js) = (env.get("PI_PY"), env.get("PI_JS"));
        let allowed = |value: Option<&String>| value.is_none_or(|value| is_yes(value));
        (python.is_some() || js.is_some()).then(|| EvalAllowance { python: allowed(python), js: allowed(js) })
    })
}

fn from_variant(env: &HashMap<String, String>) -> Option<EvalAllowance> {
    let (python, js) = match env.get("GJC_PY")?.trim().to_lowercase().as_str() {
        "0" | "bash" | "js" => (false, true),
        "1" | "py" => (true, false),
        "mix" | "both" => (true, true),
        _ => return None,
    };
    Some(EvalAllowance { python, js })
}

fn is_yes(value: &str) -> bool {
    matches!(value.trim().to_lowercase().as_str(), "1" | "true" | "yes" | "on" | "y")
}
