//! JSON Type Definition (RFC 8927), read as JSON Schema.

use serde_json::{Map, Value, json};

/// Types that JSON Schema does not have.
const OWN_TYPES: [&str; 9] =
    ["timestamp", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32"];
/// Keywords that JSON Schema does not have.
const OWN_KEYWORDS: [&str; 6] =
    ["elements", "values", "optionalProperties", "discriminator", "mapping", "ref"];
/// Deeper definitions are left alone.
const DEPTH: usize = 64;

/// The JSON Schema of a type definition; none if it is no type definition.
#[must_use]
pub fn to_json_schema(schema: &Value) -> Option<Value> {
    let root = schema.as_object()?;
    if !is_type_definition(root) {
        return None;
    }
    let mut converted = convert(schema, DEPTH)?;
    if let (Some(Value::Object(definitions)), Value::Object(converted)) =
        (root.get("definitions"), &mut converted)
    {
        let definitions = convert_each(definitions, DEPTH)?;
        converted.insert("$defs".to_owned(), definitions.into());
    }
    Some(converted)
}

fn is_type_definition(schema: &Map<String, Value>) -> bool {
    if schema.contains_key("$schema") {
        return false;
    }
    OWN_KEYWORDS.iter().any(|keyword| schema.contains_key(*keyword))
        || schema.get("type").and_then(Value::as_str).is_some_and(|name| OWN_TYPES.contains(&name))
        // JSON Schema would say `type: object` beside it, and which of them are required.
        || (schema.contains_key("properties") && !schema.contains_key("type") && !schema.contains_key("required"))
}

fn convert(schema: &Value, depth: usize) -> Option<Value> {
    let schema = schema.as_object()?;
    let depth = depth.checked_sub(1)?;
    let converted = form(schema, depth)?;
    Some(if schema.get("nullable") == Some(&Value::Bool(true)) {
        json!({ "anyOf": [converted, { "type": "null" }] })
    } else {
        converted
    })
}

fn form(schema: &Map<String, Value>, depth: usize) -> Option<Value> {
    if let Some(name) = schema.get("ref") {
        return Some(json!({ "$ref": format!("#/$defs/{}", name.as_str()?) }));
    }
    if let Some(name) = schema.get("type") {
        return named_type(name.as_str()?);
    }
    if let Some(values) = schema.get("enum") {
        return Some(json!({ "enum": values }));
    }
    if let Some(elements) = schema.get("elements") {
        return Some(json!({ "type": "array", "items": convert(elements, depth)? }));
    }
    if let Some(values) = schema.get("values") {
        return Some(json!({ "type": "object", "additionalProperties": convert(values, depth)? }));
    }
    if let Some(tag) = schema.get("discriminator") {
        let tag = tag.as_str()?;
        let mapping = schema.get("mapping")?.as_object()?;
        let variant =
            |(value, schema): (&String, &Value)| tagged(schema.as_object()?, Some((tag, value)), depth);
        return Some(json!({ "anyOf": mapping.iter().map(variant).collect::<Option<Vec<_>>>()? }));
    }
    if schema.contains_key("properties") || schema.contains_key("optionalProperties") {
        return tagged(schema, None, depth);
    }
    Some(json!({}))
}

/// An object, with the tag that tells it from others.
fn tagged(schema: &Map<String, Value>, tag: Option<(&str, &str)>, depth: usize) -> Option<Value> {
    let part = |key: &str| match schema.get(key) {
        None => Some(Map::new()),
        Some(part) => convert_each(part.as_object()?, depth),
    };
    let mut properties = part("properties")?;
    if let Some((tag, value)) = tag {
        properties.insert(tag.to_owned(), json!({ "const": value }));
    }
    let required: Vec<_> = properties.keys().cloned().collect();
    properties.extend(part("optionalProperties")?);
    let open = schema.get("additionalProperties") == Some(&Value::Bool(true));
    Some(
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": open }),
    )
}

fn convert_each(schemas: &Map<String, Value>, depth: usize) -> Option<Map<String, Value>> {
    schemas.iter().map(|(name, schema)| Some((name.clone(), convert(schema, depth)?))).collect()
}

fn named_type(name: &str) -> Option<Value> {
    let whole = |least: i64, most: i64| json!({ "type": "integer", "minimum": least, "maximum": most });
    Some(match name {
        "timestamp" => json!({ "type": "string", "format": "date-time" }),
        "float32" | "float64" => json!({ "type": "number" }),
        "int8" => whole(-128, 127),
        "uint8" => whole(0, 255),
        "int16" => whole(-32_768, 32_767),
        "uint16" => whole(0, 65_535),
        "int32" => whole(-2_147_483_648, 2_147_483_647),
        "uint32" => whole(0, 4_294_967_295),
        // Those of JSON Schema, too: models mix the languages.
        "boolean" | "string" | "object" | "array" | "number" | "integer" | "null" => json!({ "type": name }),
        _ => return None,
    })
}
