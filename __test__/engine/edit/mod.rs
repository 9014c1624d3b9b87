//! `edit` in mode `replace`: what it changes, what it refuses, and that it changes nothing else.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

mod fit;
mod properties;
mod turns;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Barrier};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::{Context, edit, parse_arguments};
use gajae_tool_core::engine::files::Stamp;
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::text::{
    Bytes, Op, Splice, apply_splices, numbered_diff, numbered_diff_of_texts, script,
};
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

/// Of a large file the new content is never made as a whole, unless it must be.
#[test]
fn a_large_file_is_changed_like_a_small_one() {
    let line = |ending: &str, at: usize| format!("the content of line {at} of many{ending}");
    for ending in ["\n", "\r\n"] {
        let before: String = (0..4_000).map(|at| line(ending, at)).collect();
        for places in [&[2_000][..], &[0, 3_999], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]] {
            let old: Vec<String> = places.iter().map(|at| line("", *at) + "\n").collect();
            let edits: Vec<(&str, &str)> = old.iter().map(|old| (old.as_str(), "new\nlines\n")).collect();
            let new = format!("new{ending}lines{ending}");
            let after =
                (0..4_000).map(|at| if places.contains(&at) { new.clone() } else { line(ending, at) });
            let after: String = after.collect();
            let outcome = check(before.as_bytes(), &edits, after.as_bytes());
            assert_eq!(outcome.files[0].before.as_ref().expect("a text").whole(), before.as_bytes());
            assert_eq!(outcome.files[0].after.as_ref().expect("a text").whole(), after.as_bytes());
        }
        // Written in place, with a journal.
        let tree = tree(before.as_bytes());
        let other = tempfile::tempdir().expect("a directory");
        fs::hard_link(tree.path().join("f.txt"), other.path().join("hard")).expect("a link");
        call(tree.path(), &arguments(&[(&line("", 7), "7")])).expect("the edit");
        let after = before.replace(&line("", 7), "7");
        assert_eq!(fs::read(other.path().join("hard")).expect("the file"), after.as_bytes());
    }
}

#[test]
fn bytes_in_pieces_are_equal_to_the_same_bytes_in_one() {
    let base: Arc<Bytes> = Arc::new("0123456789".repeat(10_000).into_bytes().into());
    let splice =
        |range: std::ops::Range<usize>, new: &str| Splice { range, new: new.as_bytes().to_vec().into() };
    for splices in [
        vec![],
        vec![splice(0..0, "")],
        vec![splice(0..0, "x"), splice(100_000..100_000, "y")],
        vec![splice(5..50_000, "0123456789"), splice(50_000..99_999, "")],
        vec![splice(10..20, ""), splice(30..30, "0123456789")],
    ] {
        let expected = apply_splices(base.whole(), &splices);
        let changed = Bytes::changed(Arc::clone(&base), splices.clone());
        let whole: Bytes = expected.clone().into();
        assert_eq!(changed.size(), expected.len(), "{splices:?}");
        assert_eq!(changed.pieces().concat(), expected, "{splices:?}");
        assert_eq!(Stamp::of_pieces(&changed.pieces()), Stamp::of_bytes(&expected), "{splices:?}");
        assert_eq!(changed, whole, "{splices:?}");
        assert_eq!(whole, changed, "{splices:?}");
        assert_eq!(changed == *base, expected == base.whole(), "{splices:?}");
        assert_eq!(changed.whole(), expected, "{splices:?}");
    }
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

/// The shortest script would cost too much here; what stands on both sides once is kept all the same.
#[test]
fn a_script_above_the_cost_limit_is_complete_and_keeps_lines() {
    let lines = |count: usize, line: &dyn Fn(usize) -> usize| -> Vec<String> {
        (0..count).map(|at| format!("line {}", line(at))).collect()
    };
    let check = |old: Vec<String>, new: Vec<String>, kept: usize| {
        let bytes = |lines: &'_ [String]| -> Vec<Vec<u8>> {
            lines.iter().map(|line| line.clone().into_bytes()).collect()
        };
        let (old, new) = (bytes(&old), bytes(&new));
        let old: Vec<&[u8]> = old.iter().map(Vec::as_slice).collect();
        let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).collect();
        let ops = script(&old, &new);
        let (mut from_old, mut from_new) = (old.iter(), new.iter());
        for op in &ops {
            match op {
                Op::Keep => assert_eq!(from_old.next(), from_new.next()),
                Op::Remove => assert!(from_old.next().is_some()),
                Op::Add => assert!(from_new.next().is_some()),
            }
        }
        assert_eq!((from_old.next(), from_new.next()), (None, None));
        assert_eq!(ops.iter().filter(|op| **op == Op::Keep).count(), kept);
    };
    let as_it_is = |at: usize| at;
    let every_second = |at: usize| if at.is_multiple_of(2) { at } else { at + 100_000 };
    check(lines(5_000, &as_it_is), lines(5_000, &every_second), 2_500);
    // Two halves change places: one of them stays.
    check(lines(5_000, &as_it_is), lines(5_000, &|at| (at + 2_000) % 5_000), 3_000);
    // Lines that are there more than once stay with the others around them.
    let with_repeats = |at: usize| if at % 4 == 3 { 7 } else { every_second(at) };
    check(lines(5_000, &|at| if at % 4 == 3 { 7 } else { at }), lines(5_000, &with_repeats), 3_750);
    check(lines(3_000, &as_it_is), lines(3_000, &|at| 2_999 - at), 1);
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

/// The file would have been binary for the next call.
#[test]
fn new_text_with_a_nul_is_refused() {
    check_refused(b"one\ntwo\n", &[("two", "t\0wo")], "not_text");
}

/// 96 % alike, and the opposite.
#[test]
fn a_line_with_other_operators_is_another_line() {
    for (line, searched) in [
        ("if (user.isAdmin) { grant(user) }", "if (!user.isAdmin) { grant(user) }"),
        ("if (role == \"admin\") return allow", "if (role != \"admin\") return allow"),
        ("while (index < buffer.length) advance(index)", "while (index > buffer.length) advance(index)"),
        ("total = total + item.price * quantity", "total = total - item.price * quantity"),
        (
            "if (isOwner(account) && isActive(account)) pay()",
            "if (isOwner(account) || isActive(account)) pay()",
        ),
        ("setTemperature(-sensor.calibrated.offset)", "setTemperature(sensor.calibrated.offset)"),
    ] {
        check_refused(format!("{line}\n").as_bytes(), &[(searched, "x")], "no_match");
    }
    // A hyphen of a word, and rules across a comment, mean nothing.
    check(
        b"# the well known names of all of the files\n",
        &[("# the well-known names of all of the files", "#")],
        b"#\n",
    );
    check(b"# -------------------- files\n", &[("# --------------------- files", "#")], b"#\n");
}

/// A fuzzy hit whose new text holds the old one was found again and again, and the file grew.
#[test]
fn all_ends_where_new_text_holds_the_old_one() {
    let tree = tree(b"call(one,  two, three, four)\n");
    let edits = json!([{"old_text": "call(one, two, three, four)", "new_text": "call(one, two, three, four)\ncall(one, two, three, four)", "all": true}]);
    call(tree.path(), &json!({"path": "f.txt", "edits": edits})).expect("the edit");
    assert_eq!(content(&tree), b"call(one,  two, three, four)\ncall(one, two, three, four)\n");
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
