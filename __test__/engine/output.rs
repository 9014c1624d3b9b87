//! What becomes of long results: whether they are cut, where the pieces go, and what is told about it.

use gajae_tool_core::engine::calls::spill::{Facts, Plan, cap, floor, spill};
use gajae_tool_core::engine::calls::truncation::{Budget, Direction, truncate};
use gajae_tool_core::engine::calls::{meta, notices};
use gajae_tool_core::engine::files::{KEPT_BYTES, keep_text};
use gajae_tool_core::engine::outcome::LineRange;
use proptest::prelude::*;
use serde_json::{Value, json};

fn facts(value: Value) -> Facts {
    let mut given = json!({"tool": "probe", "hasStore": true});
    given.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
    serde_json::from_value(given).unwrap()
}

fn lines(count: usize) -> String {
    (1..=count).map(|line| format!("line {line:06}")).collect::<Vec<_>>().join("\n")
}

fn range(start: u64, end: u64) -> LineRange {
    LineRange { start, end }
}

#[test]
fn the_floor_is_the_smallest_limit_that_applies() {
    #[track_caller]
    fn check(given: Value, expected: Option<usize>) {
        assert_eq!(floor(&facts(given.clone())), expected, "{given}");
    }
    check(json!({}), Some(50 * 1024));
    check(json!({"settings": {"tools.artifactSpillThreshold": 0.5}}), Some(512));
    check(json!({"settings": {"tools.artifactSpillThreshold": 0}}), None);
    check(json!({"settings": {"tools.artifactSpillThreshold": -3}}), None);
    check(json!({"settings": {"tools.maxInlineResultBytes": 4}}), Some(4096));
    check(json!({"hasStore": false}), None);
    check(json!({"hasStore": false, "settings": {"tools.maxInlineResultBytes": 64}}), Some(65536));
    check(json!({"tool": "read"}), None);
    check(json!({"tool": "read", "spillEligible": true}), Some(256 * 1024));
    check(json!({"meta": {"truncation": {"artifactId": "7"}}}), None);
}

#[test]
fn unequal_windows_are_reported_as_they_are() {
    let settings = json!({"tools.artifactSpillThreshold": 1, "tools.artifactHeadBytes": 0.1, "tools.artifactTailBytes": 0.5});
    let plan = spill(&facts(json!({"settings": settings})), &[lines(1000)]).unwrap();
    let text = plan.texts[0].as_deref().unwrap();
    let head = text.split("\n[… ").next().unwrap().lines().count() as u64;
    let tail = text.rsplit(" …]\n").next().unwrap().lines().count() as u64;
    assert_eq!((head, tail), (8, 42));
    assert_eq!(plan.truncation.head_range, Some(range(1, head)));
    assert_eq!(plan.truncation.tail_range, Some(range(1001 - tail, 1000)));
    assert_eq!(plan.truncation.elided_lines, Some(1000 - head - tail));
    assert_eq!(plan.truncation.output_bytes, text.len() as u64);
}

#[test]
fn nothing_cut_is_nothing_said() {
    let low = facts(json!({"settings": {"tools.artifactSpillThreshold": 1}}));
    assert_eq!(spill(&low, &[lines(200)]), None);
    assert_eq!(spill(&low, &["x".repeat(1024)]), None);
}

#[test]
fn a_single_oversized_line_is_partial() {
    let whole = "é".repeat(50_000);
    let tail_only = json!({"settings": {"tools.artifactHeadBytes": 0}});
    for given in [json!({}), tail_only] {
        let plan = spill(&facts(given), std::slice::from_ref(&whole)).unwrap();
        let partial = plan.truncation.partial_line.clone().unwrap();
        assert_eq!((partial.line, partial.bytes, partial.source_bytes), (1, 20_480, 100_000));
        assert_eq!(plan.truncation.shown_range, None);
        let notice = notices::truncation_notice(&plan.truncation);
        assert_eq!((notice.kind, &notice.facts["source_bytes"]), ("meta_partial", &json!(100_000)));
    }
}

#[test]
fn lines_of_a_text_that_was_cut_before_are_those_of_its_source() {
    let before = json!({"direction": "head", "truncatedBy": "lines", "totalLines": 90_000, "totalBytes": 1_170_000,
        "outputLines": 10_000, "outputBytes": 120_000, "shownRange": {"start": 501, "end": 10_500}, "nextOffset": 10_501});
    let whole = lines(10_000);
    let plan = spill(&facts(json!({"meta": {"truncation": before}})), std::slice::from_ref(&whole)).unwrap();
    let cut = plan.truncation;
    assert_eq!((cut.total_lines, cut.next_offset), (90_000, Some(10_501)));
    assert_eq!(cut.head_range.unwrap().start, 501);
    assert_eq!(cut.tail_range.unwrap().end, 10_500);
    assert_eq!(cut.artifact_truncated_bytes, Some(1_170_000 - whole.len() as u64));
}

#[test]
fn a_cap_holds_whatever_the_text() {
    let capped = facts(json!({"hasStore": false, "settings": {"tools.maxInlineResultBytes": 1}}));
    for text in [
        lines(1000),
        "x".repeat(9000),
        "😀".repeat(3000),
        "\n".repeat(5000),
        format!("a\n{}", "b".repeat(9000)),
    ] {
        let plan = cap(&capped, &[text]).unwrap();
        assert!(joined(&plan).len() <= 1024, "{}", joined(&plan).len());
    }
    assert_eq!(cap(&capped, &["x".repeat(1024)]), None);
    let tiny = facts(json!({"settings": {"tools.maxInlineResultBytes": 0.01}}));
    assert!(joined(&cap(&tiny, &[lines(50)]).unwrap()).len() <= 10);
}

