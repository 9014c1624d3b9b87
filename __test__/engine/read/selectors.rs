//! Selectors: how a path and the lines behind it are told apart.

use std::time::Duration;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::read::selector;
use serde_json::{Value, json};

use super::Fixture;

fn parsed(text: &str) -> String {
    let split = selector::split(text);
    let lines = |ranges: &[selector::Range], raw: bool| {
        let end = |end: Option<u64>| end.map(|end| end.to_string()).unwrap_or_default();
        let ranges: Vec<_> =
            ranges.iter().map(|range| format!("{}-{}", range.start, end(range.end))).collect();
        format!("{}{}", ranges.join(","), if raw { " raw" } else { "" })
    };
    match selector::parse(&split) {
        Err(error) => error.code().to_owned(),
        Ok(None) => "none".into(),
        Ok(Some(selector::Selector::Raw)) => format!("{}|raw", split.target),
        Ok(Some(selector::Selector::Conflicts)) => format!("{}|conflicts", split.target),
        Ok(Some(selector::Selector::Lines { ranges, raw })) => {
            format!("{}|{}", split.target, lines(&ranges, raw))
        }
    }
}

#[test]
fn selectors_are_read_from_the_end() {
    for (text, expected) in [
        ("a.ts", "none"),
        ("a.ts:5", "a.ts|5-"),
        ("a.ts:50-100", "a.ts|50-100"),
        ("a.ts:5+3", "a.ts|5-7"),
        ("a.ts:RAW", "a.ts|raw"),
        ("a.ts:Raw", "a.ts|raw"),
        ("a.ts:L5", "a.ts|5-"),
        ("a.ts:l5", "a.ts|5-"),
        ("a.ts:L5-9", "a.ts|5-9"),
        ("a.ts:5-", "a.ts|5-"),
        ("a.ts:L5-", "a.ts|5-"),
        ("a.ts:5-9,20-30", "a.ts|5-9,20-30"),
        ("a.ts:20-30,5-9", "a.ts|5-9,20-30"),
        ("a.ts:5-9,7-12", "a.ts|5-12"),
        ("a.ts:5-9,10-12", "a.ts|5-12"),
        ("a.ts:5-9,11-12", "a.ts|5-9,11-12"),
        ("a.ts:5,9", "a.ts|5-5,9-9"),
        ("a.ts:5-,9", "a.ts|5-"),
        ("a.ts:5+2,9+1", "a.ts|5-6,9-9"),
        ("a.ts:5-9,5-9", "a.ts|5-9"),
        ("a.ts:1-1", "a.ts|1-1"),
        ("a.ts:CONFLICTS", "a.ts|conflicts"),
        ("a.ts:5-9:raw", "a.ts|5-9 raw"),
        ("a.ts:raw:5-9", "a.ts|5-9 raw"),
        ("a.ts:raw:5", "a.ts|5- raw"),
        ("a.ts:5:raw", "a.ts|5- raw"),
        ("a.ts:5-9,11-12:raw", "a.ts|5-9,11-12 raw"),
        ("a.ts:raw:5-9,11-12", "a.ts|5-9,11-12 raw"),
        ("a.ts:raw:raw", "a.ts:raw|raw"),
        ("a.ts:0", "invalid_selector"),
        ("a.ts:0-5", "invalid_selector"),
        ("a.ts:5-3", "invalid_selector"),
        ("a.ts:5+0", "invalid_selector"),
        ("a.ts:", "none"),
        (":5", "none"),
        (":raw", "none"),
        ("5", "none"),
        ("a.ts: 5", "none"),
        ("a.ts:5 - 9", "none"),
        ("a.ts:-5", "none"),
        ("a.ts:+5", "none"),
        ("a.ts:5--9", "none"),
        ("a.ts:5-9-12", "none"),
        ("a.ts:5..9", "none"),
        ("a.ts:5:", "none"),
        ("a.ts:5,", "none"),
        ("a.ts:5, 6", "none"),
        ("a.ts:abc", "none"),
        ("a.ts:5a", "none"),
        ("C:\\x\\a.ts", "none"),
        ("C:\\x\\a.ts:5", "C:\\x\\a.ts|5-"),
        ("/abs/a.ts:5", "/abs/a.ts|5-"),
        ("~/a.ts:5", "~/a.ts|5-"),
        ("dir/:5", "dir/|5-"),
        ("a:b.ts", "none"),
        ("a:b.ts:5", "a:b.ts|5-"),
        ("", "none"),
        (":", "none"),
        ("raw", "none"),
        ("a.ts:raw:0", "invalid_selector"),
        ("한글.txt:3-4", "한글.txt|3-4"),
        ("a b.txt:3", "a b.txt|3-"),
        ("a.ts:1-2,4-5,7-8,10-", "a.ts|1-2,4-5,7-8,10-"),
        ("a.ts:7,5,L9-l10,20+2", "a.ts|5-5,7-7,9-10,20-21"),
        ("a.ts:5,6", "a.ts|5-6"),
        ("a.ts:99999999999999999999999", "a.ts|18446744073709551615-"),
        ("a.ts:5+99999999999999999999999", "a.ts|5-18446744073709551615"),
        ("a.ts:conflicts:5", "a.ts:conflicts|5-"),
        (":raw:5", ":raw|5-"),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn a_path_that_exists_wins_over_a_selector() {
    let fixture = Fixture::plain(&[("f", "1\n2\n3\n"), ("f:2", "two"), ("g:raw", "text"), ("a:b.txt", "x")]);
    assert_eq!(fixture.text("f:2"), "two");
    assert_eq!(fixture.text("f:3-3:raw"), "3");
    assert_eq!(fixture.text("f:2:raw"), "two");
    assert_eq!(fixture.text("g:raw"), "text");
    assert_eq!(fixture.text("a:b.txt"), "x");
}

#[test]
fn a_near_miss_names_the_selector() {
    let fixture = Fixture::new(&[("f.txt", "1\n")]);
    for tail in ["5..9", "5+", "-4", " 4", "foo", "5-9-12", "5:"] {
        let path = format!("f.txt:{tail}");
        let error = fixture.error(&path);
        assert_eq!(error.code(), "path_not_found", "{path}");
        assert!(error.to_string().contains(&path), "{error}");
        if tail != "5:" {
            assert!(error.to_string().contains(":50-100"), "{error}");
        }
    }
    // Where there is no such file either, the selector is not the point.
    assert!(!fixture.error("gone.txt:5..9").to_string().contains(":50-100"));
}

#[test]
fn impossible_lines_are_refused() {
    let fixture = Fixture::new(&[("f", "1\n")]);
    for selector in ["0", "0-3", "5-3", "5+0", "2-3,9-4", "raw:0"] {
        assert_eq!(fixture.error(&format!("f:{selector}")).code(), "invalid_selector", "{selector}");
    }
    assert_eq!(fixture.error("gone:0").code(), "invalid_selector");
    assert_eq!(fixture.error("gone:3").code(), "path_not_found");
}

#[test]
fn arguments_are_checked() {
    let fixture = Fixture::new(&[("f", "1\n")]);
    let read = |arguments: Value| fixture.try_read_with(&arguments, &CancelToken::new(), Duration::ZERO);
    for arguments in [
        json!({}),
        json!({"path": 3}),
        json!({"path": "f", "offset": 3}),
        json!({"path": "f", "truncation": "tail"}),
    ] {
        assert_eq!(read(arguments).unwrap_err().code(), "invalid_arguments");
    }
    assert_eq!(read(json!({"path": ""})).unwrap_err().code(), "empty_path");
    for path in ["f:1-2", "f:raw", "."] {
        let error = read(json!({"path": path, "truncation": "head"})).unwrap_err();
        assert_eq!(error.code(), "truncation_unsupported", "{path}");
    }
    assert_eq!(read(json!({"path": "f", "truncation": null})).unwrap().text, "1|1\n2|");
}
