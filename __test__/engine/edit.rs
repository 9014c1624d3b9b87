//! `edit` in mode `replace`: what it changes, what it refuses, and that it changes nothing else.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;
use std::path::Path;
use std::sync::Barrier;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::{Context, edit, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::text::{Document, Splice, apply_splices, numbered_diff, numbered_diff_of_texts};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

fn context(cwd: &Path, settings: Value) -> Context {
    serde_json::from_value(
        json!({"cwd": cwd, "settings": settings, "stateDirs": [crate::write::state_dir()]}),
    )
    .expect("a context")
}

fn call_with(cwd: &Path, arguments: &Value, settings: Value) -> Result<Outcome> {
    let options = parse_arguments(&arguments.to_string())?;
    edit::run(&options, &context(cwd, settings), &CancelToken::new())
}

fn call(cwd: &Path, arguments: &Value) -> Result<Outcome> {
    call_with(cwd, arguments, json!({"edit.mode": "replace"}))
}

/// `(old, new)` pairs as the arguments of one call on `f.txt`.
fn arguments(edits: &[(&str, &str)]) -> Value {
    let edits: Vec<Value> =
        edits.iter().map(|(old, new)| json!({"old_text": old, "new_text": new})).collect();
    json!({"path": "f.txt", "edits": edits})
}

fn tree(content: &[u8]) -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    fs::write(tree.path().join("f.txt"), content).expect("a file");
    tree
}

fn content(tree: &TempDir) -> Vec<u8> {
    fs::read(tree.path().join("f.txt")).expect("the file")
}

/// `count` lines, from number 0.
fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Nothing but the file itself: no temporary file, no lock.
fn assert_no_litter(tree: &TempDir) {
    let names: Vec<_> =
        fs::read_dir(tree.path()).expect("the directory").flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, ["f.txt"]);
}

#[track_caller]
fn check(before: &[u8], edits: &[(&str, &str)], after: &[u8]) -> Outcome {
    let tree = tree(before);
    let outcome = call(tree.path(), &arguments(edits)).expect("the edit");
    assert_eq!(content(&tree).escape_ascii().to_string(), after.escape_ascii().to_string());
    assert_no_litter(&tree);
    outcome
}

#[track_caller]
fn check_refused(before: &[u8], edits: &[(&str, &str)], code: &str) -> ToolError {
    let tree = tree(before);
    let error = call(tree.path(), &arguments(edits)).expect_err("a refusal");
    assert_eq!(error.code(), code, "{error}");
    assert_eq!(content(&tree), before, "a refused edit changes nothing");
    assert_no_litter(&tree);
    error
}

#[test]
fn replaces_exact_text() {
    check(b"red\ngreen\n", &[("green", "lime")], b"red\nlime\n");
    check(b"a\nb\nc\n", &[("b\n", "")], b"a\nc\n");
    check(b"only", &[("only", "")], b"");
    check(b"x", &[("x", "$& $1 \\n $$")], b"$& $1 \\n $$");
    check(
        "caf\u{e9} \u{1f7e2}\n".as_bytes(),
        &[("\u{1f7e2}", "\u{1f534}")],
        "caf\u{e9} \u{1f534}\n".as_bytes(),
    );
}

#[test]
fn line_endings_match_whatever_they_are() {
    check(b"a\r\nb\r\nc\r\n", &[("a\nb", "1\n2\n3")], b"1\r\n2\r\n3\r\nc\r\n");
    check(b"a\nb\n", &[("a\r\nb", "1\r\n2")], b"1\n2\n");
    check(b"alpha\rbeta\rgamma\r", &[("alpha\nbeta", "alpha\nnew\nBETA")], b"alpha\rnew\rBETA\rgamma\r");
    check(b"one\r\ntwo", &[("two", "two\n")], b"one\r\ntwo\r\n");
    // No ending in the file to go by.
    check(b"one", &[("one", "one\ntwo")], b"one\ntwo");
}

#[test]
fn lines_keep_their_own_ending_in_a_mixed_file() {
    check(b"one\r\ntwo\nthree\r\nfour\n", &[("two", "TWO")], b"one\r\nTWO\nthree\r\nfour\n");
    check(
        b"one\r\ntwo\nthree\r\nfour\n",
        &[("one\ntwo\nthree", "one\n2\nthree")],
        b"one\r\n2\nthree\r\nfour\n",
    );
    check(b"a\r\nb\nc\n", &[("a\nb\n", "b\n")], b"b\nc\n");
    check(b"a\nb\r\nc\r\n", &[("b", "b1\nb2")], b"a\nb1\r\nb2\r\nc\r\n");
    check(b"a\r\nb\nc\r\nd", &[("b\nc", "b\nnew\nc")], b"a\r\nb\nnew\nc\r\nd");
    // A lone CR among LF lines is text.
    check(b"a\rb\nc\r\n", &[("a\rb", "x\ry")], b"x\ry\nc\r\n");
}

