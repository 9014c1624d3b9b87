//! The goal: which step leads where, and what time and tokens are counted.

use gajae_tool_core::engine::exec::goal::{Facts, run};
use gajae_tool_core::engine::exec::parse_value;
use serde_json::{Value, json};

fn facts(goal: Value, now: i64) -> Facts {
    parse_value(&json!({"hasRuntime": true, "goal": goal, "now": now, "newId": "n"})).unwrap()
}

fn goal(status: &str) -> Value {
    json!({
        "id": "i", "objective": "o", "status": status, "tokensUsed": 5, "timeUsedSeconds": 7,
        "createdAt": 0, "updatedAt": 1000, "provenance": {"source": "user"},
    })
}

/// `STATUS` after the step, `none`, or the code of the error.
fn step(op: &str, from: Value) -> String {
    let options = parse_value(&json!({"op": op, "objective": "new"})).unwrap();
    match run(&options, &facts(from, 3500)) {
        Ok(decision) => decision.outcome.details["goal"]["status"].as_str().unwrap_or("none").to_owned(),
        Err(error) => error.code().to_owned(),
    }
}

#[test]
fn steps_lead_where_they_may() {
    for (op, none, active, paused, complete) in [
        ("get", "none", "active", "paused", "complete"),
        ("create", "active", "goal_exists", "goal_exists", "active"),
        ("complete", "goal_bad_state", "complete", "complete", "goal_bad_state"),
        ("pause", "none", "paused", "goal_bad_state", "goal_bad_state"),
        ("resume", "goal_bad_state", "active", "active", "goal_bad_state"),
        ("drop", "none", "dropped", "dropped", "dropped"),
    ] {
        let ways = [
            (Value::Null, none),
            (goal("active"), active),
            (goal("paused"), paused),
            (goal("complete"), complete),
        ];
        for (from, expected) in ways {
            assert_eq!(step(op, from.clone()), expected, "{op} from {}", from["status"]);
        }
    }
}

#[test]
fn only_active_time_counts() {
    let after = |op: &str, from: &str| {
        let options = parse_value(&json!({"op": op})).unwrap();
        run(&options, &facts(goal(from), 3500)).unwrap().outcome.details["goal"]["timeUsedSeconds"].clone()
    };
    assert_eq!(after("pause", "active"), 9);
    assert_eq!(after("get", "active"), 9);
    assert_eq!(after("resume", "paused"), 7);
    assert_eq!(after("complete", "paused"), 7);
}

#[test]
fn the_host_counts_tokens_and_may_refuse() {
    let known = Facts { tokens_used: Some(99), ..facts(goal("active"), 1000) };
    let decision = run(&parse_value(&json!({"op": "get"})).unwrap(), &known).unwrap();
    assert!(decision.outcome.text.contains("Tokens used: 99"));
    assert_eq!(decision.state, None);
    let vetoed = Facts { veto: Some("tests fail".into()), ..facts(goal("active"), 1000) };
    let error = run(&parse_value(&json!({"op": "complete"})).unwrap(), &vetoed).unwrap_err();
    assert_eq!(error.code(), "goal_op_forbidden");
    assert!(error.to_string().contains("tests fail"));
}

#[test]
fn a_dropped_goal_is_gone() {
    let decision = run(&parse_value(&json!({"op": "drop"})).unwrap(), &facts(goal("active"), 1000)).unwrap();
    assert_eq!(decision.state, Some(Value::Null));
}
