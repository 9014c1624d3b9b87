//! Named lines, and raw text.

use serde_json::json;

use super::{Fixture, check_facts, lines};

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
