//! `edit` in mode `hashline`: the grammar, and what operations make of a text. Files come in at
//! `__test__/js/hashline.test.mjs`.

use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::edit::Plan;
use gajae_tool_core::engine::exec::edit::hashline::{self, Memory, Operation, Seen};
use gajae_tool_core::engine::text::{Splice, anchor, numbered_diff};
use proptest::prelude::*;
use serde_json::{Value, json};

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
    let memory = Memory { is_whole: seen.contains_key(&1), ..Memory::of(seen) };
    let mut plan = hashline::plan(text, &operations, &memory, drops_repeats, "f.txt")?;
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
        let is_single = one["files"].as_object().is_some_and(|files| files.len() == 1)
            && !one["files"]["f.txt"].is_null();
        if !is_single || input.contains("§nope") {
            continue;
        }
        let drops = one["settings"]["auto_drop"] == true;
        let planned = plan(&text, input, one["params"]["path"].as_str(), &seen.unwrap_or_default(), drops);
        match (planned, expected("error_kind")) {
            (Ok(plan), Value::Null) => {
                let after = expected("files")["f.txt"]
                    .as_str()
                    .unwrap_or_default()
                    .trim_start_matches('\u{FEFF}')
                    .replace("\r\n", "\n");
                assert_eq!(apply(&text, &plan.splices), after, "{id}");
                let diff = numbered_diff(text.as_bytes(), &plan.splices);
                assert_eq!(Some(diff.text.as_str()), expected("diff").as_str(), "{id}");
                if let Some(preview) = expected("preview").as_str() {
                    assert_eq!(hashline::preview(&diff.text), preview, "{id}");
                }
                let told: Vec<&str> = kinds(&plan).into_iter().filter(|kind| *kind != "truncated").collect();
                assert_eq!(
                    json!(told),
                    Value::from(expected("warnings").as_array().cloned().unwrap_or_default()),
                    "{id}"
                );
            }
            (Err(error), code) => {
                assert_eq!(Some(error.code()), code.as_str(), "{id}: {error}");
                let fields = error.fields();
                for (name, value) in expected("error_data").as_object().into_iter().flatten() {
                    if name == "mismatches" {
                        let ours: Vec<Value> = fields[name].as_array().expect("mismatches").iter().map(|one| json!({"line": one["line"], "expected": one["expected"], "actual": one["actual"]})).collect();
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

const GREEK: &str = "alpha\nbeta\ngamma\ndelta\n";

#[test]
fn payload_may_hold_what_looks_like_the_grammar() {
    let expected = "alpha\n§ 5\n» q\n\\x\n*** Abort\nbeta\ngamma\ndelta\n";
    check(&case(GREEK, "»{1}\n\\§ 5\n\\» q\n\\\\x\n\\*** Abort\n"), expected, &[]);
    check(&case("a\n", "»{1}\n\\section\n"), "a\nsection\n", &["escape_removed"]);
}

#[test]
fn nothing_after_the_end_is_done_in_silence() {
    check(&case(GREEK, "≔{1}\nA\n*** Abort\n≔{2}\nB\n"), "A\nbeta\ngamma\ndelta\n", &["truncated"]);
    check(&case(GREEK, "≔{1}\nA\n*** End Patch\n≔{2}\nB\n"), "A\nbeta\ngamma\ndelta\n", &["truncated"]);
    check(&case(GREEK, "≔{1}\nA\n*** End Patch\n\n"), "A\nbeta\ngamma\ndelta\n", &[]);
    check_refused(&case(GREEK, "≔{1}\nA\n*** Begin Patch\nB\n"), "orphan_payload");
}

#[test]
fn blank_lines_before_a_header_set_apart() {
    check(&case(GREEK, "≔{2}\n\n\n§f.txt\n»EOF\ny\n"), "alpha\ngamma\ndelta\ny\n", &[]);
    check(&case(GREEK, "≔{2}\nB\n\n§f.txt\n»EOF\ny\n"), "alpha\nB\ngamma\ndelta\ny\n", &[]);
    check(&case(GREEK, "»{2}\n\n§f.txt\n»EOF\ny\n"), "alpha\nbeta\n\ngamma\ndelta\ny\n", &[]);
}

#[test]
fn operations_on_the_same_lines_are_refused() {
    for input in [
        "≔{1}..{3}\nA\n≔{2}..{4}\nB\n",
        "≔{2}\nfirst\n≔{2}\nsecond\n",
        "≔{1}..{3}\nA\n»{2}\nB\n",
        "«{2}\nB\n≔{1}..{3}\n",
        "≔{1}..{4}\n≔{2}\nA\n",
    ] {
        let error = check_refused(&case(GREEK, input), "overlapping_ops");
        assert!(error.fields()["first"].as_u64() < error.fields()["second"].as_u64());
    }
}

#[test]
fn insertions_stand_beside_what_replaces_their_line() {
    check(&case(GREEK, "≔{2}\nB\n«{2}\nb4\n»{2}\naf\n"), "alpha\nb4\nB\naf\ngamma\ndelta\n", &[]);
    check(&case(GREEK, "»{1}\nx\n≔{2}\nB\n«{3}\ny\n"), "alpha\nx\nB\ny\ngamma\ndelta\n", &[]);
    check(&case(GREEK, "≔{1}..{4}\n»EOF\nend\n»BOF\ntop\n"), "top\nend\n", &[]);
    check(&case("a\nb", "≔{2}\n»EOF\nc\n"), "a\nc", &[]);
    check(&case("a\nb", "≔{1}..{2}\n"), "", &[]);
    check(&case("a\n", "≔{2}\n"), "a", &[]);
}

#[test]
fn a_range_that_cannot_be_is_refused_at_once() {
    let started = std::time::Instant::now();
    let error = check_refused(&case(GREEK, "≔{1}..3000000bb\n"), "anchor_out_of_range");
    assert_eq!(error.fields(), json!({"path": "f.txt", "line": 3_000_000, "total": 5}));
    assert!(started.elapsed().as_millis() < 50);
}

fn after<'a>(shown: &'a str, text: &'a str, input: &'a str) -> Case<'a> {
    Case { shown: Some(shown), ..case(text, input) }
}

#[test]
fn anchors_follow_their_lines() {
    let rows = "r1\nr2\nr3\nr4\nr5\nr6\n";
    let moved = "new\nr1\nr2\nr3\nr4\nr5\nr6\n";
    check(&after(rows, moved, "≔{3}..{5}\nmine\n"), "new\nr1\nr2\nmine\nr6\n", &["recovered_stale"]);
    check(&after(rows, moved, "»{6}\nlast\n"), "new\nr1\nr2\nr3\nr4\nr5\nr6\nlast\n", &["recovered_stale"]);
    // Another line changed: nothing has to be found again.
    check(&after(rows, "R1\nr2\nr3\nr4\nr5\nr6\n", "≔{5}\nx\n"), "R1\nr2\nr3\nr4\nx\nr6\n", &[]);
    // Blanks at the end are no part of what an anchor says.
    check(&after("a  \nb\n", "a\nb\n", "≔{1}\nx\n"), "x\nb\n", &[]);
    // The file lost its end.
    check(&after(rows, "r3\nr4\nr5\nr6\n", "≔{6}\nx\n"), "r3\nr4\nr5\nx\n", &["recovered_stale"]);
}

#[test]
fn anchors_never_slide_to_a_twin() {
    let twins = "head\nu1\nu2\ntarget\nd1\nd2\nsep\nu1\nu2\ntarget\nd1\nd2\nend\n";
    let changed = twins.replacen("target", "CHANGED", 1);
    check_refused(&after(twins, &changed, "≔{4}\nmine\n"), "stale_anchor");
    // One of two equal blocks is gone; nobody knows which.
    let one_left = "head\nu1\nu2\ntarget\nd1\nd2\nend\n";
    check_refused(
        &after("head\nu1\nu2\ntarget\nd1\nd2\nu1\nu2\ntarget\nd1\nd2\nend\n", one_left, "≔{4}\nmine\n"),
        "stale_anchor",
    );
    check_refused(&after("a\nsame\nb\nsame\nc\n", "a\nb\nsame\nc\nsame\n", "≔{2}\n"), "stale_anchor");
    check_refused(&after("{\n{\n}\n}\n", "{\n}\n}\n", "≔{2}\nx\n"), "stale_anchor");
    // A shift by one puts an equal line under the number, and its letters fit.
    check(
        &after("x\n}\ny\n}\nz\n", "x\nq\n}\ny\n}\nz\n", "»{4}\nnew\n"),
        "x\nq\n}\ny\n}\nnew\nz\n",
        &["recovered_stale"],
    );
}

#[test]
fn a_range_is_not_taken_when_its_inside_changed() {
    let error = check_refused(&after("a\nb\nc\nd\n", "a\nB\nc\nd\n", "≔{1}..{3}\nx\n"), "stale_anchor");
    assert_eq!(error.fields()["mismatches"][0]["line"], 2);
}

#[test]
fn the_text_that_was_shown_decides_not_the_letters() {
    let (one, other) = same_letters();
    let error =
        check_refused(&after(&format!("a\n{one}\n"), &format!("a\n{other}\n"), "≔{2}\nx\n"), "stale_anchor");
    let mismatch = &error.fields()["mismatches"][0];
    assert_eq!(mismatch["expected"], mismatch["actual"]);
}

fn same_letters() -> (String, String) {
    let letters = gajae_tool_core::engine::text::letters;
    let other =
        (0..100_000).map(|number| format!("line {number}")).find(|line| letters(line) == letters("one"));
    ("one".to_owned(), other.expect("a twin"))
}

#[test]
fn every_stale_anchor_is_told_with_fresh_ones() {
    let text = "r1\nr2\nr3\nr4\nr5\nr6\nr7\nr8\nr9\n";
    let error = check_refused(&case(text, "≔2aa\nx\n»8aa\ny\nz\n"), "stale_anchor");
    let ToolError::StaleAnchor { mismatches, excerpt, .. } = &error else { panic!("{error:?}") };
    assert_eq!(mismatches.iter().map(|one| one.line).collect::<Vec<_>>(), [2, 8]);
    let line = |mark: &str, row: u64| format!("{mark}{}|r{row}", anchor(row, &format!("r{row}")));
    let rows = [
        line(" ", 1),
        line("*", 2),
        line(" ", 3),
        line(" ", 4),
        "…".to_owned(),
        line(" ", 6),
        line(" ", 7),
        line("*", 8),
        line(" ", 9),
        format!(" {}|", anchor(10, "")),
    ];
    assert_eq!(excerpt, &rows.join("\n"));
}

#[test]
fn repeated_lines_stand_for_one_line_each() {
    // Above and below at once: the payload is shorter than both together.
    check(&case("x\ny\nT\nx\ny\n", "≔{3}\nx\ny\n"), "x\ny\nx\ny\n", &["absorbed_above"]);
    // A line that another operation works on is not swallowed.
    check(&case("a\nb\nT\nc\n", "≔{3}\na\nb\nt\n»{2}\nq\n"), "a\nb\nq\na\nb\nt\nc\n", &[]);
    // The bracket below is in the payload too, and the range did not close it.
    check(&case("f() {\n  a\n}\nz\n", "≔{2}\n  b\n}\n"), "f() {\n  b\n}\nz\n", &["absorbed_below"]);
    check(&case("f() {\n  a\n}\nz\n", "»{2}\n  b\n}\n"), "f() {\n  a\n  b\n}\nz\n", &["dropped_trailing"]);
}

#[test]
fn the_texts_of_the_mode_are_there() {
    let told = serde_json::to_value(gajae_tool_core::engine::registry::edit_texts("hashline")).expect("JSON");
    assert_eq!(told["parameters"]["required"], json!(["input"]));
    assert_eq!(told["customFormat"]["syntax"], "lark");
    for sigil in ["§", "≔", "»", "«"] {
        assert!(told["description"].as_str().is_some_and(|text| text.contains(sigil)));
        assert!(told["customFormat"]["definition"].as_str().is_some_and(|text| text.contains(sigil)));
    }
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("§f.txt".to_owned()),
        Just("»EOF".to_owned()),
        Just("«BOF|x".to_owned()),
        Just("*** Abort".to_owned()),
        "[»«≔§]?[ *>+-]?[1-9][a-z]{2}(\\.\\.[1-9][a-z]{2})?(\\|.{0,3})?",
        "[»«≔§\\\\]{0,2}.{0,6}",
    ]
}

proptest! {
    /// Whatever the input is, it is done or refused; nothing panics, and the splices fit the text.
    #[test]
    fn any_input_is_done_or_refused(lines in proptest::collection::vec(any_line(), 0..8), text in "([a-c}]{0,1}\n){0,6}[a-c]?", crlf: bool) {
        let input = lines.join(if crlf { "\r\n" } else { "\n" });
        if let Ok(plan) = plan(&text, &input, Some("f.txt"), &Seen::new(), crlf) {
            let mut end = 0;
            for splice in &plan.splices {
                prop_assert!(splice.range.start >= end && splice.range.end <= text.len());
                end = splice.range.end;
            }
            apply(&text, &plan.splices);
        }
    }

    /// Replacing and inserting lines does what it does to a list of lines.
    #[test]
    fn operations_do_to_a_text_what_they_do_to_its_lines(count in 1usize..12, choices in proptest::collection::vec(0u8..5, 12), ends: bool) {
        let rows: Vec<String> = (1..=count).map(|row| format!("row {row}")).collect();
        let text = rows.join("\n") + if ends { "\n" } else { "" };
        let (mut input, mut expected) = ("§f.txt\n".to_owned(), Vec::new());
        for (row, choice) in rows.iter().zip(&choices) {
            let at = anchor((expected_index(row)) as u64, row);
            let (operation, lines): (String, Vec<String>) = match choice {
                0 => (format!("≔{at}\nnew {row}\n"), vec![format!("new {row}")]),
                1 => (format!("»{at}\nafter {row}\n"), vec![row.clone(), format!("after {row}")]),
                2 => (format!("«{at}\nbefore {row}\n"), vec![format!("before {row}"), row.clone()]),
                3 => (format!("≔{at}\n"), vec![]),
                _ => (String::new(), vec![row.clone()]),
            };
            input.push_str(&operation);
            expected.extend(lines);
        }
        let expected = expected.join("\n") + if ends && !expected.is_empty() { "\n" } else { "" };
        if input.lines().count() > 1 {
            let plan = plan(&text, &input, None, &Seen::new(), false).expect("success");
            prop_assert_eq!(apply(&text, &plan.splices), expected);
        }
    }
}

fn expected_index(row: &str) -> usize {
    row.trim_start_matches("row ").parse().expect("a number")
}
