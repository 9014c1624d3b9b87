//! `find`: which paths, in which order, and what is said about the rest.

use std::fs::File;
use std::time::{Duration, SystemTime};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{find, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};

use super::tree::Tree;

fn try_run(tree: &Tree, arguments: Value) -> Result<Outcome, ToolError> {
    find::run(&parse_arguments(&arguments.to_string())?, &tree.context(), &CancelToken::new())
}

fn run(tree: &Tree, arguments: Value) -> Outcome {
    try_run(tree, arguments).unwrap()
}

/// Files of the same age, so that the order is that of the paths.
fn aged(files: &[&str]) -> Tree {
    let tree = Tree::new(&files.iter().map(|file| (*file, "x")).collect::<Vec<_>>());
    for file in files {
        age(&tree, file, 100);
    }
    tree
}

fn age(tree: &Tree, file: &str, seconds: u64) {
    // Whole seconds of a fixed time: every file system keeps them.
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 - seconds);
    File::options().write(true).open(tree.path(file)).unwrap().set_modified(time).unwrap();
}

#[track_caller]
fn check(tree: &Tree, arguments: Value, expected: &[&str]) {
    let found = run(tree, arguments.clone());
    assert_eq!(found.details["files"], json!(expected), "{arguments}");
    let text =
        if expected.is_empty() { "No files found matching pattern".into() } else { expected.join("\n") };
    assert_eq!(found.text, text, "{arguments}");
}

#[test]
fn globs_follow_one_rule() {
    let tree =
        aged(&["a.ts", "b.js", ".h/c.ts", "src/d.ts", "src/deep/e.ts", "{k} f.md", "x-1/g.ts", "y/x-2/g.ts"]);
    check(
        &tree,
        json!({"paths": ["*.ts"]}),
        &[".h/c.ts", "a.ts", "src/d.ts", "src/deep/e.ts", "x-1/g.ts", "y/x-2/g.ts"],
    );
    check(&tree, json!({"paths": ["./*.ts"]}), &["a.ts"]);
    check(&tree, json!({"paths": ["src/*.ts"]}), &["src/d.ts"]);
    check(&tree, json!({"paths": ["src/**/*.ts"]}), &["src/d.ts", "src/deep/e.ts"]);
    check(&tree, json!({"paths": ["src/*.ts", "*.js"]}), &["b.js", "src/d.ts"]);
    check(&tree, json!({"paths": ["x-*/g.ts"]}), &["x-1/g.ts"]);
    check(&tree, json!({"paths": ["**/x-*/g.ts"]}), &["x-1/g.ts", "y/x-2/g.ts"]);
    check(
        &tree,
        json!({"paths": ["*.{ts,js"], "hidden": false}),
        &["a.ts", "b.js", "src/d.ts", "src/deep/e.ts", "x-1/g.ts", "y/x-2/g.ts"],
    );
    check(&tree, json!({"paths": ["\\{k\\}*"]}), &["{k} f.md"]);
    check(&tree, json!({"paths": ["{k} f.md"]}), &["{k} f.md"]);
    check(&tree, json!({"paths": ["src\\deep\\*"]}), &["src/deep/e.ts"]);
    check(&tree, json!({"paths": ["[ab].[!t]s"]}), &["b.js"]);
    check(&tree, json!({"paths": ["?.TS"]}), &[]);
    check(&tree, json!({"paths": ["src/deep", "a.ts"]}), &["a.ts", "src/deep/e.ts"]);
}

/// A file named `*` took the place of its neighbours.
#[test]
fn an_escaped_part_makes_no_name_of_a_glob() {
    let tree = aged(&["{y}/*", "{y}/n1", "*s", "[x]"]);
    check(&tree, json!({"paths": ["\\{y\\}/*"]}), &["{y}/*", "{y}/n1"]);
    check(&tree, json!({"paths": ["\\*s"]}), &["*s"]);
    check(&tree, json!({"paths": ["\\[x\\]"]}), &["[x]"]);
}

#[test]
fn newest_first_and_ties_by_path() {
    let tree = aged(&["b", "a", "c/d", "c.txt"]);
    check(&tree, json!({"paths": ["."]}), &["a", "b", "c.txt", "c/d"]);
    age(&tree, "c/d", 5);
    age(&tree, "a", 500);
    check(&tree, json!({"paths": ["."]}), &["c/d", "b", "c.txt", "a"]);
    let limited = run(&tree, json!({"paths": ["*"], "limit": 2.9}));
    assert_eq!(limited.text, "c/d\nb");
    assert_eq!(limited.details["resultLimitReached"], 2);
    let limit = limited.meta.limits.unwrap().result_limit.unwrap();
    assert_eq!((limit.reached, limit.suggestion), (2, 4));
}

#[test]
fn a_count_equal_to_the_limit_is_not_cut() {
    let found = run(&aged(&["a", "b"]), json!({"paths": ["*"], "limit": 2}));
    assert_eq!((found.details["truncated"].clone(), found.meta.limits), (json!(false), None));
}

#[test]
fn directories_are_listed_on_request() {
    let tree = aged(&["d/e/f", "g"]);
    check(&tree, json!({"paths": ["*"]}), &["d/e/f", "g"]);
    check(&tree, json!({"paths": ["d*"]}), &[]);
    let sorted = |arguments| {
        let mut files = run(&tree, arguments).details["files"].as_array().unwrap().clone();
        files.sort_by_key(|file| file.as_str().unwrap().to_owned());
        Value::Array(files)
    };
    assert_eq!(sorted(json!({"paths": ["*"], "type": "directory"})), json!(["d/", "d/e/"]));
    assert_eq!(sorted(json!({"paths": ["d"], "type": "any"})), json!(["d/e/", "d/e/f"]));
    assert_eq!(try_run(&tree, json!({"paths": ["*"], "type": "x"})).unwrap_err().code(), "invalid_arguments");
}

