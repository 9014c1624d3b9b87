//! `skill`: brings the instructions of a skill into the conversation. Decides whether that may be, reads the text and
//! says what to send; sending is the host's.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;

use super::Decision;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files;
use crate::engine::outcome::Outcome;

/// No instructions are longer.
const BYTES: u64 = 1024 * 1024;
/// Phases after which the skill of a workflow is over.
const TERMINAL: [&str; 7] =
    ["complete", "completed", "handoff", "failed", "cancelled", "canceled", "inactive"];

/// Arguments of `skill`; names that are not here are ignored.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    /// The name of a skill.
    pub name: String,
    /// What it is to work on.
    #[serde(default)]
    pub args: Option<String>,
}

/// What a call is decided on beside its arguments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    /// The skills of the session.
    pub skills: Vec<Skill>,
    /// The skill at work.
    pub active: Option<Active>,
}

/// A skill of the session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Skill {
    /// Unique.
    pub name: String,
    /// Absolute.
    pub path: PathBuf,
    /// The instructions, where the host has them.
    pub content: Option<String>,
}

/// A skill at work.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Active {
    /// Its name.
    pub name: String,
    /// How far its workflow is; absent: it has none.
    pub phase: Option<String>,
}

/// Finds the skill and reads it. The state is what to send: `{content, handoff}`.
pub fn run(options: &Options, facts: &Facts, cancel: &CancelToken) -> Result<Decision> {
    let skill = chosen(options, facts)?;
    let body = skill.body()?;
    cancel.check()?;
    let lines = body.lines().count();
    let mut receipt = json!({ "name": skill.name, "path": skill.path });
    let args = options.args.as_deref().filter(|args| !args.trim().is_empty());
    if let Some(args) = args {
        receipt["args"] = json!(args);
    }
    receipt["lineCount"] = json!(lines);
    let mut told = serde_json::Map::new();
    for (key, value) in receipt.as_object().into_iter().flatten() {
        told.insert(if key == "name" { "callee" } else { key }.to_owned(), value.clone());
    }
    let mut outcome = Outcome::text(serde_json::Value::Object(told).to_string());
    outcome.details = receipt.as_object().cloned().unwrap_or_default();
    let content = args.map_or(body.clone(), |args| format!("{}\n\nArguments: {args}\n", body.trim_end()));
    let handoff = facts.active.as_ref().filter(|active| active.phase.is_some()).map(|active| &active.name);
    Ok(Decision::of(outcome).keeping(json!({ "content": content, "handoff": handoff })))
}

fn chosen<'a>(options: &Options, facts: &'a Facts) -> Result<&'a Skill> {
    let name = options.name.trim();
    if name.is_empty() || name.contains(['*', '?', '[', ']', '{', '}']) {
        return Err(ToolError::SkillBadName { name: options.name.clone() });
    }
    if let Some(active) = facts.active.as_ref().filter(|active| active.name == name) {
        return Err(ToolError::SkillRecursive { name: active.name.clone() });
    }
    let unknown = || ToolError::SkillUnknown {
        name: name.to_owned(),
        known: facts.skills.iter().map(|skill| skill.name.clone()).collect(),
    };
    let skill = facts.skills.iter().find(|skill| skill.name == name).ok_or_else(unknown)?;
    let running =
        |active: &&Active| active.phase.as_ref().is_some_and(|phase| !TERMINAL.contains(&phase.as_str()));
    match facts.active.as_ref().filter(running) {
        Some(Active { name, phase }) => Err(ToolError::SkillNotFinalized {
            active: name.clone(),
            phase: phase.clone().unwrap_or_default(),
        }),
        None => Ok(skill),
    }
}

impl Skill {
    fn body(&self) -> Result<String> {
        let text = match &self.content {
            Some(content) => content.clone(),
            None => read(&self.path)?,
        };
        Ok(without_front_matter(&text).to_owned())
    }
}

fn read(path: &Path) -> Result<String> {
    let shown = path.display().to_string();
    let (bytes, _) = files::read_regular(path, &shown, BYTES)?;
    let reason = "its bytes are not UTF-8".to_owned();
    String::from_utf8(bytes).map_err(|_| ToolError::NotText { path: shown, reason })
}

/// What follows the block between two lines of `---`.
fn without_front_matter(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let mut at = match lines.next() {
        Some(first) if first.trim_end() == "---" => first.len(),
        _ => return text,
    };
    for line in lines {
        at += line.len();
        if line.trim_end() == "---" {
            return text[at..].trim_start_matches(['\n', '\r']);
        }
    }
    text
}
