//! `edit` in the modes `patch` and `apply_patch`: where hunks are placed, what they change, what they refuse.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;
use std::path::Path;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::edit::patch::plan_diff;
use gajae_tool_core::engine::exec::edit::{Plan, Tolerance};
use gajae_tool_core::engine::exec::{Context, edit, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::text::apply_splices;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

const TOLERANCE: Tolerance = Tolerance { allow_fuzzy: true, threshold: 0.95 };

fn planned(text: &str, diff: &str) -> Result<Plan> {
    plan_diff(text, diff, TOLERANCE, "f.txt", 0, &CancelToken::new())
}

fn patched(text: &str, diff: &str) -> Result<String> {
    let plan = planned(text, diff)?;
    Ok(String::from_utf8(apply_splices(text.as_bytes(), &plan.splices)).expect("text"))
}

/// Each case: the file, the diff, the file afterwards.
fn check(cases: &[(&str, &str, &str)]) {
    for (text, diff, expected) in cases {
        match patched(text, diff) {
            Ok(actual) => assert_eq!(actual, *expected, "{diff}"),
            Err(error) => panic!("{error}\n{diff}"),
        }
    }
}

/// Each case: the file, the diff, the code of the error.
fn check_refused(cases: &[(&str, &str, &str)]) {
    for (text, diff, code) in cases {
        match patched(text, diff) {
            Ok(actual) => panic!("became {actual:?}\n{diff}"),
            Err(error) => assert_eq!(error.code(), *code, "{error}\n{diff}"),
        }
    }
}

fn warnings(text: &str, diff: &str) -> Vec<&'static str> {
    planned(text, diff).expect("a plan").warnings.iter().map(|warning| warning.kind).collect()
}

#[test]
fn hunks_that_take_the_last_lines_together_leave_no_break_behind() {
    check(&[
        ("b\nc", "-b\n@@\n-c", ""),
        ("a\nb\nc", "-b\n@@\n-c", "a"),
        ("a\nb\nc\nd", "-b\n@@\n-c\n@@\n-d", "a"),
        ("a\nb\nc", "-b\n+x\n@@\n-c", "a\nx"),
        ("a\nb\nc", "-a\n+A\n@@\n-b\n@@\n-c", "A"),
        ("a\nb\nc\n", "-b\n@@\n-c", "a\n"),
    ]);
}

#[test]
fn a_blank_line_above_does_not_go_with_the_last_line() {
    check(&[
        ("a\n\nb", "-b", "a\n\n"),
        ("\nb", "-b", "\n"),
        ("a\n\nb\nc", "-b\n@@\n-c", "a\n\n"),
        ("a\nb\nc", "-b\n+\n@@\n-c", "a\n\n"),
        ("a\n\nb\n", "-b", "a\n\n"),
        ("a\nb", "-b", "a"),
    ]);
}

#[test]
fn lines_that_a_hunk_only_names_stay_as_the_file_has_them() {
    check(&[
        (
            "// start\nvalue = 1\n// end\n",
            "@@\n # start\n-value = 1\n+value = 2\n # end",
            "// start\nvalue = 2\n// end\n",
        ),
        (
            "say “hello”\nrow — dash\nend\n",
            "@@\n say \"hello\"\n-row - dash\n+row\n end",
            "say “hello”\nrow\nend\n",
        ),
        (
            "function compute(alpha, beta) {\n  return 1;\n}\n",
            "@@\n function compute(\n-  return 1;\n+  return 2;\n }",
            "function compute(alpha, beta) {\n  return 2;\n}\n",
        ),
        (
            "the quick brown fox jumped\nover the lazy dog tonight\nfinis\n",
            "@@\n the quick brown fox jumpes\n-over the lazy dog tonight\n+over the log\n finis",
            "the quick brown fox jumped\nover the log\nfinis\n",
        ),
        // Written as removed and added again.
        ("  a\nb\n", "@@\n-a\n-b\n+a\n+B", "  a\nB\n"),
    ]);
}

