//! Schemas in the form that providers enforce.

use gajae_tool_core::engine::calls::strict::strict;
use serde_json::{Value, json};

fn check(schema: &Value, expected: &Value) {
    assert_eq!(strict(schema), Some(expected.clone()).filter(|expected| !expected.is_null()), "{schema}");
}

fn object(properties: &Value, required: &Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

#[test]
fn what_may_be_absent_is_nullable() {
    let text = json!({"type": "string"});
    check(
        &json!({"type": "object", "properties": {"a": text, "b": text}, "required": ["a"]}),
        &object(&json!({"a": text, "b": {"type": ["string", "null"]}}), &json!(["a", "b"])),
    );
    for (schema, form) in [
        (json!({"type": "string", "enum": ["x"]}), json!({"type": ["string", "null"], "enum": ["x", null]})),
        (json!({"type": ["integer", "null"]}), json!({"type": ["integer", "null"]})),
        (json!({"const": 1}), json!({"anyOf": [{"const": 1}, {"type": "null"}]})),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": ["array", "null"], "items": {"type": "string"}}),
        ),
    ] {
        check(
            &json!({"type": "object", "properties": {"a": schema}}),
            &object(&json!({"a": form}), &json!(["a"])),
        );
    }
}

#[test]
fn bounds_are_left_to_the_judge_of_calls() {
    check(
        &json!({
            "type": "object", "minProperties": 1, "required": ["a"],
            "properties": {"a": {"type": "integer", "minimum": 1, "default": 2, "description": "d"}},
        }),
        &object(&json!({"a": {"type": "integer", "description": "d"}}), &json!(["a"])),
    );
}

#[test]
fn references_stay() {
    let node = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": []});
    let form =
        object(&json!({"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}), &json!(["next"]));
    let mut expected = object(&json!({"first": {"$ref": "#/$defs/node"}}), &json!(["first"]));
    expected["$defs"] = json!({"node": form});
    check(
        &json!({"type": "object", "properties": {"first": {"$ref": "#/$defs/node"}}, "required": ["first"], "$defs": {"node": node}}),
        &expected,
    );
}

#[test]
fn what_takes_anything_has_no_strict_form() {
    let with = |schema: Value| json!({"type": "object", "properties": {"a": schema}});
    for schema in [
        json!(true),
        json!({"type": "string"}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}, "additionalProperties": true}),
        with(json!(true)),
        with(json!({"description": "anything"})),
        with(json!({"type": "array"})),
        with(json!({"type": "object", "additionalProperties": {"type": "string"}})),
        with(json!({"allOf": [{"type": "string"}]})),
    ] {
        check(&schema, &Value::Null);
    }
}
