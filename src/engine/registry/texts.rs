//! What a model reads about each tool of this package: a description (Markdown) and a JSON Schema beside it.

use crate::engine::tool::{Grammar, ToolTexts};

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
        "ast_grep" => texts_of!("ast_grep"),
        "ast_edit" => texts_of!("ast_edit"),
        "find" => texts_of!("find"),
        "recipe" => texts_of!("recipe"),
        "search" => texts_of!("search"),
        "search_tool_bm25" => texts_of!("search_tool_bm25"),
        "write" => texts_of!("write"),
        "resolve" => texts_of!("resolve"),
        "calc" => texts_of!("calc"),
        "goal" => texts_of!("goal"),
        "report_finding" => texts_of!("report_finding"),
        "skill" => texts_of!("skill"),
        "todo_write" => texts_of!("todo_write"),
        "yield" => texts_of!("yield"),
        _ => return None,
    };
    let parameters = serde_json::from_str(parameters).expect("the schemas are JSON");
    Some(ToolTexts {
        description: description.trim(),
        parameters,
        custom_format: None,
        custom_wire_name: None,
    })
}

/// The description of `bash`, whose first point is what becomes of directories, variables and functions.
#[must_use]
pub fn bash_description(keeps_state: bool) -> String {
    let fresh = include_str!("texts/bash.md").trim();
    let first_point = fresh.lines().find(|line| line.starts_with("- ")).filter(|_| keeps_state);
    let kept = include_str!("texts/bash/persistent.md").trim();
    first_point.map_or_else(|| fresh.to_owned(), |point| fresh.replacen(point, kept, 1))
}

/// Description and parameters of `edit` in a mode, and the grammar where the mode has one. A mode that has no texts yet
/// takes what `replace` takes.
///
/// # Panics
/// Never: a test parses every schema.
#[must_use]
pub fn edit_texts(mode: &str) -> Option<ToolTexts> {
    let ((description, parameters), grammar, custom_wire_name) = match mode {
        "patch" => (texts_of!("edit/patch"), None, None),
        "apply_patch" => (
            texts_of!("edit/apply_patch"),
            Some(include_str!("texts/edit/apply_patch.lark")),
            Some("apply_patch"),
        ),
        "hashline" => (texts_of!("edit/hashline"), Some(include_str!("texts/edit/hashline.lark")), None),
        "vim" => (texts_of!("edit/vim"), None, None),
        _ => return texts("edit"),
    };
    let parameters = serde_json::from_str(parameters).expect("the schemas are JSON");
    let custom_format = grammar.map(|definition| Grammar { syntax: "lark", definition });
    Some(ToolTexts { description: description.trim(), parameters, custom_format, custom_wire_name })
}
