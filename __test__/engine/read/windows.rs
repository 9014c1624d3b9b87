//! Reads without selector: the whole text, its end, its start or both.

use serde_json::json;

use super::{Fixture, check_facts, lines};

#[test]
fn a_short_text_is_shown_whole() {
    for (content, expected) in [
        ("", "1|"),
        ("\n", "1|\n2|"),
        ("a\nb", "1|a\n2|b"),
        ("a\nb\n", "1|a\n2|b\n3|"),
        ("a\r\nb\r\n", "1|a\r\n2|b\r\n3|"),
        ("a\rb\nc", "1|a\rb\n2|c"),
        ("a\rb\r", "1|a\n2|b\n3|"),
        ("\u{FEFF}a\n", "1|a\n2|"),
        ("\u{FEFF}", "1|"),
    ] {
        let outcome = Fixture::new(&[("f", content)]).read("f");
        assert_eq!(outcome.text, expected, "{content:?}");
        assert!(outcome.notices.is_empty());
        let is_marked = content.starts_with('\u{FEFF}');
        assert_eq!(outcome.details.get("encoding").is_some(), is_marked, "{content:?}");
    }
}

#[test]
fn anchors_do_not_depend_on_line_endings() {
    let fixture = Fixture::hashed(&[("lf", "a\nb\n"), ("crlf", "\u{FEFF}a\r\nb\r\n"), ("cr", "a\rb\r")]);
    assert_eq!(fixture.text("lf"), "1hs|a\n2yo|b\n3yy|");
    assert_eq!(fixture.text("crlf"), "1hs|a\r\n2yo|b\r\n3yy|");
    assert_eq!(fixture.text("cr"), "1hs|a\n2yo|b\n3yy|");
}

#[test]
fn a_long_text_shows_its_end() {
    let fixture = Fixture::new(&[("f", &lines(60))]);
    let outcome = fixture.read("f");
    assert!(outcome.text.starts_with("12|line 12\n13|"), "{}", outcome.text);
    check_facts(
        &outcome,
        "footer_tail",
        json!({"shown": 50, "total": 61, "start": 12, "end": 61, "kib_ceil": 1, "omitted_end": 11, "path": "f"}),
    );
    let cut = outcome.meta.truncation.unwrap();
    assert_eq!((cut.total_bytes, cut.output_bytes, cut.max_bytes), (471, 392, Some(10240)));
    assert_eq!(cut.notice_owner.as_deref(), Some("body"));
    assert_eq!(outcome.details["displayContent"]["startLine"], 12);
}

#[test]
fn the_head_says_where_to_go_on_once() {
    let fixture = Fixture::new(&[("f", &lines(60))]).set("read.truncation", json!("head"));
    let outcome = fixture.read("f");
    assert!(outcome.text.starts_with("1|line 1\n"));
    check_facts(&outcome, "footer_head", json!({"shown": 50, "total": 61, "path": "f", "next": 51}));
    assert_eq!(outcome.notices.len(), 1);
    assert_eq!(outcome.meta.truncation.unwrap().next_offset, Some(51));
    assert!(fixture.text("f:51").starts_with("50|line 50\n51|line 51\n"));
}

#[test]
fn both_ends_meet_in_a_marker() {
    let fixture = Fixture::new(&[("f", &lines(60))])
        .set("read.truncation", json!("both"))
        .set("read.receiptBudgetLines", json!(5));
    let outcome = fixture.read("f");
    assert!(
        outcome.text.starts_with(
            "1|line 1\n2|line 2\n[… 56 lines elided (442B) …]\n59|line 59\n60|line 60\n61|\n\n["
        ),
        "{}",
        outcome.text
    );
    check_facts(&outcome, "footer_middle", json!({"head_end": 2, "tail_start": 59, "tail_end": 61}));
    check_facts(&outcome, "elision_marker", json!({"lines": 56, "size": "442B"}));
    assert_eq!(outcome.details["truncation"]["content"], "line 1\nline 2\nline 59\nline 60\n");
}

#[test]
fn both_ends_need_room_for_both() {
    let file = lines(10);
    for (budget, shown) in [(1, "11|\n\n["), (11, "1|line 1\n2|line 2\n")] {
        let fixture = Fixture::new(&[("f", &file)])
            .set("read.truncation", json!("both"))
            .set("read.receiptBudgetLines", json!(budget));
        let outcome = fixture.read("f");
        assert!(outcome.text.starts_with(shown), "{}", outcome.text);
    }
}

