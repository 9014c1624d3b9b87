//! The list of tasks: operations, rollback, and the way through Markdown and back.

use gajae_tool_core::engine::exec::parse_value;
use gajae_tool_core::engine::exec::todo::{
    Facts, Options, Phase, Status, Task, from_markdown, normalize, refusal, run, to_markdown,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A list in a line for each phase: `Plan: +done >current -given up`.
fn shown(phases: &[Phase]) -> String {
    let task = |task: &Task| {
        let mark = match task.status {
            Status::Pending => ' ',
            Status::InProgress => '>',
            Status::Completed => '+',
            Status::Abandoned => '-',
        };
        format!("{mark}{}", task.content)
    };
    let phase = |phase: &Phase| {
        format!("{}:{}", phase.name, phase.tasks.iter().map(task).collect::<Vec<_>>().join(","))
    };
    phases.iter().map(phase).collect::<Vec<_>>().join("; ")
}

fn call(phases: &[Phase], ops: Value) -> (String, Value, Vec<Phase>) {
    let options: Options = parse_value(&json!({ "ops": ops })).unwrap();
    let facts = Facts { phases: phases.to_vec(), ..Facts::default() };
    let decision = run(&options, &facts).unwrap();
    let kept = decision.state.map_or(phases.to_vec(), |state| parse_value(&state).unwrap());
    let (text, details, _) = decision.outcome.receipt();
    (text, Value::Object(details), kept)
}

fn list() -> Vec<Phase> {
    let ops = json!([{"op": "init", "list": [{"phase": "P", "items": ["a", "b"]}, {"phase": "Q", "items": ["c"]}]}]);
    call(&[], ops).2
}

fn check(ops: Value, expected: &str) {
    assert_eq!(shown(&call(&list(), ops.clone()).2), expected, "{ops}");
}

fn check_refused(ops: Value, words: &str) {
    let (text, details, kept) = call(&list(), ops.clone());
    assert_eq!(kept, list(), "{ops}");
    assert!(text.starts_with("Errors: ") && text.contains(words), "{ops}: {text}");
    assert_eq!(details["failureKind"], "payload_rejected");
    assert_eq!(details["phases"], json!(list()));
    for notice in details["notices"].as_array().unwrap() {
        assert!(text.contains(notice["text"].as_str().unwrap()));
    }
}

#[test]
fn operations_change_the_list() {
    check(json!([{"op": "done", "task": "a"}]), "P:+a,>b; Q: c");
    check(json!([{"op": "drop", "phase": "P"}]), "P:-a,-b; Q:>c");
    check(json!([{"op": "start", "task": "c"}]), "P: a, b; Q:>c");
    check(json!([{"op": "done", "task": "a"}, {"op": "start", "task": "a"}]), "P:>a, b; Q: c");
    check(json!([{"op": "rm", "task": "a"}]), "P:>b; Q: c");
    check(json!([{"op": "rm", "phase": "P"}]), "P:; Q:>c");
    check(json!([{"op": "rm"}]), "P:; Q:");
    check(
        json!([{"op": "append", "phase": "R", "items": ["d"]}, {"op": "start", "task": "d"}]),
        "P: a, b; Q: c; R:>d",
    );
    check(json!([{"op": "init", "list": []}]), "");
}

#[test]
fn one_failure_undoes_all() {
    check_refused(json!([{"op": "done", "task": "a"}, {"op": "done", "task": "x"}]), "\"x\"");
    check_refused(json!([{"op": "append", "phase": "P", "items": ["d", "c"]}]), "\"c\"");
    check_refused(json!([{"op": "append", "phase": "P", "items": ["d", "d"]}]), "\"d\"");
    check_refused(json!([{"op": "start", "task": "task-2"}]), "whole text");
    check_refused(json!([{"op": "note", "task": "a", "text": " \n"}]), "text");
    // A text that is there twice could never be addressed the second time.
    check_refused(json!([{"op": "init", "list": [{"phase": "P", "items": ["a", "a"]}]}]), "\"a\"");
    check_refused(
        json!([{"op": "init", "list": [{"phase": "P", "items": ["a"]}, {"phase": "P", "items": ["b"]}]}]),
        "\"P\"",
    );
}

#[test]
fn arguments_that_nobody_means_are_refused_before_any_repair() {
    for (arguments, words) in [
        (json!({"ops": [], "merge": true}), "merge"),
        (json!({"ops": [{"op": "rm", "id": 3}]}), "ops[0].id"),
        (
            json!({"ops": [{"op": "init", "list": [{"phase": "P", "items": ["a"], "note": "n"}]}]}),
            "ops[0].list[0].note",
        ),
        (json!({"ops": [{"op": "done", "task": ""}]}), "ops[0]"),
    ] {
        assert!(refusal(&arguments).is_some_and(|reason| reason.contains(words)), "{arguments}");
    }
    for fine in [json!({"ops": [{"op": "done", "task": "a"}]}), json!({"ops": "[]"}), json!([1])] {
        assert_eq!(refusal(&fine), None);
    }
}

#[test]
fn markdown_is_read_as_people_write_it() {
    let text = "- [X] loose\r\n\r\n## Build\r\n* [ ] one\n  > first\n  >\n  > still first\n  > ---\n  > second\n- [~] two\n+ [>] three\n";
    let (phases, errors) = from_markdown(text);
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(shown(&phases), "Tasks:+loose; Build: one,-two,>three");
    assert_eq!(phases[1].tasks[0].notes, ["first\n\nstill first", "second"]);
    let (phases, errors) = from_markdown("words\n- [?] a\n  > lost\n- [ ] \n# \n# P\n- [ ] b");
    assert_eq!(shown(&phases), "P:>b");
    let lines: Vec<_> = errors.iter().map(|error| error.split(':').next().unwrap()).collect();
    assert_eq!(lines, ["Line 1", "Line 2", "Line 3", "Line 4", "Line 5"]);
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ a-z&#;0-9>\\-\\[\\]\n\r\t\u{2028}é]{1,8}",
        Just("---".to_owned()),
        Just("&#10;".to_owned()),
        Just("# x".to_owned()),
    ]
}

proptest! {
    #[test]
    fn markdown_reads_back_as_the_same_list(
        phases in prop::collection::vec(
            (text(), prop::collection::vec((text(), 0..4_usize, prop::collection::vec(text(), 0..3)), 0..4)),
            0..4,
        )
    ) {
        let statuses = [Status::Pending, Status::InProgress, Status::Completed, Status::Abandoned];
        let mut phases: Vec<_> = phases
            .into_iter()
            .map(|(name, tasks)| Phase {
                name,
                tasks: tasks
                    .into_iter()
                    .map(|(content, status, notes)| Task { content, status: statuses[status], notes })
                    .collect(),
            })
            .collect();
        normalize(&mut phases);
        let markdown = to_markdown(&phases);
        prop_assert_eq!(from_markdown(&markdown), (phases, vec![]), "{}", markdown);
    }
}
