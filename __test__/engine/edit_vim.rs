//! `edit` in mode `vim`: the same answers as real vim, and nothing that keys can break.

use std::fs;

use gajae_tool_core::engine::exec::edit::vim::{Editor, Step, run_steps};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Answers {
    cases: Vec<Case>,
}

/// What vim made of keys; see scripts/record-vim.mjs.
#[derive(Deserialize)]
struct Case {
    text: String,
    keys: String,
    expect: String,
    cursor: (usize, usize),
    #[serde(default)]
    error: Option<String>,
}

fn fixture(name: &str) -> String {
    let path = format!("{}/__test__/fixtures/vim/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).expect("the fixture")
}

fn step(keys: &str) -> Step {
    serde_json::from_value(serde_json::json!({"kbd": [keys]})).expect("a step")
}

fn run(text: &str, keys: &str) -> Result<Editor, String> {
    let mut editor = Editor::new(text);
    match run_steps(&mut editor, &[step(keys)], false) {
        Ok(()) => Ok(editor),
        Err((fault, _)) => Err(format!("{:?}: {}", fault.kind, fault.reason)),
    }
}

/// Why a case is not as vim has it; none if it is.
fn difference(case: &Case) -> Option<String> {
    let told = |what: String| Some(format!("{:?} {:?}: {what}", case.text, case.keys));
    match (run(&case.text, &case.keys), &case.error) {
        // A key that only beeps is a fault here, and the call is taken back.
        (Ok(_), Some(error)) => told(format!("vim says {error}")),
        (Ok(editor), None) if editor.text() != case.expect => {
            told(format!("\n  ours {:?}\n  vim  {:?}", editor.text(), case.expect))
        }
        (Ok(editor), None) if editor.cursor() != case.cursor => {
            told(format!("cursor {:?}, vim {:?}", editor.cursor(), case.cursor))
        }
        _ => None,
    }
}

/// Known to differ: where a register is empty nothing happens, and ranges are cut at the ends of the file.
const TOLERATED: &[&str] = &["E353", "E16"];

#[test]
fn keys_do_what_they_do_in_vim() {
    let answers: Answers = serde_json::from_str(&fixture("answers.json")).expect("answers");
    let is_known = |case: &&Case| !TOLERATED.iter().any(|code| case.error.as_deref() == Some(code));
    let different: Vec<String> = answers.cases.iter().filter(is_known).filter_map(difference).collect();
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
    let carried_out = answers.cases.iter().filter(|case| run(&case.text, &case.keys).is_ok()).count();
    assert!(carried_out > 1500, "only {carried_out} cases were carried out");
}

/// `count` lines of code.
fn code(count: usize) -> String {
    let lines: Vec<String> =
        (0..count).map(|number| format!("    let value_{number} = compute({number});\n")).collect();
    lines.concat()
}

#[test]
fn every_line_of_a_long_file_is_replaced_at_once() {
    let text = code(5000);
    let start = std::time::Instant::now();
    let editor = run(&text, ":%s/value_\\(\\d\\+\\)/v\\1/g<CR>").expect("it runs");
    assert_eq!(editor.text(), text.replace("value_", "v"));
    // The old way took half a minute.
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn a_huge_count_is_no_hang() {
    for keys in
        ["99999999ix<Esc>", "x99999999p", "99999999.", "99999999J", "99999999dd", "99999999wx", "yy99999999p"]
    {
        let start = std::time::Instant::now();
        let _ = run("some words here\nand more\n", keys);
        assert!(start.elapsed().as_secs() < 5, "{keys} took {:?}", start.elapsed());
    }
}

#[test]
fn much_ordinary_work_is_done() {
    let typed = "a".repeat(50_000);
    assert_eq!(run("", &format!("i{typed}<Esc>")).expect("typing").text(), typed + "\n");
    let deleted = run(&code(50_000), &"dd".repeat(2000)).expect("deleting").text();
    assert_eq!(deleted.lines().count(), 48_000);
    let long = format!("{}\n", "é ".repeat(200_000));
    let start = std::time::Instant::now();
    assert_eq!(run(&long, ":s/ /, /g<CR>").expect("replacing").text(), long.replace(' ', ", "));
    assert!(start.elapsed().as_secs() < 8, "{:?}", start.elapsed());
}

#[test]
fn what_no_key_can_do_is_refused() {
    for (text, keys, kind) in [
        ("a(b(c)d)e\n", "fc3da(", "TextObjectNotFound"),
        ("x (a) (b)\n", "2di(", "TextObjectNotFound"),
        ("x)\ny foo(a)\n", "di(", "TextObjectNotFound"),
        ("x (q\ny foo(a)\n", "di(", "TextObjectNotFound"),
        ("foo\n", ":s/f/x/|s/o/y/<CR>", "ExUnsupported"),
        ("foo\n", ":1d|1d<CR>", "ExUnsupported"),
        ("foo\n", ":s/f/\\=1+1/<CR>", "ExUnsupported"),
    ] {
        let error = run(text, keys).map(|editor| editor.text()).expect_err(keys);
        assert!(error.starts_with(kind), "{keys}: {error}");
    }
}

/// The answers of Vim 9.0.
#[test]
fn replacements_reach_as_far_as_in_vim() {
    for (text, keys, expected) in [
        ("foom\n", ":s/o*/-/g<CR>", "-f-m\n"),
        ("abc\n", ":s/x*/-/g<CR>", "-a-b-c\n"),
        ("a\nb\n", ":%s/\\n/,/<CR>", "a,b,\n"),
        ("a\n\nb\n", ":%s/\\n/,/g<CR>", "a,,b,\n"),
        ("a\nb\nc\n", ":1,2s/\\n/,/<CR>", "a,b,c\n"),
        ("abab\ncab\nd\n", ":1s/b\\nc/X/<CR>", "abaXab\nd\n"),
        ("ab\ncb\ncd\n", ":%s/b\\nc/X/<CR>", "aXXd\n"),
        ("a\nb\nc\nd\n", ":%s/.\\n./X/<CR>", "X\nX\n"),
        ("x foo(a)\n", "di(", "x foo()\n"),
        ("x ((a) (b))\n", "di(", "x ()\n"),
        ("x [a]\n", "ci[z<Esc>", "x [z]\n"),
    ] {
        assert_eq!(run(text, keys).expect(keys).text(), expected, "{text:?} {keys}");
    }
}

#[test]
fn few_keys_cannot_ask_for_endless_work() {
    let line = "x".repeat(1 << 20);
    let refused = |text: &str, keys: &str| {
        let error = run(text, keys).map(|editor| editor.text().len()).expect_err(keys);
        assert!(error.starts_with("UnsupportedCommand"), "{keys}: {error}");
    };
    // Every character moves the rest of the line.
    refused(&line, &format!("i{}", "a".repeat(6000)));
    refused(&line, "6000ia<BS>b<Esc>");
    refused(&line, &format!("x{}", ".".repeat(2000)));
    refused("a\n", &"ggVGyGp".repeat(40));
    refused("a", &":s/a/aa/g<CR>".repeat(25));
    // Nothing at all, again and again.
    refused("one\n", "9999999R<Esc>");
    refused("one\ntwo\n", "Vj99999999>");
    refused("", &format!("3330i{}<Esc>3074457345618258402.", "0".repeat(68)));

    let repeated = |keys: &str, expect: &str| {
        let text = run("", keys).expect(keys).text();
        assert!(text == expect, "{} bytes", text.len());
    };
    let zeros = "0".repeat(68);
    repeated(&format!("3330i{zeros}<Esc>"), &(zeros.repeat(3330) + "\n"));
    repeated("9999999i<Esc>", "");
    repeated("3i0<Esc>3074457345618258402u", "");
    repeated("3ia<CR>b<Esc>", "a\nba\nba\nb\n");
}

#[test]
fn a_count_before_a_search_goes_round_and_round() {
    let text = "a b a b a\n";
    for (count, column) in [(1, 5), (2, 9), (3, 1), (4, 5), (7, 5), (3001, 5), (3002, 9)] {
        let editor = run(text, &format!("{count}/a<CR>")).expect("it is found");
        assert_eq!(editor.cursor(), (1, column), "{count}");
    }
}

#[test]
fn keys_that_cannot_be_carried_out_say_where() {
    let check = |keys: &[&str], sequence: usize, offset: usize| {
        let mut editor = Editor::new("alpha\nbeta\n");
        let step = serde_json::from_value(serde_json::json!({"kbd": keys})).expect("a step");
        let (_, location) = run_steps(&mut editor, &[step], false).expect_err("a fault");
        let location = location.expect("a place");
        assert_eq!((location.sequence, location.offset), (sequence, offset), "{keys:?}");
    };
    check(&["x", "diz"], 1, 2);
    check(&["<F5>"], 0, 0);
    check(&["dd<Esc"], 0, 2);
    check(&["2Go", "text"], 0, 2);
    // Offsets count UTF-16 units.
    check(&["i🙂<Esc>q"], 0, 8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_keys_never_panic_and_are_undone(
        text in "[ab \\n\t(){}\"é日🙂]{0,40}",
        keys in "([a-zA-PR-Y0-9 $^{}()<>;,.%\"':/?|~*#_+-]|<Esc>|<CR>|<BS>|dd|yyp|ciw|:s/a/b/<CR>){0,16}",
    ) {
        if let Ok(mut editor) = run(&text, &keys)
            && run_steps(&mut editor, &[step("<Esc><Esc>9999u")], false).is_ok()
        {
            prop_assert_eq!(editor.text(), text);
        }
    }
}
