//! Older spellings of JSON Schema as draft 2020-12. Names of properties are never taken for keywords.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

/// The dialect that everything is written in.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What stands under a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// One schema.
    Schema,
    /// A list of schemas.
    List,
    /// Schemas by name.
    Map,
    /// Plain data, never a schema.
    Data,
    /// Not a keyword; references may point to schemas below.
    Unknown,
}

/// The role of a keyword.
pub(super) fn role(keyword: &str) -> Role {
    match keyword {
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => Role::Map,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Role::List,
        "not"
        | "if"
        | "then"
        | "else"
        | "items"
        | "additionalItems"
        | "additionalProperties"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contains"
        | "propertyNames"
        | "contentSchema" => Role::Schema,
        "const" | "default" | "enum" | "example" | "examples" | "required" | "dependentRequired" | "type" => {
            Role::Data
        }
        _ => Role::Unknown,
    }
}

/// A schema in draft 2020-12; borrowed if it is already.
#[must_use]
pub fn upgrade(schema: &Value) -> Cow<'_, Value> {
    let upgraded = upgrade_value(schema);
    if upgraded == *schema { Cow::Borrowed(schema) } else { Cow::Owned(upgraded) }
}

fn upgrade_value(schema: &Value) -> Value {
    match schema {
        Value::Object(node) => upgrade_node(node),
        other => other.clone(),
    }
}

/// What stands under a keyword that keeps its name.
fn upgrade_below(keyword: &str, value: &Value) -> Value {
    match (role(keyword), value) {
        (Role::Schema | Role::Unknown, Value::Object(_)) => upgrade_value(value),
        (Role::List, Value::Array(branches)) => branches.iter().map(upgrade_value).collect(),
        (Role::Map, Value::Object(named)) => {
            Value::Object(named.iter().map(|(name, schema)| (name.clone(), upgrade_value(schema))).collect())
        }
        _ => value.clone(),
    }
}

fn upgrade_node(old: &Map<String, Value>) -> Value {
    let mut new = Map::new();
    let mut nullable = false;
    for (keyword, value) in old {
        match (keyword.as_str(), value) {
            ("nullable", Value::Bool(may)) => nullable = *may,
            ("definitions" | "$defs", Value::Object(_)) => {
                merge_map(&mut new, "$defs", upgrade_below(keyword, value));
            }
            ("items", Value::Array(tuple)) => upgrade_tuple(&mut new, tuple, old.get("additionalItems")),
            // Without a tuple it says nothing.
            ("additionalItems", _) => {}
            ("dependencies", Value::Object(dependencies)) => upgrade_dependencies(&mut new, dependencies),
            ("exclusiveMinimum", Value::Bool(excluded)) => {
                upgrade_bound(&mut new, old, *excluded, "minimum", keyword);
            }
            ("exclusiveMaximum", Value::Bool(excluded)) => {
                upgrade_bound(&mut new, old, *excluded, "maximum", keyword);
            }
            ("minimum", _) if excludes(old, "exclusiveMinimum") => {}
            ("maximum", _) if excludes(old, "exclusiveMaximum") => {}
            ("$schema", Value::String(uri)) if is_older_dialect(uri) => {
                new.insert(keyword.clone(), DIALECT.into());
            }
            ("$recursiveRef", Value::String(target)) => {
                new.entry("$ref").or_insert_with(|| target.clone().into());
            }
            ("$ref", Value::String(target)) => {
                new.insert(keyword.clone(), upgrade_reference(target).into());
            }
            ("dependentSchemas", Value::Object(_)) => {
                merge_map(&mut new, keyword, upgrade_below(keyword, value));
            }
            _ => {
                new.insert(keyword.clone(), upgrade_below(keyword, value));
            }
        }
    }
    Value::Object(if nullable { allow_null(new) } else { new })
}

/// Adds to a keyword that holds schemas by name.
fn merge_map(new: &mut Map<String, Value>, keyword: &str, more: Value) {
    match (new.get_mut(keyword), more) {
        (Some(Value::Object(there)), Value::Object(more)) => {
            for (name, schema) in more {
                match there.remove(&name) {
                    // Two that stand under one name must both hold.
                    Some(first) if keyword == "dependentSchemas" => {
                        there.insert(name, json!({"allOf": [first, schema]}))
                    }
                    Some(first) => there.insert(name, first),
                    None => there.insert(name, schema),
                };
            }
        }
        (_, more) => {
            new.insert(keyword.to_owned(), more);
        }
    }
}