#[test]
fn the_byte_order_mark_stays() {
    let outcome =
        check(b"\xEF\xBB\xBFalpha\r\nbeta\r\n", &[("alpha", "ALPHA")], b"\xEF\xBB\xBFALPHA\r\nbeta\r\n");
    assert_eq!(outcome.details["diff"], "-1|alpha\n+1|ALPHA\n 2|beta");
}

#[test]
fn bytes_that_are_not_utf8_stay() {
    check(b"head\nprice 10\n\x99 brand\n", &[("price 10", "price 12")], b"head\nprice 12\n\x99 brand\n");
    check(b"caf\xe9\nligne\n", &[("ligne", "line")], b"caf\xe9\nline\n");
    check(b"caf\xe9=1\n", &[("=1", "=2")], b"caf\xe9=2\n");
    // A little damage in a UTF-8 file does not make it another encoding.
    let mostly = [&"\u{e9}".repeat(20).into_bytes()[..], b"\xff\nx\n"].concat();
    check(&mostly, &[("x", "\u{e9}")], &[&mostly[..mostly.len() - 2], "\u{e9}\n".as_bytes()].concat());
}

#[test]
fn text_that_would_mix_encodings_is_refused() {
    check_refused(b"caf\xe9\nligne\n", &[("ligne", "\u{2192} ligne")], "not_text");
    check_refused(b"\x96\xbc=\x92l\n", &[("=", "=\u{8ffd}\u{52a0}")], "not_text");
    // `l` is the second half of a character here.
    check_refused(b"\x96\xbc=\x92l\n", &[("l", "m")], "not_text");
    check_refused(b"a\0\0b\n", &[("a", "c")], "not_text");
}

#[test]
fn files_in_other_encodings_are_edited_in_them() {
    check(b"caf\xe9\nth\xe9\n", &[("caf\u{e9}", "caf\u{e9}s")], b"caf\xe9s\nth\xe9\n");
    check(b"\xFF\xFEa\0\r\0\n\0", &[("a", "b\nc")], b"\xFF\xFEb\0\r\0\n\0c\0\r\0\n\0");
    check(b"\0a\0b\0c\0\n\0d\0\n", &[("d", "\u{e9}")], b"\0a\0b\0c\0\n\0\xe9\0\n");
}

#[test]
fn edits_of_one_call_see_the_original() {
    check(b"red\nblue\n", &[("red", "blue"), ("blue", "green")], b"blue\ngreen\n");
    check(b"a\nb\nc\n", &[("c", "C"), ("a", "A")], b"A\nb\nC\n");
    check(b"ab", &[("a", "x"), ("b", "y")], b"xy");
    let error = check_refused(b"a\nb\n", &[("a", "b2"), ("b2", "z")], "no_match");
    assert_eq!(error.fields()["edit"], 1);
    let error = check_refused(b"abcd\n", &[("cd", "x"), ("bc", "y")], "overlapping_ops");
    assert_eq!((error.fields()["first"].clone(), error.fields()["second"].clone()), (json!(0), json!(1)));
    check_refused(b"abc\n", &[("b", "x"), ("b", "x")], "overlapping_ops");
    // The good one is not made either.
    check_refused(b"a\nb\n", &[("a", "A"), ("nothing like it", "z")], "no_match");
}

#[test]
fn what_is_not_clear_is_refused() {
    check_refused(b"a\n", &[("", "b")], "empty_old_text");
    check_refused(b"a\n", &[("a", "a")], "no_change");
    check_refused(b"a\r\nb\r\n", &[("a\nb", "a\r\nb")], "no_change");
    let seven = check_refused(&b"same\n".repeat(7), &[("same", "x")], "ambiguous_match");
    assert_eq!(seven.fields()["count"], 7);
    assert_eq!(seven.fields()["lines"], json!([1, 2, 3, 4, 5]));
    let far = numbered(40, |n| if n % 30 == 0 { "hit\n".into() } else { format!("{}\n", n + 1) });
    let far = check_refused(far.as_bytes(), &[("hit", "x")], "ambiguous_match");
    assert_eq!(far.fields()["lines"], json!([1, 31]));
    let preview = far.fields()["preview"].as_str().expect("a text").to_owned();
    assert!(preview.starts_with("1|hit\n2|2\n"), "{preview}");
    assert!(preview.contains("\n6|6\n\u{2026}\n26|26\n") && preview.ends_with("\n36|36"), "{preview}");
}

