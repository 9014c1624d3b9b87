//! `ast_edit`: what a preview shows and that it writes nothing; what applying it writes, and when it writes nothing.

#![expect(clippy::disallowed_methods, reason = "tests change files behind the back of the tool")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{Context, ast_edit, parse_arguments, read};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::session::Session;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::tree::Tree;

/// A tree, and somewhere for journals.
struct Place {
    tree: Tree,
    state: TempDir,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Tree::new(files).with(json!({"readHashLines": false}));
        Self { tree, state: TempDir::new().unwrap() }
    }

    fn context(&self) -> Context {
        Context { state_dirs: vec![self.state.path().to_owned()], ..self.tree.context() }
    }

    fn run(&self, arguments: Value) -> Result<ast_edit::Staged, ToolError> {
        ast_edit::run(&parse_arguments(&arguments.to_string())?, &self.context(), &CancelToken::new())
    }

    fn preview(&self, ops: Value, paths: Value) -> ast_edit::Staged {
        self.run(json!({"ops": ops, "paths": paths})).unwrap()
    }

    fn apply(&self, staged: &ast_edit::Staged) -> Outcome {
        staged.plan.as_ref().unwrap().apply(&self.context(), &CancelToken::new()).unwrap()
    }

    fn text(&self, path: &str) -> String {
        String::from_utf8(fs::read(self.tree.path(path)).unwrap()).unwrap()
    }
}

fn op(pat: &str, out: &str) -> Value {
    json!([{"pat": pat, "out": out}])
}

fn facts(outcome: &Outcome, kind: &str) -> Value {
    let notice = outcome.notices.iter().find(|notice| notice.kind == kind);
    notice.map_or(Value::Null, |notice| Value::Object(notice.facts.clone()))
}

/// What becomes of one file.
#[track_caller]
fn check(name: &str, before: &str, pat: &str, out: &str, after: &str) {
    let place = Place::new(&[(name, before)]);
    let staged = place.preview(op(pat, out), json!([name]));
    assert_eq!(place.text(name), before, "a preview writes nothing");
    assert!(staged.plan.is_some(), "{}", staged.outcome.text);
    place.apply(&staged);
    assert_eq!(place.text(name), after);
}

#[test]
fn captures_take_their_place() {
    check("a.ts", "foo(1, 2);\n", "foo($A, $B)", "foo($B, $A)", "foo(2, 1);\n");
    check("a.ts", "foo(1, 2, 3);\n", "foo($$$A)", "bar([$$$A])", "bar([1, 2, 3]);\n");
    check("a.ts", "foo();\n", "foo($$$A)", "bar($$$A)", "bar();\n");
    check("a.ts", "foo(1);\n", "foo($A)", "bar($A, $NONE, '$5', $$A, $a)", "bar(1, , '$5', $1, $a);\n");
    check("a.py", "print('a')\n", "print($X)", "log($X)", "log('a')\n");
    check("a.rs", "fn f() { a.unwrap() }\n", "$X.unwrap()", "$X?", "fn f() { a? }\n");
}

#[test]
fn every_other_byte_stays() {
    check(
        "a.ts",
        "\u{feff}foo(1);\r\nbar( );\r\n",
        "foo($A)",
        "baz(\n  $A\n)",
        "\u{feff}baz(\r\n  1\r\n);\r\nbar( );\r\n",
    );
    check("a.ts", "x  ;\rfoo(1);\r", "foo($A)", "b($A)", "x  ;\rb(1);\r");
    check("a.ts", "foo(1)", "foo($A)", "b($A)", "b(1)");
    check("a.ts", "foo(1);\n\tx;\r\n", "foo($A)", "b($A)", "b(1);\n\tx;\r\n");
}

#[test]
fn new_lines_are_moved_to_the_match_and_texts_of_many_lines_are_not() {
    let wrap = "if (x) {\n  $A\n}";
    check("a.ts", "{\n\tfoo(1);\n}\n", "foo($A)", wrap, "{\n\tif (x) {\n\t  1\n\t};\n}\n");
    check(
        "a.ts",
        "{\n    foo(() => {\n        g();\n    });\n}\n",
        "foo($A)",
        "bar(\n  $A\n)",
        "{\n    bar(\n      () => {\n          g();\n      }\n    );\n}\n",
    );
    check("a.ts", "{\n  foo(`a\nb\n    c`);\n}\n", "foo($A)", "bar($A)", "{\n  bar(`a\nb\n    c`);\n}\n");
    check("a.ts", "{\n  foo(1);\n}\n", "foo($A)", "a(\n\n  $A)", "{\n  a(\n\n    1);\n}\n");
}

