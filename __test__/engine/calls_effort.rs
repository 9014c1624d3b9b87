//! Schemas that would take for ever: every one is judged or refused by name, in a time that a host does not notice.

use std::time::{Duration, Instant};

use gajae_tool_core::engine::calls::Schema;
use gajae_tool_core::engine::calls::validate::TOO_MUCH_WORK;
use serde_json::{Value, json};

/// What a host's event loop may be held up. A debug build on a busy machine is many times slower than what ships.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2_500 } else { 50 });

#[derive(Debug, PartialEq)]
enum Verdict {
    Fits,
    Refused,
    TooMuchWork,
}

/// Compiles, judges, tells and repairs; each within the time.
fn verdict(name: &str, schema: &Value, value: &Value) -> Verdict {
    let schema = timed(name, "compile", || Schema::compile(schema));
    let fits = timed(name, "judge", || schema.accepts(value));
    let issues = timed(name, "issues", || schema.issues(value));
    let repaired = timed(name, "repair", || schema.repair(value.clone()));
    assert_eq!(fits, issues.is_empty(), "{name}: {issues:?}");
    assert!(!fits || repaired.repairs.is_empty(), "{name}: touched");
    if fits {
        Verdict::Fits
    } else if issues.iter().any(|issue| issue.keyword == TOO_MUCH_WORK) {
        Verdict::TooMuchWork
    } else {
        Verdict::Refused
    }
}

fn timed<T>(name: &str, step: &str, work: impl FnOnce() -> T) -> T {
    let start = now();
    let result = work();
    let took = now().saturating_sub(start);
    assert!(took < LONGEST, "{name}: {step} took {took:?}");
    result
}

/// What this thread has worked; on a busy machine the wall clock says little. Elsewhere than on Linux the wall clock.
fn now() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let worked = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = worked.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn nested(depth: usize, leaf: Value) -> Value {
    (0..depth).fold(leaf, |inner, _| json!({"a": inner}))
}

fn below_a(union: &str, forms: usize) -> Value {
    let form = json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]});
    json!({union: vec![form; forms]})
}

#[test]
fn unions_that_contain_themselves_end() {
    for union in ["anyOf", "oneOf", "allOf"] {
        for forms in [2, 5, 20] {
            for depth in [10, 30, 100] {
                let name = format!("{union} of {forms}, {depth} deep");
                assert_ne!(
                    verdict(&name, &below_a(union, forms), &nested(depth, json!(1))),
                    Verdict::Fits,
                    "{name}"
                );
            }
        }
    }
    let conditional = json!({
        "if": {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        "then": {"properties": {"a": {"$ref": "#"}}}, "else": {"not": {"properties": {"a": {"$ref": "#"}}}},
    });
    verdict("if", &conditional, &nested(60, json!(1)));
    let not = json!({"not": {"anyOf": [{"properties": {"a": {"$ref": "#"}}}, {"properties": {"a": {"not": {"$ref": "#"}}}}]}});
    verdict("not", &not, &nested(60, json!(1)));
}

#[test]
fn unevaluated_keys_in_circles_end() {
    let form = json!({"properties": {"a": {"$ref": "#"}}, "unevaluatedProperties": false});
    let schema = json!({"anyOf": [form, form, {"$ref": "#/anyOf/0"}], "unevaluatedProperties": false, "unevaluatedItems": false});
    verdict("unevaluated", &schema, &nested(100, json!({"b": 1})));
    let dynamic = json!({"$dynamicAnchor": "n", "anyOf": [
        {"properties": {"a": {"$dynamicRef": "#n"}}, "required": ["a"]},
        {"properties": {"a": {"$dynamicRef": "#n"}}, "minProperties": 2},
    ], "unevaluatedProperties": false});
    verdict("dynamic", &dynamic, &nested(100, json!(1)));
}

#[test]
fn references_that_double_end() {
    for union in ["anyOf", "oneOf", "allOf"] {
        for depth in [30, 300, 3000] {
            let mut definitions = serde_json::Map::new();
            definitions.insert("d0".into(), json!({"type": "string"}));
            for level in 1..=depth {
                let below = json!({"$ref": format!("#/$defs/d{}", level - 1)});
                definitions.insert(format!("d{level}"), json!({union: [below, below]}));
            }
            let schema = json!({"$defs": definitions, "$ref": format!("#/$defs/d{depth}")});
            let name = format!("{union} doubling {depth} times");
            assert_ne!(verdict(&name, &schema, &json!(1)), Verdict::Fits, "{name}");
        }
    }
}

#[test]
fn long_chains_of_references_do_not_exhaust_the_stack() {
    for length in [100, 2_000, 9_000] {
        let mut definitions = serde_json::Map::new();
        for link in 0..length {
            let next = json!({"$ref": format!("#/$defs/d{}", link + 1), "properties": {"a": {"$ref": "#"}}});
            definitions.insert(format!("d{link}"), next);
        }
        definitions.insert(format!("d{length}"), json!({"type": "object"}));
        let schema = json!({"$defs": definitions, "$ref": "#/$defs/d0"});
        verdict(&format!("a chain of {length}"), &schema, &nested(100, json!({})));
    }
}

#[test]
fn large_schemas_end() {
    let forms: Vec<Value> = (0..2_000)
        .map(|index| json!({"type": "object", "properties": {"k": {"const": index}}, "required": ["k"]}))
        .collect();
    let items: Vec<Value> = (0..3_000).map(|index| json!({"k": index + 1_000_000})).collect();
    verdict("many forms, many items", &json!({"items": {"anyOf": forms}}), &json!(items));
    let names: Vec<String> = (0..10_000).map(|index| format!("name {index}")).collect();
    let texts: Vec<String> = (0..20_000).map(|index| format!("name {}", index + 9_999)).collect();
    verdict("a large enum", &json!({"items": {"enum": names}}), &json!(texts));
    let keys: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"type": "string", "minLength": 1}))).collect();
    verdict("many keys", &json!({"properties": keys, "required": names}), &json!({}));
    let broken: serde_json::Map<String, Value> =
        (0..3_000).map(|index| (format!("p{index}"), json!({"minLength": -1, "maxLength": "x"}))).collect();
    verdict("many faults", &json!({"properties": broken}), &json!({"p1": "x"}));
    let huge: Vec<Value> = (0..200_000).map(|index| json!({"minimum": index})).collect();
    assert_eq!(verdict("huge", &json!({"allOf": huge}), &json!(1)), Verdict::Refused);
}

