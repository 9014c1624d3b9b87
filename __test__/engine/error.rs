//! Codes are stable and unique; fields are the facts of a variant.

use std::collections::HashSet;

use gajae_tool_core::engine::error::ToolError;
use serde_json::json;

#[test]
fn every_code_is_snake_case_and_stands_once() {
    let mut seen = HashSet::new();
    for code in ToolError::CODES {
        assert!(code.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{code}");
        assert!(seen.insert(code), "{code} stands twice");
    }
}

#[test]
fn fields_hold_the_facts_and_the_message_names_them() {
    let error = ToolError::PathNotFound { path: "a.txt".into() };
    assert_eq!(error.code(), "path_not_found");
    assert_eq!(error.fields(), json!({"path": "a.txt"}));
    assert!(error.to_string().contains("a.txt"));
}

#[test]
fn a_refused_argument_names_its_place() {
    let error = ToolError::argument("edits[0].old_text", "expected a string");
    assert_eq!(
        error.fields(),
        json!({"issues": [{"path": "edits[0].old_text", "message": "expected a string"}]})
    );
    assert!(error.to_string().contains("`edits[0].old_text`"));
}

#[test]
fn io_errors_become_their_kind() {
    use std::io::{Error, ErrorKind};
    let code = |kind: ErrorKind| ToolError::io("x", &Error::from(kind)).code();
    assert_eq!(code(ErrorKind::NotFound), "path_not_found");
    assert_eq!(code(ErrorKind::NotADirectory), "path_not_found");
    assert_eq!(code(ErrorKind::PermissionDenied), "permission_denied");
    assert_eq!(code(ErrorKind::Other), "io_error");
}
