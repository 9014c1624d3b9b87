//! From what a model wrote to a path: spellings, ends of paths, near misses, and the forms of Windows.

use std::path::Path;
use std::time::Duration;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::{parse_arguments, read};
use gajae_tool_core::engine::files::{find_suffixes_within, resolve_to_cwd, resolve_windows};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::json;

use crate::tree::Tree;

fn tree(files: &[(&str, &str)]) -> Tree {
    Tree::new(files).with(json!({"readHashLines": false}))
}

fn read_in(tree: &Tree, path: &str) -> Result<Outcome> {
    let options = parse_arguments(&json!({"path": path}).to_string())?;
    read::run(&options, &tree.context(), &CancelToken::default())
}

#[track_caller]
fn resolves(tree: &Tree, from: &str, target: &str, to: &str) {
    let outcome = read_in(tree, from).unwrap();
    assert_eq!(outcome.details["suffixResolution"], json!({"from": target, "to": to}), "{from}");
    let notice = &outcome.notices[0];
    assert_eq!(notice.kind, "suffix_resolved");
    assert!(outcome.text.starts_with(&format!("{}\n", notice.text)), "{}", outcome.text);
}

#[test]
fn the_only_path_that_ends_alike_is_taken_and_said() {
    let tree = tree(&[("src/deep/mod.txt", "m\n"), ("src/[id].ts", "x\n"), (".cfg/key.txt", "k\n")]);
    resolves(&tree, "mod.txt", "mod.txt", "src/deep/mod.txt");
    resolves(&tree, "deep/mod.txt", "deep/mod.txt", "src/deep/mod.txt");
    resolves(&tree, "./mod.txt", "./mod.txt", "src/deep/mod.txt");
    resolves(&tree, "mod.txt:1-1", "mod.txt", "src/deep/mod.txt");
    resolves(&tree, "mod.txt:raw", "mod.txt", "src/deep/mod.txt");
    resolves(&tree, "deep", "deep", "src/deep");
    resolves(&tree, "[id].ts", "[id].ts", "src/[id].ts");
    resolves(&tree, "key.txt", "key.txt", ".cfg/key.txt");
}

#[test]
fn an_end_is_taken_by_whole_names_and_literally() {
    let tree = tree(&[("src/mod.txt", "m\n"), ("src/b.txt", "b\n")]);
    for path in [
        "od.txt",
        "*.txt",
        "m?d.txt",
        "{mod}.txt",
        "other/mod.txt",
        "../mod.txt",
        "/mod.txt",
        "~/mod.txt",
        "MOD.TXT",
    ] {
        assert_eq!(read_in(&tree, path).unwrap_err().code(), "path_not_found", "{path}");
    }
}

#[test]
fn several_ends_are_named_instead_of_guessed() {
    let tree = tree(&[("a/mod.txt", "1\n"), ("b/mod.txt", "2\n")]);
    let error = read_in(&tree, "mod.txt:5").unwrap_err();
    assert_eq!(error.code(), "path_not_found");
    let message = error.to_string();
    assert!(["mod.txt:5", "a/mod.txt", "b/mod.txt"].iter().all(|part| message.contains(part)), "{message}");
    for number in 0..20 {
        tree.write(format!("{number}/x.txt"), "x\n");
    }
    let message = read_in(&tree, "x.txt").unwrap_err().to_string();
    assert!(message.contains("and others") && message.matches("x.txt`").count() == 6, "{message}");
}

#[test]
fn ignored_files_and_packages_are_no_ends() {
    let tree = tree(&[
        ("node_modules/p/a.txt", "1\n"),
        (".git/HEAD", "ref: x\n"),
        (".gitignore", "dist\n"),
        ("dist/b.txt", "2\n"),
    ]);
    for path in ["a.txt", "b.txt", "HEAD"] {
        assert_eq!(read_in(&tree, path).unwrap_err().code(), "path_not_found", "{path}");
    }
}

#[test]
fn a_search_that_ran_out_of_time_takes_nothing() {
    let tree = tree(&[("a/mod.txt", "1\n")]);
    let found =
        find_suffixes_within(&["mod.txt"], tree.root(), &CancelToken::default(), Duration::ZERO).unwrap();
    assert!(found[0].timed_out && found[0].unique().is_none());
}

#[test]
fn a_search_for_an_end_can_be_cancelled() {
    let tree = tree(&[("a/mod.txt", "1\n")]);
    let cancel = CancelToken::default();
    cancel.cancel();
    assert!(find_suffixes_within(&["mod.txt"], tree.root(), &cancel, Duration::from_secs(5)).is_err());
}

#[test]
fn a_selector_that_is_almost_one_is_named_also_further_down() {
    let tree = tree(&[("a.txt", "1\n"), ("src/deep.txt", "2\n")]);
    for path in ["a.txt:5..9", "a.txt:5+", "a.txt:-4", "a.txt:5-9-12", "a.txt: 5", "a.txt:abc"] {
        let error = read_in(&tree, path).unwrap_err();
        assert_eq!(error.code(), "path_not_found", "{path}");
        assert!(error.to_string().contains("is not a selector"), "{path}: {error}");
    }
    let message = read_in(&tree, "deep.txt:5..9").unwrap_err().to_string();
    assert!(message.contains("src/deep.txt") && message.contains("is not a selector"), "{message}");
}

