//! `ast_grep`: what matches, how it is shown, and that nothing hostile ends the process.

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{Context, ast_grep, parse_arguments, read};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};

use super::tree::Tree;

fn run_in(context: &Context, arguments: Value) -> Result<Outcome, ToolError> {
    ast_grep::run(&parse_arguments(&arguments.to_string())?, context, &CancelToken::new())
}

fn run(tree: &Tree, arguments: Value) -> Outcome {
    run_in(&tree.context(), arguments).unwrap()
}

fn facts(outcome: &Outcome, kind: &str) -> Value {
    let notice = outcome.notices.iter().find(|notice| notice.kind == kind);
    notice.map_or(Value::Null, |notice| Value::Object(notice.facts.clone()))
}

/// What a pattern finds in one file.
#[track_caller]
fn check(name: &str, content: impl AsRef<[u8]>, pattern: &str, expected: &str) {
    let tree = Tree::new(&[]).with(json!({"readHashLines": false}));
    tree.write(name, content);
    let found = run(&tree, json!({"pat": pattern, "paths": [name]})).text;
    assert_eq!(found, expected, "{pattern}");
}

#[test]
fn a_call_is_found_in_every_language() {
    let cases = [
        ("a.ts", "foo(1);\n"),
        ("a.tsx", "foo(1);\n"),
        ("a.js", "foo(1);\n"),
        ("a.mjs", "foo(1);\n"),
        ("a.py", "foo(1)\n"),
        ("a.rs", "fn f() { foo(1); }\n"),
        ("a.go", "package a\nfunc f() { foo(1) }\n"),
        ("A.java", "class A { void f() { foo(1); } }\n"),
        ("a.c", "void f(void) { foo(1); }\n"),
        ("a.cpp", "void f() { foo(1); }\n"),
        ("a.cs", "class A { void F() { foo(1); } }\n"),
        ("a.rb", "foo(1)\n"),
        ("a.php", "<?php\nfoo(1);\n"),
        ("a.lua", "foo(1)\n"),
        ("a.kt", "fun f() { foo(1) }\n"),
        ("a.swift", "foo(1)\n"),
        ("a.scala", "object A { foo(1) }\n"),
        ("a.dart", "void f() { foo(1); }\n"),
        ("a.ex", "foo(1)\n"),
        ("a.zig", "fn f() void { foo(1); }\n"),
        ("a.sol", "contract A { function f() public { foo(1); } }\n"),
    ];
    let missed: Vec<_> = cases
        .iter()
        .filter(|(name, content)| {
            let tree = Tree::new(&[(name, content)]);
            let outcome = run(&tree, json!({"pat": "foo($A)", "paths": ["."]}));
            outcome.details["matchCount"] != 1 || !outcome.text.contains("meta: A=1")
        })
        .map(|(name, _)| name)
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn text_that_no_node_stands_for_has_to_be_the_same() {
    for (name, content) in
        [("a.md", "const value = call(one)\n"), ("b.md", "# Title (two)\n\nwords, more words\n")]
    {
        check(name, content, "call(other)", "No matches found");
        check(name, content, "some, other", "No matches found");
    }
    check("a.md", "see call(one)\n", "see call(one)", "*1|see call(one)");
    check("a.md", "# Title (two)\n\ntext\n", "# Title (two)", "*1|# Title (two)");
    check("a.md", "# Title\n\ntext\n", "# $A", "*1|# Title\n  meta: A=Title");
    for (name, content) in [
        ("a.kt", "fun f() { g(\"one\") }\n"),
        ("a.swift", "g(\"one\")\n"),
        ("a.rb", "g('one')\n"),
        ("a.lua", "g('one')\n"),
        ("a.ex", "g(\"one\")\n"),
    ] {
        let (quoted, found) =
            (if content.contains('"') { '"' } else { '\'' }, format!("*1|{}", content.trim_end()));
        check(name, content, &format!("g({quoted}one{quoted})"), &found);
        check(name, content, &format!("g({quoted}other{quoted})"), "No matches found");
    }
}

#[test]
fn each_line_stands_once_with_the_captures_below_its_match() {
    check("a.ts", "f(f(1));\n", "f($A)", "*1|f(f(1));\n  meta: A=f(1)\n  meta: A=1");
    check("a.ts", "f(1); f(2);\n", "f($A)", "*1|f(1); f(2);\n  meta: A=1\n  meta: A=2");
    check("a.ts", "f(\n  f(1),\n);\n", "f($A)", "*1|f(\n*2|  f(1),\n  meta: A=1\n 3|);\n  meta: A=f(1)");
    // What is captured never looks like lines of the file.
    check(
        "a.ts",
        "f(() => {\n  g()\n});\n",
        "f($A)",
        "*1|f(() => {\n 2|  g()\n 3|});\n  meta: A=() => { g() }",
    );
}

#[test]
fn anchors_are_those_of_read() {
    let tree = Tree::new(&[("a.ts", "x;\n  return foo(x);\r\n")]);
    let outcome = run(&tree, json!({"pat": "foo($A)", "paths": ["a.ts"]}));
    let line = outcome.text.lines().next().unwrap().trim_start_matches('*').to_owned();
    let options = parse_arguments(&json!({"path": "a.ts"}).to_string()).unwrap();
    let read = read::run(&options, &tree.context(), &CancelToken::new()).unwrap();
    assert!(read.text.lines().any(|shown| shown == line), "{line} in {}", read.text);
}

#[test]
fn marks_and_line_endings_do_not_move_lines() {
    check("a.ts", "\u{feff}foo(1);\r\nbar();\r\nfoo(2);\r\n", "foo(2)", "*3|foo(2);");
    check("a.ts", "\u{feff}foo(1);", "foo(1)", "*1|foo(1);");
    check("a.ts", "a();\rfoo(1);\r", "foo(1)", "*2|foo(1);");
}

#[test]
fn pages_join_without_gap_or_repetition() {
    let content = (1..=120).map(|number| format!("f({number});\n")).collect::<Vec<_>>().concat();
    let tree = Tree::new(&[("a.ts", &content), ("b.ts", "f(121);\n")]);
    let (mut seen, mut skip) = (Vec::new(), json!(0));
    loop {
        let outcome = run(&tree, json!({"pat": "f($A)", "paths": ["."], "skip": skip}));
        let lines = outcome.text.lines().filter_map(|line| line.strip_prefix("  meta: A="));
        seen.extend(lines.map(|number| number.parse::<usize>().unwrap()));
        assert_eq!(outcome.details["matchCount"], 121);
        skip = facts(&outcome, "ast_limit")["next_skip"].clone();
        if skip.is_null() {
            assert_eq!(outcome.details["limitReached"], false);
            break;
        }
    }
    assert_eq!(seen, (1..=121).collect::<Vec<_>>());
}

#[test]
fn a_match_too_long_for_a_page_says_where_it_goes_on() {
    let body = (1..=9000).map(|number| format!("  g({number});\n")).collect::<Vec<_>>().concat();
    let tree = Tree::new(&[("a.ts", &format!("function f() {{\n{body}}}\nfunction h() {{}}\n"))]);
    let outcome = run(&tree, json!({"pat": "function $F() { $$$B }", "paths": ["a.ts"]}));
    assert!(outcome.text.len() < 60 << 10, "{}", outcome.text.len());
    let cut = facts(&outcome, "ast_cut");
    let next = cut["next"].as_u64().unwrap();
    assert_eq!(cut["last"], 9002);
    assert!(outcome.text.contains(&format!("\n {}", next - 1)), "{cut}");
    assert!(!outcome.text.contains(&format!("\n {next}")), "{cut}");
    assert_eq!(facts(&outcome, "ast_limit")["next_skip"], 1);
    let rest = run(&tree, json!({"pat": "function $F() { $$$B }", "paths": ["a.ts"], "skip": 1}));
    assert!(rest.text.contains("function h()"), "{}", rest.text);
}

#[test]
fn faults_name_the_argument() {
    let tree = Tree::new(&[("a.ts", "f();\n")]);
    let code = |arguments| run_in(&tree.context(), arguments).unwrap_err().code();
    assert_eq!(code(json!({"pat": " \n", "paths": ["."]})), "empty_pattern");
    assert_eq!(code(json!({"pat": "f()", "paths": []})), "invalid_arguments");
    assert_eq!(code(json!({"pat": "f()"})), "invalid_arguments");
    assert_eq!(code(json!({"pat": "f()", "paths": ["."], "skip": -1})), "invalid_skip");
    assert_eq!(code(json!({"pat": "f()", "paths": ["gone"]})), "path_not_found");
    assert_eq!(code(json!({"pat": "f()", "paths": ["a.ts,b.ts"]})), "packed_paths");
}

#[test]
fn what_could_not_be_parsed_is_told_with_its_path() {
    let tree = Tree::new(&[("bad.ts", "foo(1);\nfunction ( {\n"), ("other.ts", "function ( {\n")]);
    tree.write("latin.ts", b"foo('\xe9');\n");
    let outcome = run(&tree, json!({"pat": "foo($A)", "paths": ["."]}));
    assert_eq!(outcome.details["matchCount"], 1);
    // The file without the pattern's text is not parsed: it cannot match.
    assert_eq!(facts(&outcome, "parse_issues")["total"], 2);
    let issues = outcome.details["parseErrors"].to_string();
    assert!(issues.contains("bad.ts") && issues.contains("latin.ts"), "{issues}");
}

#[test]
fn a_text_that_is_no_pattern_is_told_once_for_each_language() {
    let files: Vec<(String, &str)> = (0..30).map(|number| (format!("{number}.ts"), "f();\n")).collect();
    let tree = Tree::new(&files.iter().map(|(name, text)| (name.as_str(), *text)).collect::<Vec<_>>());
    for pattern in ["f(); g()", "$$$", "function (", "a b c"] {
        let outcome = run(&tree, json!({"pat": pattern, "paths": ["."]}));
        assert_eq!(facts(&outcome, "parse_issues")["total"], 1, "{pattern}: {}", outcome.text);
        assert!(outcome.text.contains("0.ts"), "{}", outcome.text);
    }
    // Where the pattern is code of one language, others are no news.
    tree.write("a.json", "{}\n");
    let outcome = run(&tree, json!({"pat": "f()", "paths": ["."]}));
    assert_eq!(outcome.details["matchCount"], 30);
    assert_eq!(facts(&outcome, "parse_issues"), Value::Null);
}

#[test]
fn hostile_depth_ends_neither_the_process_nor_the_call() {
    let deep =
        |open: &str, close: &str, count: usize| format!("{}1{}", open.repeat(count), close.repeat(count));
    let tree = Tree::new(&[
        ("brackets.ts", &format!("x = {};\nf(1);\n", deep("[", "]", 100_000))),
        ("parentheses.ts", &format!("x = {};\nf(1);\n", deep("(", ")", 50_000))),
        ("equal.ts", &format!("g({0}, {0});\n", deep("[", "]", 20_000))),
        ("blocks.js", &format!("{}f(1);{}\n", "{".repeat(50_000), "}".repeat(50_000))),
    ]);
    run(&tree, json!({"pat": "$A", "paths": ["."]}));
    for pattern in ["f($A)", "[$A]", "[$$$A]"] {
        run(&tree, json!({"pat": pattern, "paths": ["brackets.ts"]}));
    }
    let equal = run(&tree, json!({"pat": "g($A, $A)", "paths": ["equal.ts"]}));
    assert!(equal.details["parseErrors"].to_string().contains("equal.ts"), "{}", equal.text);
    // Patterns, too; what they are tried on need not be deep but for one that is tried at all.
    tree.write("small.ts", "x = [1];\n");
    for (open, close) in [("[", "]"), ("(", ")"), ("f(", ")"), ("{", "}"), ("!", "")] {
        for count in [150, 2_000, 100_000] {
            run(&tree, json!({"pat": deep(open, close, count), "paths": ["small.ts"]}));
        }
    }
    run(&tree, json!({"pat": deep("[", "]", 150), "paths": ["brackets.ts"]}));
    // One that is merely deep is fine.
    check(
        "a.ts",
        format!("x = {};\n", deep("[", "]", 60)),
        &deep("[", "]", 60),
        &format!("*1|x = {};", deep("[", "]", 60)),
    );
}

#[test]
fn the_text_of_a_pattern_must_stand_in_the_file_but_not_as_it_is_spaced() {
    check("a.ts", "foo ( 1 ,2 )\n", "foo(1, 2)", "*1|foo ( 1 ,2 )");
    check("a.ts", "async   function\tf() {}\n", "async function f() {}", "*1|async   function\tf() {}");
    check("a.ts", "foo(1,);\n", "foo(1)", "*1|foo(1,);");
    check("a.php", "<?php\nFOREACH ($a AS $b) { f(); }\n", "f()", "*2|FOREACH ($a AS $b) { f(); }");
}

#[test]
fn a_name_in_a_longer_name_is_no_reason_to_parse_but_hides_nothing() {
    check("a.ts", "fooBar(1);\n", "foo($A)", "No matches found");
    check("a.ts", "xfoo(1); foo(2);\n", "foo($A)", "*1|xfoo(1); foo(2);\n  meta: A=2");
    // A text is not a name: what stands before it may be the end of something else.
    check("a.ts", "g(\"\\nfoo\");\n", "g(\"\\nfoo\")", "*1|g(\"\\nfoo\");");
    check("a.rs", "fn f() { g(1u8); h!(foo); }\n", "g(1u8)", "*1|fn f() { g(1u8); h!(foo); }");
    check("a.py", "x = f\"{foo(1)}\"\n", "foo($A)", "*1|x = f\"{foo(1)}\"\n  meta: A=1");
    check("a.rb", "x = \"#{foo(1)}\"\n", "foo($A)", "*1|x = \"#{foo(1)}\"\n  meta: A=1");
    check("a.php", "<?php\n$foo = 1;\n", "$foo = 1", "*2|$foo = 1;");
}

#[test]
fn where_a_module_comes_from_can_be_captured() {
    let code = "import a from 'a'\nimport {b} from \"b\"\nimport 'c'\nexport {d} from 'd'\n";
    let found = "*1|import a from 'a'\n  meta: A=a, B='a'\n*2|import {b} from \"b\"\n  meta: A={b}, B=\"b\"";
    check("a.ts", code, "import $A from $B", found);
    check("a.js", code, "import { $A } from $B", "*2|import {b} from \"b\"\n  meta: A=b, B=\"b\"");
    check("a.tsx", code, "export { $$$A } from $B", "*4|export {d} from 'd'\n  meta: A=[d], B='d'");
}

#[test]
fn a_file_that_is_named_and_cannot_be_parsed_is_told() {
    let tree = Tree::new(&[("notes.txt", "f();\n"), ("a.ts", "f();\n")]);
    tree.write("code.zip", b"PK\x05\x06");
    let told = |paths: Value| run(&tree, json!({"pat": "f()", "paths": paths}));
    let archive = told(json!(["code.zip", "a.ts"]));
    assert_eq!(
        (&archive.details["matchCount"], facts(&archive, "parse_issues")["total"].clone()),
        (&json!(1), json!(1))
    );
    assert!(archive.details["parseErrors"][0].as_str().unwrap().starts_with("code.zip: is an archive"));
    assert!(told(json!(["notes.txt"])).details["parseErrors"][0].as_str().unwrap().starts_with("notes.txt"));
    assert_eq!(told(json!(["notes.txt"])).details["filesSearched"], 0);
    // What a directory or a glob leads to is not named.
    assert_eq!(told(json!(["."])).details.get("parseErrors"), None);
    let member = run_in(&tree.context(), json!({"pat": "f()", "paths": ["code.zip:a.ts"]})).unwrap_err();
    assert_eq!(member.code(), "unsupported");
}

#[test]
fn files_are_found_as_search_finds_them() {
    let tree = Tree::new(&[
        ("a.ts", "f();\n"),
        ("deep/b.ts", "f();\n"),
        ("node_modules/c.ts", "f();\n"),
        (".ignore", "ignored\n"),
        ("ignored/d.ts", "f();\n"),
    ]);
    let files = |paths: Value| run(&tree, json!({"pat": "f()", "paths": paths})).details["files"].clone();
    assert_eq!(files(json!(["."])), json!(["a.ts", "deep/b.ts"]));
    assert_eq!(files(json!(["*.ts"])), json!(["a.ts", "deep/b.ts"]));
    assert_eq!(files(json!(["./*.ts", "deep", "deep/b.ts"])), json!(["a.ts", "deep/b.ts"]));
    assert_eq!(files(json!(["ignored/d.ts"])), json!(["ignored/d.ts"]));
    let missing = run(&tree, json!({"pat": "f()", "paths": ["a.ts", "gone"]}));
    assert_eq!(facts(&missing, "missing_paths")["paths"], json!(["gone"]));
}

#[test]
#[cfg(unix)]
fn pipes_and_links_are_no_files_to_wait_for() {
    let tree = Tree::new(&[("real.ts", "f();\n")]);
    tree.pipe("pipe.ts");
    tree.link("link.ts", "real.ts");
    tree.link("loop.ts", "loop.ts");
    let outcome = run(&tree, json!({"pat": "f()", "paths": ["."]}));
    assert_eq!(outcome.details["files"], json!(["real.ts"]));
    let error = run_in(&tree.context(), json!({"pat": "f()", "paths": ["pipe.ts"]})).unwrap_err();
    assert_eq!(error.code(), "io_error");
    let linked = run(&tree, json!({"pat": "f()", "paths": ["link.ts"]}));
    assert_eq!(linked.details["matchCount"], 1);
}

#[test]
fn a_cancelled_call_is_an_abort() {
    let tree = Tree::new(&[("a.ts", "f();\n")]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let options = parse_arguments(&json!({"pat": "f()", "paths": ["."]}).to_string()).unwrap();
    assert_eq!(ast_grep::run(&options, &tree.context(), &cancel).unwrap_err().code(), "aborted");
}