#[test]
fn a_line_that_goes_is_never_a_part_of_a_longer_one() {
    check_refused(&[
        (
            "head\n  const someName = anotherCall(argument);\nfoot\n",
            "@@\n head\n-another\n+gone\n foot",
            "lines_not_found",
        ),
        ("head\nxx abcdefgh xx\nfoot\n", "@@\n head\n-abcdefgh\n+gone\n foot", "lines_not_found"),
        (
            "head\nfunction compute(alpha, beta) {\nfoot\n",
            "@@\n head\n-function compute(\n+x\n foot",
            "lines_not_found",
        ),
        ("foobar = 1\nz\n", "@@\n-foo\n+qux", "no_match"),
    ]);
}

#[test]
fn a_lone_change_takes_whole_lines() {
    check(&[
        ("a\nb\nc\n", "@@\n-b", "a\nc\n"),
        ("a\nb\n", "@@\n-a\n-b", ""),
        ("a\nb", "-b", "a"),
        ("north\neast\n \nwest\n", "@@\n- \n", "north\neast\nwest\n"),
        ("north\n\nwest\n", "@@\n-\n+mid", "north\nmid\nwest\n"),
        (
            "if a {\n        run(alpha, beta);\n}\n",
            "-run(alpha,  beta);\n+run(gamma);",
            "if a {\n        run(gamma);\n}\n",
        ),
    ]);
    check_refused(&[
        ("x\ny\nx\n", "-x\n+z", "ambiguous_match"),
        ("a\n\nb\n\nc\n", "-\n+z", "ambiguous_match"),
    ]);
}

#[test]
fn of_several_places_none_is_guessed() {
    let twice = "start\nx\nend\nmid\nstart\nx\nend\n";
    check_refused(&[
        (twice, "@@\n start\n-x\n+y\n end", "lines_ambiguous"),
        ("go()\nx=1\ngo()\nx=1\n", "@@ go()\n-x=1\n+x=2", "context_ambiguous"),
        ("x\na\nx\nb\n", "@@\n-x\n+X\n@@\n-b\n+B", "ambiguous_match"),
        // What is left of a hunk whose context is wrong.
        ("a\nx\nb\nx\n", "@@\n nothing like it\n-x\n+y", "lines_not_found"),
        ("x\nx\nx\n", "@@\n x\n+y", "lines_ambiguous"),
    ]);
    // Unless the hunk below it, a line number, an anchor or the end of the file tells which.
    check(&[
        (twice, "@@\n start\n-x\n+y\n end\n@@\n start\n-x\n+z\n end", "start\ny\nend\nmid\nstart\nz\nend\n"),
        (twice, "@@\n start\n-x\n+y\n@@\n-mid\n+MID", "start\ny\nend\nMID\nstart\nx\nend\n"),
        (twice, "@@ -5,3 +5,3 @@\n start\n-x\n+y\n end", "start\nx\nend\nmid\nstart\ny\nend\n"),
        (twice, "@@ -6,3 +6,3 @@\n start\n-x\n+y\n end", "start\nx\nend\nmid\nstart\ny\nend\n"),
        (twice, "@@ mid\n start\n-x\n+y", "start\nx\nend\nmid\nstart\ny\nend\n"),
        (twice, "@@\n-x\n+y\n end\n*** End of File", "start\nx\nend\nmid\nstart\ny\nend\n"),
    ]);
}

#[test]
fn context_that_is_not_there_is_told_or_refused() {
    assert_eq!(warnings("a\nx\nb\n", "@@\n nothing like it\n-x\n+y"), ["context_ignored"]);
    assert_eq!(warnings("a\nx\nb\n", "@@ class Nowhere {\n-x\n+y"), ["anchor_ignored"]);
    assert_eq!(warnings("a\nb\n", "@@\n-b\n+B\n a\n@@\n-a\n+A\n").len(), 2);
    check_refused(&[
        ("iron\ntin\nlead\n", "@@\n iron\n tin\n+zinc\n gold", "lines_not_found"),
        ("a\nb\n", "@@ omega section\n-zeta line\n+x", "context_not_found"),
        ("a\nb\n", "@@ omega\n+x", "context_not_found"),
    ]);
}