#[test]
fn a_text_that_fits_exactly_is_whole() {
    let fixture = Fixture::plain(&[("f", &"x".repeat(1024)), ("g", &"x".repeat(1025))])
        .set("read.receiptBudgetBytes", json!(1))
        .set("tools.outputMaxColumns", json!(0));
    assert!(fixture.read("f").meta.truncation.is_none());
    assert!(fixture.read("g").meta.truncation.is_some());
}

#[test]
fn a_line_above_the_budget_does_not_vanish() {
    // With and without a final newline: the empty line behind it must not hide the large one.
    for (content, line) in
        [("a\n".to_owned() + &"q".repeat(71_000), 2), ("a\n".to_owned() + &"q".repeat(71_000) + "\n", 2)]
    {
        let fixture = Fixture::new(&[("f", &content)]);
        let outcome = fixture.read("f");
        assert!(outcome.text.starts_with("2|qqqq"), "{}", &outcome.text[..80]);
        check_facts(&outcome, "footer_partial", json!({"line": line, "bytes": 10240, "size": "69.3KB"}));
        let hashed = Fixture::hashed(&[("f", &content)]).read("f");
        check_facts(&hashed, "oversized_line", json!({"line": line, "size": "69.3KB", "limit": "10.0KB"}));
        // The way the notice names leads to the whole line.
        assert_eq!(fixture.text("f:raw:2-2"), "q".repeat(71_000));
    }
    let head = Fixture::new(&[("f", &("é".repeat(50_000) + "\nb\n"))]).set("read.truncation", json!("head"));
    let outcome = head.read("f");
    check_facts(&outcome, "footer_partial", json!({"line": 1, "bytes": 10240, "size": "97.7KB"}));
    assert!(!outcome.text.contains('\u{FFFD}'));
    assert!(head.text("f:2").ends_with("2|b\n3|"), "the next line can be read");
}

#[test]
fn letters_stand_only_before_whole_lines() {
    let long = "y".repeat(900);
    let fixture = Fixture::hashed(&[("f", &format!("{long}\nok\n"))]);
    let outcome = fixture.read("f");
    assert_eq!(outcome.text, format!("1|{}…\n2dj|ok\n3yy|", "y".repeat(768)));
    assert_eq!(outcome.meta.limits.unwrap().column_truncated.unwrap().max_column, 768);
    assert_eq!(fixture.text("f:raw"), format!("{long}\nok\n"));
}

#[test]
fn the_column_cap_counts_characters_and_keeps_graphemes() {
    let check = |line: &str, expected: &str| {
        let fixture = Fixture::new(&[("f", line)]).set("tools.outputMaxColumns", json!(4));
        assert_eq!(fixture.text("f"), format!("1|{expected}"), "{line}");
        assert_eq!(fixture.text("f:1-1"), format!("1|{expected}"), "{line}");
    };
    check("한국어말", "한국어말");
    check("한국어말씀", "한국어말…");
    check("abce\u{301}x", "abc…");
    check("ab👩‍👧c", "ab…");
    check("e\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}…");
    check("abcd\r\n", "abcd\r\n2|");
}

#[test]
fn a_line_above_every_budget_has_a_way_on_and_no_false_promise() {
    let line = "q".repeat(3 << 20);
    let fixture = Fixture::hashed(&[
        ("one", &line),
        ("f", &format!("{line}\nsecond\n")),
        ("t", &format!("a\nb\n{line}")),
    ]);
    let fixture = fixture.set("read.truncation", json!("head"));
    let head = fixture.text("f");
    assert!(head.ends_with("Read f:raw:1-1 for the first 2.0MB of it, f:2 to go on]"), "{head}");
    let fixture = fixture.set("read.truncation", json!("last"));
    let tail = fixture.text("t");
    assert!(
        tail.ends_with("Read t:raw:3-3 for the first 2.0MB of it, t:1-2 for the lines before it]"),
        "{tail}"
    );
    for path in ["one:raw", "f:raw", "f:raw:1-"] {
        let raw = fixture.read(path);
        let facts = json!({"cap": "2.0MB", "size": "3.0MB", "within": 1, "next": 2});
        check_facts(&raw, "raw_cap", facts);
        assert!(raw.text.contains("stops at 2.0MB within line 1"), "{path}");
    }
    assert_eq!(fixture.text("f:raw:2-"), "second\n");
}
