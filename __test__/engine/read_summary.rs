//! `read` of source without a selector: what is left out, what is said about it, and when there is no summary.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::read::{self, Options};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};

use crate::tree::Tree;

fn read_with(name: &str, source: &str, settings: Value) -> Outcome {
    let tree = Tree::new(&[(name, source)]).with(settings);
    let options = Options { path: name.into(), truncation: None };
    read::run(&options, &tree.context(), &CancelToken::new())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn plain(name: &str, source: &str) -> Outcome {
    read_with(name, source, json!({"readHashLines": false, "readLineNumbers": true}))
}

/// The rows above the footer.
fn rows(outcome: &Outcome) -> Vec<&str> {
    outcome.text.split("\n\n[").next().unwrap_or_default().lines().collect()
}

#[track_caller]
fn check(name: &str, source: &str, expected: &[&str]) {
    let outcome = plain(name, source);
    assert!(outcome.details.contains_key("summary"), "{name} has no summary:\n{}", outcome.text);
    assert_eq!(rows(&outcome), expected, "{name}");
}

#[track_caller]
fn check_none(name: &str, source: &str) {
    let outcome = plain(name, source);
    assert!(!outcome.details.contains_key("summary"), "{name}:\n{}", outcome.text);
}

#[test]
fn every_language_leaves_out_its_bodies() {
    check(
        "a.go",
        "package a\n\nimport (\n\t\"a\"\n\t\"b\"\n\t\"c\"\n)\n\nfunc f() {\n\ta()\n\tb()\n\tc()\n}\n",
        &["1|package a", "2|", "3-7|import ( .. )", "8|", "9-13|func f() { .. }"],
    );
    check(
        "a.c",
        "#include <a.h>\n#include <b.h>\n#include <c.h>\n#include <d.h>\nint x;\nint f(void)\n{\n  a();\n  b();\n}\n",
        &["1|#include <a.h>", "...", "4|#include <d.h>", "5|int x;", "6|int f(void)", "7-10|{ .. }"],
    );
    check(
        "a.java",
        "package a;\nimport b;\nclass C {\n  int a;\n  int b;\n  int c;\n}\n",
        &["1|package a;", "2|import b;", "3-7|class C { .. }"],
    );
    check(
        "a.cs",
        "using A;\nusing B;\nclass C\n{\n  int a;\n  int b;\n}\n",
        &["1|using A;", "2|using B;", "3|class C", "4-7|{ .. }"],
    );
    check(
        "a.rb",
        "# a\nX = 1\ndef f\n  a\n  b\n  c\n  d\nend\n",
        &["1|# a", "2|X = 1", "3|def f", "4|  a", "...", "7|  d", "8|end"],
    );
    check(
        "a.php",
        "<?php\nuse A;\n\nfunction f() {\n  a();\n  b();\n  c();\n}\n",
        &["1|<?php", "2|use A;", "3|", "4-8|function f() { .. }"],
    );
    check("a.sh", "#!/bin/sh\nx=1\nf() {\n  a\n  b\n  c\n}\n", &["1|#!/bin/sh", "2|x=1", "3-7|f() { .. }"]);
    check(
        "a.css",
        "a { color: red }\nb { x: y }\nc {\n  a: b;\n  c: d;\n  e: f;\n}\n",
        &["1|a { color: red }", "2|b { x: y }", "3-7|c { .. }"],
    );
    check(
        "a.yaml",
        &("a: 1\nb:\n".to_owned() + &"  x: 1\n".repeat(20) + "c:\n" + &"  - y\n".repeat(20)),
        &["1|a: 1", "2|b:", "3|  x: 1", "...", "22|  x: 1", "23|c:", "24|  - y", "...", "43|  - y"],
    );
}

#[test]
fn an_elided_run_needs_neighbours_of_one_kind() {
    check(
        "m.py",
        "# one\n# two\n# three\n# four\n# five\n# six\nimport a\nx = 1\n",
        &["1|# one", "2|# two", "...", "6|# six", "7|import a", "8|x = 1"],
    );
    // An empty line ends a run.
    check_none("m.py", "import a\nimport b\n\nimport c\nimport d\nx = 1\n");
}

#[test]
fn too_little_to_say_is_no_summary() {
    for (name, source) in [
        ("m.json", "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ]\n}\n"),
        ("m.ts", "function f() {\n  a();\n  b();\n}\n"),
        ("min.js", "function f(){a();b()}function g(){c()}\n"),
        ("m.ts", "const a = 1\nconst b = 2\nconst c = 3\n"),
        ("m.ts", "function f( {\n  a();\n  b();\n  c();\n}\n"),
        ("m.md", "# T\n\n- a\n- b\n- c\n- d\n- e\n"),
        ("m.toml", "[a]\nb = 1\nc = 1\nd = 1\ne = 1\n"),
        ("empty.ts", ""),
        ("m.rs", "fn a() {}\r\n\r\n"),
    ] {
        check_none(name, source);
    }
    let off = json!({"read.summarize.enabled": false});
    let source = "const a = 1\nconst b = 2\nfunction f() {\n  a()\n  b()\n  c()\n}\n";
    assert!(!read_with("m.ts", source, off).details.contains_key("summary"));
}

#[test]
fn prose_is_summarised_where_it_is_wanted() {
    let source = "# T\n\n- a\n- b\n- c\n- d\n- e\n\nend\n";
    let outcome = read_with("m.md", source, json!({"readHashLines": false, "read.summarize.prose": true}));
    assert!(outcome.details.contains_key("summary"), "{}", outcome.text);
}

#[test]
fn carriage_returns_do_not_hide_brackets() {
    let source = "const a = 1\r\nconst b = 2\r\nfunction f() {\r\n  a()\r\n  b()\r\n}\r\n";
    let outcome = plain("m.js", source);
    assert!(outcome.text.contains("3-6|function f() { .. }"), "{}", outcome.text);
}

#[test]
fn a_class_that_is_the_whole_file_shows_its_members() {
    let mut source = "package a;\n\nclass C {\n".to_owned();
    for number in 0..12 {
        writeln!(source, "  void m{number}() {{\n    a();\n    b();\n  }}").unwrap();
    }
    source.push_str("}\n");
    let outcome = plain("C.java", &source);
    let rows = rows(&outcome);
    assert_eq!(rows.len(), 16, "{rows:?}");
    assert_eq!(rows[3], "4-7|  void m0() { .. }");
}

#[test]
fn the_footer_says_what_is_left_out() {
    let source =
        "const a = 1\nconst b = 2\nfunction f() {\n  a()\n  b()\n  c()\n}\nfunction g() {\n  a()\n  b()\n}\n";
    let outcome = plain("m.ts", source);
    let notice = &outcome.notices[0];
    assert_eq!(
        (notice.kind, &notice.facts["lines"], &notice.facts["regions"]),
        ("summary_elided", &json!(5), &json!(2))
    );
    assert_eq!(outcome.details["summary"], json!({"lines": 4, "elidedSpans": 2, "elidedLines": 5}));
    assert!(notice.text.contains("m.ts:4-6") && notice.text.contains("m.ts:raw"), "{}", notice.text);
}

#[test]
fn a_long_summary_stops_at_whole_rows() {
    let source = "const constant = 'constant'\n".repeat(2000) + "function f() {\n  a()\n  b()\n}\n";
    let outcome = plain("m.ts", &source);
    assert!(outcome.text.len() < 20 * 1024 + 8192, "{}", outcome.text.len());
    let notice = outcome.notices.iter().find(|notice| notice.kind == "summary_cap").expect("a cap");
    assert_eq!((&notice.facts["kib_ceil"], &notice.facts["total"]), (&json!(20), &json!(2004)));
    assert!(outcome.text.contains("\n…\n\n["), "no mark");
}

/// A native stack that overflows takes the host with it.
#[test]
fn deep_source_is_text() {
    let started = Instant::now();
    for (name, deep) in [
        ("a.js", format!("x = {}{}\n\n\n\n\n", "[\n".repeat(100_000), "]\n".repeat(100_000))),
        ("b.js", format!("x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000))),
        ("c.json", format!("{}{}\n", "[".repeat(100_000), "]".repeat(100_000))),
        ("d.rs", format!("fn main() {{ {} }}\n", "{".repeat(50_000) + &"}".repeat(50_000))),
        ("e.py", format!("x = {}1{}\n\n\n\n", "(".repeat(50_000), ")".repeat(50_000))),
        ("f.ts", "if (a) {\n".repeat(8_000) + &"}\n".repeat(8_000)),
        ("g.html", "<div>\n".repeat(9_000) + &"</div>\n".repeat(9_000)),
        ("h.js", "a(".repeat(50_000)),
        ("i.c", "{\n".repeat(9_000)),
    ] {
        let outcome = std::thread::Builder::new()
            .stack_size(1024 * 1024)
            .spawn(move || plain(name, &deep).text.len())
            .unwrap()
            .join();
        assert!(outcome.is_ok(), "{name}");
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}