fn upgrade_tuple(new: &mut Map<String, Value>, tuple: &[Value], rest: Option<&Value>) {
    new.insert("prefixItems".into(), tuple.iter().map(upgrade_value).collect());
    if let Some(rest) = rest.filter(|rest| **rest != Value::Bool(true)) {
        new.insert("items".into(), upgrade_value(rest));
    }
}

fn upgrade_dependencies(new: &mut Map<String, Value>, dependencies: &Map<String, Value>) {
    for (name, dependency) in dependencies {
        let Value::Array(names) = dependency else {
            merge_map(new, "dependentSchemas", json!({name: upgrade_value(dependency)}));
            continue;
        };
        let required = new.entry("dependentRequired").or_insert_with(|| json!({}));
        let Value::Object(required) = required else { continue };
        let Value::Array(there) = required.entry(name).or_insert_with(|| json!([])) else { continue };
        for name in names {
            if !there.contains(name) {
                there.push(name.clone());
            }
        }
    }
}

/// An exclusive bound of draft 4 stood beside the bound as a flag.
fn upgrade_bound(
    new: &mut Map<String, Value>,
    old: &Map<String, Value>,
    excluded: bool,
    bound: &str,
    keyword: &str,
) {
    if let Some(limit) = old.get(bound).filter(|limit| excluded && limit.is_number()) {
        new.insert(keyword.to_owned(), limit.clone());
    }
}

fn excludes(old: &Map<String, Value>, keyword: &str) -> bool {
    old.get(keyword) == Some(&Value::Bool(true))
}

fn is_older_dialect(uri: &str) -> bool {
    uri.contains("json-schema.org/") && uri.trim_end_matches('#') != DIALECT
}

/// A reference into the same document follows the keywords that got new names.
fn upgrade_reference(target: &str) -> String {
    let Some(pointer) = target.strip_prefix("#/") else { return target.to_owned() };
    let mut parts: Vec<&str> = pointer.split('/').collect();
    let mut index = 0;
    while index < parts.len() {
        let keyword = parts[index];
        let is_tuple =
            keyword == "items" && parts.get(index + 1).is_some_and(|next| next.parse::<usize>().is_ok());
        match keyword {
            "definitions" => parts[index] = "$defs",
            "dependencies" => parts[index] = "dependentSchemas",
            "items" if is_tuple => parts[index] = "prefixItems",
            "additionalItems" => parts[index] = "items",
            _ => {}
        }
        // A name or a place in a list is no keyword.
        index += if matches!(role(keyword), Role::Map | Role::List) || is_tuple || keyword == "dependencies" {
            2
        } else {
            1
        };
    }
    format!("#/{}", parts.join("/"))
}

/// What stays outside of a schema that is wrapped: it describes the place or is pointed to.
const OUTSIDE: [&str; 8] =
    ["$schema", "$id", "$anchor", "$defs", "title", "description", "default", "deprecated"];

fn allow_null(mut node: Map<String, Value>) -> Map<String, Value> {
    let is_union = node.contains_key("anyOf");
    match (node.get_mut("type"), is_union) {
        (Some(Value::Array(types)), _) => {
            if !types.iter().any(|kind| kind == "null") {
                types.push("null".into());
            }
        }
        (Some(kind), _) => {
            if kind != "null" {
                *kind = json!([kind.take(), "null"]);
            }
        }
        (None, true) => {
            if let Some(Value::Array(branches)) = node.get_mut("anyOf")
                && !branches.iter().any(|branch| branch["type"] == "null")
            {
                branches.push(json!({"type": "null"}));
            }
        }
        (None, false) => {
            let (outside, inside): (Map<_, _>, Map<_, _>) =
                node.into_iter().partition(|(keyword, _)| OUTSIDE.contains(&keyword.as_str()));
            node = outside;
            if !inside.is_empty() {
                node.insert("anyOf".into(), json!([inside, {"type": "null"}]));
            }
        }
    }
    node
}
