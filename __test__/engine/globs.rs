//! The glob rule and the walk, below the tools that use them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::files::{
    EntryKind, WalkReport, WalkRules, glob_below_base, has_bare_comma, is_glob, mentions, split_glob,
    unescape, walk,
};

use super::tree::Tree;

#[test]
fn an_entry_is_split_before_its_first_glob_part() {
    for (entry, base, glob) in [
        ("src", "src", None),
        ("src/", "src/", None),
        (".", ".", None),
        ("*.ts", ".", Some("*.ts")),
        ("src/**/*.ts", "src", Some("**/*.ts")),
        ("a/{b,c}/d", "a", Some("{b,c}/d")),
        ("/abs/x/*.rs", "/abs/x", Some("*.rs")),
        ("/*", "/", Some("*")),
        ("{a,b}", ".", Some("{a,b}")),
        ("./*.ts", ".", Some("*.ts")),
        ("a\\*b/c", "a\\*b/c", None),
        ("a\\*b/?", "a\\*b", Some("?")),
    ] {
        assert_eq!(split_glob(entry), (base, glob), "{entry}");
    }
}

#[test]
fn only_globs_without_a_slash_recurse() {
    for (entry, glob) in [
        ("src", "**/*"),
        ("", "**/*"),
        ("*.ts", "**/*.ts"),
        ("src/*.ts", "*.ts"),
        ("src/**/*.ts", "**/*.ts"),
        ("**/*.ts", "**/*.ts"),
        ("a*/b*", "a*/b*"),
        ("/abs/*.rs", "*.rs"),
        ("[ab].c", "**/[ab].c"),
        ("src/app/**", "**"),
        ("./*.ts", "*.ts"),
    ] {
        assert_eq!(glob_below_base(entry), glob, "{entry}");
    }
}

#[test]
fn escapes_commas_and_names() {
    assert!(is_glob("a[b") && is_glob("{") && !is_glob("a]b}") && !is_glob("\\*\\?"));
    assert_eq!(unescape("a\\*b\\\\c\\"), "a*b\\c");
    assert!(
        has_bare_comma("a,b")
            && has_bare_comma("{a,b},c")
            && !has_bare_comma("{a,b}")
            && !has_bare_comma("a\\,b")
    );
    assert!(mentions("a/.git/b", ".git") && mentions(".git", ".git") && !mentions(".github", ".git"));
    assert!(mentions("{node_modules,src}/*", "node_modules") && !mentions("my-node_modules", "node_modules"));
}

const EVERYTHING: WalkRules =
    WalkRules { hidden: true, gitignore: true, git_directory: true, node_modules: true, deadline: None };

fn walked(tree: &Tree, rules: &WalkRules) -> (Vec<String>, WalkReport) {
    let mut seen = Vec::new();
    let report = walk(tree.root(), rules, &CancelToken::new(), &mut |entry| {
        let slash = if entry.kind == EntryKind::Directory { "/" } else { "" };
        seen.push(format!("{}{slash}", entry.relative.display()));
        ControlFlow::Continue(())
    });
    (seen, report.unwrap())
}

#[test]
fn the_order_is_that_of_the_bytes_of_whole_paths() {
    let tree = Tree::new(&[("a/z", ""), ("a.txt", ""), ("a-b/c", ""), ("B", ""), ("a0", ""), ("é", "")]);
    let (seen, _) = walked(&tree, &EVERYTHING);
    assert_eq!(seen, ["B", "a-b/", "a-b/c", "a.txt", "a/", "a/z", "a0", "é"]);
}

#[test]
fn a_walk_ends_where_it_is_told_to() {
    let tree = Tree::new(&[("a", ""), ("b", ""), ("c/d", "")]);
    let mut count = 0;
    let report = walk(tree.root(), &EVERYTHING, &CancelToken::new(), &mut |_| {
        count += 1;
        if count == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((count, report.unwrap().timed_out), (2, false));
    let (seen, report) = walked(&tree, &WalkRules { deadline: Some(Instant::now()), ..EVERYTHING });
    assert_eq!((seen.len(), report.timed_out), (0, true));
    let cancel = CancelToken::new();
    cancel.cancel();
    let outcome = walk(tree.root(), &EVERYTHING, &cancel, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.unwrap_err().code(), "aborted");
}

#[test]
fn a_directory_that_vanished_is_reported() {
    let tree = Tree::new(&[]);
    let gone = tree.path("gone");
    let report = walk(&gone, &EVERYTHING, &CancelToken::new(), &mut |_| ControlFlow::Continue(()));
    assert_eq!(report.unwrap().unreadable, [gone]);
}

#[cfg(unix)]
#[test]
fn a_very_deep_tree_needs_no_stack() {
    let tree = Tree::new(&[]);
    let mut path = PathBuf::from(tree.root());
    // As deep as a path may be long.
    while path.as_os_str().len() < 3900 {
        path.push("d");
    }
    tree.directory(&path);
    let (seen, _) = walked(&tree, &EVERYTHING);
    assert!(seen.len() > 1800, "{}", seen.len());
}

#[test]
fn one_character_is_one_whatever_its_bytes() {
    use gajae_tool_core::engine::files::Glob;
    let matches =
        |glob: &str, path: &str| Glob::new(glob).expect("a glob").matches(std::path::Path::new(path));
    for (glob, path) in [
        ("?.ts", "é.ts"),
        ("[é].ts", "é.ts"),
        ("[!a].ts", "é.ts"),
        ("[à-ü].ts", "é.ts"),
        ("?", "語"),
        ("{é?,b}", "éà"),
    ] {
        assert!(matches(glob, path), "{glob} {path}");
    }
    for (glob, path) in
        [("??.ts", "é.ts"), ("[à-ü].ts", "z.ts"), ("[!é].ts", "é.ts"), ("?", "/"), ("[é]x", "é/x")]
    {
        assert!(!matches(glob, path), "{glob} {path}");
    }
}
