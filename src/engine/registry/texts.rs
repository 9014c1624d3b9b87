//! What a model reads about each tool of this package: a description (Markdown) and a JSON Schema beside it.

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
        "recipe" => texts_of!("recipe"),
        "search" => texts_of!("search"),
        "search_tool_bm25" => texts_of!("search_tool_bm25"),
        "write" => texts_of!("write"),
        "resolve" => texts_of!("resolve"),
        _ => return None,
    };
    let parameters = serde_json::from_str(parameters).expect("the schemas are JSON");
    Some(ToolTexts { description: description.trim(), parameters })
}