#[test]
fn the_preview_shows_whole_lines_and_the_numbers_they_will_have() {
    let place = Place::new(&[("a.ts", "foo(1); foo(2);\nx;\n  foo(3);\n")]);
    let staged = place.preview(op("foo($A)", "bar(\n  $A\n)"), json!(["a.ts"]));
    let expected = "-1:1 foo(1); foo(2);\n+1:1 bar(\n+2:1   1\n+3:1 ); bar(\n+4:1   2\n+5:1 );\n\
                    -3:3   foo(3);\n+7:3   bar(\n+8:1     3\n+9:1   );";
    assert_eq!(staged.outcome.text, expected);
    place.apply(&staged);
    let after: Vec<String> = place.text("a.ts").lines().map(str::to_owned).collect();
    for row in expected.lines().filter_map(|row| row.strip_prefix('+')) {
        let (place, text) = row.split_once(' ').unwrap();
        let number: usize = place.split(':').next().unwrap().parse().unwrap();
        assert_eq!(after[number - 1], text);
    }
}

#[test]
fn all_patterns_look_at_the_file_as_it_was() {
    let place = Place::new(&[("a.ts", "a(1);\nb(2);\n")]);
    let ops = json!([{"pat": "b($A)", "out": "a($A)"}, {"pat": "a($A)", "out": "b($A)"}]);
    let staged = place.preview(ops, json!(["."]));
    place.apply(&staged);
    assert_eq!(place.text("a.ts"), "b(1);\na(2);\n");
}

#[test]
fn overlapping_matches_are_refused_before_anything_is_staged() {
    let place = Place::new(&[("a.ts", "x;\nf(g(1));\n")]);
    let one = place.run(json!({"ops": op("$F($A)", "h($A)"), "paths": ["."]})).unwrap_err();
    let two = json!([{"pat": "f($A)", "out": "$A"}, {"pat": "g($A)", "out": "$A"}]);
    let two = place.run(json!({"ops": two, "paths": ["."]})).unwrap_err();
    for error in [one, two] {
        assert_eq!(error.code(), "overlapping_edits");
        assert_eq!(error.fields()["line"], 2, "{error}");
        assert_eq!(error.fields()["path"], "a.ts");
    }
}

#[test]
fn one_language_only() {
    let place = Place::new(&[("a.ts", "f();\n"), ("b.tsx", "f();\n"), ("c.py", "f()\n"), ("d.zzz", "f()\n")]);
    let error = place.run(json!({"ops": op("f()", "g()"), "paths": ["."]})).unwrap_err();
    assert_eq!(error.code(), "ambiguous_language");
    assert!(error.to_string().contains("Python"), "{error}");
    let none = place.run(json!({"ops": op("f()", "g()"), "paths": ["d.zzz"]})).unwrap_err();
    assert_eq!(none.code(), "ambiguous_language");
    // TSX is TypeScript.
    let staged = place.preview(op("f()", "g()"), json!(["*.ts", "*.tsx"]));
    assert_eq!(staged.outcome.details["files"], json!(["a.ts", "b.tsx"]));
}

#[test]
fn a_stale_preview_writes_nothing_at_all() {
    let changes: [fn(&Place); 3] = [
        |place| place.tree.write("b.ts", "f(1);\nf(2);\n"),
        |place| place.tree.write("b.ts", "f(1); \n"),
        |place| fs::remove_file(place.tree.path("b.ts")).unwrap(),
    ];
    for change in changes {
        let place = Place::new(&[("a.ts", "f(1);\n"), ("b.ts", "f(1);\n"), ("c.ts", "f(1);\n")]);
        let staged = place.preview(op("f($A)", "g($A)"), json!(["."]));
        change(&place);
        let outcome = place.apply(&staged);
        assert!(outcome.is_error);
        assert_eq!(outcome.details["applied"], false);
        assert_eq!(facts(&outcome, "stale_preview")["paths"], json!(["b.ts"]));
        assert_eq!((place.text("a.ts"), place.text("c.ts")), ("f(1);\n".into(), "f(1);\n".into()));
    }
}

#[test]
fn many_files_are_changed_together() {
    let files: Vec<(String, &str)> = (0..300).map(|number| (format!("d/{number}.ts"), "f(1);\n")).collect();
    let place = Place::new(&files.iter().map(|(name, text)| (name.as_str(), *text)).collect::<Vec<_>>());
    let staged = place.preview(op("f($A)", "g($A)"), json!(["d"]));
    assert_eq!(staged.plan.as_ref().unwrap().label(), "AST Edit: 300 replacements in 300 files");
    let outcome = place.apply(&staged);
    assert_eq!(outcome.text, "Applied 300 replacements in 300 files.");
    assert!(files.iter().all(|(name, _)| place.text(name) == "g(1);\n"));
}