#[test]
fn lines_that_only_come_stand_where_the_header_says() {
    let text = "import os\n\nclass Shop extends House {\n  open() {}\n}\n";
    check(&[
        (
            text,
            "@@ import os\n+import sys",
            "import os\nimport sys\n\nclass Shop extends House {\n  open() {}\n}\n",
        ),
        (
            text,
            "@@ class Shop extends House {\n+  size = 1",
            "import os\n\nclass Shop extends House {\n  size = 1\n  open() {}\n}\n",
        ),
        ("a\nb\nc\n", "@@ -2,0 +3,1 @@\n+x", "a\nb\nx\nc\n"),
        ("a\nb\nc\n", "@@ -2,0 +2,1 @@\n+x", "a\nx\nb\nc\n"),
        ("a\nb\nc\n", "@@ -1 +1,2 @@\n-a\n+A\n+A2\n@@ -2,0 +4 @@\n+x", "A\nA2\nb\nx\nc\n"),
        ("a\nb\nc\n", "@@ -0,0 +1 @@\n+x", "x\na\nb\nc\n"),
        ("a\nb\nc\n", "@@ top of file\n+x", "x\na\nb\nc\n"),
        ("a\nb\n", "@@\n+x", "a\nb\nx\n"),
        ("", "@@ -0,0 +1 @@\n+x", "x\n"),
        ("", "+x\n+y", "x\ny\n"),
    ]);
    check_refused(&[
        ("a\nb\nc\n", "@@ -9,0 +9,1 @@\n+z", "line_hint_out_of_range"),
        ("a\n", "@@ -0,1 +1 @@\n-a\n+b", "patch_parse"),
    ]);
}

#[test]
fn an_anchor_within_an_anchor_is_looked_for_in_its_block() {
    let text =
        "class A:\n    def go(self):\n        return 1\n\nclass B:\n    def go(self):\n        return 1\n";
    let second = text.replacen("return 1", "return 2", 1);
    check(&[
        (text, "@@ class A:\n@@ def go(self):\n-        return 1\n+        return 2", &second),
        (text, "@@ class B: @@\n     def go(self):\n-        return 1\n+        return 2", &{
            let at = text.rfind('1').expect("a digit");
            format!("{}2{}", &text[..at], &text[at + 1..])
        }),
    ]);
}

