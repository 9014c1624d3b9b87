//! `read`: selectors, windows, exact lines, listings, and files that are no ordinary text.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::read::{self, selector};
use gajae_tool_core::engine::exec::{Context, parse_arguments};
use gajae_tool_core::engine::outcome::{Notice, Outcome};
use gajae_tool_core::engine::settings::Settings;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory and the settings of its session: line numbers, no letters, unless told otherwise.
struct Fixture {
    directory: TempDir,
    settings: Value,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(json!({"readHashLines": false, "readLineNumbers": true}), files)
    }

    fn hashed(files: &[(&str, &str)]) -> Self {
        Self::with(json!({}), files)
    }

    fn plain(files: &[(&str, &str)]) -> Self {
        Self::with(json!({"readHashLines": false}), files)
    }

    fn with(settings: Value, files: &[(&str, &str)]) -> Self {
        let fixture = Self { directory: TempDir::new().unwrap(), settings };
        for (name, content) in files {
            fixture.file(name, content.as_bytes());
        }
        fixture
    }

    fn set(mut self, key: &str, value: Value) -> Self {
        self.settings[key] = value;
        self
    }

    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    fn file(&self, name: &str, content: &[u8]) {
        let path = self.root().join(name);
        make_directories(path.parent().unwrap());
        write(&path, content);
    }

    fn try_read_with(
        &self,
        arguments: &Value,
        cancel: &CancelToken,
        time: Duration,
    ) -> Result<Outcome, ToolError> {
        let context = Context {
            cwd: self.root(),
            home: Some(self.root().join("home")),
            settings: Settings::new(self.settings.as_object().unwrap().clone()),
            has_edit_tool: true,
            restricts_commands: false,
            env: Vec::new(),
            ..Context::default()
        };
        read::run_within(&parse_arguments(&arguments.to_string())?, &context, cancel, time)
    }

    fn try_read(&self, path: &str) -> Result<Outcome, ToolError> {
        self.try_read_with(&json!({"path": path}), &CancelToken::new(), Duration::from_secs(60))
    }

    #[track_caller]
    fn read(&self, path: &str) -> Outcome {
        let outcome = self.try_read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for notice in &outcome.notices {
            assert!(outcome.text.contains(&notice.text), "{path}: a notice is not in the text");
        }
        outcome
    }

    #[track_caller]
    fn text(&self, path: &str) -> String {
        self.read(path).text
    }

    #[track_caller]
    fn error(&self, path: &str) -> ToolError {
        self.try_read(path).expect_err(path)
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests make their own trees")]
fn write(path: &Path, content: &[u8]) {
    fs::write(path, content).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the tests make their own trees")]
fn make_directories(path: &Path) {
    fs::create_dir_all(path).unwrap();
}

/// `line 1`, `line 2`, … with a final newline.
fn lines(count: usize) -> String {
    (1..=count).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat()
}

#[track_caller]
fn notice<'a>(outcome: &'a Outcome, kind: &str) -> &'a Notice {
    let found = outcome.notices.iter().find(|notice| notice.kind == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {:?}", outcome.notices))
}

/// The named facts of a notice.
#[track_caller]
fn check_facts(outcome: &Outcome, kind: &str, expected: Value) {
    let facts = &notice(outcome, kind).facts;
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(facts.get(name), Some(value), "{kind}.{name} of {facts:?}");
    }
}

// Selectors.

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

// Windows.

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
fn invalid_bytes_are_replaced_and_told() {
    let fixture = Fixture::new(&[("ok", "caf\u{FFFD}\n")]);
    fixture.file("l.txt", b"caf\xe9\nb\n");
    for path in ["l.txt", "l.txt:raw", "l.txt:1-1", "l.txt:1,3"] {
        let outcome = fixture.read(path);
        assert!(outcome.text.contains("caf\u{FFFD}"), "{path}");
        assert_eq!(outcome.details["lossy"], true, "{path}");
    }
    assert!(!fixture.read("l.txt:raw:2-2").details.contains_key("lossy"));
    assert!(!fixture.read("ok").details.contains_key("lossy"), "the character itself is no fault");
}

