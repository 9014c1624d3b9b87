//! What a caller asks for.

use serde::{Deserialize, Serialize};

use super::support::Support;
use crate::engine::error::{Result, ToolError};

/// A tool choice as callers write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The model decides.
    Auto,
    /// No call.
    None,
    /// Some call; the word Anthropic uses.
    Any,
    /// Some call; the word the others use.
    Required,
    /// A call of one tool.
    Tool(Target),
}

/// The type of a named choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// `{type: tool, name}`
    Tool,
    /// `{type: function, name}` or `{type: function, function: {name}}`
    Function,
}

/// A named choice. At least one of its names is there, and none is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its type.
    pub shape: Shape,
    name: Option<String>,
    function_name: Option<String>,
}

impl Target {
    /// The tool that is meant.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().or(self.function_name.as_deref()).unwrap_or_default()
    }

    /// The name that goes to a provider: where both are given, the nested one.
    #[must_use]
    pub fn wire_name(&self) -> &str {
        self.function_name.as_deref().unwrap_or_else(|| self.name())
    }
}

#[derive(Deserialize)]
struct Object {
    #[serde(rename = "type")]
    shape: Shape,
    name: Option<String>,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
}

impl Choice {
    /// Reads the JSON text of one of the four words or of an object. Nothing for what is no tool choice.
    #[must_use]
    pub fn read(json: &str) -> Option<Self> {
        match json {
            "\"auto\"" => Some(Self::Auto),
            "\"none\"" => Some(Self::None),
            "\"any\"" => Some(Self::Any),
            "\"required\"" => Some(Self::Required),
            _ => Self::read_object(json),
        }
    }

    /// The same, with an error that names `argument`.
    pub fn require(json: &str, argument: &str) -> Result<Self> {
        Self::read(json).ok_or_else(|| {
            let expected =
                "expected auto, none, any, required, or an object of type tool or function with a name";
            ToolError::argument(argument, format!("{expected}, got `{json}`"))
        })
    }

    /// The choice of one tool, in a shape.
    #[must_use]
    pub fn tool(shape: Shape, name: &str) -> Self {
        Self::Tool(Target { shape, name: Some(name.to_owned()), function_name: None })
    }

    fn read_object(json: &str) -> Option<Self> {
        let Object { shape, name, function } = serde_json::from_str(json).ok()?;
        let filled = |name: &String| !name.is_empty();
        let name = name.filter(filled);
        let function_name = function.and_then(|function| function.name).filter(filled);
        let named = name.is_some() || function_name.is_some();
        named.then_some(Self::Tool(Target { shape, name, function_name }))
    }

    /// The support it takes to honour this.
    #[must_use]
    pub fn level(&self) -> Support {
        match self {
            Self::Auto => Support::Auto,
            Self::None => Support::None,
            Self::Any | Self::Required => Support::Required,
            Self::Tool(_) => Support::Named,
        }
    }

    /// The tool that is meant.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Tool(target) => Some(target.name()),
            _ => None,
        }
    }
}