#[test]
fn the_end_of_the_file_is_as_the_patch_says() {
    check(&[
        ("a\nb", "@@\n a\n-b\n+B", "a\nB"),
        ("a\nb", "@@\n-a\n-b\n+A\n+B\n+", "A\nB\n"),
        ("a\nb\n\n\n", "@@\n-a\n+A\n b", "A\nb\n\n\n"),
        ("a\nb", "+c", "a\nb\nc"),
        ("a\nb", "@@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
        ("a\nb\n", "@@\n a\n-b\n+B\n\\ No newline at end of file", "a\nB"),
        ("a\nb\n", "@@\n-a\n+A\n b\n\\ No newline at end of file", "A\nb"),
        ("a\nb\nc\n", "@@\n-a\n+A\n b\n\\ No newline at end of file", "A\nb\nc\n"),
    ]);
}

#[test]
fn new_lines_are_indented_like_their_neighbours() {
    check(&[
        (
            "def f():\n    if a:\n        go()\n    return\n",
            "@@\n if a:\n-    go()\n+    stop()\n+        deep()\n return",
            "def f():\n    if a:\n        stop()\n            deep()\n    return\n",
        ),
        (
            "root\n      keep me\n      drop me\n",
            "@@\n root\n   keep me\n-  drop me\n+  add me",
            "root\n      keep me\n      add me\n",
        ),
        (
            "head\n      target line\nfoot\n",
            "@@\n head\n-target line\n+new line\n foot",
            "head\n      new line\nfoot\n",
        ),
        (
            "if a {\n    b();\n}\n",
            "@@\n if a {\n-\tb();\n+\tc();\n+\t\td();\n }",
            "if a {\n    c();\n        d();\n}\n",
        ),
        (
            "if a {\n\tb();\n}\n",
            "@@\n if a {\n-    b();\n+    c();\n+        d();\n }",
            "if a {\n\tc();\n\t\td();\n}\n",
        ),
        // A change of nothing but the indentation is what is wanted.
        ("a {\n  b\n}\n", "@@\n a {\n-b\n+    b\n }", "a {\n    b\n}\n"),
    ]);
}

#[test]
fn numbers_of_a_listing_are_dropped_only_where_the_file_has_none() {
    let berries = "1 strawberry\n2 blueberry\n3 raspberry\n";
    check(&[
        (
            berries,
            "@@\n 1 strawberry\n-2 blueberry\n+2 blackberry\n 3 raspberry",
            &berries.replace("blue", "black"),
        ),
        ("one\n  two\nthree\n", "@@\n 1 one\n-2   two\n+2   TWO\n 3 three", "one\n  TWO\nthree\n"),
        ("one\n  two\nthree\n", "@@\n 1ab|one\n-2cd|  two\n+2cd|  TWO\n 3ef|three", "one\n  TWO\nthree\n"),
        (
            "class A:\n    ...\nx = 1\n",
            "@@\n class A:\n     ...\n-x = 1\n+x = 2",
            "class A:\n    ...\nx = 2\n",
        ),
        ("a\nb\n", "@@\n a\n …\n-b\n+B", "a\nB\n"),
    ]);
}

#[test]
fn only_what_stands_before_the_hunks_is_a_header() {
    check(&[
        ("-- drop me\nselect 1;\n", "@@\n--- drop me\n+-- keep me\n select 1;", "-- keep me\nselect 1;\n"),
        ("a\nb\n", "@@\n a\n+++ c\n b", "a\n++ c\nb\n"),
        ("-- x\nb\n", "@@\n--- x\n+++ y\n b", "++ y\nb\n"),
        (
            "a\nb\n",
            "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B",
            "a\nB\n",
        ),
        ("a\nb\n", "@@\r\n a\r\n-b\r\n+B\r\n", "a\nB\n"),
    ]);
    check_refused(&[
        ("a\nb\n", "*** Update File: f\n-a\n+A\n*** Update File: g\n-b\n+B", "multi_file_diff"),
        ("a\nb\n", "@@\n a\n-b\n+B\n*** End of File\nleftover", "patch_parse"),
        ("a\nb\n", "@@\n a\n-b\n+B\n*** Updates are fine", "patch_parse"),
        ("a\nb\n", "whole\nnew\ntext\n", "no_hunks"),
        ("a\nb\n", "@@\n", "no_hunks"),
    ]);
}

#[test]
fn hunks_may_share_context_but_not_changes() {
    check(&[
        ("a\nb\nc\nd\ne\n", "@@\n a\n-b\n+B\n c\n@@\n c\n-d\n+D\n e", "a\nB\nc\nD\ne\n"),
        ("a\nb\nc\n", "@@\n b\n-c\n+C\n@@\n-a\n+A\n b", "A\nb\nC\n"),
    ]);
    check_refused(&[("a\nb\nc\n", "@@\n a\n-b\n+1\n@@\n-b\n+2\n c", "overlapping_hunks")]);
}

#[test]
fn a_hunk_of_which_one_line_is_quite_different_is_refused() {
    let line = |number: usize| format!("this is line number {number} of the text\n");
    let text: String = (0..20).map(line).collect();
    let diff: String = text.split_inclusive('\n').flat_map(|line| [" ", line]).collect();
    let diff = diff.replace(" this is line number 7 of the text", "-completely unlike anything there\n+new");
    check_refused(&[(&text, &format!("@@\n{diff}"), "lines_not_found")]);
}

fn call(tree: &TempDir, settings: Value, arguments: &Value) -> Result<Outcome> {
    let context: Context = serde_json::from_value(
        json!({"cwd": tree.path(), "settings": settings, "stateDirs": [crate::write::state_dir()]}),
    )
    .expect("a context");
    edit::run(&parse_arguments(&arguments.to_string())?, &context, &CancelToken::new())
}

fn apply(tree: &TempDir, input: &str) -> Result<Outcome> {
    call(tree, json!({"edit.mode": "apply_patch"}), &json!({"input": input}))
}

fn tree_of(files: &[(&str, &str)]) -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    for (path, content) in files {
        fs::write(tree.path().join(path), content).expect("a file");
    }
    tree
}

