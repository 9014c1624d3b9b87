//! The start-of-session split into active and discoverable tools (core.md section 3 with core-better.md S1, S3).
//!
//! Names are matched without case; the registered spelling is what comes out.

use serde::{Deserialize, Serialize};

use super::essential::essential_names;
use super::facts::Snapshot;
use super::pipeline::{COMPANIONS, normalize};
use crate::engine::error::Result;
use crate::engine::registry;
use crate::engine::settings::Settings;
use crate::engine::tool::LoadMode;

/// What a session hides at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiscoveryMode {
    /// Nothing.
    Off,
    /// Tools of MCP servers.
    McpOnly,
    /// Everything discoverable.
    All,
}

/// A tool of the session's registry.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredTool {
    /// The registered name.
    pub name: String,
    /// As the tool object says.
    #[serde(default)]
    pub load_mode: Option<LoadMode>,
    /// Stages previews.
    #[serde(default)]
    pub deferrable: bool,
    /// The server of an MCP bridge tool; absent for all others.
    #[serde(default)]
    pub mcp_server: Option<String>,
}

/// The tools of a session, in registration order.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Registry {
    tools: Vec<RegisteredTool>,
}

impl Registry {
    /// All tools.
    #[must_use]
    pub fn tools(&self) -> &[RegisteredTool] {
        &self.tools
    }

    /// The tool that a name means: the same spelling, else the same without case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&RegisteredTool> {
        let name = name.trim();
        self.tools.iter().find(|tool| tool.name == name).or_else(|| {
            let name = name.to_lowercase();
            self.tools.iter().find(|tool| tool.name.to_lowercase() == name)
        })
    }

    /// Whatever stages previews brings `resolve` with it.
    pub(super) fn add_resolve(&self, active: &mut Vec<String>) {
        let is_deferrable = |name: &String| self.find(name).is_some_and(|tool| tool.deferrable);
        if active.iter().any(is_deferrable)
            && let Some(resolve) = self.find("resolve")
        {
            push(active, &resolve.name);
        }
    }
}

/// The input of the split; see `InitialPartitionInput` of the public types.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PartitionInput {
    /// The session's registry, in order.
    pub registry: Registry,
    /// Settings.
    pub snapshot: Snapshot,
    /// Absent: everything; an empty list is a list.
    pub tool_names: Option<Vec<String>>,
    /// Always in the initial set.
    pub custom_tool_names: Vec<String>,
    /// Never hidden.
    pub always_active_tool_names: Vec<String>,
    /// Absent: every discoverable tool may be restored.
    pub discoverable_tool_allowed_names: Option<Vec<String>>,
    /// Tools of extensions.
    pub extension_tool_names: Vec<String>,
    /// Extension tools that wait to be asked for.
    pub default_inactive_tool_names: Vec<String>,
    /// MCP tools that a plugin needs.
    pub mandatory_mcp_tool_names: Vec<String>,
    /// MCP tools that the caller configured by hand.
    pub exact_mcp_config: Option<ExactMcpConfig>,
    /// Selections of an earlier session.
    pub persisted: Persisted,
}

/// MCP tools that the caller configured by hand.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExactMcpConfig {
    /// Their names.
    pub tool_names: Vec<String>,
}

/// Selections of an earlier session; absent is not the same as empty.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Persisted {
    /// MCP tools.
    pub mcp: Option<Vec<String>>,
    /// Builtin tools.
    pub builtins: Option<Vec<String>>,
}

/// The result of the split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Partition {
    /// What is hidden.
    pub mode: DiscoveryMode,
    /// Active names, in the order they are sent.
    pub active: Vec<String>,
    /// MCP tools among them that were selected; empty where discovery is off.
    pub selected_mcp: Vec<String>,
    /// Discoverable builtins among them that were selected.
    pub selected_builtins: Vec<String>,
    /// Builtins that are active without any selection.
    pub baseline_builtins: Vec<String>,
}

/// A question about the mode.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModeInput {
    /// Settings.
    pub snapshot: Snapshot,
    /// The caller configured MCP tools by hand.
    pub has_exact_mcp_config: bool,
}

/// The discovery mode of a session.
pub fn discovery_mode(input: &ModeInput) -> Result<DiscoveryMode> {
    Ok(mode_of(&input.snapshot.settings, input.has_exact_mcp_config))
}

pub(super) fn mode_of(settings: &Settings, has_exact_mcp_config: bool) -> DiscoveryMode {
    match settings.text("tools.discoveryMode").as_str() {
        "all" => DiscoveryMode::All,
        "mcp-only" => DiscoveryMode::McpOnly,
        _ if has_exact_mcp_config || settings.get("mcp.discoveryMode") == true => DiscoveryMode::McpOnly,
        _ => DiscoveryMode::Off,
    }
}

/// Splits a registry.
pub fn partition_tools(input: &PartitionInput) -> Result<Partition> {
    let split = Split { input, mode: mode_of(&input.snapshot.settings, input.exact_mcp_config.is_some()) };
    let mut active = split.requested();
    let selected_mcp =
        if split.mode == DiscoveryMode::Off { Vec::new() } else { split.hide_mcp(&mut active) };
    split.add_custom(&mut active);
    let selected_builtins =
        if split.mode == DiscoveryMode::All { split.hide_discoverable(&mut active)? } else { Vec::new() };
    let is_builtin = |name: &&String| registry::find(name).is_some() && !selected_builtins.contains(name);
    let baseline_builtins = active.iter().filter(is_builtin).cloned().collect();
    split.add_companions(&mut active);
    Ok(Partition { mode: split.mode, active, selected_mcp, selected_builtins, baseline_builtins })
}

