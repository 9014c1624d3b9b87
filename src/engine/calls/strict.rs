//! Schemas in the form that providers enforce while a model writes: every object closed, every property required, what
//! may be absent nullable. Bounds are left out, since providers differ in which they know; calls are judged by the schema
//! as it was written, and a null in place of what may be absent is taken for its absence.

use serde_json::{Map, Value, json};

/// Words that say what a value is made of and that no strict form has. A schema that needs one has no such form.
const BEYOND: [&str; 10] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "patternProperties",
    "propertyNames",
    "prefixItems",
];

/// Words that are kept as they are.
const KEPT: [&str; 6] = ["type", "title", "description", "enum", "const", "$ref"];

/// The strict form of a wire schema. Absent where it has none: it takes open maps or any value, or its root is a union.
#[must_use]
pub fn strict(wire: &Value) -> Option<Value> {
    wire.get("type").filter(|kind| *kind == "object")?;
    form(wire)
}

fn form(schema: &Value) -> Option<Value> {
    let schema = schema.as_object()?;
    if BEYOND.iter().any(|word| schema.contains_key(*word)) {
        return None;
    }
    let mut form: Map<String, Value> =
        schema.iter().filter(|(word, _)| KEPT.contains(&word.as_str())).map(entry).collect();
    for (word, value) in schema {
        match word.as_str() {
            "items" => drop(form.insert("items".into(), self::form(value)?)),
            // Which branch fits is judged once the call is there.
            "anyOf" | "oneOf" => {
                let branches: Option<Vec<Value>> = value.as_array()?.iter().map(self::form).collect();
                form.insert("anyOf".into(), branches?.into());
            }
            "$defs" => {
                let named = |(name, schema): (&String, &Value)| Some((name.clone(), self::form(schema)?));
                let forms: Option<Map<String, Value>> = value.as_object()?.iter().map(named).collect();
                form.insert("$defs".into(), forms?.into());
            }
            _ => {}
        }
    }
    if takes(schema, "object") {
        close(schema, &mut form)?;
    }
    let says_something =
        ["type", "enum", "const", "$ref", "anyOf"].iter().any(|word| form.contains_key(*word));
    let is_open_list = takes(schema, "array") && !form.contains_key("items");
    (says_something && !is_open_list).then(|| form.into())
}

/// Closes an object and requires all its properties.
fn close(schema: &Map<String, Value>, form: &mut Map<String, Value>) -> Option<()> {
    let is_open = schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
    let properties = schema.get("properties").and_then(Value::as_object).filter(|_| !is_open)?;
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut closed = Map::new();
    for (name, schema) in properties {
        let property = self::form(schema)?;
        let property = if required.contains(&name.as_str()) { property } else { nullable(property) };
        closed.insert(name.clone(), property);
    }
    form.insert("required".into(), closed.keys().cloned().collect());
    form.insert("properties".into(), closed.into());
    form.insert("additionalProperties".into(), Value::Bool(false));
    Some(())
}

/// The same values and null.
fn nullable(mut form: Value) -> Value {
    let nothing = json!({"type": "null"});
    if let Some(branches) = form.get_mut("anyOf").and_then(Value::as_array_mut) {
        if !branches.contains(&nothing) {
            branches.push(nothing);
        }
        return form;
    }
    let is_plain = form.get("const").is_none() && form.get("$ref").is_none();
    let Some(kinds) = form.get_mut("type").filter(|_| is_plain) else {
        return json!({"anyOf": [form, nothing]});
    };
    match kinds {
        Value::Array(kinds) if kinds.iter().any(|kind| kind == "null") => {}
        Value::Array(kinds) => kinds.push("null".into()),
        kind => *kind = json!([kind.take(), "null"]),
    }
    if let Some(values) = form.get_mut("enum").and_then(Value::as_array_mut)
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    form
}

/// Whether values of a kind may fit.
fn takes(schema: &Map<String, Value>, wanted: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == wanted),
        kind => kind.is_some_and(|kind| kind == wanted),
    }
}

fn entry((word, value): (&String, &Value)) -> (String, Value) {
    (word.clone(), value.clone())
}