#[test]
fn a_long_preview_says_what_it_leaves_out() {
    let line = format!("f('{}');\n", "x".repeat(200));
    let place = Place::new(&[("a.ts", &line.repeat(1000)), ("b.ts", &line)]);
    let staged = place.preview(op("f($A)", "g($A)"), json!(["."]));
    assert!(staged.outcome.text.len() < 60 << 10, "{}", staged.outcome.text.len());
    let cut = facts(&staged.outcome, "preview_cut");
    assert_eq!((cut["total"].clone(), cut["files"].clone()), (json!(1001), json!(2)));
    assert_eq!(staged.outcome.details["totalReplacements"], 1001);
    place.apply(&staged);
    assert_eq!(place.text("b.ts"), line.replace("f(", "g("));
}

#[test]
fn what_must_not_be_changed_is_left() {
    let generated = "// Code generated by protoc. DO NOT EDIT.\nf(1);\n";
    let place =
        Place::new(&[("a.ts", "f(1);\n"), ("gen.ts", generated), ("bad.ts", "f(1);\nfunction ( {\n")]);
    let staged = place.preview(op("f($A)", "g($A)"), json!(["."]));
    assert_eq!(staged.outcome.details["files"], json!(["a.ts"]));
    assert_eq!(facts(&staged.outcome, "generated_skipped")["count"], 1);
    assert!(staged.outcome.details["parseErrors"].to_string().contains("bad.ts"));
    let named = place.run(json!({"ops": op("f($A)", "g($A)"), "paths": ["gen.ts"]})).unwrap_err();
    assert_eq!(named.code(), "auto_generated_file");

    // Plan mode may have begun since.
    let context = Context { plan_file: Some(PathBuf::from("/plan.md")), ..place.context() };
    let error = staged.plan.unwrap().apply(&context, &CancelToken::new()).unwrap_err();
    assert_eq!(error.code(), "plan_mode_denied");
    assert_eq!(place.text("a.ts"), "f(1);\n");
}

#[test]
#[cfg(unix)]
fn links_are_written_through_and_two_names_of_a_file_once() {
    let place = Place::new(&[("real.ts", "f(1);\n")]);
    place.tree.link("link.ts", "real.ts");
    let staged = place.preview(op("f($A)", "g($A)"), json!(["link.ts", "real.ts"]));
    place.apply(&staged);
    assert_eq!(place.text("real.ts"), "g(1);\n");
    assert!(fs::symlink_metadata(place.tree.path("link.ts")).unwrap().is_symlink());
}

#[test]
fn the_session_has_seen_what_was_applied() {
    let place = Place::new(&[("a.ts", "f(1);\n")]);
    let context = Context { session: Some(Arc::new(Session::default())), ..place.context() };
    let options = parse_arguments(&json!({"path": "a.ts"}).to_string()).unwrap();
    let shown = read::run(&options, &context, &CancelToken::new()).unwrap();
    assert!(shown.text.contains("f(1)"));
    let staged = place.preview(op("f($A)", "g($A)"), json!(["."]));
    staged.plan.unwrap().apply(&context, &CancelToken::new()).unwrap();
    let reads = &context.session.as_ref().unwrap().reads;
    if let Some(stamp) = reads.stamp(&place.tree.path("a.ts")) {
        assert!(stamp.fits(b"g(1);\n"));
    }
}

#[test]
fn faults_name_the_argument() {
    let place = Place::new(&[("a.ts", "f();\n")]);
    let code = |arguments| place.run(arguments).unwrap_err().code();
    assert_eq!(code(json!({"ops": [], "paths": ["."]})), "invalid_arguments");
    assert_eq!(code(json!({"ops": op("f()", "g()"), "paths": []})), "invalid_arguments");
    assert_eq!(code(json!({"ops": [{"pat": "f()"}], "paths": ["."]})), "invalid_arguments");
    assert_eq!(code(json!({"ops": op(" ", "g()"), "paths": ["."]})), "empty_pattern");
    let twice = json!([{"pat": "f()", "out": "g()"}, {"pat": " f() ", "out": "h()"}]);
    assert_eq!(code(json!({"ops": twice, "paths": ["."]})), "duplicate_pattern");
    assert_eq!(code(json!({"ops": op("f()", "g()"), "paths": ["gone.ts"]})), "path_not_found");
}

#[test]
fn a_pattern_that_is_none_is_told() {
    let place = Place::new(&[("a.ts", "f();\n")]);
    let staged = place.preview(op("f(); g()", "x"), json!(["a.ts"]));
    assert!(staged.plan.is_none());
    assert_eq!(facts(&staged.outcome, "parse_issues")["total"], 1);
}