// Ranges.

#[test]
fn a_range_stands_in_its_context() {
    let fixture = Fixture::new(&[("f", &lines(30))]).set("read.defaultLimit", json!(5));
    for (selector, first, last, next) in [
        ("4-5", 3, 8, Some(9)),
        ("1-2", 1, 5, Some(6)),
        ("5+1", 4, 8, Some(9)),
        ("28-30", 27, 31, None),
        ("29-99", 28, 31, None),
        ("7", 6, 11, Some(12)),
        ("7-", 6, 11, Some(12)),
        ("2-4,3-6", 1, 9, Some(10)),
        ("31", 30, 31, None),
    ] {
        let outcome = fixture.read(&format!("f:{selector}"));
        let numbers: Vec<&str> = outcome.text.lines().filter_map(|line| line.split('|').next()).collect();
        assert_eq!(numbers.first(), Some(&first.to_string().as_str()), "{selector}");
        assert_eq!(numbers.last(), Some(&last.to_string().as_str()), "{selector}");
        let cut = outcome.meta.truncation;
        assert_eq!(cut.as_ref().and_then(|cut| cut.next_offset), next, "{selector}");
        assert_eq!(cut.is_some(), next.is_some(), "{selector}");
        assert!(cut.is_none_or(|cut| cut.total_lines == 31), "{selector}");
    }
}

#[test]
fn a_start_behind_the_end_is_an_answer() {
    let fixture = Fixture::new(&[("f", &lines(10)), ("e", "")]);
    for (path, line, total) in [("f:50", 50, 11), ("f:12", 12, 11), ("e:5", 5, 1), ("f:raw:12-13", 12, 11)] {
        let outcome = fixture.read(path);
        check_facts(
            &outcome,
            "beyond_end",
            json!({"line": line, "entity": "file", "total": total, "last": total}),
        );
        assert!(outcome.meta.truncation.is_none());
    }
}

#[test]
fn several_ranges_are_exact() {
    let fixture = Fixture::new(&[("f", &lines(10))]);
    assert_eq!(fixture.text("f:2-3,7-8"), "2|line 2\n3|line 3\n\n…\n\n7|line 7\n8|line 8");
    assert_eq!(fixture.text("f:7,2"), "2|line 2\n\n…\n\n7|line 7");
    assert_eq!(fixture.text("f:2,9-99"), "2|line 2\n\n…\n\n9|line 9\n10|line 10\n11|");
    let outcome = fixture.read("f:2-3,40-50");
    assert!(outcome.text.starts_with("2|line 2\n3|line 3\n["));
    check_facts(&outcome, "range_skipped", json!({"range": "40-50", "entity": "file", "total": 11}));
    let nothing = fixture.read("f:40-50,60-");
    assert_eq!(nothing.notices.len(), 2);
}

#[test]
fn lines_that_do_not_fit_are_named() {
    let fixture = Fixture::new(&[("f", &lines(9000))]);
    let outcome = fixture.read("f:1-2999,4000-4003,5000-5001");
    let skipped: Vec<_> =
        outcome.notices.iter().map(|notice| notice.facts["range"].as_str().unwrap().to_owned()).collect();
    assert_eq!(skipped, ["4001-4003", "5000-5001"]);
    let open = Fixture::new(&[("f", &lines(50))]).set("read.defaultLimit", json!(5));
    let cut = open.read("f:2,10-").meta.truncation.unwrap();
    assert_eq!((cut.next_offset, cut.total_lines), (Some(15), 51));
}