#[test]
fn all_replaces_every_occurrence_once() {
    let check_all = |before: &[u8], old: &str, new: &str, after: &[u8]| {
        let tree = tree(before);
        let edits = json!([{"old_text": old, "new_text": new, "all": true}]);
        call(tree.path(), &json!({"path": "f.txt", "edits": edits})).expect("the edit");
        assert_eq!(content(&tree), after);
    };
    check_all(b"k\nk\n", "k", "kk", b"kk\nkk\n");
    check_all(b"aaaa", "aa", "a", b"aa");
    check_all(b"a\r\n#\r\nb\r\n#\r\n", "#\n", "", b"a\r\nb\r\n");
}

#[test]
fn a_near_miss_names_the_line_that_differs() {
    let before = b"BEGIN;\nSET lock = 5;\nSET wait = 30;\nDELETE;\nCOMMIT;\n";
    let searched = "BEGIN;\nSET lock = 5;\nSET wait = 900;\nDELETE;\nCOMMIT;";
    let error = check_refused(before, &[(searched, "x")], "no_match");
    let expected = json!({"line": 1, "similarity": error.fields()["closest"]["similarity"], "differs_at": 3, "expected": "SET wait = 900;", "actual": "SET wait = 30;"});
    assert_eq!(error.fields()["closest"], expected);
    assert!(error.to_string().contains("SET wait = 30;"));
}

#[test]
fn arguments_are_checked() {
    let tree = tree(b"x\n");
    for arguments in [
        json!({"path": "f.txt", "edits": []}),
        json!({"path": "f.txt", "edits": [{"old_text": "x"}]}),
        json!({"path": "f.txt", "edits": [{"old_text": "x", "new_text": "y", "replace_all": true}]}),
        json!({"path": "f.txt", "dry": true, "edits": [{"old_text": "x", "new_text": "y"}]}),
        json!({"input": "x"}),
    ] {
        assert_eq!(call(tree.path(), &arguments).expect_err("a refusal").code(), "invalid_arguments");
    }
    // Arguments in the shape of another mode than the one that is set.
    let other = call_with(tree.path(), &arguments(&[("x", "y")]), json!({"edit.mode": "hashline"}));
    assert_eq!(other.expect_err("a refusal").code(), "invalid_arguments");
    assert_eq!(content(&tree), b"x\n");
}

#[test]
fn a_cancelled_call_changes_nothing() {
    let tree = tree(b"x\n");
    let cancel = CancelToken::new();
    cancel.cancel();
    let options = parse_arguments(&arguments(&[("x", "y")]).to_string()).expect("the arguments");
    let error = edit::run(&options, &context(tree.path(), json!({"edit.mode": "replace"})), &cancel)
        .expect_err("an abort");
    assert_eq!(error.code(), "aborted");
    assert_eq!(content(&tree), b"x\n");
}

#[test]
fn a_missing_argument_is_named() {
    let tree = tree(b"x\n");
    let arguments =
        json!({"path": "f.txt", "edits": [{"old_text": "x", "new_text": "y"}, {"old_text": "x"}]});
    let error = call(tree.path(), &arguments).expect_err("a refusal");
    assert_eq!(error.fields()["issues"][0]["path"], "edits[1].new_text");
}

#[test]
fn targets_that_are_no_text_files_are_refused() {
    let tree = tree(b"x\n");
    fs::create_dir(tree.path().join("d")).expect("a directory");
    fs::write(tree.path().join("n.ipynb"), "{}").expect("a file");
    fs::write(tree.path().join("big"), vec![b'x'; 8 * 1024 * 1024 + 1]).expect("a file");
    fs::write(tree.path().join("gen.go"), "// Code generated by sqlc. DO NOT EDIT.\nvar x = 1\n")
        .expect("a file");
    let cases = [
        ("d", "io_error"),
        ("none/such", "path_not_found"),
        ("f.txt/x", "path_not_found"),
        ("n.ipynb", "notebook_bad_structure"),
        ("big", "file_too_large"),
        ("gen.go", "auto_generated_file"),
        ("", "empty_path"),
        ("agent://x", "internal_url_as_path"),
    ];
    for (path, code) in cases {
        let arguments = json!({"path": path, "edits": [{"old_text": "x", "new_text": "y"}]});
        assert_eq!(call(tree.path(), &arguments).expect_err(path).code(), code, "{path}");
    }
    assert!(!tree.path().join("none").exists(), "a refused edit makes no directory");
    let arguments = json!({"path": "gen.go", "edits": [{"old_text": "x", "new_text": "y"}]});
    let allowed = json!({"edit.mode": "replace", "edit.blockAutoGenerated": false});
    call_with(tree.path(), &arguments, allowed).expect("the edit");
}