#[cfg(unix)]
#[test]
fn links_pipes_and_loops() {
    let tree = aged(&["real/a", "real/b"]);
    tree.link("to-file", "real/a");
    tree.link("to-directory", "real");
    tree.link("dangling", "gone");
    tree.link("self", "self");
    tree.link("real/up", "..");
    tree.pipe("pipe");
    tree.pipe(".ignore");
    check(&tree, json!({"paths": ["**/*"]}), &["real/a", "real/b", "to-file"]);
    check(&tree, json!({"paths": ["to-directory"]}), &["to-directory/a", "to-directory/b"]);
    assert_eq!(try_run(&tree, json!({"paths": ["self"]})).unwrap_err().code(), "io_error");
}

#[test]
fn ignored_files_are_found_when_named() {
    let tree = aged(&[".git/HEAD", "dist/out.js", "node_modules/p/i.js", "a.js"]);
    tree.write(".gitignore", "dist/\n");
    check(&tree, json!({"paths": ["*.js"]}), &["a.js"]);
    check(&tree, json!({"paths": ["dist/out.js"]}), &["dist/out.js"]);
    check(&tree, json!({"paths": ["dist/*.js"]}), &["dist/out.js"]);
    check(&tree, json!({"paths": ["*.js"], "gitignore": false}), &["a.js", "dist/out.js"]);
    check(&tree, json!({"paths": ["node_modules/**/*.js"]}), &["node_modules/p/i.js"]);
    check(&tree, json!({"paths": ["**/node_modules/**"]}), &["node_modules/p/i.js"]);
}

#[cfg(target_os = "linux")]
#[test]
fn every_path_is_one_line() {
    use std::os::unix::ffi::OsStrExt;
    let tree = aged(&["a\nb", "t\tb"]);
    tree.write(std::ffi::OsStr::from_bytes(b"z\xFE"), "");
    check(&tree, json!({"paths": ["*"]}), &["z\\xfe", "a\\nb", "t\\tb"]);
}

#[test]
fn a_long_list_is_cut_at_a_line_and_says_so() {
    let tree = Tree::new(&[]);
    let long = "n".repeat(200);
    for n in 0..400 {
        tree.write(format!("{long}{n:03}"), "");
    }
    let found = run(&tree, json!({"paths": ["*"]}));
    let shown = found.details["fileCount"].as_u64().unwrap();
    assert!((200..300).contains(&shown), "{shown}");
    let notice = &found.notices[0];
    assert_eq!(
        (notice.kind, &notice.facts["shown"], &notice.facts["total"]),
        ("listing_truncated", &json!(shown), &json!(400))
    );
    assert_eq!(found.details["truncated"], true);
    assert_eq!(found.text.lines().filter(|line| line.starts_with('n')).count() as u64, shown);
}

#[test]
fn bad_arguments_are_named() {
    let tree = aged(&["a"]);
    for (arguments, code) in [
        (json!({"paths": ["*"], "limit": 0}), "invalid_limit"),
        (json!({"paths": ["*"], "limit": 0.5}), "invalid_limit"),
        (json!({"paths": ["*"], "timeout": 0.1}), "invalid_arguments"),
        (json!({"paths": ["*"], "timeout": 61}), "invalid_arguments"),
        (json!({"paths": []}), "invalid_arguments"),
        (json!({"paths": ["*"], "pattern": "x"}), "invalid_arguments"),
        (json!({"paths": ["a/*"]}), "not_a_directory"),
        (json!({"paths": ["[a"]}), "invalid_glob"),
        (json!({"paths": ["/usr/.."]}), "root_search_forbidden"),
        (json!({"paths": ["gone"]}), "path_not_found"),
    ] {
        assert_eq!(try_run(&tree, arguments.clone()).unwrap_err().code(), code, "{arguments}");
    }
    let found = run(&tree, json!({"paths": ["a", "gone"]}));
    assert_eq!(found.details["missingPaths"], json!(["gone"]));
    assert!(found.text.starts_with("a\n\n") && found.text.contains("gone"));
}

#[test]
fn a_working_directory_that_is_gone_is_named() {
    let tree = Tree::new(&[]);
    let mut context = tree.context();
    context.cwd = tree.path("gone");
    let gone = context.cwd.to_str().unwrap().to_owned();
    for (paths, named) in
        [(json!(["."]), &*gone), (json!(["*.ts"]), &gone), (json!(["/no/such"]), "/no/such")]
    {
        let options = parse_arguments(&json!({"paths": paths}).to_string()).unwrap();
        let error = find::run(&options, &context, &CancelToken::new()).unwrap_err();
        assert!(matches!(&error, ToolError::PathNotFound { path } if path == named), "{error}");
    }
}

#[test]
fn a_call_that_runs_tells_what_it_has() {
    let tree = Tree::new(&[]);
    for file in 0..3000 {
        tree.write(format!("d{}/f{file}.txt", file % 50), "x");
    }
    let (mut told, mut most) = (0, 0);
    let options = parse_arguments(&json!({"paths": ["*.txt"], "limit": 5000}).to_string()).unwrap();
    let outcome = find::run_telling(
        &options,
        &tree.context(),
        &CancelToken::new(),
        Duration::from_micros(50),
        &mut |partial| {
            told += 1;
            let count = partial.details["fileCount"].as_u64().unwrap();
            assert_eq!(count, partial.text.lines().count() as u64);
            assert!(count >= most);
            most = count;
        },
    );
    assert!(told > 0);
    assert!(outcome.unwrap().details["fileCount"].as_u64().unwrap() >= most);
}
