//! Members of archives among the paths of a search.

use serde_json::{Value, json};

use super::super::archives::{tar, zip};
use super::super::tree::Tree;
use super::{bare, facts, files, run, run_in};

/// Two archives beside a file.
fn tree() -> Tree {
    let tree = Tree::new(&[("plain.txt", "needle plain\n")]).with(bare());
    let long = "line\n".repeat(5000) + "needle last";
    let members: [(&str, &[u8]); 5] = [
        ("notes/a.txt", b"alpha\r\nneedle one\r\n"),
        ("notes/long.txt", long.as_bytes()),
        ("latin.txt", b"caf\xe9 needle\n"),
        ("blob.bin", b"needle\0"),
        ("other.txt", b"nothing\n"),
    ];
    tree.write("x.zip", zip(&members));
    tree.write("y.tar", tar(&[("b.txt", b'0', b"needle two\nneedle three\n"), ("link", b'2', b"")]));
    tree
}

#[track_caller]
fn check_refused(tree: &Tree, paths: Value, code: &str, says: &str) {
    let error = run_in(&tree.context(), json!({"pattern": "needle", "paths": paths})).unwrap_err();
    assert_eq!(error.code(), code, "{paths}: {error}");
    assert!(error.to_string().contains(says), "{paths}: {error}");
}

#[test]
fn a_member_is_searched_like_a_single_file() {
    let tree = tree();
    for (address, expected) in [
        ("x.zip:notes/a.txt", "*2|needle one"),
        ("x.zip:notes/long.txt", "*5001|needle last"),
        ("x.zip:latin.txt", "*1|café needle"),
        ("x.zip:other.txt", "No matches found"),
        ("y.tar:b.txt", "*1|needle two\n*2|needle three"),
    ] {
        let found = run(&tree, json!({"pattern": "needle", "paths": [address]}));
        assert_eq!(found.text, expected, "{address}");
        assert_eq!(found.details["scopePath"], address);
        assert_eq!(found.details["searchPath"], tree.path(address).to_str().unwrap());
        let count = expected.lines().filter(|line| line.starts_with('*')).count();
        assert_eq!(found.details["matchCount"], count, "{address}");
    }
}

#[test]
fn members_come_before_files_in_the_order_they_are_named() {
    let tree = tree();
    let paths = json!(["y.tar:b.txt", ".", "x.zip:notes/a.txt", "y.tar:b.txt"]);
    let found = run(&tree, json!({"pattern": "needle", "paths": paths}));
    assert_eq!(files(&found), ["y.tar:b.txt", "x.zip:notes/a.txt", "plain.txt"]);
    assert_eq!(found.details["matchCount"], 4);
    let next = run(&tree, json!({"pattern": "needle", "paths": paths, "skip": 1}));
    assert_eq!(files(&next), ["x.zip:notes/a.txt", "plain.txt"]);
}

#[test]
fn what_cannot_be_searched_in_an_archive_is_an_error_alone_and_a_notice_among_others() {
    let tree = tree();
    for (address, says) in [
        ("x.zip:blob.bin", "binary"),
        ("x.zip:gone.txt", "no such member"),
        ("x.zip:../a.txt", "x.zip:../a.txt"),
        ("x.zip:notes", "directory"),
        ("y.tar:link", "link"),
    ] {
        check_refused(&tree, json!([address]), "archive_unsearchable", says);
        let found = run(&tree, json!({"pattern": "needle", "paths": [address, "plain.txt"]}));
        assert_eq!(files(&found), ["plain.txt"], "{address}");
        assert_eq!(facts(&found, "archive_skipped")["paths"], json!([address]));
        assert!(found.text.contains(address) && found.text.contains(says), "{}", found.text);
    }
    check_refused(
        &tree,
        json!(["x.zip:gone", "x.zip:blob.bin"]),
        "archive_unsearchable",
        "x.zip:gone, x.zip:blob.bin",
    );
    tree.write("broken.zip", "no archive");
    check_refused(&tree, json!(["broken.zip:a"]), "archive_invalid", "broken.zip");
    check_refused(&tree, json!(["gone.zip:a", "gone"]), "path_not_found", "gone.zip:a, gone");
}

#[test]
fn members_are_found_beside_paths_that_are_missing() {
    let found = run(&tree(), json!({"pattern": "needle", "paths": ["gone", "y.tar:b.txt"]}));
    assert_eq!(found.details["fileCount"], 1);
    assert_eq!(facts(&found, "missing_paths"), json!({"paths": ["gone"]}));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_called_like_a_member_is_meant_first() {
    let tree = tree();
    tree.write("x.zip:notes/a.txt", "a needle of its own\n");
    let found = run(&tree, json!({"pattern": "needle", "paths": ["x.zip:notes/a.txt"]}));
    assert_eq!(found.text, "*1|a needle of its own");
}
