//! Evaluates the gates and conditions of the registry (core.md 2.3).

use serde::Deserialize;

use super::eval::allowance;
use super::facts::{SessionFacts, Snapshot};
use super::partition::{DiscoveryMode, mode_of};
use crate::engine::error::{Result, ToolError};
use crate::engine::registry::{self, Condition, Entry, Gate};

/// A question about one factory.
#[derive(Debug, Clone, Deserialize)]
pub struct FactoryInput {
    /// The tool.
    pub name: String,
    /// The facts.
    pub snapshot: Snapshot,
}

/// Whether a tool's own condition lets its factory build it; the gate is not consulted.
pub fn factory_allowed(input: &FactoryInput) -> Result<bool> {
    let entry = registry::find(&input.name)
        .ok_or_else(|| ToolError::UnknownTool { names: vec![input.name.clone()] })?;
    Ok(condition_holds(entry, &input.snapshot))
}

/// Whether the gate is open. `eval_wanted`: the call asks for `eval`, by name or by asking for everything.
pub(super) fn gate_open(entry: &Entry, snapshot: &Snapshot, eval_wanted: bool) -> bool {
    let Snapshot { settings, session, .. } = snapshot;
    match entry.gate {
        Gate::Always => true,
        Gate::Setting(key) => settings.truthy(key),
        Gate::Lsp => session.enable_lsp.unwrap_or(true) && settings.truthy("lsp.enabled"),
        Gate::Eval => eval_allowed(snapshot, eval_wanted),
        Gate::Computer => computer_on(snapshot),
        Gate::TaskDepth => {
            let most = settings.number("task.maxRecursionDepth");
            most < 0.0 || session.task_depth < most
        }
        Gate::Todo => !session.require_yield_tool && settings.truthy("todo.enabled"),
        Gate::Discovery => mode_of(settings, false) != DiscoveryMode::Off,
    }
}

/// Whether the factory's own condition holds.
pub(super) fn condition_holds(entry: &Entry, snapshot: &Snapshot) -> bool {
    let Snapshot { settings, session, host, .. } = snapshot;
    match entry.condition {
        Condition::Always => true,
        Condition::Gate => gate_open(entry, snapshot, true),
        Condition::Person => has_person(session),
        Condition::Program(name) => host.has_program(name),
        Condition::Lsp => session.enable_lsp.unwrap_or(true),
        Condition::TopLevel => session.task_depth == 0.0,
        Condition::Cron => host.env.get("CLAUDE_CODE_DISABLE_CRON").is_none_or(|value| value != "1"),
        Condition::Agents => {
            gate_open(entry, snapshot, true) && session.has_agent_registry && session.has_agent_id
        }
        Condition::DiscoveryHooks => {
            mode_of(settings, false) != DiscoveryMode::Off && session.has_discovery_hooks
        }
        Condition::Skills => session.can_send_messages && session.skill_count > 0,
    }
}

fn has_person(session: &SessionFacts) -> bool {
    session.has_ui || session.workflow_gate_eligible || session.has_gate_emitter
}

/// Python is looked for only where the answer matters.
fn eval_allowed(snapshot: &Snapshot, eval_wanted: bool) -> bool {
    let allowed = allowance(snapshot);
    if allowed.js || !allowed.python {
        return allowed.js;
    }
    let has_python = || ["python3", "python"].iter().any(|name| snapshot.host.has_program(name));
    snapshot.session.skip_python_preflight || (eval_wanted && has_python())
}

fn computer_on(snapshot: &Snapshot) -> bool {
    if snapshot.host.platform != "darwin" || snapshot.host.arch != "arm64" {
        return false;
    }
    let on = |key| snapshot.settings.truthy(key);
    if on("computer.enabled") || snapshot.is_explicit("computer.enabled") {
        return on("computer.enabled");
    }
    !snapshot.is_explicit("computer.alwaysOn") || on("computer.alwaysOn")
}
