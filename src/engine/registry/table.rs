//! The two tables. Order is part of the contract.

use super::gate::{Condition, Gate};
use crate::engine::tool::LoadMode::{self, Discoverable, Essential};
use crate::engine::tool::Owner::{self, Host, Package};
use crate::engine::tool::{Concurrency, ToolSpec};

/// A row: the tool, its gate, and what its factory needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Identity.
    pub spec: ToolSpec,
    /// Checked by name.
    pub gate: Gate,
    /// Checked before the factory runs.
    pub condition: Condition,
}

/// A strict, shared tool; the builder-like functions below say what differs.
const fn tool(
    name: &'static str,
    label: &'static str,
    load_mode: LoadMode,
    owner: Owner,
    summary: &'static str,
) -> Entry {
    let spec = ToolSpec {
        name,
        label,
        summary,
        load_mode: Some(load_mode),
        concurrency: Concurrency::Shared,
        strict: Some(true),
        non_abortable: false,
        deferrable: false,
        hidden_flag: false,
        lenient_arg_validation: false,
        intent: None,
        owner,
        default_enabled: true,
    };
    Entry { spec, gate: Gate::Always, condition: Condition::Always }
}

impl Entry {
    const fn exclusive(mut self) -> Self {
        self.spec.concurrency = Concurrency::Exclusive;
        self
    }

    const fn non_abortable(mut self) -> Self {
        self.spec.non_abortable = true;
        self
    }

    const fn deferrable(mut self) -> Self {
        self.spec.deferrable = true;
        self
    }

    const fn intent(mut self, intent: &'static str) -> Self {
        self.spec.intent = Some(intent);
        self
    }

    const fn gate(mut self, gate: Gate) -> Self {
        self.gate = gate;
        self
    }

    const fn setting(self, key: &'static str) -> Self {
        self.gate(Gate::Setting(key))
    }

    const fn needs(mut self, condition: Condition) -> Self {
        self.condition = condition;
        self
    }

    /// Off in an untouched configuration.
    const fn off(mut self) -> Self {
        self.spec.default_enabled = false;
        self
    }

    /// Without load mode: the discovery split never hides the tool.
    const fn hidden(mut self, strict: Option<bool>) -> Self {
        self.spec.load_mode = None;
        self.spec.strict = strict;
        self
    }
}

