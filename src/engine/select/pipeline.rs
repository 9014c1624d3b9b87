//! The stages of `createTools` up to the factories (core.md 2.5), one function each.

use serde::{Deserialize, Serialize};

use super::facts::Snapshot;
use super::gates::{condition_holds, gate_open};
use crate::engine::error::{Result, ToolError};
use crate::engine::registry::{self, Entry};

/// Base tool, companion, and the setting that switches the companion on.
pub(super) const COMPANIONS: &[(&str, &str, &str)] = &[
    ("search", "ast_grep", "astGrep.enabled"),
    ("edit", "ast_edit", "astEdit.enabled"),
    ("bash", "recipe", "recipe.enabled"),
];

/// What `createTools` was asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectInput {
    /// Absent or empty: everything.
    #[serde(default)]
    pub tool_names: Vec<String>,
    /// The facts.
    pub snapshot: Snapshot,
}

/// What `createTools` builds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Selection {
    /// Names of the factories to call, in order. `resolve` is not among them: it always comes last.
    pub tools: Vec<&'static str>,
    /// Requested names without a tool.
    pub unknown: Vec<String>,
}

/// Runs the stages. With strict names, unknown ones are an error that names them all.
pub fn select_tools(input: &SelectInput) -> Result<Selection> {
    let SelectInput { tool_names, snapshot } = input;
    if tool_names.is_empty() {
        return Ok(Selection { tools: all_open(snapshot), unknown: Vec::new() });
    }
    let requested = normalize(tool_names);
    let requested = add_required(add_companions(add_goal(requested, snapshot), snapshot), snapshot);
    let (entries, unknown) = look_up(&requested);
    if snapshot.session.strict_tool_names && !unknown.is_empty() {
        return Err(ToolError::UnknownTool { names: unknown });
    }
    let eval_wanted = requested.iter().any(|name| name == "eval");
    Ok(Selection { tools: open(entries, snapshot, eval_wanted), unknown })
}

/// Trims, lower-cases and drops repetitions. A blank name stays: a list of nothing else is still a list, not a wish
/// for everything.
pub(super) fn normalize(names: &[String]) -> Vec<String> {
    let mut normalized: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let name = name.trim().to_lowercase();
        if !normalized.contains(&name) {
            normalized.push(name);
        }
    }
    normalized
}

fn add_goal(names: Vec<String>, snapshot: &Snapshot) -> Vec<String> {
    if snapshot.settings.truthy("goal.enabled") { append(names, "goal") } else { names }
}

/// The companion's setting decides, the base's own gate does not: a host may offer structure search alone.
fn add_companions(names: Vec<String>, snapshot: &Snapshot) -> Vec<String> {
    let wanted = |(base, _, setting): &&(&str, &str, &str)| {
        names.iter().any(|name| name == base) && snapshot.settings.truthy(setting)
    };
    let companions: Vec<&str> =
        COMPANIONS.iter().filter(wanted).map(|(_, companion, _)| *companion).collect();
    companions.into_iter().fold(names, append)
}

fn add_required(names: Vec<String>, snapshot: &Snapshot) -> Vec<String> {
    if snapshot.session.require_yield_tool { append(names, "yield") } else { names }
}

fn look_up(names: &[String]) -> (Vec<&'static Entry>, Vec<String>) {
    let (mut entries, mut unknown) = (Vec::new(), Vec::new());
    for name in names {
        match registry::find(name) {
            Some(entry) => entries.push(entry),
            None => unknown.push(name.clone()),
        }
    }
    (entries, unknown)
}

fn all_open(snapshot: &Snapshot) -> Vec<&'static str> {
    let required = registry::find("yield").filter(|_| snapshot.session.require_yield_tool);
    open(registry::builtins().iter().chain(required), snapshot, true)
}

fn open(
    entries: impl IntoIterator<Item = &'static Entry>,
    snapshot: &Snapshot,
    eval_wanted: bool,
) -> Vec<&'static str> {
    entries
        .into_iter()
        .filter(|entry| entry.spec.name != "resolve")
        .filter(|entry| gate_open(entry, snapshot, eval_wanted) && condition_holds(entry, snapshot))
        .map(|entry| entry.spec.name)
        .collect()
}

fn append(mut names: Vec<String>, name: &str) -> Vec<String> {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
    names
}
