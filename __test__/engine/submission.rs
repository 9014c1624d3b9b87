//! `yield`: what counts as a result, and schemas in both languages.

use gajae_tool_core::engine::exec::parse_value;
use gajae_tool_core::engine::exec::submission::{run, to_json_schema};
use serde_json::{Value, json};

fn submit(result: Value, schema: Value, mismatches: u32) -> (String, Value) {
    let facts = parse_value(&json!({"outputSchema": schema, "mismatches": mismatches})).unwrap();
    match run(&parse_value(&json!({ "result": result })).unwrap(), &facts) {
        Ok(decision) => {
            let (_, details, is_error) = decision.outcome.receipt();
            let status = details["status"].as_str().unwrap_or_default();
            (format!("{status}{}", if is_error { " error" } else { "" }), details.into())
        }
        Err(error) => (error.code().to_owned(), error.fields()),
    }
}

fn check(result: Value, schema: Value, expected: &str) {
    assert_eq!(submit(result.clone(), schema.clone(), 0).0, expected, "{result} {schema}");
}

#[test]
fn a_result_is_either_data_or_error() {
    check(json!({"data": 0}), Value::Null, "success");
    check(json!({"data": {"a": 1}, "error": 5}), Value::Null, "success");
    check(json!({"error": "no"}), json!({"type": "object"}), "aborted");
    for bad in [
        json!({}),
        json!({"data": null}),
        json!([1]),
        json!("done"),
        json!({"data": 1, "error": "x"}),
        Value::Null,
    ] {
        check(bad, Value::Null, "yield_bad_result");
    }
}

#[test]
fn data_is_judged_by_either_language_also_as_text() {
    let wanted = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]});
    let definition =
        json!({"properties": {"ok": {"type": "boolean"}}, "optionalProperties": {"n": {"type": "uint8"}}});
    let as_text = |schema: &Value| Value::from(schema.to_string());
    for schema in [as_text(&wanted), wanted, as_text(&definition), definition] {
        check(json!({"data": {"ok": true}}), schema.clone(), "success");
        check(json!({"data": {}}), schema, "yield_schema_mismatch");
    }
}

#[test]
fn a_schema_that_is_none_lets_everything_pass() {
    for schema in [json!("no json"), json!(5), json!({"type": "nonsense"}), json!("")] {
        check(json!({"data": 1}), schema, "success");
    }
}

#[test]
fn retries_are_bounded_and_nothing_is_lost() {
    let schema = json!({"type": "string"});
    assert_eq!(submit(json!({"data": 1}), schema.clone(), 0).1["retries_left"], 1);
    assert_eq!(submit(json!({"data": 1}), schema.clone(), 1).1["retries_left"], 0);
    let (status, details) = submit(json!({"data": {"a": [1]}}), schema.clone(), 2);
    assert_eq!(status, "aborted error");
    assert_eq!(details["refusedData"], json!({"a": [1]}));
    assert_eq!(details["notices"][0]["issues"][0]["path"], "data");
    assert_eq!(submit(json!({"data": "x"}), schema, 2).0, "success");
}

#[test]
fn type_definitions_become_schemas() {
    for (definition, schema) in [
        (json!({"elements": {"type": "string"}}), json!({"type": "array", "items": {"type": "string"}})),
        (
            json!({"values": {"enum": ["a"]}}),
            json!({"type": "object", "additionalProperties": {"enum": ["a"]}}),
        ),
        (
            json!({"type": "uint8", "nullable": true}),
            json!({"anyOf": [{"type": "integer", "minimum": 0, "maximum": 255}, {"type": "null"}]}),
        ),
        (
            json!({"definitions": {"n": {"elements": {"ref": "n"}}}, "ref": "n"}),
            json!({"$ref": "#/$defs/n", "$defs": {"n": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}),
        ),
        (
            json!({"discriminator": "t", "mapping": {"a": {"properties": {"x": {}}}}}),
            json!({"anyOf": [{"type": "object", "properties": {"x": {}, "t": {"const": "a"}}, "required": ["x", "t"], "additionalProperties": false}]}),
        ),
    ] {
        assert_eq!(to_json_schema(&definition), Some(schema), "{definition}");
    }
    for schema in [
        json!({"type": "object", "properties": {}}),
        json!({"type": "string"}),
        json!(true),
        json!({"$schema": "x", "properties": {}}),
    ] {
        assert_eq!(to_json_schema(&schema), None, "{schema}");
    }
}
