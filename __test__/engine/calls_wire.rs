//! Schemas as providers take them.

use gajae_tool_core::engine::calls::wire::{inject_intent, wire};
use serde_json::{Value, json};

fn check(schema: Value, flat: bool, expected: Value) {
    assert_eq!(wire(&schema, false, flat).to_string(), expected.to_string(), "{schema}");
}

#[test]
fn the_root_is_an_object_with_properties() {
    let empty = json!({"type": "object", "properties": {}});
    check(json!({}), false, empty.clone());
    check(json!(true), false, empty.clone());
    check(json!({"type": "object"}), false, empty);
    check(
        json!({"type": "object", "properties": {"a": {}}}),
        false,
        json!({"type": "object", "properties": {"a": true}}),
    );
}

#[test]
fn a_union_at_the_root_is_flattened_for_providers() {
    let union = json!({"anyOf": [
        {"type": "object", "properties": {"a": {"type": "string"}, "k": {"const": 1}}, "required": ["a", "k"]},
        {"$ref": "#/$defs/B"},
    ], "$defs": {"B": {"type": "object", "properties": {"b": {"type": "integer"}, "k": {"const": 2}}, "required": ["b", "k"]}}});
    check(union.clone(), false, union.clone());
    let k = json!({"anyOf": [{"const": 1}, {"const": 2}]});
    let properties = json!({"a": {"type": "string"}, "k": k, "b": {"type": "integer"}});
    check(
        union.clone(),
        true,
        json!({"type": "object", "properties": properties, "required": ["k"], "$defs": union["$defs"]}),
    );
}

#[test]
fn a_root_that_contains_itself_is_flattened_too() {
    let flat = wire(
        &json!({"anyOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"properties": {"a": {}}}]}}}),
        false,
        true,
    );
    assert_eq!(flat["type"], "object");
    assert!(flat.get("anyOf").is_none() && flat["properties"].get("a").is_some(), "{flat}");
}

#[test]
fn what_a_converter_adds_is_taken_out() {
    let converted = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": -9_007_199_254_740_991_i64, "maximum": 9, "default": 1}},
        "required": ["n"],
    });
    let expected =
        json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 9, "default": 1}}});
    assert_eq!(wire(&converted, true, false), expected);
}

#[test]
fn the_intent_field_comes_first() {
    let schema =
        json!({"type": "object", "properties": {"a": {}, "_i": {"type": "number"}}, "required": ["a", 3]});
    let injected = inject_intent(&schema, true).unwrap_or_default();
    assert_eq!(injected["required"], json!(["a", "_i"]));
    assert_eq!(injected["properties"].to_string(), json!({"_i": {"type": "number"}, "a": {}}).to_string());
    assert_eq!(inject_intent(&json!({"type": "array"}), true), None);
    assert_eq!(inject_intent(&json!(true), true), None);
}