#[test]
#[cfg(unix)]
fn the_very_name_comes_first_then_the_folded_one_and_twins_are_said() {
    let tree =
        tree(&[("shot\u{a0}1.txt", "hard\n"), ("shot 1.txt", "plain\n"), ("shot\u{202f}1.txt", "narrow\n")]);
    let exact = read_in(&tree, "shot\u{a0}1.txt").unwrap();
    assert!(exact.text.starts_with("hard") && exact.notices.is_empty());
    let folded = read_in(&tree, "shot\u{3000}1.txt").unwrap();
    assert!(folded.text.contains("plain"), "{}", folded.text);
    assert_eq!(folded.notices[0].kind, "lookalike_resolved");
    assert_eq!(folded.details["lookalikeResolution"]["to"], "shot 1.txt");
    assert!(folded.notices[0].text.contains("\\u{a0}") && folded.notices[0].text.contains("\\u{202f}"));
}

#[test]
#[cfg(unix)]
fn a_name_that_only_looks_the_same_is_taken_where_it_is_the_only_one() {
    let tree = tree(&[
        ("Shot\u{202f}PM.txt", "narrow\n"),
        ("it\u{2019}s.txt", "quote\n"),
        ("cafe\u{301}.txt", "composed\n"),
    ]);
    for (path, content) in [("Shot PM.txt", "narrow"), ("it's.txt", "quote"), ("caf\u{e9}.txt", "composed")] {
        let outcome = read_in(&tree, path).unwrap();
        assert!(outcome.text.contains(content), "{path}: {}", outcome.text);
        assert!(outcome.notices.is_empty(), "{path}");
    }
}

#[test]
#[cfg(unix)]
fn a_real_name_wins_over_every_other_reading() {
    let tree = tree(&[
        ("f", "plain\n"),
        ("f:2", "selector\n"),
        ("~", "tilde\n"),
        ("a*.txt", "star\n"),
        ("ab.txt", "other\n"),
        ("f:raw", "raw name\n"),
    ]);
    for (path, content) in [
        ("f:2", "selector"),
        ("~", "tilde"),
        ("a*.txt", "star"),
        ("f:raw", "raw name"),
        ("f:2:1-1", "selector"),
        ("f:1-1", "plain"),
    ] {
        let outcome = read_in(&tree, path).unwrap();
        assert!(outcome.text.contains(content), "{path}: {}", outcome.text);
    }
}

#[test]
fn a_text_is_resolved_without_asking_the_file_system() {
    let check = |text: &str, expected: &str| {
        let resolved = resolve_to_cwd(text, Path::new("/base/dir"), Some(Path::new("/home/me"))).unwrap();
        assert_eq!(resolved, Path::new(expected), "{text}");
    };
    if cfg!(windows) {
        return;
    }
    check("~user/x", "/base/dir/~user/x");
    check("@~/a", "/home/me/a");
    check("@a", "/base/dir/@a");
    check("file:///a%20b", "/a b");
    check("file://localhost/a", "/a");
    check("///", "/base/dir");
    check("../../../../x", "/x");
    check("a\u{2009}b", "/base/dir/a b");
}

#[test]
fn paths_of_windows_are_read_as_windows_reads_them() {
    let check = |text: &str, expected: &str| {
        assert_eq!(resolve_windows(text, r"C:\work\dir", Some(r"C:\Users\me")), expected, "{text}");
    };
    check("a.txt", r"C:\work\dir\a.txt");
    check(r"sub\..\.\a.txt", r"C:\work\dir\a.txt");
    check("sub/a.txt", r"C:\work\dir\sub\a.txt");
    check(r"D:\x\y.txt", r"D:\x\y.txt");
    check("d:/x//y.txt", r"D:\x\y.txt");
    check(r"c:y.txt", r"C:\work\dir\y.txt");
    check("D:y.txt", r"D:\y.txt");
    check(r"\x", r"C:\x");
    check("/x", r"C:\x");
    check("/", r"C:\work\dir");
    check("/D:/x", r"D:\x");
    check(r"..\..\..\..\x", r"C:\x");
    check(r"\\server\share\a\..\b", r"\\server\share\b");
    check("//server/share/b", r"\\server\share\b");
    check(r"\\server\share", r"\\server\share\");
    check(r"\\?\C:\very\..\long", r"\\?\C:\very\..\long");
    check(r"\\.\pipe\x", r"\\.\pipe\x");
    check("~", r"C:\Users\me");
    check(r"~\a", r"C:\Users\me\a");
    check("~user", r"C:\work\dir\~user");
    assert_eq!(resolve_windows("a", r"\\server\share\x", None), r"\\server\share\x\a");
    assert_eq!(resolve_windows(r"\a", r"\\server\share\x", None), r"\\server\share\a");
}

#[test]
fn selectors_of_windows_paths_are_split_last() {
    use gajae_tool_core::engine::exec::read::selector::split;
    for (text, target, selector) in [
        (r"C:\a.txt:5-9", r"C:\a.txt", Some("5-9")),
        (r"C:\a.txt", r"C:\a.txt", None),
        (r"\\?\C:\a.txt:raw:5", r"\\?\C:\a.txt", Some("raw:5")),
        (r"\\server\share\a.txt:5,9", r"\\server\share\a.txt", Some("5,9")),
    ] {
        let found = split(text);
        assert_eq!((found.target, found.selector), (target, selector), "{text}");
    }
}
