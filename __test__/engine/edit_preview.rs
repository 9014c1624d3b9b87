//! What an edit would do, told while its arguments arrive: never a change of a file, never an error for what is not
//! there yet.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;
use std::path::Path;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::{Context, edit};
use serde_json::{Value, json};
use tempfile::TempDir;

const HUNKS: &str = "@@\n-b\n+B\n@@\n c\n-d\n+D\n";

fn tree() -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    fs::write(tree.path().join("f.txt"), "a\nb\nc\nd\n").expect("a file");
    fs::write(tree.path().join("n.ipynb"), NOTEBOOK).expect("a file");
    tree
}

const NOTEBOOK: &str = r#"{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["x = 1\n", "y = 2"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;

fn preview(cwd: &Path, mode: &str, arguments: &str) -> Value {
    let settings = json!({"edit.mode": mode});
    let context: Context = serde_json::from_value(
        json!({"cwd": cwd, "settings": settings, "stateDirs": [crate::write::state_dir()]}),
    )
    .expect("a context");
    let previews = edit::preview(arguments, &context, &CancelToken::new()).expect(arguments);
    serde_json::to_value(previews).expect("a value")
}

/// Every beginning of the arguments is previewed without an error, and the tree stays as it is.
#[track_caller]
fn check(mode: &str, arguments: &Value, expected: &Value) {
    let tree = tree();
    let raw = arguments.to_string();
    for (end, _) in raw.char_indices() {
        let told = preview(tree.path(), mode, &raw[..end]);
        let errors = told.as_array().into_iter().flatten().filter(|one| one.get("error").is_some());
        assert_eq!(errors.count(), 0, "{told} of {}", &raw[..end]);
    }
    assert_eq!(preview(tree.path(), mode, &raw), *expected);
    assert_eq!(fs::read_to_string(tree.path().join("f.txt")).expect("a file"), "a\nb\nc\nd\n");
    assert_eq!(fs::read_to_string(tree.path().join("n.ipynb")).expect("a file"), NOTEBOOK);
    assert_eq!(fs::read_dir(tree.path()).expect("a directory").count(), 2);
}

#[test]
fn hunks_are_shown_as_soon_as_they_are_whole() {
    let tree = tree();
    let raw = json!({"path": "f.txt", "edits": [{"diff": HUNKS}]}).to_string();
    let up_to = |end: &str| preview(tree.path(), "patch", &raw[..raw.find(end).expect(end)]);
    assert_eq!(up_to("+B"), json!([]));
    assert_eq!(up_to("\\n@@\\n c"), json!([]));
    let first = "@@ -1,4 +1,4 @@\n 1|a\n-2|b\n+2|B\n 3|c\n 4|d";
    assert_eq!(up_to("-d"), json!([{"path": "f.txt", "diff": first, "firstChangedLine": 2}]));
    assert_eq!(up_to("\"}]"), up_to("-d"));
    let both = "@@ -1,4 +1,4 @@\n 1|a\n-2|b\n+2|B\n 3|c\n-4|d\n+4|D";
    check(
        "patch",
        &json!({"path": "f.txt", "edits": [{"diff": HUNKS}]}),
        &json!([{"path": "f.txt", "diff": both, "firstChangedLine": 2}]),
    );
}

#[test]
fn files_that_come_and_go_are_shown() {
    check(
        "patch",
        &json!({"path": "new.txt", "edits": [{"op": "create", "diff": "one\ntwo\n"}]}),
        &json!([{"path": "new.txt", "diff": "@@ -0,0 +1,2 @@\n+1|one\n+2|two", "firstChangedLine": 1}]),
    );
    check(
        "patch",
        &json!({"path": "f.txt", "edits": [{"op": "delete"}]}),
        &json!([{"path": "f.txt", "diff": "@@ -1,4 +0,0 @@\n-1|a\n-2|b\n-3|c\n-4|d", "firstChangedLine": 1}]),
    );
}

#[test]
fn what_is_wrong_with_a_whole_edit_is_a_text() {
    let tree = tree();
    for (mode, arguments, word) in [
        ("patch", json!({"path": "f.txt", "edits": [{"diff": "@@\n-nowhere\n+x\n"}]}), "f.txt"),
        ("patch", json!({"path": "f.txt", "edits": [{"diff": "@@\n-b\n+b\n"}]}), "f.txt"),
        ("patch", json!({"path": "gone.txt", "edits": [{"diff": HUNKS}]}), "gone.txt"),
        ("patch", json!({"path": "f.txt", "edits": [{"op": "create", "diff": "x"}]}), "f.txt"),
        ("patch", json!({"path": "f.txt", "edits": [{"op": "update"}]}), "f.txt"),
        (
            "apply_patch",
            json!({"input": "*** Begin Patch\n*** Delete File: gone.txt\n*** End Patch"}),
            "gone.txt",
        ),
        ("apply_patch", json!({"input": "no patch"}), "no patch"),
    ] {
        let told = preview(tree.path(), mode, &arguments.to_string());
        let error = told[0]["error"].as_str().unwrap_or_default();
        assert!(error.contains(word), "{arguments}: {told}");
    }
}

#[test]
fn an_envelope_is_shown_line_by_line_and_then_as_what_it_does() {
    let tree = tree();
    let envelope = format!(
        "*** Begin Patch\n*** Add File: new.txt\n+one\n*** Update File: f.txt\n*** Move to: g.txt\n{HUNKS}*** Update File: f.txt\n"
    );
    let raw = json!({"input": envelope}).to_string();
    let up_to = |end: &str| preview(tree.path(), "apply_patch", &raw[..raw.find(end).expect(end)]);
    assert_eq!(up_to("\\n*** Update"), json!([]));
    let new = json!({"path": "new.txt", "diff": "+one"});
    assert_eq!(up_to("\\n@@"), json!([new]));
    assert_eq!(up_to("\\n-d"), json!([new, {"path": "f.txt", "diff": "@@\n-b\n+B\n@@"}]));
    // The end of the envelope is missing, and the last update has no line.
    check(
        "apply_patch",
        &json!({"input": envelope}),
        &json!([
            {"path": "new.txt", "diff": "@@ -0,0 +1,1 @@\n+1|one", "firstChangedLine": 1},
            {"path": "f.txt", "diff": "@@ -1,4 +1,4 @@\n 1|a\n-2|b\n+2|B\n 3|c\n-4|d\n+4|D", "firstChangedLine": 2},
        ]),
    );
}

#[test]
fn a_notebook_is_shown_as_its_cells() {
    let diff = |separator: &str| format!("{separator} 1|# %% [code] cell:0\n 2|x = 1\n-3|y = 2\n+3|y = 3");
    check(
        "replace",
        &json!({"path": "n.ipynb", "edits": [{"old_text": "y = 2", "new_text": "y = 3"}]}),
        &json!([{"path": "n.ipynb", "diff": diff(""), "firstChangedLine": 3}]),
    );
    let tree = tree();
    let patch = json!({"path": "n.ipynb", "edits": [{"diff": "@@\n x = 1\n-y = 2\n+y = 3\n"}]});
    let told = preview(tree.path(), "patch", &patch.to_string());
    let shown = told[0]["diff"].as_str().unwrap_or_default();
    assert!(shown.contains("\n-3|y = 2\n") && shown.contains("\n+3|y = 3\n"), "{told}");
}
