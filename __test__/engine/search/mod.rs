//! `search`: what matches, what is shown, and that nothing is left out without a word.

mod archives;
mod cache;
mod properties;
mod together;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{Context, parse_arguments, search};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};

use super::tree::Tree;

fn bare() -> Value {
    json!({"readHashLines": false, "search.contextBefore": 0, "search.contextAfter": 0})
}

fn run_in(context: &Context, arguments: Value) -> Result<Outcome, ToolError> {
    search::run(&parse_arguments(&arguments.to_string())?, context, &CancelToken::new())
}

fn run(tree: &Tree, arguments: Value) -> Outcome {
    run_in(&tree.context(), arguments).unwrap()
}

fn files(outcome: &Outcome) -> Vec<&str> {
    outcome.details["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect()
}

fn facts(outcome: &Outcome, kind: &str) -> Value {
    let notice = outcome.notices.iter().find(|notice| notice.kind == kind);
    notice.map_or(Value::Null, |notice| Value::Object(notice.facts.clone()))
}

/// The matching lines of a one-file tree.
#[track_caller]
fn check_lines(content: impl AsRef<[u8]>, pattern: &str, expected: &str) {
    let tree = Tree::new(&[]).with(bare());
    tree.write("f", content);
    let found = run(&tree, json!({"pattern": pattern, "paths": ["f"]})).text;
    assert_eq!(found, if expected.is_empty() { "No matches found" } else { expected }, "{pattern}");
}

#[track_caller]
fn check_error(pattern: &str, says: &str) {
    let tree = Tree::new(&[("f", "x\n")]);
    let error = run_in(&tree.context(), json!({"pattern": pattern})).unwrap_err();
    assert_eq!(error.code(), "invalid_regex", "{pattern}");
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn a_working_directory_that_is_gone_is_named() {
    let tree = Tree::new(&[]);
    let mut context = tree.context();
    context.cwd = tree.path("gone");
    let error = run_in(&context, json!({"pattern": "x"})).unwrap_err();
    assert!(
        matches!(&error, ToolError::PathNotFound { path } if *path == context.cwd.to_str().unwrap()),
        "{error}"
    );
}

#[test]
fn braces_and_parentheses_are_taken_as_they_are_meant() {
    check_lines("fn a() {\nfn b();\n", "a() {", "*1|fn a() {");
    check_lines("x\nx()\n", "x()$", "*1|x\n*2|x()");
    check_lines("`${x}`\nx\n", "${x}", "*1|`${x}`");
    check_lines("x{}\n", "x{}", "*1|x{}");
    check_lines("ab{,2}\n", "b{,2}", "*1|ab{,2}");
    check_lines("f(\"{0}\")\n", "{0}", "*1|f(\"{0}\")");
    check_lines("${1}\n1\n", "${1}", "*1|${1}");
    check_lines("aaa\naa\n", "^a{3}$", "*1|aaa");
    check_lines("$$\n$\n", r"^\${2}$", "*1|$$");
    check_lines("((\n(\n", r"^\({2}$", "*1|((");
    check_lines("{\n}\nx\n", "[{}]", "*1|{\n*2|}");
    check_lines("α\na\n", r"\p{Greek}", "*1|α");
    check_lines("A\nB\n", r"\x{41}", "*1|A");
    check_lines("foo(a[0]\n", "foo(a[0]", "");
    check_lines("foo(a[0]\n", r"foo(a\[0", "*1|foo(a[0]");
    check_lines("call(x)\ncall\n", "call(", "*1|call(x)");
    check_lines("x)\ny\n", "x)", "*1|x)");
    check_lines("[(]\n(\n", "[(])", "");
    check_lines("()\n", "())", "");
    check_lines("a(b))\n", "(b))", "*1|a(b))");
}

#[test]
fn unsupported_constructs_are_named_with_a_way_out() {
    check_error("foo(?!bar)", "look-around");
    check_error(r"(a)\1", "backreferences");
    check_error("*x", "*x");
    check_error(&format!("{}x{}", "(?:".repeat(300), ")".repeat(300)), "nest");
    check_error(r"(?:\w{1000}){1000}", "size");
}

#[test]
fn blanks_of_a_pattern_count() {
    check_lines("a b\nab\n", " ", "*1|a b");
    check_lines("needle\n", " needle", "");
    let tree = Tree::new(&[("f", "")]);
    assert_eq!(run_in(&tree.context(), json!({"pattern": ""})).unwrap_err().code(), "empty_pattern");
}

#[test]
fn line_ends_match_whatever_they_are_made_of() {
    check_lines("needle\r\nx\r\n", "needle$", "*1|needle");
    check_lines("a\r\n\r\nb\r\n", "^$", "*2|");
    check_lines("a\rneedle\rb", "^needle$", "*2|needle");
    check_lines("a\rb\nneedle\n", "needle", "*2|needle");
    check_lines("\u{FEFF}needle\n", "^needle", "*1|needle");
    check_lines("needle", "needle$", "*1|needle");
    check_lines("a\r\nb \r\n", r"\s$", "*2|b");
    check_lines("a\r\nb\n", r"a[^x]", "");
    check_lines("a\r\nb\n", r"\r", "*1|a");
}

#[test]
fn text_in_another_encoding_is_found_and_shown_as_read_shows_it() {
    let korean = "첫째 줄입니다\n검색할 말은 여기에 있습니다\n마지막 줄입니다\n".repeat(20);
    let encode = |label: &str| {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        encoding.encode(&korean).0.into_owned()
    };
    for label in ["euc-kr", "utf-8"] {
        let tree = Tree::new(&[]).with(bare());
        tree.write("f", encode(label));
        for pattern in ["검색할", r"검\p{Hangul}할 말", r"\x{ac80}색할"] {
            let found = run(&tree, json!({"pattern": pattern, "paths": ["f"]})).text;
            assert!(found.starts_with("*2|검색할 말은 여기에 있습니다\n"), "{label} {pattern}: {found}");
        }
        let around = run(&tree, json!({"pattern": "^$", "paths": ["f"]})).text;
        assert_eq!(around, "No matches found");
    }
    let tree = Tree::new(&[]).with(bare());
    tree.write("f", [encode("euc-kr"), b"needle\n".to_vec()].concat());
    let shown = run(
        &tree.with(json!({"search.contextBefore": 1, "readHashLines": false})),
        json!({"pattern": "needle"}),
    );
    assert!(shown.text.contains(" 60|마지막 줄입니다\n*61|needle"), "{}", shown.text);
}

#[test]
fn what_is_shown_is_remembered_for_edit() {
    let tree = Tree::new(&[("f", "one\ntwo \nthree\n")]).with(bare());
    let session = std::sync::Arc::new(gajae_tool_core::engine::session::Session::default());
    let context = Context { session: Some(session.clone()), ..tree.context() };
    run_in(&context, json!({"pattern": "t"})).unwrap();
    let recorded = session.reads.recall(&tree.root().join("f"), None).unwrap();
    let lines: Vec<_> = recorded.lines.iter().map(|(number, line)| (*number, line.as_str())).collect();
    assert_eq!(lines, [(3, "three")], "a line that is shown without its last blank is not seen whole");
}

#[test]
fn a_line_break_in_the_pattern_spans_lines() {
    check_lines("int a;\r\nint b;\r\nc\r\n", r"int a;\nint b;", "*1|int a;\n*2|int b;");
    check_lines("int a;\nint b;\n", "int a;\nint b;", "*1|int a;\n*2|int b;");
    check_lines("a\r\nb\r\n", r"a\r\nb", "*1|a\n*2|b");
    check_lines("a\nb\n", "a.b", "");
    check_lines("a\nb\n", "(?s)a.b", "*1|a\n*2|b");
    check_lines("A\nb\n", "(?is:a.b)", "*1|A\n*2|b");
    check_lines("a\nb\n", "(?:a).(?:s)", "");
    check_lines("a\n\n\nb\n", r"a\n+b", "*1|a\n*2|\n*3|\n*4|b");
    check_lines("fn x(\n  y\n)\n", r"x\(\n\s+y$", "*1|fn x(\n*2|  y");
}

#[test]
fn matches_across_lines_are_counted_as_matches_and_capped() {
    let tree = Tree::new(&[("f", &"a\nb\n".repeat(30)), ("g", "a\nb\n")]).with(bare());
    let found = run(&tree, json!({"pattern": r"a\nb"}));
    assert_eq!(found.details["fileMatches"], json!([{"path": "f", "count": 20}, {"path": "g", "count": 1}]));
    assert_eq!(found.text.matches('*').count(), 42);
    assert_eq!(facts(&found, "per_file_cap"), json!({"cap": 20, "files": 1}));
}

#[test]
fn a_match_as_long_as_its_file_is_cut_like_everything_else() {
    let tree = Tree::new(&[("g", "a\nb\n")]).with(bare());
    tree.write("f", format!("a\n{}b\n", "line\n".repeat(500_000)));
    let found = run(&tree, json!({"pattern": "(?s)a.*b"}));
    assert_eq!(files(&found), ["f"]);
    assert!(found.text.len() < 52_000, "{}", found.text.len());
    assert_eq!(facts(&found, "search_page"), json!({"first": 1, "last": 1, "total": 2, "next_skip": 1}));
    assert_eq!(found.details["matchCount"], 1);
}

#[test]
fn text_in_other_encodings_is_searched() {
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    check_lines(utf16("first\nneedle é\r\n", false), "needle é$", "*2|needle é");
    check_lines(utf16("first\nneedle\n", true), "^needle", "*2|needle");
    // Without a mark its zero bytes tell, whatever is looked for.
    for pattern in ["needle", "nee.le", "é", "needle é$"] {
        let unmarked = utf16("first line\nneedle é\n", false)[2..].to_vec();
        check_lines(&unmarked, pattern, "*2|needle é");
        let tree = Tree::new(&[]).with(bare());
        tree.write("dir/f", &unmarked);
        assert_eq!(files(&run(&tree, json!({"pattern": pattern}))), ["dir/f"], "{pattern}");
    }
    check_lines(b"caf\xE9 needle\n", "needle", "*1|café needle");
}

#[test]
fn files_are_binary_for_a_nul_at_the_start_or_beside_what_is_sought() {
    let late = |text: &str| [vec![b'x'; 20_000], b"\n\0\n".to_vec(), text.as_bytes().to_vec()].concat();
    let tree = Tree::new(&[("plain", "needle\n")]).with(bare());
    tree.write("early", "other\0");
    tree.write("late", late("needle\n"));
    // Nothing is left out here.
    tree.write("nothing", late("other\n"));
    let found = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(files(&found), ["plain"]);
    assert_eq!(facts(&found, "skipped_files"), json!({"binary": 2}));
}

#[test]
fn lines_that_only_look_like_a_match_hide_none() {
    // What is rare in the pattern stands on many lines, the whole of it on few, and not at the start of a text.
    let noise = "a Q here, B12Q and Cd1234 apart\n".repeat(1000);
    let number = 1001;
    for (tail, expected) in [
        ("Name1234Q\n", format!("*{number}|Name1234Q")),
        ("Name1234Q", format!("*{number}|Name1234Q")),
        ("Näme1234Q\r\nQ", format!("*{number}|Näme1234Q")),
        ("Name1234Qx\nQ\n", String::new()),
        ("\n\nQ", String::new()),
    ] {
        check_lines(format!("{noise}{tail}"), r"[A-Z]\w{3,8}\d{4}Q\b", &expected);
    }
}

#[test]
fn word_boundaries_are_those_of_unicode_in_every_text() {
    check_lines("éfoo\nfoo é\n", r"\bfoo\b", "*2|foo é");
    check_lines("éfoo\nfoo é\n", r"\Bfoo", "*1|éfoo");
    check_lines("éfoo\nafoo\nfoo\n", r"(?:\bfoo\b)+$", "*3|foo");
    check_lines("é x\ny\nyé\n", r"x\b|y\B", "*1|é x\n...\n*3|yé");
    check_lines("\u{212a}\nkk\n", r"(?i)\bk\b", "*1|\u{212a}");
    check_lines("kk\nK\n", r"(?i)\bk\b", "*2|K");
    check_lines("é\n\n", r"\b", "*1|é");
    check_lines("é|\n", r"\|\b", "");
}

#[test]
fn the_end_of_a_search_is_the_same_on_every_run() {
    let tree = Tree::new(&[]).with(bare());
    for directory in 0..30 {
        for file in 0..40 {
            tree.write(format!("d{directory:02}/f{file:02}"), "needle\n".repeat(file % 25));
        }
    }
    let first = run(&tree, json!({"pattern": "needle", "skip": 90}));
    assert_eq!(facts(&first, "match_cap"), json!({"cap": 2000, "files": 100}));
    for _ in 0..20 {
        let again = run(&tree, json!({"pattern": "needle", "skip": 90}));
        assert_eq!((again.text, again.details), (first.text.clone(), first.details.clone()));
    }
}

#[test]
fn a_search_that_ends_with_the_last_file_is_not_cut() {
    let tree = Tree::new(&[]).with(bare());
    for file in 0..100 {
        tree.write(format!("f{file:03}"), "needle\n".repeat(20));
    }
    tree.directory("z/empty");
    let whole = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(facts(&whole, "match_cap"), Value::Null);
    tree.write("z/more/f", "nothing");
    let cut = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(facts(&cut, "match_cap"), json!({"cap": 2000, "files": 100}));
}

#[test]
fn anchors_are_those_of_the_whole_line() {
    let long = format!("{}needle", "x".repeat(3000));
    let tree = Tree::new(&[("f", &format!("alpha  \r\nneedle\n{long}\n"))]);
    let found = run(&tree, json!({"pattern": "needle", "paths": ["f"]}));
    let lines: Vec<&str> = found.text.lines().collect();
    assert_eq!(&lines[..2], [" 1im|alpha", "*2aw|needle"]);
    // A cut line has none: it would not speak of what is shown.
    assert!(lines[2].starts_with("*3|…xx") && lines[2].ends_with("needle"), "{}", lines[2]);
}

#[test]
fn a_long_line_is_shown_around_its_match() {
    for (before, after) in [(0, 5000), (5000, 0), (5001, 1), (3000, 3000), (300, 2000), (1100, 10)] {
        let line = format!("{}needle{}", "é".repeat(before), "é".repeat(after));
        let tree = Tree::new(&[("f", &line)]).with(bare());
        let found = run(&tree, json!({"pattern": "needle", "paths": ["f"]}));
        let shown = found.text.strip_prefix("*1|").unwrap();
        assert!(shown.contains("needle") && found.text.len() <= 1024, "{before} {after}: {}", shown.len());
        assert_eq!(shown.starts_with('…'), before > 0 && !shown.starts_with('é'), "{before} {after}");
        assert_eq!(found.details["linesTruncated"], true);
        assert_eq!(found.meta.limits.as_ref().unwrap().column_truncated.as_ref().unwrap().max_column, 1024);
    }
    check_lines(format!("{}\n", "x".repeat(1024)), "x$", &format!("*1|{}", "x".repeat(1024)));
}

#[test]
fn context_runs_merge_and_gaps_are_marked() {
    let text = (1..=20).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
    let tree = Tree::new(&[("f", &text)]).with(json!({"readHashLines": false}));
    let found = run(&tree, json!({"pattern": "line (3|5|15)$", "paths": ["f"]}));
    let numbers: Vec<&str> = found.text.lines().map(|line| line.split('|').next().unwrap()).collect();
    let expected = [" 2", "*3", " 4", "*5", " 6", " 7", " 8", "...", " 14", "*15", " 16", " 17", " 18"];
    assert_eq!(numbers, expected);
    assert!(
        found.details["displayContent"].as_str().unwrap().contains("\n   │...\n 14│line 14\n*15│line 15\n")
    );
}

#[test]
fn caps_are_stated_and_exact_counts_are_not_capped() {
    let tree = Tree::new(&[("hot", &"needle\n".repeat(21)), ("warm", &"needle\n".repeat(20))]).with(bare());
    let found = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(facts(&found, "per_file_cap"), json!({"cap": 20, "files": 1}));
    assert_eq!(found.details["perFileLimitReached"], 20);
    let alone = run(&tree, json!({"pattern": "needle", "paths": ["warm"]}));
    assert_eq!((alone.notices.len(), &alone.details["truncated"]), (0, &json!(false)));
    let tree = Tree::new(&[("f", &"needle\n".repeat(201))]).with(bare());
    let found = run(&tree, json!({"pattern": "needle", "paths": ["f"]}));
    assert_eq!(found.details["matchCount"], 200);
    assert_eq!(facts(&found, "per_file_cap"), json!({"cap": 200, "files": 1}));
}

#[test]
fn no_context_of_a_match_that_is_not_shown() {
    let text = (1..=30).map(|n| if n <= 20 || n == 26 { "needle\n" } else { "x\n" }).collect::<String>();
    let tree = Tree::new(&[("f", &text), ("g", "")]).with(json!({"readHashLines": false}));
    let found = run(&tree, json!({"pattern": "needle"}));
    assert!(found.text.contains("*20|needle\n 21|x\n 22|x\n 23|x\n\n"), "{}", found.text);
}

#[test]
fn pages_follow_each_other_without_gap_or_overlap() {
    let tree = Tree::new(&[]).with(bare());
    for n in 0..45 {
        tree.write(format!("{}/f{n:02}", n % 3), "needle\n");
    }
    let (mut seen, mut skip) = (Vec::new(), json!(0));
    let mut pages = 0;
    while !skip.is_null() {
        let page = run(&tree, json!({"pattern": "needle", "skip": skip}));
        seen.extend(files(&page).into_iter().map(str::to_owned));
        skip = facts(&page, "search_page")["next_skip"].clone();
        pages += 1;
    }
    let mut sorted = seen.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!((pages, seen.len()), (3, 45));
    assert_eq!(seen, sorted);
    let behind = run(&tree, json!({"pattern": "needle", "skip": 45}));
    assert_eq!(facts(&behind, "search_page"), json!({"total": 45, "skip": 45}));
}

#[test]
fn a_page_ends_before_it_grows_too_large() {
    let tree = Tree::new(&[]).with(bare());
    let line = format!("needle {}\n", "x".repeat(990));
    for n in 0..10 {
        tree.write(format!("f{n}"), line.repeat(19));
    }
    let first = run(&tree, json!({"pattern": "needle"}));
    assert!(first.text.len() <= (50 << 10) + 200, "{}", first.text.len());
    assert_eq!(facts(&first, "search_page"), json!({"first": 1, "last": 2, "total": 10, "next_skip": 2}));
    let next = run(&tree, json!({"pattern": "needle", "skip": 2}));
    assert_eq!(files(&next), ["f2", "f3"]);
    // One file that fills the page alone is cut at a line, and the notice says where to go on.
    tree.write("alone", line.repeat(100));
    let alone = run(&tree, json!({"pattern": "needle", "paths": ["alone"]}));
    let shown = alone.details["matchCount"].as_u64().unwrap();
    assert_eq!(facts(&alone, "search_cut")["next"], shown + 1);
    assert!(alone.text.contains(&format!("\n*{shown}|needle")) && alone.text.len() < 52_000);
    assert_eq!(alone.details["truncation"]["outputLines"], shown);
}

#[test]
fn the_match_cap_ends_the_search_at_the_same_file_every_time() {
    let tree = Tree::new(&[]).with(bare());
    for n in 0..400 {
        tree.write(format!("f{n:03}"), "needle\n".repeat(if n % 7 == 0 { 3 } else { 20 }));
    }
    let first = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(facts(&first, "match_cap"), json!({"cap": 2000, "files": 100}));
    let total = facts(&first, "search_page")["total"].clone();
    for _ in 0..20 {
        let again = run(&tree, json!({"pattern": "needle"}));
        assert_eq!(again.text, first.text);
        assert_eq!(facts(&again, "search_page")["total"], total);
    }
    // Pages go on behind it.
    let last = run(&tree, json!({"pattern": "needle", "skip": 390}));
    assert_eq!(files(&last).len(), 10);
    assert_eq!(last.notices.iter().filter(|notice| notice.kind == "match_cap").count(), 0);
}

#[test]
fn a_match_cap_reached_by_the_last_file_leaves_nothing_out() {
    let tree = Tree::new(&[]).with(bare());
    for n in 0..100 {
        tree.write(format!("f{n:03}"), "needle\n".repeat(20));
    }
    let found = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(facts(&found, "match_cap"), Value::Null);
    assert_eq!(facts(&found, "search_page")["total"], 100);
}

#[test]
fn what_is_not_searched_is_counted() {
    let tree = Tree::new(&[("a", "needle\n")]).with(bare());
    tree.write("b", b"needle\0");
    tree.write("late", [&b"needle\n".repeat(20_000)[..], b"\0"].concat());
    tree.write("big", b"needle\n".repeat(600_000));
    let found = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(files(&found), ["a"]);
    assert_eq!(facts(&found, "skipped_files"), json!({"oversized": 1, "binary": 2}));
    assert!(found.text.contains("(big)"), "{}", found.text);
    let named = run(&tree, json!({"pattern": "needle", "paths": ["big"]}));
    assert_eq!(named.details["matchCount"], 200);
    let among = run(&tree, json!({"pattern": "needle", "paths": ["a", "big", "b"]}));
    assert_eq!(files(&among), ["a", "big"]);
    let binary = run(&tree, json!({"pattern": "needle", "paths": ["b"]}));
    assert!(binary.text.starts_with("No matches found\nb was not searched"), "{}", binary.text);
}

#[test]
fn a_large_file_is_streamed() {
    let tree = Tree::new(&[]).with(bare());
    let filler = "some line of text that does not matter\n".repeat(450_000);
    tree.write("f", format!("{filler}needle\r\nend\n"));
    for pattern in ["^needle$", r"needle\nend"] {
        let found = run(&tree, json!({"pattern": pattern, "paths": ["f"]}));
        assert!(found.text.starts_with("*450001|needle"), "{pattern}: {}", found.text);
    }
    tree.write("f", format!("{filler}needle\0\n"));
    let found = run(&tree, json!({"pattern": "needle", "paths": ["f"]}));
    assert_eq!(facts(&found, "skipped_files"), json!({"binary": 1}));
}

#[test]
fn entries_are_resolved_by_one_rule() {
    let tree = Tree::new(&[
        ("[id].ts", "x\n"),
        ("i.ts", "x\n"),
        ("app/[id]/page.ts", "x\n"),
        ("app/i/page.ts", "x\n"),
        ("src/a.ts", "x\n"),
        ("src/deep/b.ts", "x\n"),
        ("a,b.ts", "x\n"),
        ("c d.ts", "x\n"),
        ("{e}.md", "x\n"),
        (" f", "x\n"),
    ]);
    let check = |paths: Value, expected: &[&str]| {
        let found = run(&tree, json!({"pattern": "x", "paths": paths}));
        assert_eq!(files(&found), expected, "{paths}");
    };
    check(json!(["[id].ts"]), &["[id].ts"]);
    check(json!(["[i].ts"]), &["i.ts"]);
    check(json!(["app/[id]/*.ts"]), &["app/[id]/page.ts"]);
    check(json!(["src/*.ts"]), &["src/a.ts"]);
    check(json!(["src/*.ts", "app/i"]), &["app/i/page.ts", "src/a.ts"]);
    check(json!(["a,b.ts"]), &["a,b.ts"]);
    check(json!([" \"c d.ts\" "]), &["c d.ts"]);
    check(json!(["\\{e\\}.md"]), &["{e}.md"]);
    check(json!(["\\{e\\}*"]), &["{e}.md"]);
    check(json!(["src\\*.ts"]), &["src/a.ts"]);
    check(json!(["src\\deep\\b.ts"]), &["src/deep/b.ts"]);
    check(json!([" f"]), &[" f"]);
    check(json!(["./src//deep/../a.ts"]), &["src/a.ts"]);
    check(json!(["src/a.ts", "src/a.ts", "i.ts"]), &["src/a.ts", "i.ts"]);
    check(json!(["src", "src/a.ts", "src/**"]), &["src/a.ts", "src/deep/b.ts"]);
    check(json!(["src/{a,deep/b}.ts"]), &["src/a.ts", "src/deep/b.ts"]);
}

#[test]
fn entries_that_cannot_be_searched_say_why() {
    let tree = Tree::new(&[("a.zip", "PK"), ("a.jar", "PK"), ("f", "x\n")]);
    let check = |paths: Value, code: &str| {
        let error = run_in(&tree.context(), json!({"pattern": "x", "paths": paths})).unwrap_err();
        assert_eq!(error.code(), code, "{paths}: {error}");
    };
    check(json!([""]), "empty_path");
    check(json!(["  "]), "empty_path");
    check(json!([]), "invalid_arguments");
    check(json!(["a,b"]), "packed_paths");
    check(json!(["gone"]), "path_not_found");
    check(json!(["gone/*.ts"]), "path_not_found");
    check(json!(["f/*"]), "not_a_directory");
    check(json!(["[a"]), "invalid_glob");
    check(json!(["a.zip:x"]), "archive_invalid");
    check(json!(["a.jar:x"]), "unsupported");
    check(json!(["artifact://1"]), "unsupported");
    check(json!(["/*"]), "root_search_forbidden");
    check(json!(["/usr/../*"]), "root_search_forbidden");
    let error = run_in(&tree.context(), json!({"pattern": "x", "paths": ["f", "g1", "g2"]})).unwrap();
    assert_eq!(facts(&error, "missing_paths"), json!({"paths": ["g1", "g2"]}));
}

#[test]
fn ignore_rules_are_those_of_git() {
    let tree = Tree::new(&[
        (".git/HEAD", "x"),
        (".git/info/exclude", "private\n"),
        (".gitignore", "*.log\n/out/\n!keep.log\ndist/**\n_*.*\n"),
        (".ignore", "ignored\n"),
        ("a.log", "x"),
        ("keep.log", "x"),
        ("out/o", "x"),
        ("sub/out/o", "x"),
        ("sub/.gitignore", "!a.log\n"),
        ("sub/a.log", "x"),
        ("private", "x"),
        ("ignored", "x"),
        ("dist/d", "x"),
        ("web/_kit/m", "x"),
        ("nested/.git/HEAD", "x"),
        ("nested/b.log", "x"),
        ("node_modules/p", "x"),
        (".hidden/h", "x"),
    ]);
    let check = |arguments: Value, expected: &[&str]| {
        let found = run(&tree, arguments.clone());
        let shown: Vec<&str> = files(&found).into_iter().filter(|file| !file.ends_with("ignore")).collect();
        assert_eq!(shown, expected, "{arguments}");
    };
    let usual = [".hidden/h", "keep.log", "nested/b.log", "sub/a.log", "sub/out/o", "web/_kit/m"];
    check(json!({"pattern": "x"}), &usual);
    check(json!({"pattern": "x", "paths": ["out"]}), &["out/o"]);
    check(json!({"pattern": "x", "paths": ["dist"]}), &["dist/d"]);
    check(json!({"pattern": "x", "paths": ["a.log"]}), &["a.log"]);
    check(json!({"pattern": "x", "paths": [".git"]}), &[".git/HEAD"]);
    check(json!({"pattern": "x", "paths": ["node_modules"]}), &["node_modules/p"]);
    check(json!({"pattern": "x", "paths": ["sub"]}), &["sub/a.log", "sub/out/o"]);
    let all = run(&tree, json!({"pattern": "^x$", "gitignore": false}));
    assert!(files(&all).contains(&"a.log") && !files(&all).contains(&"ignored"));
}

#[test]
fn a_linked_work_tree_has_the_private_excludes_of_its_repository() {
    let tree = Tree::new(&[
        ("main/.git/info/exclude", "secret\n"),
        ("main/.git/worktrees/tree/commondir", "../..\n"),
        ("tree/.git", "gitdir: ../main/.git/worktrees/tree\n"),
        ("tree/secret", "x\n"),
        ("tree/open", "x\n"),
    ]);
    assert_eq!(files(&run(&tree, json!({"pattern": "x", "paths": ["tree"]}))), ["tree/open"]);
}

#[cfg(unix)]
#[test]
fn pipes_links_and_loops_never_hang() {
    let tree = Tree::new(&[("d/a", "needle\n"), (".git/HEAD", ""), ("other/b", "needle\n")]).with(bare());
    tree.pipe("pipe");
    tree.pipe("d/.gitignore");
    tree.pipe(".ignore");
    tree.link("d/up", "..");
    tree.link("self", "self");
    tree.link("ln", "other");
    let found = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(files(&found), ["d/a", "other/b"]);
    assert_eq!(files(&run(&tree, json!({"pattern": "needle", "paths": ["ln"]}))), ["ln/b"]);
    for (path, code) in [("pipe", "io_error"), ("self", "io_error"), ("/dev/zero", "io_error")] {
        let error = run_in(&tree.context(), json!({"pattern": "needle", "paths": [path]})).unwrap_err();
        assert_eq!(error.code(), code, "{path}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text_stay_one_line() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new(&[("new\nline", "needle\n")]).with(bare());
    let name = std::ffi::OsStr::from_bytes(b"bad\xFF");
    tree.write(name, "needle\n");
    let found = run(&tree, json!({"pattern": "needle"}));
    assert_eq!(found.text, "# bad\\xff\n*1|needle\n\n# new\\nline\n*1|needle");
}

#[test]
fn files_outside_the_directory_have_absolute_names() {
    let tree = Tree::new(&[("in/x", ""), ("out/f", "needle\n")]).with(bare());
    let found = run_in(&tree.context_in("in"), json!({"pattern": "needle", "paths": ["../out"]})).unwrap();
    let out = tree.path("out");
    assert_eq!(found.text, format!("# {}/\n## f\n*1|needle", out.display()));
}

#[test]
fn a_cancelled_search_stops() {
    let tree = Tree::new(&[("f", "x\n")]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let options = parse_arguments(r#"{"pattern":"x"}"#).unwrap();
    assert_eq!(search::run(&options, &tree.context(), &cancel).unwrap_err(), ToolError::aborted());
}

#[test]
fn skip_is_a_count() {
    let tree = Tree::new(&[("a", "x\n"), ("b", "x\n")]);
    assert_eq!(files(&run(&tree, json!({"pattern": "x", "skip": 1.9}))), ["b"]);
    assert_eq!(
        run_in(&tree.context(), json!({"pattern": "x", "skip": -1})).unwrap_err().code(),
        "invalid_skip"
    );
    // One file alone has no pages.
    assert_eq!(files(&run(&tree, json!({"pattern": "x", "skip": 5, "paths": ["a"]}))), ["a"]);
}