/// `BUILTIN_TOOLS`.
pub const BUILTINS: &[Entry] = &[
    tool("read", "Read", Essential, Package, "").non_abortable(),
    tool("bash", "Bash", Essential, Package, "").exclusive(),
    tool("edit", "Edit", Essential, Package, "").exclusive().non_abortable(),
    tool("ast_grep", "AST Grep", Discoverable, Package, "Search code by its syntax tree instead of its text")
        .setting("astGrep.enabled"),
    tool(
        "ast_edit",
        "AST Edit",
        Discoverable,
        Package,
        "Rewrite code by its syntax tree, with a preview to apply or discard",
    )
    .deferrable()
    .setting("astEdit.enabled"),
    tool("render_mermaid", "RenderMermaid", Discoverable, Host, "Draw a Mermaid diagram")
        .setting("renderMermaid.enabled")
        .off(),
    tool("ask", "Ask", Discoverable, Host, "Ask the person a question and wait for the answer")
        .needs(Condition::Person),
    tool(
        "debug",
        "Debug",
        Discoverable,
        Host,
        "Run a program under a debugger: breakpoints, stepping, variables, memory",
    )
    .exclusive()
    .setting("debug.enabled")
    .needs(Condition::Gate),
    tool(
        "bisect",
        "Bisect",
        Discoverable,
        Host,
        "Find the commit that broke something by running a check on each half",
    )
    .intent("function"),
    tool(
        "eval",
        "Eval",
        Discoverable,
        Host,
        "Run Python or JavaScript cells in a kernel that keeps its state",
    )
    .exclusive()
    .intent("function")
    .gate(Gate::Eval),
    tool("calc", "Calc", Discoverable, Package, "Evaluate arithmetic exactly").setting("calc.enabled").off(),
    tool("ssh", "SSH", Discoverable, Host, "Run a command on a configured remote host").exclusive(),
    tool(
        "github",
        "GitHub",
        Discoverable,
        Host,
        "Work with pull requests, issues, searches and workflow runs on GitHub",
    )
    .setting("github.enabled")
    .needs(Condition::Program("gh"))
    .off(),
    tool("find", "Find", Discoverable, Package, "Find files by name or glob pattern, newest first")
        .setting("find.enabled"),
    tool("search", "Search", Discoverable, Package, "Search file contents with a regular expression")
        .setting("search.enabled"),
    tool(
        "lsp",
        "LSP",
        Discoverable,
        Host,
        "Ask a language server: definitions, references, diagnostics, rename",
    )
    .gate(Gate::Lsp)
    .needs(Condition::Lsp),
    tool("browser", "Browser", Discoverable, Host, "Open pages in a browser, read them and act on them")
        .setting("browser.enabled"),
    tool("computer", "Computer", Discoverable, Host, "See the screen and use mouse and keyboard")
        .gate(Gate::Computer)
        .needs(Condition::Gate),
    tool("checkpoint", "Checkpoint", Discoverable, Host, "Mark a point in the conversation to come back to")
        .intent("function")
        .setting("checkpoint.enabled")
        .needs(Condition::TopLevel)
        .off(),
    tool(
        "rewind",
        "Rewind",
        Discoverable,
        Host,
        "Go back to the last checkpoint with a report of what was learnt",
    )
    .intent("function")
    .setting("checkpoint.enabled")
    .needs(Condition::TopLevel)
    .off(),
    tool("task", "Task", Discoverable, Host, "Hand work to agents that run on their own")
        .gate(Gate::TaskDepth),
    tool("subagent", "Subagent", Discoverable, Host, "Watch, message, pause or stop running agents"),
    tool("job", "Job", Discoverable, Host, "List, poll or cancel background jobs"),
    tool(
        "monitor",
        "Monitor",
        Discoverable,
        Host,
        "Watch a command's output in the background and be told of events",
    ),
    tool("cron", "Cron", Discoverable, Host, "Schedule a prompt for later or at intervals")
        .needs(Condition::Cron),
    tool(
        "recipe",
        "Run",
        Discoverable,
        Package,
        "Run a task of the project: just, make, npm scripts, cargo and others",
    )
    .exclusive()
    .setting("recipe.enabled")
    .needs(Condition::Gate),
    tool("irc", "IRC", Discoverable, Host, "Exchange messages with other agents")
        .setting("irc.enabled")
        .needs(Condition::Agents),
    tool("todo_write", "Todo Write", Discoverable, Package, "Keep a list of tasks and their state")
        .exclusive()
        .gate(Gate::Todo),
    tool("web_search", "Web Search", Discoverable, Host, "Search the web").setting("web_search.enabled"),
    tool("search_tool_bm25", "SearchTools", Essential, Package, "")
        .gate(Gate::Discovery)
        .needs(Condition::DiscoveryHooks),
    tool("skill_discovery", "SkillDiscovery", Essential, Host, "Find skills that fit the work at hand")
        .setting("skill.enabled")
        .needs(Condition::Gate),
    tool("telegram_send", "Telegram Send", Discoverable, Host, "Send the person a message by Telegram"),
    tool("write", "Write", Discoverable, Package, "Create a file or replace its whole content")
        .exclusive()
        .non_abortable(),
    tool("skill", "Skill", Essential, Package, "Load a skill's instructions into the conversation")
        .setting("skill.enabled")
        .needs(Condition::Skills),
    tool("goal", "Goal", Essential, Package, "").intent("omit").setting("goal.enabled"),
];

/// `HIDDEN_TOOLS`.
pub const HIDDEN: &[Entry] = &[
    {
        let mut entry =
            tool("yield", "Submit Result", Essential, Package, "").hidden(Some(false)).intent("omit");
        entry.spec.lenient_arg_validation = true;
        entry
    },
    tool("report_finding", "Report Finding", Essential, Package, "").hidden(None).intent("omit"),
    {
        let mut entry =
            tool("resolve", "Resolve", Essential, Package, "").hidden(Some(true)).intent("function");
        entry.spec.hidden_flag = true;
        entry
    },
];