#[test]
fn the_receipt_tells_what_changed() {
    let before = numbered(30, |n| format!("row {}\n", n + 1));
    let outcome =
        check(before.as_bytes(), &[("row 15", "ROW 15")], before.replace("row 15", "ROW 15").as_bytes());
    let expected = "\u{2026}\n 11|row 11\n 12|row 12\n 13|row 13\n 14|row 14\n-15|row 15\n+15|ROW 15\n 16|row 16\n 17|row 17\n 18|row 18\n 19|row 19\n\u{2026}";
    assert_eq!(outcome.details["diff"], expected);
    assert_eq!(outcome.details["firstChangedLine"], 15);
    assert_eq!(outcome.details["entries"], json!([{"ok": true}]));
    assert_eq!(outcome.text.lines().count(), 1);
}

#[test]
fn diffs_read_as_they_should() {
    let check = |old: &str, new: &str, expected: &str| {
        assert_eq!(
            numbered_diff_of_texts(old.as_bytes(), new.as_bytes()).text,
            expected,
            "{old:?} → {new:?}"
        );
    };
    check("a\n", "a\n", "");
    check("", "a\n", "+1|a");
    check("a\n", "", "-1|a");
    check("one\ntwo", "one\ntwo\n", " 1|one\n-2|two\n+2|two");
    check("a\n\n\n\nb\n", "a\n\nb\n", " 1|a\n 2|\n-3|\n-4|\n 5|b");
    check("a\nb\nc\nd\n", "b\nc\nx\nd\n", "-1|a\n 2|b\n 3|c\n+3|x\n 4|d");
    // Gaps of up to eight lines are shown, longer ones are cut.
    let gap = |count: usize| {
        let between = numbered(count, |n| format!("{n}\n"));
        (format!("a\n{between}b\n"), format!("A\n{between}B\n"))
    };
    let (old, new) = gap(8);
    assert!(!numbered_diff_of_texts(old.as_bytes(), new.as_bytes()).text.contains('\u{2026}'));
    let (old, new) = gap(9);
    assert_eq!(numbered_diff_of_texts(old.as_bytes(), new.as_bytes()).text.matches('\u{2026}').count(), 1);
}

#[test]
fn a_diff_of_splices_is_the_diff_of_the_texts() {
    let old = b"x\nx\nx\na\nb\n";
    for (range, new) in [(0..2, ""), (2..4, ""), (2..2, "x\n"), (6..7, "A"), (1..2, ""), (0..10, "x\nb\n")] {
        let splice = Splice { range: range.clone(), new: new.as_bytes().into() };
        let after = [&old[..range.start], new.as_bytes(), &old[range.end..]].concat();
        assert_eq!(numbered_diff(old, &[splice]), numbered_diff_of_texts(old, &after), "{range:?} → {new:?}");
    }
}

#[test]
fn a_rewritten_file_has_a_diff_in_time() {
    let old = numbered(20_000, |n| format!("old {n}\n"));
    let new = numbered(20_000, |n| format!("new {n}\n"));
    let diff = numbered_diff_of_texts(old.as_bytes(), new.as_bytes());
    assert_eq!(diff.text.lines().count(), 40_000);
}

/// Each of many places on one long line costs the same; looking at the whole line each time would take minutes.
#[test]
fn many_places_on_one_line_are_edited_in_time() {
    let line = "k;".repeat(200_000);
    for (before, new) in
        [(line.clone(), "key"), (format!("\r\n\n{line}"), "a\nb"), (format!("{line}\r\n\n"), "a\nb")]
    {
        let tree = tree(before.as_bytes());
        let edits = json!([{"old_text": "k", "new_text": new, "all": true}]);
        call(tree.path(), &json!({"path": "f.txt", "edits": edits})).expect("the edit");
        let after = String::from_utf8(content(&tree)).expect("text");
        assert_eq!(after.replace("\r\n", "\n"), before.replace("\r\n", "\n").replace('k', new));
    }
}

#[test]
fn parallel_edits_of_one_file_lose_nothing() {
    const EDITS: usize = 16;
    let before = numbered(EDITS, |n| format!("line {n} old\n"));
    let tree = tree(before.as_bytes());
    let start = Barrier::new(EDITS);
    std::thread::scope(|scope| {
        for n in 0..EDITS {
            let (tree, start) = (&tree, &start);
            scope.spawn(move || {
                start.wait();
                let (old, new) = (format!("line {n} old"), format!("line {n} new"));
                call(tree.path(), &arguments(&[(&old, &new)])).expect("the edit");
            });
        }
    });
    assert_eq!(String::from_utf8(content(&tree)).expect("text"), before.replace("old", "new"));
    assert_no_litter(&tree);
}

