//! One snapshot of the host's settings, read once for each call, and the only table of their defaults.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Settings by dotted key. What the host did not give has the default of [`default_of`].
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Settings {
    values: Map<String, Value>,
}

impl Settings {
    /// A snapshot of given values.
    #[must_use]
    pub fn new(values: Map<String, Value>) -> Self {
        Self { values }
    }

    /// The value of a key; an absent or null one is the default.
    #[must_use]
    pub fn get(&self, key: &str) -> Value {
        match self.values.get(key) {
            None | Some(Value::Null) => default_of(key),
            Some(value) => value.clone(),
        }
    }

    /// The truth of a value as JavaScript sees it.
    #[must_use]
    pub fn truthy(&self, key: &str) -> bool {
        match self.get(key) {
            Value::Null => false,
            Value::Bool(value) => value,
            Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
            Value::String(text) => !text.is_empty(),
            Value::Array(_) | Value::Object(_) => true,
        }
    }

    /// A finite number; anything else is the default.
    #[must_use]
    pub fn number(&self, key: &str) -> f64 {
        self.get(key).as_f64().or_else(|| default_of(key).as_f64()).unwrap_or(0.0)
    }

    /// A number of at least 0 as a whole count, rounded down.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0 and saturating"
    )]
    pub fn count(&self, key: &str) -> usize {
        self.number(key).max(0.0) as usize
    }

    /// A text; anything else is the default.
    #[must_use]
    pub fn text(&self, key: &str) -> String {
        match self.get(key) {
            Value::String(text) => text,
            _ => default_of(key).as_str().unwrap_or_default().to_owned(),
        }
    }

    /// The texts of a list; anything else is empty.
    #[must_use]
    pub fn texts(&self, key: &str) -> Vec<String> {
        let value = self.get(key);
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

/// A default of the settings table.
enum Default {
    Bool(bool),
    Number(f64),
    Text(&'static str),
    None,
}

/// The groups of keys that are read together, in the order of [`KEYS`].
pub const GROUPS: &[&str] =
    &["select", "read", "search", "find", "write", "edit", "ast_grep", "ast_edit", "bash", "spill", "yield"];

/// The groups of tools, each of which may change a file or put one right.
const ALL: &[&str] = &["read", "search", "find", "write", "edit", "ast_grep", "ast_edit", "bash"];

/// Those that show lines as `edit` wants them named, and `edit`.
const SHOWING: &[&str] = &["read", "search", "write", "edit", "ast_grep", "ast_edit"];

/// Key, default, and the groups that read it.
const KEYS: &[(&str, Default, &[&str])] = &[
    // Selection.
    ("tools.discoveryMode", Default::Text("all"), &["select"]),
    ("tools.essentialOverride", Default::None, &["select"]),
    ("mcp.discoveryMode", Default::Bool(false), &["select"]),
    ("mcp.discoveryDefaultServers", Default::None, &["select"]),
    ("astGrep.enabled", Default::Bool(true), &["select"]),
    ("astEdit.enabled", Default::Bool(true), &["select"]),
    ("renderMermaid.enabled", Default::Bool(false), &["select"]),
    ("debug.enabled", Default::Bool(true), &["select"]),
    ("eval.py", Default::Bool(true), &["select"]),
    ("eval.js", Default::Bool(true), &["select"]),
    ("calc.enabled", Default::Bool(false), &["select"]),
    ("github.enabled", Default::Bool(false), &["select"]),
    ("find.enabled", Default::Bool(true), &["select"]),
    ("search.enabled", Default::Bool(true), &["select"]),
    ("lsp.enabled", Default::Bool(true), &["select"]),
    ("browser.enabled", Default::Bool(true), &["select"]),
    ("computer.enabled", Default::Bool(false), &["select"]),
    ("computer.alwaysOn", Default::Bool(false), &["select"]),
    ("checkpoint.enabled", Default::Bool(false), &["select"]),
    ("task.maxRecursionDepth", Default::Number(2.0), &["select"]),
    ("task.eager", Default::Bool(false), &["select"]),
    ("recipe.enabled", Default::Bool(true), &["select"]),
    ("irc.enabled", Default::Bool(true), &["select"]),
    ("todo.enabled", Default::Bool(true), &["select"]),
    ("web_search.enabled", Default::Bool(true), &["select"]),
    ("skill.enabled", Default::Bool(true), &["select"]),
    ("goal.enabled", Default::Bool(true), &["select"]),
    // Executors. Budgets named KiB are in KiB.
    ("readHashLines", Default::Bool(true), &["read", "search", "write", "ast_grep", "ast_edit"]),
    ("readLineNumbers", Default::Bool(false), &["read", "search"]),
    ("edit.mode", Default::Text("hashline"), SHOWING),
    ("edit.modelVariants", Default::None, SHOWING),
    ("read.defaultLimit", Default::Number(300.0), &["read"]),
    ("read.receiptBudgetLines", Default::Number(50.0), &["read"]),
    ("read.receiptBudgetBytes", Default::Number(10.0), &["read"]),
    ("read.truncation", Default::Text("last"), &["read"]),
    ("read.summarize.enabled", Default::Bool(true), &["read"]),
    ("read.summarize.prose", Default::Bool(false), &["read"]),
    ("read.summarize.minBodyLines", Default::Number(4.0), &["read"]),
    ("read.summarize.minCommentLines", Default::Number(6.0), &["read"]),
    ("read.summaryMaxBytes", Default::Number(20.0), &["read"]),
    ("images.autoResize", Default::Bool(true), &["read"]),
    ("fetch.enabled", Default::Bool(true), &["read"]),
    ("tools.artifactSpillThreshold", Default::Number(50.0), &["spill"]),
    ("tools.readArtifactSpillThreshold", Default::Number(256.0), &["read", "spill"]),
    ("tools.outputMaxColumns", Default::Number(768.0), &["read", "bash"]),
    ("tools.artifactTailBytes", Default::None, &["bash", "spill"]),
    ("tools.artifactHeadBytes", Default::None, &["bash", "spill"]),
    ("tools.artifactTailLines", Default::Number(500.0), &["spill"]),
    ("tools.maxInlineResultBytes", Default::Number(0.0), &["spill"]),
    ("search.contextBefore", Default::Number(1.0), &["search"]),
    ("search.contextAfter", Default::Number(3.0), &["search"]),
    ("search.cache", Default::Bool(false), &["search"]),
    ("edit.fuzzyMatch", Default::Bool(true), &["edit"]),
    ("edit.fuzzyThreshold", Default::Number(0.95), &["edit"]),
    ("edit.hashlineAutoDropPureInsertDuplicates", Default::Bool(false), &["edit"]),
    ("edit.blockAutoGenerated", Default::Bool(true), &["write", "edit", "ast_edit"]),
    ("write.durable", Default::Bool(true), ALL),
    ("async.enabled", Default::Bool(false), &["bash"]),
    ("async.maxJobs", Default::Number(100.0), &["bash"]),
    ("bash.autoBackground.enabled", Default::Bool(false), &["bash"]),
    ("bash.autoBackground.thresholdMs", Default::Number(60_000.0), &["bash"]),
    ("bash.persistentSession", Default::Bool(false), &["bash"]),
    ("bash.stripTrailingHeadTail", Default::Bool(false), &["bash"]),
    ("yield.schemaRetries", Default::Number(2.0), &["yield"]),
    ("bashInterceptor.enabled", Default::Bool(false), &["bash"]),
    ("bashInterceptor.patterns", Default::None, &["bash"]),
];

/// The keys of a group, for the host's side of the snapshot.
#[must_use]
pub fn keys_of(group: &str) -> Vec<&'static str> {
    KEYS.iter().filter(|(_, _, groups)| groups.contains(&group)).map(|(key, _, _)| *key).collect()
}

/// The default of a key; null where there is none.
#[must_use]
pub fn default_of(key: &str) -> Value {
    match KEYS.iter().find(|(name, _, _)| *name == key).map(|(_, default, _)| default) {
        Some(Default::Bool(value)) => Value::Bool(*value),
        Some(Default::Number(value)) => Value::from(*value),
        Some(Default::Text(value)) => Value::from(*value),
        Some(Default::None) | None => Value::Null,
    }
}
