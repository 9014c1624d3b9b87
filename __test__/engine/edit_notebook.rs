//! Notebooks are edited as text, and cells that an edit does not touch stay byte for byte.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::{Context, edit, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::settings::Settings;
use serde_json::{Value, json};

/// Four blanks, escapes that nobody would write again, a final newline.
const BOOK: &str = r##"{
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# T\u00eftle\n", "text"]},
        {
            "cell_type": "code",
            "execution_count": 3, "metadata": {"k" : 1},
            "outputs": [{"text": ["a ] } \" b"], "n": 1.0e3}],
            "source": [
                "x = 1\n",
                "# %% [code] looks like a header\n",
                "print(x)"
            ]
        },
        {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": "y = 1"}
    ],
    "metadata": {},  "nbformat": 4, "nbformat_minor": 5
}
"##;

fn call(before: &str, edits: &[(&str, &str)]) -> (Result<Outcome>, String) {
    let tree = tempfile::tempdir().expect("a directory");
    let path = tree.path().join("n.ipynb");
    fs::write(&path, before).expect("a file");
    let edits: Vec<Value> =
        edits.iter().map(|(old, new)| json!({"old_text": old, "new_text": new})).collect();
    let options =
        parse_arguments(&json!({"path": "n.ipynb", "edits": edits}).to_string()).expect("arguments");
    let settings = json!({"edit.mode": "replace"});
    let context = Context {
        cwd: tree.path().to_owned(),
        state_dirs: vec![crate::write::state_dir()],
        settings: Settings::new(settings.as_object().cloned().unwrap_or_default()),
        ..Context::default()
    };
    let outcome = edit::run(&options, &context, &CancelToken::new());
    (outcome, fs::read_to_string(&path).expect("the file"))
}

#[track_caller]
fn check(edits: &[(&str, &str)], changes: &[(&str, &str)]) -> Outcome {
    let (outcome, after) = call(BOOK, edits);
    let expected = changes.iter().fold(BOOK.to_owned(), |book, (old, new)| {
        assert!(book.contains(old), "{old}");
        book.replace(old, new)
    });
    assert_eq!(after, expected);
    let _: Value = serde_json::from_str(&after).expect("JSON");
    outcome.expect("the edit")
}

#[test]
fn only_the_source_of_the_changed_cell_is_written() {
    let outcome = check(
        &[("x = 1", "x = 2\nz = \"\u{e9}\"")],
        &[(
            "                \"x = 1\\n\",\n",
            "                \"x = 2\\n\",\n                \"z = \\\"\u{e9}\\\"\\n\",\n",
        )],
    );
    assert!(
        outcome.details["diff"].as_str().expect("a diff").contains("+5|x = 2"),
        "{:?}",
        outcome.details["diff"]
    );
    check(&[("y = 1", "y = 2\n")], &[("\"y = 1\"", "\"y = 2\\n\"")]);
    check(&[("\ntext", "")], &[("[\"# T\\u00eftle\\n\", \"text\"]", "[\"# T\u{ef}tle\"]")]);
}

#[test]
fn cells_come_go_and_change_their_type() {
    let cell = |text: &str| BOOK.split_once(text).map(|(before, _)| before.len()).expect("a cell");
    let (_, after) = call(BOOK, &[("# %% [markdown] cell:0\n# T\u{ef}tle\ntext\n", "")]);
    assert!(after.starts_with("{\n    \"cells\": [\n        {\n            \"cell_type\": \"code\",\n            \"execution_count\": 3, "), "{after}");
    assert!(after.ends_with(&BOOK[cell("    \"metadata\": {},  \"nbf")..]), "{after}");
    let (_, after) = call(BOOK, &[("# %% [code] cell:2\n", "# %% [markdown]\nnew\n# %% [code] cell:2\n")]);
    assert!(
        after.contains(&BOOK[cell("{\"cell_type\": \"markdown\"")..cell("        {\"cell_type\": \"code\"")]),
        "{after}"
    );
    let value: Value = serde_json::from_str(&after).expect("JSON");
    assert_eq!(value["cells"][2], json!({"cell_type": "markdown", "metadata": {}, "source": ["new"]}));
    assert_eq!(value["cells"][3]["source"], "y = 1");
    let (_, after) = call(BOOK, &[("[code] cell:1", "[raw] cell:1")]);
    let value: Value = serde_json::from_str(&after).expect("JSON");
    assert_eq!(value["cells"][1]["metadata"], json!({"k": 1}));
    assert!(value["cells"][1].get("outputs").is_none() && value["cells"][1]["cell_type"] == "raw");
}

#[test]
fn what_is_no_notebook_is_refused() {
    for (before, edits, code) in [
        ("{oops", ("a", "b"), "notebook_bad_json"),
        ("{\"a\": 1}", ("a", "b"), "notebook_bad_structure"),
        ("{\"cells\": [{\"cell_type\": \"x\", \"source\": []}]}", ("a", "b"), "notebook_bad_structure"),
        ("{\"cells\": [{\"cell_type\": \"raw\", \"source\": 1}]}", ("a", "b"), "notebook_bad_structure"),
        (BOOK, ("# %% [markdown] cell:0\n", ""), "notebook_bad_view"),
        (BOOK, ("cell_type", "b"), "no_match"),
    ] {
        let (outcome, after) = call(before, &[edits]);
        assert_eq!(outcome.expect_err("a refusal").code(), code, "{before}");
        assert_eq!(after, before);
    }
}