#[cfg(unix)]
#[test]
fn aliases_of_one_file_share_its_lock() {
    const EDITS: usize = 12;
    let before = numbered(EDITS, |n| format!("line {n} old\n"));
    let tree = tree(before.as_bytes());
    fs::hard_link(tree.path().join("f.txt"), tree.path().join("hard")).expect("a link");
    std::os::unix::fs::symlink("f.txt", tree.path().join("soft")).expect("a link");
    let start = Barrier::new(EDITS);
    std::thread::scope(|scope| {
        for n in 0..EDITS {
            let (tree, start) = (&tree, &start);
            scope.spawn(move || {
                start.wait();
                let edits =
                    json!([{"old_text": format!("line {n} old"), "new_text": format!("line {n} new")}]);
                let path = ["f.txt", "hard", "soft"][n % 3];
                call(tree.path(), &json!({"path": path, "edits": edits})).expect("the edit");
            });
        }
    });
    assert_eq!(String::from_utf8(content(&tree)).expect("text"), before.replace("old", "new"));
    assert_eq!(fs::read(tree.path().join("hard")).expect("the other name"), content(&tree));
}

/// Lines of all kinds: any ending, bytes that are not UTF-8, no final ending, a mark in front.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        Just(b"".to_vec()),
        Just(b"alpha".to_vec()),
        Just(b"beta gamma".to_vec()),
        Just("caf\u{e9}".as_bytes().to_vec()),
        Just(b"caf\xe9 \xff".to_vec()),
        Just(b"lone\rreturn".to_vec()),
        proptest::collection::vec(any::<u8>().prop_filter("no NUL", |byte| *byte != 0), 0..6),
    ];
    let ending = prop_oneof![Just(&b"\n"[..]), Just(&b"\r\n"[..]), Just(&b"\r"[..]), Just(&b""[..])];
    let lines = proptest::collection::vec((word, ending), 0..12);
    (any::<bool>(), lines).prop_map(|(mark, lines)| {
        let start = if mark { b"\xEF\xBB\xBF".to_vec() } else { Vec::new() };
        lines.into_iter().fold(start, |file, (word, ending)| [&file[..], &word, ending].concat())
    })
}

fn any_new_text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"".to_vec()),
        Just(b"new".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"one\ntwo\n".to_vec()),
        Just(b"alpha\nbeta gamma\nmore".to_vec()),
    ]
}

/// The bytes of the original for each byte of its LF form; written anew, so that it checks the one under test.
fn places(original: &[u8]) -> Vec<std::ops::Range<usize>> {
    let start = if original.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let has_lf = original.contains(&b'\n');
    let (mut places, mut at) = (Vec::new(), start);
    while at < original.len() {
        let is_pair = has_lf && original[at] == b'\r' && original.get(at + 1) == Some(&b'\n');
        let end = at + if is_pair { 2 } else { 1 };
        places.push(at..end);
        at = end;
    }
    places
}

fn as_lf(bytes: &[u8], has_lf: bool) -> Vec<u8> {
    let text = bytes.to_vec();
    let mut lf = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\r' if !has_lf => lf.push(b'\n'),
            b'\r' if text.get(at + 1) == Some(&b'\n') => {}
            other => lf.push(*other),
        }
    }
    lf
}

fn any_lines() -> impl Strategy<Value = String> {
    (proptest::collection::vec("[abc]", 0..8), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.join("\n");
        if ends && !text.is_empty() { text + "\n" } else { text }
    })
}

/// The text on one side of a diff that leaves nothing out: context and the lines of `sign`.
fn side(diff: &str, sign: char) -> Vec<&str> {
    let lines = diff.lines().filter(|line| line.starts_with([' ', sign]));
    lines.filter_map(|line| line.split_once('|')).map(|(_, text)| text).collect()
}

