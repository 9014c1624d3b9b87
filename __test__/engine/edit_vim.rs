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
fn few_keys_cannot_ask_for_endless_work() {
    let line = "x".repeat(1 << 20);
    let refused = |text: &str, keys: &str| {
        let error = run(text, keys).map(|editor| editor.text().len()).expect_err(keys);
        assert!(error.starts_with("UnsupportedCommand"), "{keys}: {error}");
    };
    // Every character moves the rest of the line.
    refused(&line, &format!("i{}", "a".repeat(2000)));
    refused(&line, "2000ia<BS>b<Esc>");
    refused(&line, &format!("x{}", ".".repeat(2000)));
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