/// Following `Use :N` shows every line, each just once behind the line of context.
#[test]
fn the_way_to_go_on_ends() {
    let wide: String = (0..40).map(|index| "w".repeat(index * 300) + "\n").collect();
    for (content, columns) in
        [(lines(1000), 768), (wide.clone(), 768), (wide, 0), ("q".repeat(300_000) + "\nb\n", 0)]
    {
        let fixture = Fixture::new(&[("f", &content)]).set("tools.outputMaxColumns", json!(columns));
        let total = content.matches('\n').count() as u64 + 1;
        let (mut next, mut seen) = (1, 0);
        for _ in 0..total {
            let outcome = fixture.read(&format!("f:{next}"));
            let last = outcome.text.lines().rfind(|line| line.contains('|')).unwrap();
            seen = last.split('|').next().unwrap().parse().unwrap();
            assert!(seen >= next, "no progress at {next}");
            match outcome.meta.truncation.and_then(|cut| cut.next_offset) {
                Some(then) => next = then,
                None => break,
            }
            assert_eq!(next, seen + 1);
        }
        assert_eq!(seen, total);
    }
}

#[test]
fn raw_is_exact() {
    let fixture = Fixture::hashed(&[("f", &lines(10)), ("crlf", "a\r\nb\r\n"), ("cr", "a\rb\rc")]);
    for (path, expected) in [
        ("f:raw", lines(10).as_str()),
        ("f:RAW:4-5", "line 4\nline 5"),
        ("f:4-5:raw", "line 4\nline 5"),
        ("f:raw:9", "line 9\nline 10\n"),
        ("f:2-3,7-8:raw", "line 2\nline 3\n\n…\n\nline 7\nline 8"),
        ("crlf:raw", "a\r\nb\r\n"),
        ("crlf:raw:1-2", "a\r\nb\r"),
        ("cr:raw", "a\rb\rc"),
        ("cr:raw:2-3", "b\rc"),
    ] {
        let outcome = fixture.read(path);
        assert_eq!(outcome.text, expected, "{path}");
        assert!(outcome.notices.is_empty(), "{path}");
        assert_eq!(outcome.details["spillEligible"], true);
    }
}

#[test]
fn raw_stops_at_its_cap_and_can_go_on() {
    let content = (0..40_000).map(|index| format!("{index:0>99}\n")).collect::<Vec<_>>().concat();
    let fixture = Fixture::hashed(&[("f", &content), ("one", &"x".repeat(3 << 20))]);
    let (mut text, mut path) = (String::new(), "f:raw".to_owned());
    for _ in 0..5 {
        let outcome = fixture.read(&path);
        let cap = outcome.notices.first();
        let shown =
            cap.map_or(outcome.text.as_str(), |cap| outcome.text.strip_suffix(&cap.text).unwrap().trim_end());
        text.push_str(shown);
        let Some(cap) = cap else { break };
        assert_eq!(
            (cap.kind, &cap.facts["cap"], &cap.facts["size"]),
            ("raw_cap", &json!("2.0MB"), &json!("3.8MB"))
        );
        text.push('\n');
        path = format!("f:raw:{}-", cap.facts["next"]);
    }
    assert_eq!(text, content);
    assert!(fixture.read("one:raw:1-1").text.len() < (2 << 20) + 500);
}

// Files that are no ordinary text.

#[test]
fn binary_files_are_named() {
    let fixture = Fixture::new(&[]);
    fixture.file("n.bin", b"ab\0cd\nef\n");
    fixture.file("elf", b"\x7fELF\0\0\0");
    let outcome = fixture.read("n.bin");
    assert_eq!(outcome.text, outcome.notices[0].text);
    check_facts(&outcome, "binary", json!({"path": "n.bin", "size": "9B"}));
    check_facts(&fixture.read("elf"), "binary", json!({"format": "ELF"}));
    assert_eq!(fixture.text("n.bin:raw"), "ab\0cd\nef\n");
    let ranged = fixture.read("n.bin:1-1");
    assert_eq!(ranged.text, format!("{}\n1|ab\\x00cd", notice(&ranged, "binary").text));
}

#[test]
fn lines_of_a_binary_file_stay_few() {
    let fixture = Fixture::hashed(&[]);
    let bytes: Vec<u8> = (0..=255u8).cycle().take(2_000_000).collect();
    fixture.file("x.bin", &bytes);
    for path in ["x.bin", "x.bin:1", "x.bin:1-2,5-6", "x.bin:3-4000"] {
        let outcome = fixture.read(path);
        assert!(outcome.text.len() <= 8 * 1024, "{path}: {}", outcome.text.len());
        assert!(outcome.text.contains("binary"), "{path}");
    }
}

