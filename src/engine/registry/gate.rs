//! When a tool is offered, as data; `select` evaluates it against a snapshot.

/// Checked by name, before a factory is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Offered always.
    Always,
    /// A setting is on.
    Setting(&'static str),
    /// The session has a language server and the setting is on.
    Lsp,
    /// JavaScript is allowed, or Python is allowed and there.
    Eval,
    /// macOS on arm64, and not switched off.
    Computer,
    /// The session may start tasks of its own.
    TaskDepth,
    /// No `yield` is required and the setting is on.
    Todo,
    /// Discovery is on.
    Discovery,
}

/// What a factory needs beyond the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// The same as the gate.
    Gate,
    /// A person to ask: an interface, an eligible workflow gate, or an emitter of one.
    Person,
    /// A program on the search path.
    Program(&'static str),
    /// `enableLsp` is not false.
    Lsp,
    /// Not inside a task.
    TopLevel,
    /// The environment does not forbid scheduled prompts.
    Cron,
    /// The gate, and an agent registry with an own id.
    Agents,
    /// Discovery is on and the session has its three hooks.
    DiscoveryHooks,
    /// A message bridge and at least one skill.
    Skills,
}