fn files_of(tree: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(tree)
        .expect("the directory")
        .flatten()
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).expect("a text");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn an_envelope_is_done_whole_or_not_at_all() {
    let files = [("1.txt", "a\n"), ("2.txt", "b\n"), ("3.txt", "c\n")];
    let tree = tree_of(&files);
    let sections = "*** Update File: 1.txt\n@@\n-a\n+A\n*** Update File: 2.txt\n@@\n-nope\n+B\n*** Add File: 4.txt\n+n\n*** Delete File: 3.txt\n";
    let outcome = apply(&tree, &format!("*** Begin Patch\n{sections}*** End Patch")).expect("an outcome");
    assert!(outcome.is_error);
    assert!(outcome.text.contains("2.txt"), "{}", outcome.text);
    assert_eq!(files_of(tree.path()), files.map(|(path, text)| (path.to_owned(), text.to_owned())));
    let applied: Vec<_> =
        outcome.details["perFileResults"].as_array().expect("files").iter().map(|file| &file["ok"]).collect();
    assert_eq!(applied, [true, false, true, true]);

    let sections = sections.replace("-nope", "-b");
    let outcome = apply(&tree, &format!("*** Begin Patch\n{sections}*** End Patch")).expect("an outcome");
    assert!(!outcome.is_error);
    let expected = [("1.txt", "A\n"), ("2.txt", "B\n"), ("4.txt", "n\n")];
    assert_eq!(files_of(tree.path()), expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
}

#[test]
fn nothing_that_exists_is_overwritten() {
    let files = [("f.txt", "a\n"), ("g.txt", "precious\n")];
    let tree = tree_of(&files);
    let envelope = |section: &str| format!("*** Begin Patch\n{section}\n*** End Patch");
    for section in ["*** Add File: g.txt\n+new", "*** Update File: f.txt\n*** Move to: g.txt\n@@\n-a\n+A"] {
        let error = apply(&tree, &envelope(section)).expect_err("a refusal");
        assert_eq!(error.code(), "already_exists", "{section}");
    }
    let patch = json!({"path": "f.txt", "edits": [{"op": "delete", "rename": "h.txt"}]});
    let error = call(&tree, json!({"edit.mode": "patch"}), &patch).expect_err("a refusal");
    assert_eq!(error.code(), "invalid_arguments");
    assert_eq!(files_of(tree.path()), files.map(|(path, text)| (path.to_owned(), text.to_owned())));
}

#[test]
fn a_move_to_its_own_path_is_an_update() {
    for name in ["plan.md", "./plan.md", "ABSOLUTE"] {
        let tree = tree_of(&[("plan.md", "one\n")]);
        let name = name.replace("ABSOLUTE", &tree.path().join("plan.md").to_string_lossy());
        let input = format!(
            "*** Begin Patch\n*** Update File: plan.md\n*** Move to: {name}\n@@\n-one\n+two\n*** End Patch"
        );
        apply(&tree, &input).expect("an outcome");
        assert_eq!(files_of(tree.path()), [("plan.md".to_owned(), "two\n".to_owned())]);
    }
}

#[test]
fn an_envelope_may_be_wrapped_as_models_do() {
    let body = "*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch";
    let wrapped = [
        format!("\n\n  {body}\n\n"),
        format!("<<EOF\n{body}\nEOF"),
        format!("apply_patch <<'EOF'\n{body}\nEOF\n"),
        format!("apply_patch <<\"PATCH\"\n{body}\nPATCH"),
        format!("```diff\n{body}\n```"),
        format!("'{body}'"),
        body.replace('\n', "\r\n"),
    ];
    for input in wrapped {
        let tree = tree_of(&[("f.txt", "a\n")]);
        apply(&tree, &input).unwrap_or_else(|error| panic!("{error}\n{input}"));
        assert_eq!(files_of(tree.path()), [("f.txt".to_owned(), "A\n".to_owned())], "{input}");
    }
}

#[test]
fn added_files_hold_exactly_their_lines() {
    let cases =
        [("", ""), ("++alpha\n++beta\n", "+alpha\n+beta\n"), ("+\n", "\n"), ("+a\n+\n+b\n", "a\n\nb\n")];
    for (lines, expected) in cases {
        let tree = tree_of(&[]);
        apply(&tree, &format!("*** Begin Patch\n*** Add File: n.txt\n{lines}*** End Patch"))
            .expect("an outcome");
        assert_eq!(files_of(tree.path()), [("n.txt".to_owned(), expected.to_owned())]);
    }
}

#[test]
fn what_is_wrong_with_an_envelope_is_told_by_line() {
    let cases = [
        (
            "*** Delete File: f\n*** End Patch",
            "envelope_missing_begin",
            json!({"first": "*** Delete File: f"}),
        ),
        (
            "*** Begin Patch\n*** Delete File: f",
            "envelope_missing_end",
            json!({"last": "*** Delete File: f"}),
        ),
        ("*** Begin Patch\n*** End Patch", "empty_patch", json!({})),
        ("*** Begin Patch\n*** Rename File: f\n*** End Patch", "bad_hunk_header", json!({"line": 2})),
        (
            "*** Begin Patch\n*** Update File: f\n*** End Patch",
            "empty_update",
            json!({"line": 3, "path": "f"}),
        ),
        (
            "*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n*** oops\n*** End Patch",
            "patch_parse",
            json!({"line": 5}),
        ),
    ];
    for (input, code, facts) in cases {
        let tree = tree_of(&[("f.txt", "a\n")]);
        let error = apply(&tree, input).expect_err("a refusal");
        assert_eq!(error.code(), code, "{input}");
        for (name, fact) in facts.as_object().expect("facts") {
            assert_eq!(error.fields()[name], *fact, "{input}");
        }
    }
}

/// Lines that are short and repeat, so that much of what is tried is nearly right.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[ab]{0,2}",
        2 => "[ \t]{0,3}[a-c“-]{0,4}",
        1 => "(@@|\\*\\*\\*|---|\\+\\+\\+|\\.\\.\\.|[0-9]{1,2})[ a]{0,3}",
        1 => "\\PC{0,6}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    (proptest::collection::vec(line(), 0..12), any::<bool>())
        .prop_map(|(lines, ends)| lines.join("\n") + if ends { "\n" } else { "" })
}