#[test]
fn many_unique_items_are_compared_in_time() {
    let items: Vec<Value> = (0..20_000).map(|index| json!({"a": [index / 2 * 2, {"b": index}]})).collect();
    assert_eq!(verdict("unique", &json!({"uniqueItems": true}), &json!(items)), Verdict::Fits);
    let forms = vec![json!({"uniqueItems": true, "maxItems": 1}); 200];
    verdict("unique in each form", &json!({"anyOf": forms}), &json!(items));
}

#[test]
fn many_unknown_and_missing_keys_are_repaired_in_time() {
    let keys: serde_json::Map<String, Value> =
        (0..20_000).map(|index| (format!("k{index}"), Value::Null)).collect();
    let schema = Schema::compile(&json!({"additionalProperties": false, "properties": {}}));
    let repaired = timed("unknown keys", "repair", || schema.repair(Value::Object(keys)));
    assert_eq!((repaired.value, repaired.repairs.len()), (json!({}), 20_000));
    let schema = Schema::compile(&json!({"items": {"properties": {"a": {"default": 1}}, "required": ["a"]}}));
    let repaired = timed("missing keys", "repair", || schema.repair(json!(vec![json!({}); 4_000])));
    assert_eq!((repaired.issues, repaired.repairs.len()), (vec![], 4_000));
    let schema = json!({"items": {"properties": {"a": {"type": "string"}}, "required": ["a"]}});
    let value = json!(vec![json!({"a": null}); 4_000]);
    let repaired = timed("needed nulls", "repair", || Schema::compile(&schema).repair(value.clone()));
    assert_eq!((repaired.value, repaired.repairs.len()), (value, 0));
}

#[test]
fn patterns_from_anywhere_end() {
    let texts = json!(vec!["a".repeat(40) + "!"; 2_000]);
    let long = json!(["x".repeat(200_000)]);
    for pattern in [
        "^(a+)+$",
        "^(a|a)*$(?=b)",
        "(?=(a+))\\1*b",
        "^(?:(a+)\\1?)+$",
        "(x+x+)+y",
        "(?:x*)*(?!x)y",
        "^(?!.*zz).*$",
        "\\p{L}{1,200}\\P{L}{2}",
        "((a{30}){30}){30}",
        "(?:(?:a?){50}){50}b",
    ] {
        let schema = json!({"items": {"pattern": pattern}});
        verdict(pattern, &schema, &texts);
        verdict(pattern, &schema, &long);
        verdict(
            pattern,
            &json!({"items": {"anyOf": [{"pattern": pattern}, {"maxLength": 1}, {"pattern": pattern}]}}),
            &texts,
        );
        let keys: serde_json::Map<String, Value> =
            (0..5_000).map(|index| (format!("{}{index}!", "a".repeat(40)), json!(1))).collect();
        let for_keys = json!({"patternProperties": {pattern: {"type": "string"}}, "additionalProperties": {"type": "number"}});
        verdict(pattern, &for_keys, &Value::Object(keys.clone()));
        verdict(pattern, &json!({"propertyNames": {"pattern": pattern}}), &Value::Object(keys));
    }
    let many: serde_json::Map<String, Value> = (0..2_000)
        .map(|index| (format!("p{index}"), json!({"pattern": format!("^\\p{{L}}{{1,{index}}}$")})))
        .collect();
    let keys: serde_json::Map<String, Value> =
        (0..2_000).map(|index| (format!("^\\p{{L}}{{1,{index}}}$"), json!(true))).collect();
    assert_eq!(
        verdict("many patterns for keys", &json!({"patternProperties": keys}), &json!({})),
        Verdict::Refused
    );
    verdict("many patterns", &json!({"properties": many}), &json!({"p1": "x", "p1999": "y"}));
}

#[test]
fn large_honest_values_are_judged() {
    let item = json!({"path": {"type": "string"}, "line": {"type": "integer"}, "tags": {"type": "array", "items": {"enum": ["a", "b"]}}});
    let schema = json!({"$defs": {"item": {"type": "object", "properties": item, "required": ["path"]}}, "items": {"$ref": "#/$defs/item"}});
    let items = vec![json!({"path": "src/a.rs", "line": 3, "tags": ["a", "b"]}); 5_000];
    assert!(Schema::compile(&schema).accepts(&json!(items)));
    let value = json!({"anyOf": [{"type": ["string", "number", "boolean", "null"]}, {"items": {"$ref": "#"}, "type": "array"}, {"additionalProperties": {"$ref": "#"}, "type": "object"}]});
    let schema = Schema::compile(&value);
    assert!(schema.accepts(&nested(120, json!([1, "x", {"b": null}]))));
    assert!(schema.accepts(&json!(vec![nested(20, json!([1, 2, 3])); 2_000])));
}
