//! Findings of a review.

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::finding::run;
use gajae_tool_core::engine::exec::{Context, parse_value};
use serde_json::{Value, json};

fn report(changes: Value) -> Result<String, String> {
    let mut finding = json!({
        "title": "t", "body": "b", "priority": "P1", "confidence": 0.5, "file_path": "a.rs", "line_start": 3, "line_end": 9,
    });
    finding.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    let outcome =
        parse_value(&finding).and_then(|finding| run(&finding, &Context::default(), &CancelToken::default()));
    outcome.map(|outcome| outcome.text).map_err(|error| error.to_string())
}

#[test]
fn lines_and_confidence_are_told() {
    for (changes, expected) in [
        (json!({}), "Finding recorded: P1 t\nLocation: a.rs:3-9\nConfidence: 50%"),
        (
            json!({"line_end": 3, "confidence": 0.875}),
            "Finding recorded: P1 t\nLocation: a.rs:3\nConfidence: 88%",
        ),
        (json!({"confidence": 0.005}), "Finding recorded: P1 t\nLocation: a.rs:3-9\nConfidence: 1%"),
        (json!({"confidence": 0.145}), "Finding recorded: P1 t\nLocation: a.rs:3-9\nConfidence: 15%"),
        (json!({"confidence": 1}), "Finding recorded: P1 t\nLocation: a.rs:3-9\nConfidence: 100%"),
    ] {
        assert_eq!(report(changes.clone()).as_deref(), Ok(expected), "{changes}");
    }
}

#[test]
fn lines_that_cannot_be_are_refused() {
    for (changes, field) in [
        (json!({"line_end": 2}), "line_end"),
        (json!({"line_start": 1.5}), "line_start"),
        (json!({"line_start": 0}), "line_start"),
        (json!({"line_start": -1}), "line_start"),
        (json!({"confidence": 1.2}), "confidence"),
        (json!({"priority": "P9"}), "priority"),
        (json!({"file_path": " "}), "file_path"),
        (json!({"more": 1}), "more"),
    ] {
        assert!(report(changes.clone()).is_err_and(|message| message.contains(field)), "{changes}");
    }
}