fn diff() -> impl Strategy<Value = String> {
    let header = prop_oneof![
        Just("@@".to_owned()),
        "@@ [a-c]{1,3}",
        "@@ -[0-9]{1,2}(,[0-9])? \\+[0-9]{1,2}(,[0-9])? @@",
        Just("*** End of File".to_owned()),
        Just("\\ No newline at end of file".to_owned()),
    ];
    let body = (prop_oneof![3 => Just("-"), 3 => Just("+"), 4 => Just(" "), 1 => Just("")], line());
    let line = prop_oneof![1 => header, 5 => body.prop_map(|(sign, line)| sign.to_owned() + &line)];
    proptest::collection::vec(line, 0..14).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Whatever the diff says: whole lines change, no more than it names, and all else stays.
    #[test]
    fn a_diff_changes_no_more_lines_than_it_names(text in text(), diff in diff()) {
        let Ok(plan) = planned(&text, &diff) else { return Ok(()) };
        let count = |sign: char| diff.lines().filter(|line| line.starts_with(sign)).count();
        let (mut removed, mut added, mut end) = (0, 0, 0);
        for splice in &plan.splices {
            prop_assert!(splice.range.start >= end && splice.range.end <= text.len());
            let at_border = |at: usize| at == 0 || at >= text.len() - 1 || text.as_bytes()[at - 1] == b'\n';
            prop_assert!(at_border(splice.range.start) || splice.range.end == text.len());
            prop_assert!(at_border(splice.range.end));
            removed += text[splice.range.clone()].lines().count();
            let new = std::str::from_utf8(&splice.new).expect("text");
            // Behind a last line without a break, what is added brings the break of that line.
            let new = new.strip_prefix('\n').filter(|_| !text[..splice.range.start].ends_with('\n')).unwrap_or(new);
            added += new.lines().count();
            end = splice.range.end;
        }
        // A break at the end of the file may come or go besides.
        prop_assert!(removed <= count('-') + 1, "{removed} lines went");
        prop_assert!(added <= count('+') + 1, "{added} lines came");
    }

    /// A hunk cut from a change of unlike lines makes that change, wherever else its header points.
    #[test]
    fn a_true_hunk_is_placed_where_it_was_cut(
        at in 0_usize..40,
        removed in 0_usize..4,
        added in 0_usize..4,
        context in 1_usize..4,
        ends in any::<bool>(),
        header in prop_oneof![Just("@@".to_owned()), "@@ -[1-9][0-9]? \\+[1-9][0-9]? @@"],
    ) {
        prop_assume!(removed + added > 0);
        let line = |number: usize| format!("{}{number}", "x".repeat(number % 7));
        let lines: Vec<String> = (0..44).map(line).collect();
        let new: Vec<String> = (0..added).map(|number| format!("new {number}")).collect();
        let mut diff = vec![header];
        diff.extend(lines[at.saturating_sub(context)..at].iter().map(|line| format!(" {line}")));
        diff.extend(lines[at..at + removed].iter().map(|line| format!("-{line}")));
        diff.extend(new.iter().map(|line| format!("+{line}")));
        diff.extend(lines[at + removed..].iter().take(context).map(|line| format!(" {line}")));
        let last = if ends { "\n" } else { "" };
        let expected = [&lines[..at], &new, &lines[at + removed..]].concat().join("\n") + last;
        let actual = patched(&(lines.join("\n") + last), &diff.join("\n")).expect("a plan");
        prop_assert_eq!(actual, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// No text is taken for an envelope by accident, and none makes it panic.
    #[test]
    fn any_text_is_an_envelope_or_an_error(
        lines in proptest::collection::vec(
            prop_oneof!["\\*\\*\\* (Begin Patch|End Patch|Add File: a|Update File: a|Move to: b|End of File)", line(), diff()],
            0..10,
        ),
        wrap in any::<bool>(),
    ) {
        let body = lines.join("\n");
        let input = if wrap { format!("*** Begin Patch\n{body}\n*** End Patch") } else { body };
        let tree = tree_of(&[]);
        match apply(&tree, &input) {
            Ok(_) => {}
            Err(ToolError::Internal { message }) => prop_assert!(false, "{}", message),
            Err(_) => prop_assert!(files_of(tree.path()).is_empty()),
        }
    }
}
