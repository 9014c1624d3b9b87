//! Files that describe a tool and cannot be one: JSON, and Markdown with front matter. Never competes with a module.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::package::read_json;
use crate::engine::files::read_regular;

/// Why nothing is loaded from such a file.
pub const REFUSAL: &str = "it describes a tool but is none: a tool is a JavaScript or TypeScript module";

/// A description for people and models is shorter.
const BYTES: u64 = 256 * 1024;

/// What a file says about a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// Whose it is, where that is not the name of the file.
    pub name: Option<String>,
    /// For interfaces.
    pub label: Option<String>,
    /// For the model.
    pub description: Option<String>,
}

/// Reads a file of either form. What cannot be read says nothing.
pub fn read(path: &Path) -> Metadata {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if is_json { from_json(path) } else { from_markdown(path) }
}

fn from_json(path: &Path) -> Metadata {
    let value = read_json(path).ok().flatten().unwrap_or_default();
    let text = |key: &str| value.get(key).and_then(Value::as_str).and_then(some_text);
    Metadata { name: text("name"), label: text("label"), description: text("description") }
}

fn from_markdown(path: &Path) -> Metadata {
    let Ok((bytes, _)) = read_regular(path, &path.to_string_lossy(), BYTES) else {
        return Metadata::default();
    };
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let text = text.trim_start_matches('\u{FEFF}');
    let (front, body) = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"))
        .map_or(("", text), |(front, rest)| (front, rest.split_once('\n').map_or("", |(_, body)| body)));
    let value = |key: &str| front.lines().find_map(|line| scalar(line, key));
    Metadata {
        name: value("name"),
        label: value("label"),
        description: value("description").or_else(|| some_text(body)),
    }
}

/// The value of `key: value`, quotes taken off. Front matter of tools has no other form.
fn scalar(line: &str, key: &str) -> Option<String> {
    let value = line.strip_prefix(key)?.trim_start().strip_prefix(':')?.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    some_text(quoted.unwrap_or(value))
}

fn some_text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
