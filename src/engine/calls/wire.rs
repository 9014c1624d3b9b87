//! Schemas as providers take them. Only what is sent is changed here; calls are judged by the schema as it was written.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::schema::each_node;
use super::upgrade::upgrade;

/// The property in which a model says why it calls.
pub const INTENT_FIELD: &str = "_i";

const INTENT_TEXT: &str =
    "What this call is for, in a few words, such as \"finding where the timeout is set\"";

/// Bounds that converters give to every integer.
const SAFE_INTEGER: i64 = (1 << 53) - 1;

/// How deep unions may be nested in a root that is flattened; ends those that contain themselves.
const MOST_NESTED: usize = 8;

/// Nodes that are looked at for a flat root: forms that refer to one another multiply.
const MOST_LOOKED_AT: usize = 2_000;

/// The wire form of a schema: draft 2020-12, an object at the root. `converted` schemas come from a validation library
/// and lose what its converter adds; for a `flat` one the root is no union.
#[must_use]
pub fn wire(schema: &Value, converted: bool, flat: bool) -> Value {
    let mut wire = upgrade(schema).into_owned();
    if converted {
        if let Value::Object(root) = &mut wire {
            root.shift_remove("$schema");
        }
        each_node(&mut wire, &mut clean_converted);
    }
    each_node(&mut wire, &mut |node| {
        if node.as_object().is_some_and(Map::is_empty) {
            *node = Value::Bool(true);
        }
    });
    let Value::Object(mut root) = wire else { return json!({"type": "object", "properties": {}}) };
    if flat && ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|keyword| root.contains_key(*keyword)) {
        root = flattened(&root);
    }
    if root.get("type").is_some_and(|kind| kind == "object") && !root.contains_key("properties") {
        root.insert("properties".into(), json!({}));
    }
    Value::Object(root)
}

fn clean_converted(node: &mut Value) {
    let Value::Object(node) = node else { return };
    if node.get("type").is_some_and(|kind| kind == "integer") {
        for (keyword, bound) in [("minimum", -SAFE_INTEGER), ("maximum", SAFE_INTEGER)] {
            if node.get(keyword).and_then(Value::as_i64) == Some(bound) {
                node.shift_remove(keyword);
            }
        }
    }
    let properties = node.get("properties").cloned().unwrap_or_default();
    if let Some(Value::Array(required)) = node.get_mut("required") {
        required.retain(|key| key.as_str().is_none_or(|key| properties[key].get("default").is_none()));
        if required.is_empty() {
            node.shift_remove("required");
        }
    }
}

/// The keys that the forms of a schema have together.
#[derive(Default)]
struct Shape {
    properties: Map<String, Value>,
    required: BTreeSet<String>,
}

impl Shape {
    fn add(&mut self, key: &str, schema: &Value, both: &str) {
        match self.properties.get_mut(key) {
            None => {
                self.properties.insert(key.to_owned(), schema.clone());
            }
            Some(there) if there == schema => {}
            Some(there) => match there.get_mut(both).and_then(Value::as_array_mut) {
                Some(forms) if forms.contains(schema) => {}
                Some(forms) => forms.push(schema.clone()),
                None => *there = json!({both: [there.take(), schema]}),
            },
        }
    }
}

fn flattened(root: &Map<String, Value>) -> Map<String, Value> {
    let Shape { properties, required } =
        shape(root, &Value::Object(root.clone()), MOST_NESTED, &mut MOST_LOOKED_AT.clone());
    let gone =
        ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "type", "properties", "required"];
    let mut flat =
        Map::from_iter([("type".to_owned(), json!("object")), ("properties".to_owned(), properties.into())]);
    if !required.is_empty() {
        flat.insert("required".into(), required.into_iter().collect());
    }
    flat.extend(
        root.iter()
            .filter(|(keyword, _)| !gone.contains(&keyword.as_str()))
            .map(|(k, v)| (k.clone(), v.clone())),
    );
    flat
}

fn shape(root: &Map<String, Value>, node: &Value, depth: usize, left: &mut usize) -> Shape {
    let mut shape_ = Shape::default();
    if depth == 0 || *left == 0 {
        return shape_;
    }
    *left -= 1;
    if let Some(properties) = node.get("properties").and_then(Value::as_object) {
        properties.iter().for_each(|(key, schema)| shape_.add(key, schema, "allOf"));
    }
    let required = node.get("required").and_then(Value::as_array).into_iter().flatten();
    shape_.required.extend(required.filter_map(Value::as_str).map(str::to_owned));
    let branches = |keyword: &str| node.get(keyword).and_then(Value::as_array).into_iter().flatten();
    for branch in branches("allOf").chain(target(root, node)) {
        let branch = shape(root, branch, depth - 1, left);
        branch.properties.iter().for_each(|(key, schema)| shape_.add(key, schema, "allOf"));
        shape_.required.extend(branch.required);
    }
    for keyword in ["anyOf", "oneOf"] {
        let mut common: Option<BTreeSet<String>> = None;
        for branch in branches(keyword) {
            let branch = shape(root, branch, depth - 1, left);
            branch.properties.iter().for_each(|(key, schema)| shape_.add(key, schema, "anyOf"));
            common = Some(match common {
                None => branch.required,
                Some(common) => common.intersection(&branch.required).cloned().collect(),
            });
        }
        shape_.required.extend(common.unwrap_or_default());
    }
    shape_
}

/// What a node refers to within the same document.
fn target<'root>(root: &'root Map<String, Value>, node: &Value) -> Option<&'root Value> {
    let pointer = node.get("$ref")?.as_str()?.strip_prefix("#/")?;
    let mut parts = pointer.split('/').map(|part| part.replace("~1", "/").replace("~0", "~"));
    let first = root.get(&parts.next()?)?;
    parts.try_fold(first, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        other => other.get(&part),
    })
}

/// The schema with the intent field in front; `None` where the arguments are no object.
#[must_use]
pub fn inject_intent(schema: &Value, required: bool) -> Option<Value> {
    let schema = schema.as_object()?;
    let is_object = schema.get("type").map_or(schema.contains_key("properties"), |kind| kind == "object");
    if !is_object {
        return None;
    }
    let mut properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let field = properties.shift_remove(INTENT_FIELD);
    let field = field.unwrap_or_else(|| json!({"type": "string", "description": INTENT_TEXT}));
    let properties: Map<String, Value> =
        [(INTENT_FIELD.to_owned(), field)].into_iter().chain(properties).collect();

    let mut injected = schema.clone();
    injected.insert("properties".into(), properties.into());
    let listed = schema.get("required").and_then(Value::as_array);
    let mut names: Vec<Value> =
        listed.into_iter().flatten().filter(|name| name.is_string()).cloned().collect();
    if required && !names.iter().any(|name| name == INTENT_FIELD) {
        names.push(INTENT_FIELD.into());
    }
    if listed.is_some() || required {
        injected.insert("required".into(), names.into());
    }
    Some(injected.into())
}
