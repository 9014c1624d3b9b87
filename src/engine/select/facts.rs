//! What a decision is made on.

use std::collections::HashMap;

use serde::Deserialize;

use crate::engine::files;
use crate::engine::settings::Settings;

/// Settings, session and host at one moment.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Snapshot {
    /// The `select` group of settings.
    pub settings: Settings,
    /// Keys that were set by someone, as opposed to having a default.
    pub explicit: Vec<String>,
    /// What the session object offers.
    pub session: SessionFacts,
    /// What the host is.
    pub host: HostFacts,
}

/// What the session object offers.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct SessionFacts {
    /// There is an interface.
    pub has_ui: bool,
    /// The session may open workflow gates.
    pub workflow_gate_eligible: bool,
    /// The gate emitter callback returned a value.
    pub has_gate_emitter: bool,
    /// Python is taken to be there without looking.
    pub skip_python_preflight: bool,
    /// Absent counts as true.
    pub enable_lsp: Option<bool>,
    /// The session must end with `yield`.
    pub require_yield_tool: bool,
    /// 0 for a session that no task started.
    pub task_depth: f64,
    /// Unknown names are an error.
    pub strict_tool_names: bool,
    /// Number of skills.
    pub skill_count: usize,
    /// `sendCustomMessage` is there.
    pub can_send_messages: bool,
    /// `agentRegistry` is there.
    pub has_agent_registry: bool,
    /// `getAgentId` is there.
    pub has_agent_id: bool,
    /// All three discovery hooks are there.
    pub has_discovery_hooks: bool,
}

/// What the host is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HostFacts {
    /// As Node names it: `linux`, `darwin`, `win32`.
    pub platform: String,
    /// As Node names it: `x64`, `arm64`.
    pub arch: String,
    /// The variables that gates and eval read.
    pub env: HashMap<String, String>,
    /// The search path of programs.
    pub path: String,
    /// Answers the host gave itself; they win over `path`.
    pub programs: HashMap<String, bool>,
}

/// Programs that selection may ask for.
pub const PROGRAMS: &[&str] = &["gh", "python3", "python"];

/// Environment variables that selection reads.
pub const VARIABLES: &[&str] = &["CLAUDE_CODE_DISABLE_CRON", "GJC_PY", "PI_PY", "PI_JS"];

impl Snapshot {
    /// Whether a key was set by someone.
    #[must_use]
    pub fn is_explicit(&self, key: &str) -> bool {
        self.explicit.iter().any(|explicit| explicit == key)
    }
}

impl HostFacts {
    /// Whether a program can be started; looked up anew each time.
    #[must_use]
    pub fn has_program(&self, name: &str) -> bool {
        self.programs.get(name).copied().unwrap_or_else(|| files::lookup(name, &self.path).is_some())
    }
}
