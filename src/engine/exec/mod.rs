//! The executors. Each is the same trio: `Options` in, [`Outcome`](super::outcome::Outcome) out,
//! [`ToolError`](super::error::ToolError) on failure. None knows the registry.

pub mod bash;
pub mod edit;
pub mod find;
mod guard;
mod notes;
pub mod program;
pub mod read;
pub mod search;
pub mod write;

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::{Result, ToolError};
use super::files::Origin;
use super::settings::Settings;

/// What a call is given beside its arguments.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// The session's directory; relative paths start here. Absolute.
    pub cwd: PathBuf,
    /// For `~`.
    #[serde(default)]
    pub home: Option<PathBuf>,
    /// The group of settings that the executor reads.
    #[serde(default)]
    pub settings: Settings,
    /// Whether the session has an `edit` tool; anchors are printed only for it.
    #[serde(default)]
    pub has_edit_tool: bool,
    /// The session allows `bash` only some commands.
    #[serde(default)]
    pub restricts_commands: bool,
    /// The host's environment, for what starts programs.
    #[serde(default)]
    pub env: Vec<(String, String)>,
}

impl Context {
    /// Where the paths of the call start.
    #[must_use]
    pub fn origin(&self) -> Origin<'_> {
        Origin { cwd: &self.cwd, home: self.home.as_deref() }
    }

    /// Whether lines are shown with anchors: there is a tool that takes them and nobody turned them off.
    #[must_use]
    pub fn shows_anchors(&self) -> bool {
        self.has_edit_tool
            && self.settings.text("edit.mode") == "hashline"
            && self.settings.get("readHashLines") != serde_json::Value::Bool(false)
    }
}

/// Reads the arguments of a call; the error names the argument that does not fit.
pub fn parse_arguments<T: DeserializeOwned>(json: &str) -> Result<T> {
    parse(&mut serde_json::Deserializer::from_str(json))
}

/// The same for arguments that are read already.
pub fn parse_value<T: DeserializeOwned>(value: &serde_json::Value) -> Result<T> {
    parse(value)
}

fn parse<'de, T: DeserializeOwned>(
    source: impl serde::Deserializer<'de, Error = serde_json::Error>,
) -> Result<T> {
    serde_path_to_error::deserialize(source).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { "" } else { path.as_str() };
        let message = error.inner().to_string();
        // serde_json ends its messages with a place in a text the caller never saw.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(text, _)| text);
        match message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
            // The error stands at what should hold the argument.
            Some(field) if path.is_empty() => ToolError::argument(field, "is missing"),
            Some(field) => ToolError::argument(format!("{path}.{field}"), "is missing"),
            None => ToolError::argument(path, message),
        }
    })
}
