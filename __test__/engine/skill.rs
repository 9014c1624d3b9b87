//! Loading a skill: which may be, and what is sent.

#![expect(clippy::disallowed_methods, reason = "tests make their files themselves")]

use std::fs;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::parse_value;
use gajae_tool_core::engine::exec::skill::run;
use serde_json::{Value, json};

fn load(options: Value, facts: Value) -> Result<(Value, Value), String> {
    let decision =
        run(&parse_value(&options).unwrap(), &parse_value(&facts).unwrap(), &CancelToken::default());
    decision
        .map(|decision| (decision.outcome.details.into(), decision.state.unwrap()))
        .map_err(|error| error.code().to_owned())
}

fn check(name: &str, active: Value, expected: &str) {
    let facts = json!({"skills": [{"name": "a", "content": "do\n"}], "active": active});
    let outcome = load(json!({ "name": name }), facts).map_or_else(|code| code, |_| "ok".to_owned());
    assert_eq!(outcome, expected, "{name} {active}");
}

#[test]
fn only_a_known_skill_that_fits_now_is_loaded() {
    check(" a ", Value::Null, "ok");
    check("", Value::Null, "skill_bad_name");
    check("a*", Value::Null, "skill_bad_name");
    check("b", Value::Null, "skill_unknown");
    check("a", json!({"name": "a"}), "skill_recursive");
    check("a", json!({"name": "w", "phase": "building"}), "skill_not_finalized");
    check("a", json!({"name": "w", "phase": "completed"}), "ok");
    check("a", json!({"name": "w"}), "ok");
}

#[test]
fn the_body_without_its_front_matter_is_sent() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("SKILL.md");
    fs::write(&path, "---\nname: a\n---\n\n# Do\nthis\n").unwrap();
    let facts = json!({"skills": [{"name": "a", "path": path}], "active": {"name": "w", "phase": "handoff"}});
    let (details, state) = load(json!({"name": "a", "args": "now"}), facts).unwrap();
    assert_eq!(details, json!({"name": "a", "path": path, "args": "now", "lineCount": 2}));
    assert_eq!(state, json!({"content": "# Do\nthis\n\nArguments: now\n", "handoff": "w"}));
}

#[test]
fn a_file_that_is_none_is_told() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("binary"), [0xff, 0xfe, 0]).unwrap();
    for (name, code) in [("gone", "path_not_found"), ("", "io_error"), ("binary", "not_text")] {
        let facts = json!({"skills": [{"name": "a", "path": directory.path().join(name)}]});
        assert_eq!(load(json!({"name": "a"}), facts), Err(code.to_owned()), "{name}");
    }
}