#[test]
fn a_footer_of_the_body_is_neither_counted_nor_cut() {
    let footer = "\n\n[Showing lines 1-99 of 500]";
    let told = json!({"settings": {"tools.maxInlineResultBytes": 1}, "notices": ["Showing lines 1-99 of 500"],
        "meta": {"truncation": {"noticeOwner": "body", "artifactId": "3"}}});
    assert_eq!(cap(&facts(told.clone()), &[format!("{}{footer}", "x".repeat(1024))]), None);
    let plan = cap(&facts(told), &[format!("{}{footer}", lines(100))]).unwrap();
    assert!(joined(&plan).ends_with(&format!("line 000100{footer}")), "{}", joined(&plan));
    assert!(joined(&plan).starts_with("line 000001\n"));
}

#[test]
fn blocks_keep_what_is_left_of_them() {
    let settings = json!({"tools.artifactSpillThreshold": 0.1, "tools.artifactHeadBytes": 0.03, "tools.artifactTailBytes": 0.025});
    let texts = ["first\nblock".to_owned(), lines(60), "gone\nblock".to_owned(), lines(2)];
    let plan = spill(&facts(json!({"settings": settings})), &texts).unwrap();
    let marker = plan.notices[0].text.clone();
    assert_eq!(plan.texts[0].as_deref(), Some("first\nblock"));
    assert_eq!(plan.texts[1], Some(format!("line 000001\n{marker}")));
    assert_eq!(plan.texts[2], None);
    assert_eq!(plan.texts[3], Some(lines(2)));
}

fn joined(plan: &Plan) -> String {
    plan.texts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join("\n")
}

proptest! {
    #[test]
    fn pieces_in_their_blocks_are_the_cut_text(
        texts in prop::collection::vec("[ab\n😀]{0,30}", 1..5), head in 0u16..30, tail in 0u16..30, rows in 1usize..9,
    ) {
        let settings = json!({"tools.artifactSpillThreshold": 0.001, "tools.artifactTailLines": rows,
            "tools.artifactHeadBytes": f64::from(head) / 1024.0, "tools.artifactTailBytes": f64::from(tail) / 1024.0});
        let (whole, head, tail) = (texts.join("\n"), usize::from(head), usize::from(tail));
        if let Some(plan) = spill(&facts(json!({"settings": settings})), &texts) {
            let direction = if head > 0 { Direction::Middle } else { Direction::Tail };
            let max_lines = if head > 0 { rows * 2 } else { rows };
            let max_bytes = if head > 0 { head + tail } else { tail };
            let budget = Budget { max_lines, max_bytes, head_lines: Some(rows), head_bytes: Some(head) };
            let cut = truncate(&whole, direction, budget).unwrap();
            prop_assert_eq!(joined(&plan), cut.content());
            prop_assert_eq!(plan.truncation.output_bytes, cut.content().len() as u64);
            prop_assert_eq!(plan.texts.len(), texts.len());
        }
    }
}

#[test]
fn hostile_counts_are_no_panic() {
    let most = u64::MAX;
    for direction in ["head", "tail", "middle"] {
        let cut = json!({"truncated": true, "totalLines": most, "totalBytes": most, "outputLines": most, "outputBytes": most,
            "shownRange": {"start": most, "end": most}, "partialLine": {"line": most, "bytes": most, "sourceBytes": 0}});
        let call = ("truncation".to_owned(), vec![cut, json!({"direction": direction, "startLine": most})]);
        let built = meta::build(&[call]).unwrap().unwrap();
        assert_ne!(notices::render(&built).0, "");
    }
    let call = ("truncation".to_owned(), vec![json!({"truncated": true, "totalLines": -1})]);
    assert_eq!(meta::build(&[call]).unwrap_err().code(), "invalid_arguments");
}

#[test]
fn kept_texts_have_numbers_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("deep/session");
    let keep = |label: &str, text: &str| keep_text(&session, label, text).unwrap();
    assert_eq!((keep("bash", "one").id, keep("../x/y", "two").id), ("0".into(), "1".into()));
    std::fs::File::create_new(session.join("41.other.log")).unwrap();
    std::fs::File::create_new(session.join("notes.txt")).unwrap();
    assert_eq!(keep("", "three").id, "42");
    let read = |name: &str| std::fs::read_to_string(session.join(name)).unwrap();
    assert_eq!(read("0.bash.log") + &read("1.___x_y.log") + &read("42.output.log"), "onetwothree");
}

#[test]
fn a_kept_text_is_bounded_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let kept = keep_text(folder.path(), "t", &"한".repeat(KEPT_BYTES / 3 + 10)).unwrap();
    let size = folder.path().join("0.t.log").metadata().unwrap().len();
    assert_eq!((size, kept.missing), (10_485_759, (KEPT_BYTES / 3 + 10) as u64 * 3 - 10_485_759));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::File::create_new(folder.path().join("file")).unwrap();
    assert!(keep_text(&folder.path().join("file/below"), "t", "x").is_err());
}
