//! What repair changes, what it leaves alone, and that it says what it did.

use gajae_tool_core::engine::calls::Schema;
use gajae_tool_core::engine::calls::json_text::convert;
use serde_json::{Value, json};

/// Repairs `value` for a property `p`, and compares the whole and what was done.
fn check(schema: Value, value: Value, expected: Value, done: &[&str]) {
    let repaired = Schema::compile(&schema).repair(value.clone());
    assert_eq!(repaired.value, expected, "{schema} {value} {:?}", repaired.issues);
    assert!(repaired.issues.is_empty(), "{schema} {value}: {:?}", repaired.issues);
    let listed: Vec<String> =
        repaired.repairs.iter().map(|repair| format!("{:?} {}", repair.action, json!(repair.path))).collect();
    assert_eq!(listed, done, "{schema} {value}");
}

fn check_refused(schema: Value, value: Value, expected: Value) {
    let repaired = Schema::compile(&schema).repair(value.clone());
    assert_eq!(repaired.value, expected, "{schema} {value}");
    assert!(!repaired.issues.is_empty(), "{schema} {value}");
}

fn of(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn closed(properties: Value) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

#[test]
fn what_fits_is_left_alone_beside_what_does_not() {
    let schema = of(
        json!({"n": {"type": "number"}, "q": {"type": "string"}, "u": {"type": ["string", "number"]}, "x": {"type": ["string", "null"]}}),
    );
    let value = json!({"n": "5", "q": "null", "u": "00123", "x": null});
    check(schema, value, json!({"n": 5, "q": "null", "u": "00123", "x": null}), &["Converted [\"n\"]"]);
}

#[test]
fn a_null_is_taken_out_only_where_it_can_mean_nothing_else() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/b"}}, "required": ["b"], "$defs": {"b": {"type": "string", "default": "d"}}});
    check(schema, json!({"a": null, "b": null}), json!({"b": "d"}), &["Removed [\"a\"]", "Default [\"b\"]"]);
    let needed = json!({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]});
    check_refused(needed.clone(), json!({"a": null}), json!({"a": null}));
    check_refused(needed, json!({"a": "null"}), json!({"a": "null"}));
    check_refused(json!({"items": {"type": "string"}}), json!(["a", null]), json!(["a", null]));
}

#[test]
fn missing_keys_get_their_default() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "number", "default": 3}}, "required": ["n"]});
    check(schema, json!({}), json!({"n": 3}), &["Default [\"n\"]"]);
}

#[test]
fn all_forms_of_a_union_are_tried() {
    let union = of(json!({"v": {"anyOf": [
        {"type": "object", "properties": {"k": {"const": "a"}, "n": {"type": "number"}}, "required": ["k", "n"]},
        {"type": "object", "properties": {"k": {"const": "b"}, "xs": {"type": "array"}}, "required": ["k", "xs"]},
    ]}}));
    check(
        union.clone(),
        json!({"v": {"k": "b", "xs": "[1]"}}),
        json!({"v": {"k": "b", "xs": [1]}}),
        &["Converted [\"v\",\"xs\"]"],
    );
    check(
        union,
        json!({"v": "{\"k\":\"a\",\"n\":\"2\"}"}),
        json!({"v": {"k": "a", "n": 2}}),
        &["Converted [\"v\"]", "Converted [\"v\",\"n\"]"],
    );
    let nullable = of(json!({"v": {"anyOf": [{"type": "number"}, {"type": "null"}]}}));
    check(nullable, json!({"v": "null"}), json!({"v": null}), &["Converted [\"v\"]"]);
}

#[test]
fn a_key_that_another_form_knows_is_not_unknown() {
    let union = of(json!({"v": {"anyOf": [
        closed(json!({"path": {"type": "string"}})),
        closed(json!({"path": {"type": "string"}, "content": {"type": "string"}})),
    ]}}));
    let value = json!({"v": {"path": "x", "content": 5}});
    check_refused(union.clone(), value.clone(), value);
    check(
        union,
        json!({"v": {"path": "x", "what": 5}}),
        json!({"v": {"path": "x"}}),
        &["Removed [\"v\",\"what\"]"],
    );
}