/// The fewest lines that must go or come, by the textbook's table.
fn distance(old: &[&str], new: &[&str]) -> usize {
    let mut row: Vec<usize> = (0..=new.len()).collect();
    for (at, old_line) in old.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, new_line) in new.iter().enumerate() {
            let best = if old_line == new_line { diagonal } else { 1 + row[column].min(row[column + 1]) };
            diagonal = std::mem::replace(&mut row[column + 1], best);
        }
    }
    row[new.len()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the file is like: outside the replaced spans every byte is as it was, and inside stands the new
    /// text, its line endings aside.
    #[test]
    fn bytes_outside_the_spans_are_identical(
        original in any_file(),
        cuts in proptest::collection::vec((any::<proptest::sample::Index>(), any_new_text()), 1..8),
    ) {
        let original = String::from_utf8_lossy(&original).into_owned().into_bytes();
        let document = Document::new(&original);
        prop_assume!(document.is_ok());
        let document = document.expect("a text");
        let places = places(&original);
        let length = places.len();
        let boundary = |at: usize| (0..=at).rev().find(|at| document.text().is_char_boundary(*at)).unwrap_or(0);
        let mut offsets: Vec<usize> = cuts.iter().map(|(index, _)| boundary(index.index(length + 1))).collect();
        offsets.sort_unstable();
        // Two offsets make a span.
        let spans: Vec<_> = offsets.chunks_exact(2).zip(&cuts).map(|(pair, (_, new))| (pair[0]..pair[1], new)).collect();
        let splices: Vec<Splice> =
            spans.iter().map(|(range, new)| Splice { range: range.clone(), new: (&new[..]).into() }).collect();

        prop_assert_eq!(document.text().len(), length);
        let changed = document.apply(&splices).expect("UTF-8 takes every text");

        let byte_at = |offset: usize| places.get(offset).map_or(original.len(), |place| place.start);
        let has_lf = original.contains(&b'\n');
        let (mut before, mut after) = (0, 0);
        for (range, new) in &spans {
            let kept = &original[before..byte_at(range.start)];
            prop_assert!(changed[after..].starts_with(kept), "bytes before a span changed");
            after += kept.len();
            // The new text goes in with some line endings; find how long it became.
            let written = (after..=changed.len()).find(|end| {
                let lone = !has_lf && original.contains(&b'\r');
                as_lf(&changed[after..*end], !lone) == **new && !changed[after..*end].ends_with(b"\r")
                    || (lone && as_lf(&changed[after..*end], false) == **new)
            });
            prop_assert!(written.is_some(), "the new text is not there");
            after = written.unwrap_or(after);
            before = byte_at(range.end);
        }
        prop_assert_eq!(&changed[after..], &original[before..], "bytes behind the last span changed");
    }

    /// In whatever encoding and with whatever line endings: outside the replaced text every byte is as it was, and the
    /// new text stands in the encoding of the file.
    #[test]
    fn every_encoding_is_edited_in_its_own_bytes(
        form in prop_oneof![
            Just(encoding_rs::UTF_8), Just(encoding_rs::UTF_16LE), Just(encoding_rs::UTF_16BE), Just(encoding_rs::SHIFT_JIS),
            Just(encoding_rs::GBK), Just(encoding_rs::EUC_KR), Just(encoding_rs::WINDOWS_1252), Just(encoding_rs::WINDOWS_1251),
        ],
        lines in proptest::collection::vec(("[a-z ]{0,12}", prop_oneof![Just("\n"), Just("\r\n")]), 1..10),
        at in any::<proptest::sample::Index>(),
        new in "[A-Z]{1,4}(\n[A-Z]{1,4}){0,2}",
    ) {
        let sample = match form.name() {
            "Shift_JIS" => "\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{8868}\u{793a}\u{3067}\u{3059}\u{3002}\u{3053}\u{308c}\u{306f}\u{6587}\u{5b57}\u{3060}",
            "GBK" => "\u{8fd9}\u{662f}\u{4e2d}\u{6587}\u{6587}\u{672c}\u{ff0c}\u{7528}\u{6765}\u{6d4b}\u{8bd5}\u{7f16}\u{7801}\u{3002}",
            "EUC-KR" => "\u{c774}\u{ac83}\u{c740}\u{d55c}\u{ad6d}\u{c5b4}\u{bb38}\u{c790}\u{c5f4}\u{c785}\u{b2c8}\u{b2e4}",
            "windows-1251" => "\u{42d}\u{442}\u{43e} \u{440}\u{443}\u{441}\u{441}\u{43a}\u{438}\u{439} \u{442}\u{435}\u{43a}\u{441}\u{442} \u{434}\u{43b}\u{44f} \u{43f}\u{440}\u{43e}\u{432}\u{435}\u{440}\u{43a}\u{438}",
            _ => "d\u{e9}j\u{e0} vu, \u{e0} c\u{f4}t\u{e9} de la for\u{ea}t, \u{e9}t\u{e9} comme hiver, gar\u{e7}on",
        };
        let encode = |text: &str| -> Vec<u8> {
            match form.name() {
                "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
                _ => form.encode(text).0.into_owned(),
            }
        };
        let mark: &[u8] = match form.name() { "UTF-16LE" => b"\xFF\xFE", "UTF-16BE" => b"\xFE\xFF", _ => b"" };
        let cut = at.index(lines.len() + 1);
        let part = |lines: &[(String, &str)]| lines.iter().map(|(line, end)| [line, " ", sample, end].concat()).collect::<String>();
        let (head, tail) = (format!("{sample}\n{}", part(&lines[..cut])), part(&lines[cut..]));
        let before = [mark, &encode(&head), &encode("<unique piece>"), &encode(&tail)].concat();
        let tree = tree(&before);
        call(tree.path(), &arguments(&[("<unique piece>", &new)])).expect("the edit");
        let after = content(&tree);
        let (head, tail) = ([mark, &encode(&head)].concat(), encode(&tail));
        prop_assert!(after.starts_with(&head) && after.ends_with(&tail));
        let middle = &after[head.len()..after.len() - tail.len()];
        let expected: Vec<Vec<u8>> = [new.clone(), new.replace('\n', "\r\n")].iter().map(|text| encode(text)).collect();
        prop_assert!(expected.iter().any(|expected| expected == middle), "{middle:?}");
    }

    /// The whole way through the executor: a unique piece of the file is replaced, the rest stays.
    #[test]
    fn a_unique_text_is_replaced_and_nothing_else(head in any_file(), tail in any_file(), new in "[a-z]{1,5}(\n[a-z]{0,5}){0,2}") {
        let tail = tail.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&tail);
        let original = [&head[..], b"=<unique piece>", tail].concat();
        let tree = tree(&original);
        let new = format!("={new}");
        let outcome = call(tree.path(), &arguments(&[("=<unique piece>", &new)]));
        let changed = content(&tree);
        if let Err(error) = outcome {
            // Control characters, or a lead byte of some encoding right before the piece.
            prop_assert!(std::str::from_utf8(&original).is_err(), "{error}");
            prop_assert!(["not_text", "no_match"].contains(&error.code()), "{error}");
            prop_assert!(changed == original);
            return Ok(());
        }
        prop_assert!(changed.starts_with(&head));
        prop_assert!(changed.ends_with(tail));
        let middle = &changed[head.len()..changed.len() - tail.len()];
        prop_assert_eq!(String::from_utf8_lossy(middle).replace("\r\n", "\n").replace('\r', "\n"), new);
    }

    /// A diff has both texts in it, with the right numbers, and no line more than needed.
    #[test]
    fn a_diff_is_complete_and_short(old in any_lines(), new in any_lines()) {
        let diff = numbered_diff_of_texts(old.as_bytes(), new.as_bytes());
        prop_assume!(!diff.text.contains('\u{2026}'));
        if old == new {
            prop_assert_eq!(diff.text, "");
            return Ok(());
        }
        for (text, sign) in [(&old, '-'), (&new, '+')] {
            // Unchanged lines far from any change are not shown.
            let shown = side(&diff.text, sign);
            prop_assert!(text.lines().collect::<Vec<_>>() == shown, "{}", diff.text);
            let signed = diff.text.lines().filter(|line| line.starts_with(sign));
            for (number, line) in signed.filter_map(|line| line[1..].split_once('|')) {
                let at: usize = number.parse().expect("a number");
                prop_assert_eq!(text.lines().nth(at - 1), Some(line));
            }
        }
        let lines: Vec<Vec<&str>> = [&old, &new].map(|text| text.split_inclusive('\n').collect()).into();
        let changed = diff.text.lines().filter(|line| !line.starts_with(' ')).count();
        prop_assert_eq!(changed, distance(&lines[0], &lines[1]));
    }

    /// Several splices at once, in lines of their own, in one line or side by side.
    #[test]
    fn a_diff_of_several_splices_is_complete(
        old in any_lines(),
        cuts in proptest::collection::vec((any::<proptest::sample::Index>(), "[abx\n]{0,3}"), 1..8),
    ) {
        let mut offsets: Vec<usize> = cuts.iter().map(|(index, _)| index.index(old.len() + 1)).collect();
        offsets.sort_unstable();
        let splices: Vec<Splice> = offsets
            .chunks_exact(2)
            .zip(&cuts)
            .map(|(pair, (_, new))| Splice { range: pair[0]..pair[1], new: new.as_bytes().into() })
            .collect();
        let new = apply_splices(old.as_bytes(), &splices);
        let new = String::from_utf8(new).expect("text");
        let diff = numbered_diff(old.as_bytes(), &splices);
        prop_assume!(!diff.text.contains('\u{2026}'));
        if old == new {
            prop_assert_eq!(diff.text, "");
        } else {
            prop_assert!(old.lines().collect::<Vec<_>>() == side(&diff.text, '-'), "{}", diff.text);
            prop_assert!(new.lines().collect::<Vec<_>>() == side(&diff.text, '+'), "{}", diff.text);
        }
    }
}

