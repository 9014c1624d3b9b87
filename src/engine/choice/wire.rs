//! How each provider is told: the value of its own field, and which tools the request may offer beside it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::request::{Choice, Target};

/// The form of a provider's tool choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `tool_choice` of Chat Completions.
    OpenAiCompletions,
    /// `tool_choice` of Responses.
    OpenAiResponses,
    /// `tool_choice` of Messages, as the word or object its client turns into `{type}`.
    Anthropic,
    /// `toolConfig.toolChoice` of Converse.
    Bedrock,
    /// `toolConfig.functionCallingConfig` of Gemini.
    Google,
    /// Ollama, which knows few words and may ignore them.
    Ollama,
    /// Servers with the words of `OpenAI` but no objects, such as llama.cpp and LM Studio.
    Words,
}

impl Dialect {
    /// Reads the name of a dialect.
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        Some(match name {
            "openai-completions" => Self::OpenAiCompletions,
            "openai-responses" => Self::OpenAiResponses,
            "anthropic" => Self::Anthropic,
            "bedrock" => Self::Bedrock,
            "google" => Self::Google,
            "ollama" => Self::Ollama,
            "words" => Self::Words,
            _ => return None,
        })
    }

    /// The dialect of an API.
    #[must_use]
    pub fn of_api(api: &str) -> Option<Self> {
        Some(match api {
            "openai-completions" => Self::OpenAiCompletions,
            "openai-responses" | "openai-codex-responses" | "azure-openai-responses" => Self::OpenAiResponses,
            "anthropic-messages" => Self::Anthropic,
            "bedrock-converse-stream" => Self::Bedrock,
            "google-generative-ai" | "google-gemini-cli" | "google-vertex" => Self::Google,
            "ollama-chat" => Self::Ollama,
            _ => return None,
        })
    }
}

/// The tools of a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tools {
    /// Their names.
    pub names: Vec<String>,
    /// Name → wire name of those with a format of their own.
    #[serde(default)]
    pub custom: HashMap<String, String>,
    /// The model takes tools in a format of their own.
    #[serde(default)]
    pub takes_freeform: bool,
    /// The conversation holds calls or results of tools.
    #[serde(default)]
    pub in_history: bool,
}

impl Tools {
    /// The name in this list that is meant: a tool's own, or its wire name.
    fn find(&self, wanted: &str) -> Option<&str> {
        let own = self.names.iter().find(|name| *name == wanted).map(String::as_str);
        own.or_else(|| self.custom.iter().find(|(_, wire)| *wire == wanted).map(|(name, _)| name.as_str()))
    }
}

/// What a request says.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Wire {
    /// The value of the provider's field; absent: the field is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<Value>,
    /// The only tool to offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// No tool is to be offered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_tools: bool,
}

impl Wire {
    fn field(value: Value) -> Self {
        Self { tool_choice: Some(value), ..Self::default() }
    }

    /// Lets the request offer one tool alone.
    #[must_use]
    pub fn narrowed(mut self, tool: &str) -> Self {
        self.only = Some(tool.to_owned());
        self
    }

    fn without_tools(mut self) -> Self {
        self.no_tools = true;
        self
    }
}

/// A choice in a dialect. With `tools`, a choice that they cannot meet is left out: a request without tools may not
/// have one, and a name that is not there is refused.
#[must_use]
pub fn map(dialect: Dialect, choice: &Choice, tools: Option<&Tools>) -> Wire {
    if tools.is_some_and(|tools| tools.names.is_empty()) {
        return Wire::default();
    }
    let missing = |target: &str| tools.is_some_and(|tools| tools.find(target).is_none());
    match choice {
        Choice::Auto => automatic(dialect),
        Choice::None => forbidden(dialect, tools.is_some_and(|tools| tools.in_history)),
        Choice::Any | Choice::Required => required(dialect),
        Choice::Tool(target) if missing(target.wire_name()) => Wire::default(),
        Choice::Tool(target) => named(dialect, target, tools),
    }
}

fn automatic(dialect: Dialect) -> Wire {
    match dialect {
        Dialect::Bedrock => Wire::field(json!({"auto": {}})),
        Dialect::Google => Wire::field(json!({"mode": "AUTO"})),
        Dialect::Ollama => Wire::default(),
        _ => Wire::field("auto".into()),
    }
}

fn forbidden(dialect: Dialect, in_history: bool) -> Wire {
    match dialect {
        // It has no word for it, and refuses a history with tool blocks in a request without tools.
        Dialect::Bedrock if in_history => Wire::default(),
        Dialect::Bedrock => Wire::default().without_tools(),
        Dialect::Google => Wire::field(json!({"mode": "NONE"})),
        // It accepts the word and may still call.
        Dialect::Ollama => Wire::field("none".into()).without_tools(),
        _ => Wire::field("none".into()),
    }
}

fn required(dialect: Dialect) -> Wire {
    match dialect {
        Dialect::Anthropic => Wire::field("any".into()),
        Dialect::Bedrock => Wire::field(json!({"any": {}})),
        Dialect::Google => Wire::field(json!({"mode": "ANY"})),
        _ => Wire::field("required".into()),
    }
}

fn named(dialect: Dialect, target: &Target, tools: Option<&Tools>) -> Wire {
    let name = target.wire_name();
    match dialect {
        Dialect::OpenAiCompletions => Wire::field(json!({"type": "function", "function": {"name": name}})),
        Dialect::OpenAiResponses => {
            Wire::field(match tools.and_then(|tools| custom_wire_name(tools, name)) {
                Some(wire_name) => json!({"type": "custom", "name": wire_name}),
                None => json!({"type": "function", "name": name}),
            })
        }
        Dialect::Anthropic => Wire::field(json!({"type": "tool", "name": name})),
        Dialect::Bedrock => Wire::field(json!({"tool": {"name": name}})),
        Dialect::Google => Wire::field(json!({"mode": "ANY", "allowedFunctionNames": [name]})),
        // No form for a name: the only tool there is must be the one that is called.
        Dialect::Ollama | Dialect::Words => {
            required(dialect).narrowed(tools.and_then(|tools| tools.find(name)).unwrap_or(name))
        }
    }
}

fn custom_wire_name<'tools>(tools: &'tools Tools, wanted: &str) -> Option<&'tools str> {
    let own = tools.find(wanted).filter(|_| tools.takes_freeform)?;
    tools.custom.get(own).map(String::as_str)
}

/// Whether a value forces a call: a request of ours, or a provider's field.
#[must_use]
pub fn is_forced(value: &Value) -> bool {
    match value {
        Value::String(word) => matches!(word.as_str(), "any" | "required" | "ANY"),
        Value::Object(fields) => match fields.get("mode").or_else(|| fields.get("type")) {
            Some(Value::String(word)) => {
                !matches!(word.as_str(), "auto" | "none" | "AUTO" | "NONE" | "VALIDATED")
            }
            _ => fields.contains_key("any") || fields.contains_key("tool"),
        },
        _ => false,
    }
}