#[test]
fn repair_follows_references() {
    let schema = json!({"$defs": {"n": {"anyOf": [{"type": "number"}, {"type": "array", "items": {"$ref": "#/$defs/n"}}]}}, "type": "object", "properties": {"t": {"$ref": "#/$defs/n"}}});
    check(
        schema,
        json!({"t": "[\"1\",[\"2\"]]"}),
        json!({"t": [1, [2]]}),
        &["Converted [\"t\"]", "Converted [\"t\",0]", "Converted [\"t\",1,0]"],
    );
}

#[test]
fn unions_in_unions_end() {
    let schema = json!({"$defs": {"n": {"anyOf": [
        {"type": "number"},
        {"type": "object", "properties": {"l": {"$ref": "#/$defs/n"}, "r": {"$ref": "#/$defs/n"}}, "required": ["l"]},
        {"type": "object", "properties": {"l": {"$ref": "#/$defs/n"}, "s": {"$ref": "#/$defs/n"}}, "required": ["l"]},
    ]}}, "$ref": "#/$defs/n"});
    let value = (0..5).fold(json!("q"), |inner, _| json!({"l": inner, "r": "1"}));
    assert!(!Schema::compile(&schema).repair(value).issues.is_empty());
}

#[test]
fn nothing_stands_for_an_empty_object_only_where_nothing_is_required() {
    for nothing in [json!(null), json!(""), json!(" null ")] {
        check(json!({"type": "object"}), nothing.clone(), json!({}), &["Converted []"]);
        check_refused(json!({"type": "object", "required": ["a"]}), nothing.clone(), nothing);
    }
}

#[test]
fn text_becomes_the_wanted_value_or_stays() {
    let cases: &[(&str, &[&str], Option<Value>)] = &[
        (" 42 ", &["number"], Some(json!(42))),
        ("0042", &["integer"], Some(json!(42))),
        ("-1.5e2", &["integer"], Some(json!(-150))),
        ("9007199254740991", &["integer"], Some(json!(9_007_199_254_740_991_i64))),
        ("9007199254740992", &["integer"], None),
        ("9007199254740993", &["number"], None),
        ("1e999", &["number"], None),
        ("0x10", &["number"], None),
        ("--1", &["number"], None),
        ("+-1", &["number"], None),
        ("", &["number"], None),
        ("1", &["boolean"], None),
        ("true", &["boolean"], Some(json!(true))),
        ("true", &["string"], None),
        ("[1]", &["object"], None),
        ("[9007199254740993]", &["array"], None),
        ("[\"a\nb\"]", &["array"], Some(json!(["a\nb"]))),
        ("[\"a\",]", &["array"], Some(json!(["a"]))),
        ("[\"a\"}", &["array"], Some(json!(["a"]))),
        ("{\"a\":[1}}", &["object"], Some(json!({"a": [1]}))),
        ("[1,23 4]", &["array"], None),
        ("{\\n\"a\":1}", &["object"], Some(json!({"a": 1}))),
    ];
    for (text, types, expected) in cases {
        assert_eq!(convert(text, types).map(|converted| converted.value), *expected, "{text:?}");
    }
}

#[test]
fn cut_off_text_is_not_completed() {
    for text in [
        "[\"a\",\"b",
        "[\"a\",\"b\"",
        "[\"a\",",
        "[[1]",
        "[",
        "{\"a\":1",
        "{\"a\":{\"b\":1}",
        "{\"path\":\"f\",\"content\":\"# Title\\nhalf",
    ] {
        assert_eq!(convert(text, &["array", "object"]), None, "{text}");
    }
}

#[test]
fn what_stands_behind_a_value_is_named() {
    let converted = convert("[\"a\"] and more", &["array"]);
    assert_eq!(converted.and_then(|converted| converted.dropped).as_deref(), Some("and more"));
}