#[test]
fn a_text_that_occurs_across_itself_is_ambiguous() {
    check_refused(b"}\n}\n}\n", &[("}\n}", "}\n  x\n}")], "ambiguous_match");
    check_refused(b"aXaXa", &[("aXa", "b")], "ambiguous_match");
    check_refused(b"a\n\n\nb", &[("\n\n", "-")], "ambiguous_match");
    check(b"}\n}\nx", &[("}\n}", "]\n]")], b"]\n]\nx");
}

#[test]
fn a_last_line_that_stays_keeps_its_ending_when_lines_follow_it() {
    check(b"a\nb\r\nc\nd\n", &[("a\nb", "a\nb\nN")], b"a\nb\r\nN\r\nc\nd\n");
    check(b"a\r\nb\nc\r\n", &[("b", "b\nN\nM")], b"a\r\nb\nN\nM\nc\r\n");
    check(b"a\nb\r\nc\n", &[("a\nb", "N\na\nb")], b"N\na\nb\r\nc\n");
}

#[test]
fn bad_arguments_are_named_whatever_mode_is_set() {
    let tree = tree(b"x");
    for arguments in [
        json!({}),
        json!({"path": "f.txt", "edits": [null]}),
        json!({"path": "f.txt", "edits": {}}),
        json!({"path": "f.txt"}),
    ] {
        let error = call_with(tree.path(), &arguments, json!({})).expect_err("a refusal");
        assert_eq!(error.code(), "invalid_arguments", "{arguments}: {error}");
    }
}

