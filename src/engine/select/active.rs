//! The active set of a running session: what can still be found, and what a change makes of it
//! (core.md 3.7, 4.7, 4.9).
//!
//! Names are matched without case; the registered spelling is what comes out.

use serde::{Deserialize, Serialize};

use super::partition::{DiscoveryMode, RegisteredTool, Registry, push};
use crate::engine::error::Result;
use crate::engine::tool::LoadMode;

/// A session at one moment, and the names of the question asked about it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActiveInput {
    /// The session's registry, in order.
    pub registry: Registry,
    /// Active names, in the order they are sent.
    pub active: Vec<String>,
    /// What the session hides.
    pub mode: DiscoveryMode,
    /// Absent: every discoverable tool may be activated.
    #[serde(default)]
    pub allowed: Option<Vec<String>>,
    /// MCP tools that a plugin needs; they stay active whatever is asked.
    #[serde(default)]
    pub mandatory: Vec<String>,
    /// The names asked for.
    #[serde(default)]
    pub names: Vec<String>,
}

/// The active set after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Activation {
    /// Active names, in the order they are sent.
    pub active: Vec<String>,
    /// The ones that were not active before.
    pub activated: Vec<String>,
}

/// The tools that a search may find: discoverable tools in registry order, then MCP bridge tools.
pub fn discoverable_tools(input: &ActiveInput) -> Result<Vec<String>> {
    let waiting = |tool: &&RegisteredTool| !input.active.contains(&tool.name);
    let tools = || input.registry.tools().iter().filter(waiting);
    let names =
        |tools: &mut dyn Iterator<Item = &RegisteredTool>| tools.map(|tool| tool.name.clone()).collect();
    let mut found: Vec<String> = match input.mode {
        DiscoveryMode::Off => return Ok(Vec::new()),
        DiscoveryMode::McpOnly => Vec::new(),
        DiscoveryMode::All => names(&mut tools().filter(|tool| input.may_activate(tool))),
    };
    found.extend::<Vec<String>>(names(&mut tools().filter(|tool| tool.mcp_server.is_some())));
    Ok(found)
}

/// Activates found tools; new ones go to the end, and a tool that stages previews brings `resolve` with it.
pub fn activate_tools(input: &ActiveInput) -> Result<Activation> {
    let mut active = input.active.clone();
    let mut activated = Vec::new();
    if input.mode != DiscoveryMode::Off {
        for tool in input.names.iter().filter_map(|name| input.registry.find(name)) {
            let wanted =
                tool.mcp_server.is_some() || (input.mode == DiscoveryMode::All && input.may_activate(tool));
            if wanted && !active.contains(&tool.name) {
                push(&mut active, &tool.name);
                push(&mut activated, &tool.name);
            }
        }
    }
    input.registry.add_resolve(&mut active);
    Ok(Activation { active, activated })
}

/// Replaces the active set by the registered tools among `names`.
pub fn set_active_tools(input: &ActiveInput) -> Result<Activation> {
    let mut active = Vec::new();
    for tool in input.names.iter().chain(&input.mandatory).filter_map(|name| input.registry.find(name)) {
        push(&mut active, &tool.name);
    }
    input.registry.add_resolve(&mut active);
    let activated = active.iter().filter(|name| !input.active.contains(name)).cloned().collect();
    Ok(Activation { active, activated })
}

impl ActiveInput {
    fn may_activate(&self, tool: &RegisteredTool) -> bool {
        let allowed = self.allowed.as_ref();
        tool.load_mode == Some(LoadMode::Discoverable)
            && tool.mcp_server.is_none()
            && allowed.is_none_or(|names| {
                names.iter().any(|name| self.registry.find(name).is_some_and(|found| found.name == tool.name))
            })
    }
}