struct Split<'a> {
    input: &'a PartitionInput,
    mode: DiscoveryMode,
}

impl Split<'_> {
    fn registered(&self, names: &[String]) -> Vec<String> {
        let mut found = Vec::new();
        names
            .iter()
            .filter_map(|name| self.input.registry.find(name))
            .for_each(|tool| push(&mut found, &tool.name));
        found
    }

    /// core.md 3.2
    fn requested(&self) -> Vec<String> {
        let Some(names) = &self.input.tool_names else {
            let inactive = self.registered(&self.input.default_inactive_tool_names);
            let names = self.input.registry.tools().iter().map(|tool| tool.name.clone());
            return names.filter(|name| !inactive.contains(name)).collect();
        };
        let mut requested = self.registered(names);
        if self.input.snapshot.settings.truthy("goal.enabled")
            && let Some(goal) = self.input.registry.find("goal")
        {
            push(&mut requested, &goal.name);
        }
        requested
    }

    /// core.md 3.4: takes MCP tools out and puts the selected ones back; returns these.
    fn hide_mcp(&self, active: &mut Vec<String>) -> Vec<String> {
        active.retain(|name| self.server_of(name).is_none());
        let is_mcp = |name: &String| self.server_of(name).is_some();
        let named: Vec<String> = self.registered(self.input.tool_names.as_deref().unwrap_or_default());
        let named: Vec<String> = named.into_iter().filter(is_mcp).collect();
        let selected = if let Some(persisted) = &self.input.persisted.mcp {
            self.registered(persisted).into_iter().filter(is_mcp).collect()
        } else if self.input.tool_names.as_ref().is_some_and(|names| names.is_empty() || !named.is_empty()) {
            named
        } else {
            self.default_mcp()
        };
        for name in &selected {
            push(active, name);
        }
        selected
    }

    /// Tools of the default servers, and those configured by hand.
    fn default_mcp(&self) -> Vec<String> {
        let servers = self.input.snapshot.settings.texts("mcp.discoveryDefaultServers");
        let exact = self.input.exact_mcp_config.as_ref().map(|config| self.registered(&config.tool_names));
        let exact = exact.unwrap_or_default();
        let wanted = |tool: &&RegisteredTool| {
            tool.mcp_server
                .as_ref()
                .is_some_and(|server| servers.contains(server) || exact.contains(&tool.name))
        };
        self.input.registry.tools().iter().filter(wanted).map(|tool| tool.name.clone()).collect()
    }

    /// core.md 3.5
    fn add_custom(&self, active: &mut Vec<String>) {
        let inactive = self.registered(&self.input.default_inactive_tool_names);
        let mandatory = self.registered(&self.input.mandatory_mcp_tool_names);
        let custom = self.registered(&self.input.custom_tool_names);
        let extensions = self.registered(&self.input.extension_tool_names);
        let extensions = extensions.into_iter().filter(|name| !inactive.contains(name));
        let hidden = |name: &String| self.mode != DiscoveryMode::Off && self.server_of(name).is_some();
        let wanted = custom.into_iter().chain(extensions).filter(|name| !hidden(name)).chain(mandatory);
        wanted.for_each(|name| push(active, &name));
    }

    /// core.md 3.6: takes discoverable tools out and puts the selected ones back; returns these.
    fn hide_discoverable(&self, active: &mut Vec<String>) -> Result<Vec<String>> {
        let essential = self.essential()?;
        let always = self.registered(&self.input.always_active_tool_names);
        let is_discoverable = |name: &String| {
            self.input.registry.find(name).is_some_and(|tool| tool.load_mode == Some(LoadMode::Discoverable))
        };
        active.retain(|name| !is_discoverable(name) || always.contains(name) || essential.contains(name));
        let chosen = match (&self.input.persisted.builtins, &self.input.tool_names) {
            (Some(persisted), _) => self.registered(persisted),
            (None, Some(names)) => self.registered(names),
            (None, None) => Vec::new(),
        };
        let allowed =
            self.input.discoverable_tool_allowed_names.as_deref().map(|names| self.registered(names));
        let is_allowed = |name: &String| allowed.as_ref().is_none_or(|allowed| allowed.contains(name));
        let selected = chosen
            .into_iter()
            .filter(|name| is_discoverable(name) && !active.contains(name) && is_allowed(name));
        let selected: Vec<String> = selected.collect();
        for name in &selected {
            push(active, name);
        }
        Ok(selected)
    }

    fn essential(&self) -> Result<Vec<String>> {
        let mut names = essential_names(&self.input.snapshot)?.names;
        if self.input.snapshot.settings.truthy("task.eager") {
            names.push("task".into());
        }
        Ok(self.registered(&names))
    }

    /// core-better.md S3: under an explicit list companions follow their base, and whatever stages previews brings
    /// `resolve` with it.
    fn add_companions(&self, active: &mut Vec<String>) {
        let named = normalize(self.input.tool_names.as_deref().unwrap_or_default());
        for (base, companion, setting) in COMPANIONS {
            let follows =
                named.iter().any(|name| name == base) && self.input.snapshot.settings.truthy(setting);
            if follows && let Some(tool) = self.input.registry.find(companion) {
                push(active, &tool.name);
            }
        }
        self.input.registry.add_resolve(active);
    }

    fn server_of(&self, name: &str) -> Option<&str> {
        self.input.registry.find(name).and_then(|tool| tool.mcp_server.as_deref())
    }
}

pub(super) fn push(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}