#[test]
fn a_place_that_is_almost_equal_is_found_and_told() {
    let before = b"fn main() {\n    let total_amount = compute(first,  second);\n    done()\n}\n";
    let outcome = check(
        before,
        &[("let total_amount = compute(first, second);\ndone()", "let total_amount = 1;\ndone()")],
        b"fn main() {\n    let total_amount = 1;\n    done()\n}\n",
    );
    assert_eq!(outcome.details["warnings"][0]["kind"], "fuzzy_match");
    assert!(outcome.text.contains(outcome.details["warnings"][0]["text"].as_str().expect("a text")));
    // Most lines are equal, one is another: all together would be like enough.
    let lines = numbered(30, |n| format!("a line that has number {n} in it\n"));
    let (searched, other) =
        (lines.replace("number 7 in", "NUMBER SEVEN 7 in"), lines.replace("number 9", "number 10"));
    check_refused(lines.as_bytes(), &[(searched.trim_end(), other.trim_end())], "no_match");
    check_refused(
        b"connect(primary, secondary);\nx\nconnect(primary,  secondary);\n",
        &[("connect(primary,   secondary);", "x")],
        "ambiguous_fuzzy",
    );
}

/// A fuzzy hit whose new text holds the old one was found again and again, and the file grew.
#[test]
fn all_ends_where_new_text_holds_the_old_one() {
    let tree = tree(b"call(one,  two, three, four)\n");
    let edits = json!([{"old_text": "call(one, two, three, four)", "new_text": "call(one, two, three, four)\ncall(one, two, three, four)", "all": true}]);
    call(tree.path(), &json!({"path": "f.txt", "edits": edits})).expect("the edit");
    assert_eq!(content(&tree), b"call(one, two, three, four)\ncall(one, two, three, four)\n");
}

#[test]
fn the_entry_that_failed_is_told() {
    let error =
        check_refused(b"a\nb\nc\n", &[("a", "A"), ("nothing like this", "z"), ("c", "C")], "no_match");
    let expected = json!([{"ok": false, "applied": false}, {"ok": false, "applied": false, "code": "no_match"}, {"ok": false, "applied": false}]);
    assert_eq!(error.fields()["entries"], expected);
}

#[test]
fn the_environment_goes_before_the_model_and_the_model_before_the_setting() {
    let mode = |env: &[(&str, &str)], model: Option<&str>, settings: Value| {
        let mut context = context(Path::new("/"), settings);
        context.env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        context.model = model.map(str::to_owned);
        edit::mode(&context).map(edit::Mode::name)
    };
    let variants = json!({"edit.mode": "patch", "edit.modelVariants": {"none": "x", "big": "nonsense", "big-": "vim", "b": "replace"}});
    assert_eq!(mode(&[], None, json!({})).expect("a mode"), "hashline");
    assert_eq!(mode(&[], None, json!({"edit.mode": "atom"})).expect("a mode"), "hashline");
    assert_eq!(mode(&[], None, variants.clone()).expect("a mode"), "patch");
    assert_eq!(mode(&[], Some("x/big-1"), variants.clone()).expect("a mode"), "vim");
    assert_eq!(
        mode(
            &[("PI_EDIT_VARIANT", "replace"), ("GJC_EDIT_VARIANT", "auto")],
            Some("x/big-1"),
            variants.clone()
        )
        .expect("a mode"),
        "replace"
    );
    for wrong in [("GJC_EDIT_VARIANT", "Replace"), ("PI_EDIT_FUZZY", "yes"), ("PI_EDIT_FUZZY_THRESHOLD", "2")]
    {
        assert_eq!(mode(&[wrong], None, json!({})).expect_err("a refusal").code(), "invalid_arguments");
    }
}
