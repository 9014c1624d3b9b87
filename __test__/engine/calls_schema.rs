//! Schemas of any origin: older drafts, broken ones, and what is said of values that do not fit.

use std::time::{Duration, Instant};

use gajae_tool_core::engine::calls::{Schema, upgrade};
use serde_json::{Value, json};

fn check_upgrade(old: Value, new: Value) {
    assert_eq!(*upgrade(&old), new, "{old}");
}

/// The faults of a value, each as `path: message`.
fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let path = |path| serde_json::to_string(path).unwrap_or_default();
    Schema::compile(schema)
        .issues(value)
        .iter()
        .map(|issue| format!("{}: {}", path(&issue.path), issue.message))
        .collect()
}

fn check_fault(schema: Value, value: Value, path: &str, words: &[&str]) {
    let faults = faults(&schema, &value);
    let [fault] = &faults[..] else { panic!("{schema} {value}: {faults:?}") };
    assert!(fault.starts_with(path), "{fault}");
    for word in words {
        assert!(fault.contains(word), "{fault} lacks {word}");
    }
}

fn accepts(schema: Value, value: Value) -> bool {
    Schema::compile(&schema).accepts(&value)
}

#[test]
fn older_drafts_are_upgraded() {
    check_upgrade(
        json!({"minimum": 1, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false}),
        json!({"exclusiveMinimum": 1, "maximum": 5}),
    );
    check_upgrade(
        json!({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}, "dependentRequired": {"a": ["e"]}}),
        json!({"dependentRequired": {"a": ["e"]}, "dependentSchemas": {"c": {"required": ["d"]}}}),
    );
    check_upgrade(
        json!({"$ref": "#/$defs/A", "nullable": true, "$defs": {"A": {}}, "description": "d"}),
        json!({"$defs": {"A": {}}, "description": "d", "anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}),
    );
    check_upgrade(
        json!({"items": [{"$ref": "#/items/1"}, {}], "definitions": {"items": {"$ref": "#/definitions/items"}}}),
        json!({"prefixItems": [{"$ref": "#/prefixItems/1"}, {}], "$defs": {"items": {"$ref": "#/$defs/items"}}}),
    );
}

#[test]
fn property_names_are_no_keywords() {
    let schema = json!({
        "properties": {"definitions": {"type": "object"}, "nullable": {"type": "boolean"}, "default": {"type": "string"}},
        "$ref": "#/properties/definitions",
    });
    check_upgrade(schema.clone(), schema);
    check_upgrade(
        json!({"properties": {"enum": {"type": "string", "nullable": true}}}),
        json!({"properties": {"enum": {"type": ["string", "null"]}}}),
    );
}

#[test]
fn broken_parts_refuse_and_say_so() {
    let of = |part: Value| json!({"type": "object", "properties": {"p": part}});
    let value = json!({"p": "x"});
    check_fault(of(json!({"type": "date"})), value.clone(), "[\"p\"]", &["schema", "date"]);
    check_fault(of(json!({"$ref": "#/$defs/Q"})), value.clone(), "[\"p\"]", &["schema", "#/$defs/Q"]);
    check_fault(
        of(json!({"$ref": "https://x.example/y"})),
        value.clone(),
        "[\"p\"]",
        &["https://x.example/y"],
    );
    check_fault(of(json!({"pattern": "("})), value.clone(), "[\"p\"]", &["pattern"]);
    check_fault(of(json!({"pattern": "((a{100}){100}){100}"})), value.clone(), "[\"p\"]", &["pattern"]);
    check_fault(of(json!("string")), value.clone(), "[\"p\"]", &["schema"]);
    check_fault(json!({"patternProperties": {"[": {}}}), value.clone(), "[]", &["schema"]);
    check_fault(json!({"$id": "no uri %%"}), value.clone(), "[]", &["schema"]);
    check_fault(json!(3), value, "[]", &["schema"]);
}

#[test]
fn impossible_keywords_are_left_out() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": -1}, "b": {"enum": "x"}, "c": {"required": true}},
        "required": "a",
    });
    assert!(accepts(schema, json!({"a": "", "b": 2, "c": null})));
    assert!(accepts(json!({"properties": [], "items": 3}), json!({"a": 1})));
}

#[test]
fn references_in_circles_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}, {"type": "string"}]}}}),
    ] {
        let repaired = Schema::compile(&schema).repair(json!({"a": "1"}));
        assert_eq!(repaired.value, json!({"a": "1"}), "{schema}");
    }
}

#[test]
fn a_recursive_reference_judges_each_level() {
    let schema = json!({"$defs": {"n": {"type": "object", "properties": {"v": {"type": "integer"}, "k": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"});
    check_fault(
        schema,
        json!({"v": 1, "k": {"k": {"v": "bad"}}}),
        "[\"k\",\"k\",\"v\"]",
        &["an integer", "bad"],
    );
}

#[test]
fn a_pattern_cannot_run_for_long() {
    let schema = json!({"items": {"pattern": "(\\w+)\\1{20}x(?=y)"}});
    let started = Instant::now();
    let list: Vec<String> = (0..2000).map(|_| "ab".repeat(2000)).collect();
    let faults = faults(&schema, &json!(list));
    assert!(faults.iter().any(|fault| fault.contains("too many steps")), "{faults:?}");
    // Generous: this is a debug build on a busy machine. Without a limit it would take days.
    assert!(started.elapsed() < Duration::from_secs(200), "{:?}", started.elapsed());
}

#[test]
fn look_ahead_and_back_references_work() {
    assert!(accepts(json!({"pattern": "^(?=.*\\d)(.)\\1"}), json!("aa1")));
    assert!(!accepts(json!({"pattern": "^(?=.*\\d)(.)\\1"}), json!("ab1")));
}

#[test]
fn missing_keys_come_before_faults_of_keys() {
    let schema = json!({"properties": {"a": {"type": "number"}, "o": {"properties": {"x": {"type": "null"}}, "required": ["y"]}}, "required": ["z"]});
    let paths: Vec<String> = faults(&schema, &json!({"a": "", "o": {"x": 1}}))
        .iter()
        .map(|fault| fault.split(':').next().unwrap_or("").to_owned())
        .collect();
    assert_eq!(paths, ["[\"z\"]", "[\"a\"]", "[\"o\",\"y\"]", "[\"o\",\"x\"]"]);
}

#[test]
fn messages_stay_short() {
    let long = "x".repeat(100_000);
    let schema = json!({"properties": {"a": {"enum": [long]}, "b": {"type": "number"}, "c": {"anyOf": [{"const": long}, {"maxLength": 2}]}}});
    let faults = faults(&schema, &json!({"a": long.clone() + "y", "b": long, "c": long.clone() + "z"}));
    assert_eq!(faults.len(), 3);
    assert!(faults.iter().all(|fault| fault.len() < 1000), "{faults:?}");
}

#[test]
fn a_key_that_looks_like_a_number_stays_a_key() {
    check_fault(
        json!({"additionalProperties": {"items": {"type": "null"}}}),
        json!({"0": [1]}),
        "[\"0\",0]",
        &["null"],
    );
}
