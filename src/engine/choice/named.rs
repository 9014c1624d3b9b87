//! Asking for one tool by name, in the shape of an API.

use super::request::{Choice, Shape};
use super::resolve::{Resolution, resolve};
use super::support::{Source, Support};

/// A named request and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedChoice {
    /// What is asked for.
    pub request: Choice,
    /// What becomes of it.
    pub resolution: Resolution,
    /// The model will call exactly this tool.
    pub exact: bool,
}

/// Asks for a tool by name; nothing for an API that cannot be asked.
#[must_use]
pub fn name_tool(api: &str, tool_name: &str, support: (Support, Source)) -> Option<NamedChoice> {
    let request = match api {
        "anthropic-messages" | "bedrock-converse-stream" => Choice::tool(Shape::Tool, tool_name),
        "openai-completions"
        | "openai-responses"
        | "openai-codex-responses"
        | "azure-openai-responses"
        | "ollama-chat" => Choice::tool(Shape::Function, tool_name),
        // These know no named shape. Their wire map can still restrict a named choice to one tool.
        "google-generative-ai" | "google-gemini-cli" | "google-vertex" => Choice::Required,
        _ => return None,
    };
    let resolution = resolve(support, Some(&request));
    let exact = request.target() == Some(tool_name) && resolution.level == Support::Named;
    Some(NamedChoice { request, resolution, exact })
}
