//! Arithmetic without rounding.

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::calc::run;
use gajae_tool_core::engine::exec::{Context, parse_value};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};

fn calculate(calculations: Value) -> Result<Outcome> {
    run(&parse_value(&json!({ "calculations": calculations }))?, &Context::default(), &CancelToken::default())
}

fn check(expression: &str, expected: &str) {
    let outcome = calculate(json!([{ "expression": expression }]));
    assert_eq!(
        outcome.map(|outcome| outcome.text).map_err(|error| error.to_string()),
        Ok(expected.into()),
        "{expression}"
    );
}

fn check_refused(expression: &str, words: &str) {
    let error = calculate(json!([{"expression": "1"}, { "expression": expression }])).unwrap_err();
    assert_eq!(error.code(), "invalid_arguments");
    let message = error.to_string();
    assert!(
        message.contains("calculations[1].expression") && message.contains(words),
        "{expression}: {message}"
    );
}

#[test]
fn results_are_exact() {
    check("0.1 + 0.2", "0.3");
    check("2 ** 100", "1267650600228229401496703205376");
    check("-2 ** 2", "-4");
    check("2 ** 3 ** 2", "512");
    check("2 ** -2", "0.25");
    check("10 - 4 - 3", "3");
    check("7 % 4 + -7 % 4", "0");
    check("1_000.5e3 / 0x10", "62531.25");
    check("0b101 + 0o17", "20");
    check("((1 + 2) * 3) × 2 ÷ 9 − 1", "1");
    check("max(1, 2.5, min(9, 3)) + abs(-1)", "4");
    check("round(2.5) + round(-1.005, 2)", "1.99");
    check("floor(-1.5) * ceil(1.2)", "-4");
    check("sqrt(2.25) + 9 ** 0.5", "4.5");
    check("1e-5", "0.00001");
    check(".5", "0.5");
    check("0 ** 0", "1");
    check("(-1) ** 999999999999", "-1");
    check("1 ** 99999999999999999999", "1");
    check("0 ** 3", "0");
}

#[test]
fn endless_digits_are_said_to_be() {
    check("1 / 3", "≈ 0.333333333333333333333333333333 (exactly 1/3)");
    check("sqrt(2)", "≈ 1.41421356237309504880168872421");
    let details = calculate(json!([{"expression": "2/3", "prefix": "$", "suffix": " each"}])).unwrap();
    assert_eq!(details.text, "$≈ 0.666666666666666666666666666667 each (exactly 2/3)");
    assert_eq!(details.details["results"][0]["exact"], false);
    assert_eq!(details.details["results"][0]["fraction"], "2/3");
}

#[test]
fn what_is_wrong_is_named() {
    check_refused("1 / 0", "division by zero");
    check_refused("0 ** -1", "division by zero");
    check_refused("2 ^ 3", "**");
    check_refused("1 +", "ends");
    check_refused("(1", ")");
    check_refused("1 2", "`2`");
    check_refused("sin(1)", "sin");
    check_refused("abs(1, 2)", "abs");
    check_refused("", "ends");
    check_refused("sqrt(-1)", "negative");
    check_refused("0x", "0x");
}

#[test]
fn what_would_grow_beyond_bounds_is_refused_at_once() {
    check_refused("9 ** 9 ** 9", "bits");
    check_refused("2 ** 99999999999999999999", "bits");
    check_refused("1e99999999999", "places");
    check_refused("1e999999999999999999999", "bounds");
    check_refused(&"(".repeat(100_000), "longer");
    check_refused(&"(".repeat(10_000), "deeper");
    check_refused(&format!("{}1", "2**".repeat(10_000)), "deeper");
}
