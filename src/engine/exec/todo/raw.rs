//! A look at arguments before anything repairs them. A repair drops names that it does not know, and a list changed half
//! as meant is worse than one that is not changed.

use serde_json::{Map, Value};

const OPERATION: [&str; 6] = ["op", "list", "task", "phase", "items", "text"];
const ENTRY: [&str; 2] = ["phase", "items"];

/// Why the arguments cannot be meant; none where they may be, or where their types are to be judged first.
#[must_use]
pub fn refusal(arguments: &Value) -> Option<String> {
    let root = arguments.as_object()?;
    unknown(root, "", &["ops"]).or_else(|| each(root.get("ops"), "ops", operation))
}

fn operation(operation: &Map<String, Value>, path: &str) -> Option<String> {
    let names = |key: &str| operation.get(key).and_then(Value::as_str).is_some_and(|name| !name.is_empty());
    let settles = matches!(operation.get("op").and_then(Value::as_str), Some("done" | "drop"));
    unknown(operation, &format!("{path}."), &OPERATION)
        .or_else(|| {
            let entry = |entry: &Map<String, Value>, path: &str| unknown(entry, &format!("{path}."), &ENTRY);
            each(operation.get("list"), &format!("{path}.list"), entry)
        })
        .or_else(|| {
            let lacks = settles && !names("task") && !names("phase");
            lacks.then(|| format!("`{path}` names neither a `task` nor a `phase`"))
        })
}

fn each(
    list: Option<&Value>,
    path: &str,
    judge: impl Fn(&Map<String, Value>, &str) -> Option<String>,
) -> Option<String> {
    let items = list?.as_array()?.iter().enumerate();
    items
        .filter_map(|(index, item)| Some((index, item.as_object()?)))
        .find_map(|(index, item)| judge(item, &format!("{path}[{index}]")))
}

fn unknown(object: &Map<String, Value>, path: &str, known: &[&str]) -> Option<String> {
    let key = object.keys().find(|key| !known.contains(&key.as_str()))?;
    Some(format!("`{path}{key}` is unknown"))
}
