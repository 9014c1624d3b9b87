//! What a model reads about each tool of this package: a description (Markdown) and a JSON Schema beside it.

use serde::Serialize;

use crate::engine::tool::ToolTexts;

/// Includes `texts/NAME.md` and `texts/NAME.json`.
macro_rules! texts_of {
    ($name:literal) => {
        (include_str!(concat!("texts/", $name, ".md")), include_str!(concat!("texts/", $name, ".json")))
    };
}

/// Description and parameters of a tool of this package.
///
/// # Panics
/// Never: a test parses every schema.
#[must_use]
pub fn texts(name: &str) -> Option<ToolTexts> {
    let (description, parameters) = match name {
        "read" => texts_of!("read"),
        "bash" => texts_of!("bash"),
        "edit" => texts_of!("edit"),
        "find" => texts_of!("find"),
        "search" => texts_of!("search"),
        "search_tool_bm25" => texts_of!("search_tool_bm25"),
        "write" => texts_of!("write"),
        "resolve" => texts_of!("resolve"),
        _ => return None,
    };
    let parameters = serde_json::from_str(parameters).expect("the schemas are JSON");
    Some(ToolTexts { description: description.trim(), parameters })
}

/// What a model reads about `edit` in one of its modes.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EditTexts {
    /// Description and parameters.
    #[serde(flatten)]
    pub texts: ToolTexts,
    /// For providers that take free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_format: Option<CustomFormat>,
}

/// The grammar of a tool that takes free text.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CustomFormat {
    /// The language of the grammar.
    pub syntax: &'static str,
    /// The grammar.
    pub definition: &'static str,
}

/// What a model reads about `edit` in a mode.
///
/// # Panics
/// Never: a test parses every schema.
#[must_use]
pub fn edit_texts(mode: &str) -> EditTexts {
    let lark = |definition| Some(CustomFormat { syntax: "lark", definition });
    let ((description, parameters), custom_format) = match mode {
        "hashline" => (texts_of!("edit/hashline"), lark(include_str!("texts/edit/hashline.lark"))),
        _ => (texts_of!("edit"), None),
    };
    let parameters = serde_json::from_str(parameters).expect("the schemas are JSON");
    EditTexts { texts: ToolTexts { description: description.trim(), parameters }, custom_format }
}
