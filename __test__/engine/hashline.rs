//! `edit` in mode `hashline`: the grammar, and what operations make of a text. Files come in at
//! `__test__/js/hashline.test.mjs`.

use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::edit::Plan;
use gajae_tool_core::engine::exec::edit::hashline::{self, Operation, Seen};
use gajae_tool_core::engine::text::{Splice, anchor, numbered_diff};
use serde_json::Value;

/// The text with `{N}` in the input as the anchor of line N in `shown`.
fn with_anchors(input: &str, shown: &str) -> String {
    let lines: Vec<&str> = shown.split('\n').collect();
    let mut filled = input.to_owned();
    for (index, line) in lines.iter().enumerate() {
        filled = filled.replace(&format!("{{{}}}", index + 1), &anchor(index as u64 + 1, line));
    }
    filled
}

fn apply(text: &str, splices: &[Splice]) -> String {
    let (mut changed, mut copied) = (Vec::new(), 0);
    for splice in splices {
        changed.extend_from_slice(&text.as_bytes()[copied..splice.range.start]);
        changed.extend_from_slice(&splice.new);
        copied = splice.range.end;
    }
    changed.extend_from_slice(&text.as_bytes()[copied..]);
    String::from_utf8(changed).expect("text")
}

/// Everything of `text` was shown, from line `first` on.
fn seen_from(first: u64, text: &str) -> Seen {
    (first..).zip(text.split('\n').map(str::to_owned)).collect()
}

struct Case<'a> {
    text: &'a str,
    input: &'a str,
    /// What the session showed; the anchors are of it.
    shown: Option<&'a str>,
    drops_repeats: bool,
}

impl Case<'_> {
    fn run(&self) -> Result<(String, Vec<&'static str>)> {
        let input = format!("§f.txt\n{}", self.input);
        let input = with_anchors(&input, self.shown.unwrap_or(self.text));
        let seen = self.shown.map(|shown| seen_from(1, shown)).unwrap_or_default();
        let plan = plan(self.text, &input, None, &seen, self.drops_repeats)?;
        Ok((apply(self.text, &plan.splices), kinds(&plan)))
    }
}

fn plan(text: &str, input: &str, path: Option<&str>, seen: &Seen, drops_repeats: bool) -> Result<Plan> {
    let parsed = hashline::parse(input, path)?;
    let operations: Vec<Operation> =
        parsed.sections.into_iter().flat_map(|section| section.operations).collect();
    let mut plan = hashline::plan(text, &operations, seen, drops_repeats, "f.txt")?;
    plan.warnings.splice(0..0, parsed.warnings);
    Ok(plan)
}

fn kinds(plan: &Plan) -> Vec<&'static str> {
    plan.warnings.iter().map(|warning| warning.kind).collect()
}

fn case<'a>(text: &'a str, input: &'a str) -> Case<'a> {
    Case { text, input, shown: None, drops_repeats: false }
}

#[track_caller]
fn check(case: &Case, expected: &str, warnings: &[&str]) {
    let (changed, told) = case.run().expect("success");
    assert_eq!(changed, expected);
    assert_eq!(told, warnings);
}

#[track_caller]
fn check_refused(case: &Case, code: &str) -> ToolError {
    let error = case.run().expect_err("a refusal");
    assert_eq!(error.code(), code, "{error}");
    error
}

/// The recorded cases, as far as they are about one text.
#[test]
fn recorded_cases_hold_for_texts() {
    let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let cases = read(include_str!("../fixtures/vectors/edit/hashline.json"));
    let changed = read(include_str!("../fixtures/changed/hashline.json"));
    for one in cases.as_array().expect("an array") {
        let id = one["id"].as_str().expect("an id");
        let expected = |name: &str| {
            let new = &changed[id]["expect"];
            if new.is_object() { new[name].clone() } else { one["expect"][name].clone() }
        };
        let text = one["files"]["f.txt"].as_str().unwrap_or_default().trim_start_matches('\u{FEFF}');
        let text = text.replace("\r\n", "\n");
        let Some(input) = one["params"]["input"].as_str() else { continue };
        let seen = one["pre"][0]["record"]["lines"].as_array().map(|lines| {
            (1..).zip(lines.iter().map(|line| line.as_str().unwrap_or_default().to_owned())).collect()
        });
        let is_single = one["files"].as_object().is_some_and(|files| files.len() == 1) && !one["files"]["f.txt"].is_null();
        if !is_single || input.contains("§nope") {
            continue;
        }
        let drops = one["settings"]["auto_drop"] == true;
        let planned = plan(&text, input, one["params"]["path"].as_str(), &seen.unwrap_or_default(), drops);
        match (planned, expected("error_kind")) {
            (Ok(plan), Value::Null) => {
                let after = expected("files")["f.txt"].as_str().unwrap_or_default().trim_start_matches('\u{FEFF}').replace("\r\n", "\n");
                assert_eq!(apply(&text, &plan.splices), after, "{id}");
                let diff = numbered_diff(text.as_bytes(), &plan.splices);
                assert_eq!(Some(diff.text.as_str()), expected("diff").as_str(), "{id}");
                if let Some(preview) = expected("preview").as_str() {
                    assert_eq!(hashline::preview(&diff.text), preview, "{id}");
                }
                let warnings = expected("warnings");
                assert_eq!(serde_json::to_value(kinds(&plan)).expect("JSON"), if warnings.is_null() { serde_json::json!([]) } else { warnings }, "{id}");
            }
            (Err(error), code) => {
                assert_eq!(Some(error.code()), code.as_str(), "{id}: {error}");
                let fields = error.fields();
                for (name, value) in expected("error_data").as_object().into_iter().flatten() {
                    if name == "mismatches" {
                        let ours: Vec<Value> = fields[name].as_array().expect("mismatches").iter().map(|one| serde_json::json!({"line": one["line"], "expected": one["expected"], "actual": one["actual"]})).collect();
                        assert_eq!(&Value::from(ours), value, "{id}");
                    } else {
                        assert_eq!(&fields[name], value, "{id}");
                    }
                }
            }
            (Ok(plan), code) => panic!("{id}: expected {code}, got {plan:?}"),
        }
    }
}