#[test]
fn what_comes_later_says_so() {
    let fixture = Fixture::new(&[("n.ipynb", "{}"), ("x.zip", "x"), ("d.zip/inner.txt", "x\n")]);
    fixture.file("u.txt", b"\xFF\xFEa\0\n\0");
    fixture.file("d.db", b"SQLite format 3\0rest");
    fixture.file("t.db", b"plain text\n");
    for path in [
        "n.ipynb",
        "x.zip",
        "x.zip:a.txt",
        "x.zip:1-2",
        "u.txt",
        "d.db",
        "d.db:users",
        "d.db?q=1",
        "conflict://1",
        "artifact://3:5",
        "t.db:conflicts",
    ] {
        let error = fixture.error(path);
        assert_eq!(error.code(), "unsupported", "{path}: {error}");
    }
    assert_eq!(fixture.text("n.ipynb:raw"), "{}");
    assert_eq!(fixture.text("d.zip/inner.txt"), "1|x\n2|");
    assert_eq!(fixture.text("t.db"), "1|plain text\n2|");
    for path in ["gone.zip", "gone.zip:a.txt", "gone.db:users", "t.db:users"] {
        let error = fixture.error(path);
        assert_eq!(error.code(), "path_not_found", "{path}");
        assert!(error.to_string().contains(path), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn special_files_never_wait() {
    let fixture = Fixture::new(&[("f", "x\n")]);
    let root = fixture.root();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, root.join("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
    std::os::unix::fs::symlink("gone", root.join("dangling")).unwrap();
    let started = Instant::now();
    for (path, code, word) in [
        ("pipe", "io_error", "named pipe"),
        ("pipe:1-2", "io_error", "named pipe"),
        ("/dev/zero", "io_error", "character device"),
        ("/dev/zero:raw", "io_error", "character device"),
        ("loop", "io_error", "loop"),
        ("dangling", "path_not_found", "dangling"),
        ("f/below", "path_not_found", "f/below"),
        (&"n".repeat(300), "io_error", "nnn"),
        ("nul\0byte", "io_error", "nul"),
    ] {
        let error = fixture.error(path);
        assert_eq!(error.code(), code, "{path}: {error}");
        assert!(error.to_string().contains(word), "{path}: {error}");
    }
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[cfg(target_os = "linux")]
#[test]
fn files_of_proc_have_a_text() {
    let fixture = Fixture::new(&[]);
    assert!(fixture.text("/proc/self/status:1-2").starts_with("1|Name:"));
    assert_eq!(fixture.error("/proc/self/mem").code(), "io_error");
    assert!(fixture.text("/proc/self/status:raw").contains("VmSize"));
}

#[test]
fn a_huge_file_is_ordinary() {
    let fixture = Fixture::new(&[("huge", &lines(3000))]);
    let path = fixture.root().join("huge");
    fs::File::options().write(true).open(&path).unwrap().set_len(3 << 30).unwrap();
    let started = Instant::now();
    let outcome = fixture.read("huge:1-2");
    assert!(outcome.text.starts_with("1|line 1\n2|line 2\n"));
    assert_eq!(outcome.meta.truncation.unwrap().total_lines_exact, Some(false));
    assert!(fixture.text("huge:2990,3000").starts_with("2990|line 2990\n\n…\n\n3000|line 3000"));
    assert_eq!(fixture.text("huge:raw:7-7"), "line 7");
    let read = |path: &str| {
        fixture
            .try_read_with(&json!({"path": path}), &CancelToken::new(), Duration::from_millis(100))
            .unwrap()
    };
    let tail = read("huge");
    check_facts(&tail, "footer_partial", json!({"bytes": 10240}));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// A number of lines is remembered only while the file cannot have changed.
#[cfg(unix)]
#[test]
fn a_file_that_changed_is_counted_again() {
    let fixture = Fixture::new(&[("f", &lines(60_000))]);
    let total = |expected: u64| {
        let outcome = fixture.read("f");
        assert_eq!(outcome.meta.truncation.unwrap().total_lines, expected);
    };
    // The first look is too early to remember, the second one remembers, the third one recalls.
    total(60_001);
    std::thread::sleep(Duration::from_millis(3200));
    total(60_001);
    let arguments = json!({"path": "f"});
    let recalled = fixture.try_read_with(&arguments, &CancelToken::new(), Duration::ZERO).unwrap();
    assert!(recalled.text.contains("60000|line 60000"), "no time to count, and none needed");
    let modified = fixture.root().join("f").metadata().unwrap().modified().unwrap();
    // Same size, same time of modification, fewer lines.
    let path = fixture.root().join("f");
    write(&path, lines(60_000).replacen("\nline", " line", 10).as_bytes());
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    total(59_991);
}

#[test]
fn a_huge_line_is_not_followed_to_its_end() {
    let fixture = Fixture::new(&[("zeros", "first line\n"), ("text", &"x".repeat(70_000))]);
    for name in ["zeros", "text"] {
        let file = fs::File::options().write(true).open(fixture.root().join(name)).unwrap();
        file.set_len(8 << 30).unwrap();
    }
    let started = Instant::now();
    assert!(fixture.text("zeros:1-1").contains("1|first line"));
    assert!(fixture.text("zeros:1-2").len() < 8192);
    for direction in ["head", "last", "both"] {
        let arguments = json!({"path": "text", "truncation": direction});
        let outcome =
            fixture.try_read_with(&arguments, &CancelToken::new(), Duration::from_millis(50)).unwrap();
        assert_eq!(outcome.notices[0].kind, "footer_partial", "{direction}");
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// Without a count of its lines, the end of a file has text but no numbers.
#[test]
fn an_uncounted_end_has_no_numbers() {
    let fixture = Fixture::hashed(&[("f", &lines(100_000))]);
    let read = |direction: &str| {
        let arguments = json!({"path": "f", "truncation": direction});
        fixture.try_read_with(&arguments, &CancelToken::new(), Duration::ZERO).unwrap()
    };
    let tail = read("last");
    assert!(tail.text.starts_with("line 99952\n"), "{}", &tail.text[..40]);
    assert_eq!(tail.details["truncation"]["totalLinesExact"], false);
    check_facts(&tail, "footer_tail", json!({"shown": 50, "totalLinesExact": false}));
    let both = read("both");
    assert!(both.text.starts_with('1') && both.text[..11].ends_with("|line 1\n"), "{}", &both.text[..40]);
    assert!(both.text.contains("\nline 99977\n"));
    let head = read("head");
    check_facts(&head, "footer_head", json!({"shown": 50, "next": 51}));
}

#[test]
fn a_cancelled_call_stops() {
    let fixture = Fixture::new(&[("f", "x\n")]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let error = fixture.try_read_with(&json!({"path": "f"}), &cancel, Duration::ZERO).unwrap_err();
    assert_eq!(error.code(), "aborted");
}

// Paths.

#[test]
fn the_exact_name_comes_first() {
    let fixture = Fixture::plain(&[
        ("shot\u{A0}1.txt", "hard"),
        ("shot 1.txt", "plain"),
        ("~/x", "here"),
        ("home/y", "home"),
    ]);
    assert_eq!(fixture.text("shot\u{A0}1.txt"), "hard");
    assert_eq!(fixture.text("shot 1.txt"), "plain");
    assert_eq!(fixture.text("shot\u{2003}1.txt"), "plain");
    assert_eq!(fixture.text("~/x"), "here");
    assert_eq!(fixture.text("~/y"), "home");
}

#[test]
fn a_name_that_only_looks_different_is_found() {
    let fixture = Fixture::plain(&[
        ("Shot 1.02\u{202F}PM.txt", "narrow"),
        ("cafe\u{301}/r\u{E9}sum\u{E9}.txt", "composed"),
        ("it\u{2019}s \u{201C}x\u{201D}.txt", "curly"),
        ("two\u{A0}x", "1"),
        ("two\u{2003}x", "2"),
        ("d/my file.txt", "escaped"),
    ]);
    assert_eq!(fixture.text("Shot 1.02 PM.txt"), "narrow");
    assert_eq!(fixture.text("caf\u{E9}/re\u{301}sume\u{301}.txt"), "composed");
    assert_eq!(fixture.text("it's \"x\".txt:1"), "curly");
    assert_eq!(fixture.text("d/my\\ file.txt"), "escaped");
    assert_eq!(fixture.error("two x").code(), "path_not_found", "two names look like it");
}

#[cfg(unix)]
#[test]
fn names_are_read_as_they_are_listed() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::plain(&[("a\nb.txt", "newline"), ("\\odd.txt", "backslash")]);
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    write(&fixture.root().join(odd), b"latin");
    let listing = fixture.text(".");
    for (name, content) in [("a\\nb.txt", "newline"), ("caf\\xe9.txt", "latin"), ("\\odd.txt", "backslash")] {
        assert!(listing.contains(&format!("- {name} ")), "{listing}");
        assert_eq!(fixture.text(name), content);
    }
    assert_eq!(
        fixture.read("caf\\xe9.txt").details["resolvedPath"],
        format!("{}/caf\\xe9.txt", fixture.root().display())
    );
}

// Directories.

/// Sets how long ago a file changed.
fn age(path: &Path, seconds: u64) {
    // One clock for all, so that equal ages are equal times.
    static NOW: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);
    let time = *NOW - Duration::from_secs(seconds);
    fs::File::open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn a_directory_lists_two_levels() {
    let fixture = Fixture::new(&[("a.txt", "12345"), ("b/c.txt", ""), ("b/d/e.txt", "deep"), (".hid", "h")]);
    for name in [".hid", "a.txt", "b/c.txt", "b/d", "b"] {
        age(&fixture.root().join(name), 7205);
    }
    let outcome = fixture.read(".");
    assert_eq!(
        outcome.text,
        ".\n  - .hid     1B        2h ago\n  - a.txt    5B        2h ago\n  - b/                 2h ago\n    \
         - c.txt  0B        2h ago\n    - d/               2h ago"
    );
    assert_eq!(outcome.details["isDirectory"], true);
    assert_eq!(fixture.text("b/"), fixture.text("b"));
    assert_eq!(fixture.text("/"), outcome.text);
    assert_eq!(fixture.text(".:raw"), outcome.text);
}

#[test]
fn ages_use_their_largest_unit() {
    const DAY: u64 = 86_400;
    for (seconds, expected) in [
        (0, "just now"),
        (30, "just now"),
        (65, "1m ago"),
        (3605, "1h ago"),
        (DAY + 5, "1d ago"),
        (8 * DAY + 5, "1w ago"),
        (29 * DAY + 5, "4w ago"),
        (35 * DAY + 5, "1mo ago"),
        (800 * DAY + 5, "26mo ago"),
    ] {
        let fixture = Fixture::new(&[("f", "1")]);
        age(&fixture.root().join("f"), seconds);
        assert_eq!(fixture.text("."), format!(".\n  - f  1B        {expected}"));
    }
}

#[test]
fn a_crowded_directory_keeps_the_newest_and_the_oldest() {
    let fixture = Fixture::new(&[]);
    for index in 0..15 {
        let name = format!("d/f{index:0>2}");
        fixture.file(&name, b"x");
        age(&fixture.root().join(&name), 3600 * (index + 1) + 5);
    }
    let outcome = fixture.read(".");
    let names: Vec<&str> =
        outcome.text.lines().take(15).map(|line| line.trim_start().split("  ").next().unwrap()).collect();
    assert_eq!((names[2], names[12], names[13], names[14]), ("- f00", "- f10", "- … 3 more", "- f14"));
    let path = fixture.root().display().to_string();
    check_facts(
        &outcome,
        "listing_truncated",
        json!({"lines": 15, "kib_ceil": 1, "retained": "first", "path": path}),
    );
    assert_eq!(fixture.text("d").lines().count(), 16, "the listed directory itself has no such limit");
}

#[test]
fn a_listing_is_paged_by_its_lines() {
    let fixture = Fixture::new(&[]);
    for index in 0..120 {
        fixture.file(&format!("f{index:0>3}"), b"");
    }
    let outcome = fixture.read(".");
    check_facts(
        &outcome,
        "listing_truncated",
        json!({"lines": 50, "start": 1, "end": 50, "total": 121, "next": 51}),
    );
    let page = fixture.read(".:51-53");
    assert_eq!(page.text.lines().take_while(|line| !line.is_empty()).count(), 3);
    check_facts(&page, "listing_truncated", json!({"start": 51, "end": 53, "total": 121, "next": 54}));
    let last = fixture.read(".:101-");
    assert_eq!(last.text.lines().count(), 21);
    check_facts(&fixture.read(".:200"), "beyond_end", json!({"entity": "listing", "total": 121}));
    assert_eq!(fixture.error(".:1-2,5-6").code(), "selector_unsupported");
}

#[cfg(unix)]
#[test]
fn only_files_and_directories_have_facts() {
    let fixture = Fixture::new(&[("x.txt", "1"), ("node_modules/m.js", "1"), (".git/HEAD", "1")]);
    let root = fixture.root();
    make_directories(&root.join("empty"));
    std::os::unix::fs::symlink("/", root.join("link")).unwrap();
    std::os::unix::fs::symlink("link", root.join("loop")).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, root.join("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let listing = fixture.text(".");
    assert!(listing.lines().any(|line| line == "  - link"), "{listing}");
    assert!(
        !listing.contains("pipe") && !listing.contains("node_modules") && !listing.contains(".git"),
        "{listing}"
    );
    assert_eq!(fixture.text("empty"), "(empty directory)");
    assert!(fixture.text("node_modules").contains("- m.js"));
}

// Properties.

/// Bytes of the kinds that matter for lines.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(b"a".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just("é".as_bytes().to_vec()),
        Just(b"\xff".to_vec()),
        Just(b"\xf0\x9f".to_vec()),
    ];
    (any::<bool>(), prop::collection::vec(part, 0..60)).prop_map(|(bom, parts)| {
        let start = if bom { b"\xEF\xBB\xBF".to_vec() } else { Vec::new() };
        parts.into_iter().fold(start, |mut bytes, part| {
            bytes.extend(part);
            bytes
        })
    })
}

proptest! {
    /// Raw text is the file; windows and ranges count lines as `split_lines` does.
    #[test]
    fn every_view_agrees_on_the_lines(content in bytes(), budget in 1usize..20) {
        use gajae_tool_core::engine::text::{Ending, has_bom, split_lines};
        let fixture = Fixture::plain(&[]).set("read.receiptBudgetLines", json!(budget));
        fixture.file("f", &content);
        let text = if has_bom(&content) { &content[3..] } else { &content[..] };
        prop_assert_eq!(fixture.text("f:raw"), String::from_utf8_lossy(text));
        let lines: Vec<String> = split_lines(&content)
            .map(|line| {
                let cr = if line.ending == Ending::CrLf { "\r" } else { "" };
                String::from_utf8_lossy(line.text).into_owned() + cr
            })
            .collect();
        for (index, line) in lines.iter().enumerate() {
            let raw = fixture.text(&format!("f:raw:{0}-{0}", index + 1));
            prop_assert_eq!(&raw, line);
        }
        let outcome = fixture.read("f");
        let shown: Vec<&str> = outcome.details["displayContent"]["text"].as_str().unwrap().split('\n').collect();
        prop_assert_eq!(shown.len(), lines.len().min(budget));
        for (shown, line) in shown.iter().rev().zip(lines.iter().rev()) {
            prop_assert_eq!(shown, line);
        }
        if let Some(cut) = outcome.meta.truncation {
            prop_assert_eq!(cut.total_lines, lines.len() as u64);
        }
        let beyond = fixture.read("f:1000");
        prop_assert_eq!(&beyond.notices[0].facts["total"], &json!(lines.len()));
    }
}
