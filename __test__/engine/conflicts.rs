//! Merge conflicts: what counts as one, the numbers they keep, and what resolving one leaves as it was.

#![expect(clippy::disallowed_methods, reason = "tests look at their trees themselves")]

use std::fs;
use std::sync::Arc;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::{Context, parse_arguments, read, write};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::session::Session;
use gajae_tool_core::engine::text::find_conflicts;
use proptest::prelude::*;
use serde_json::json;

use crate::tree::Tree;

const TWO: &str = "top\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\nmid\n<<<<<<< HEAD\na\n||||||| base\nb\n=======\nc\n>>>>>>> other\nend\n";

/// A tree and a session that remembers.
struct Merge {
    tree: Tree,
    context: Context,
}

impl Merge {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Tree::new(files).with(json!({"readHashLines": false}));
        let context = Context { session: Some(Arc::new(Session::default())), ..tree.context() };
        Self { tree, context }
    }

    fn read(&self, path: &str) -> Result<Outcome> {
        let options = parse_arguments(&json!({"path": path}).to_string())?;
        read::run(&options, &self.context, &CancelToken::default())
    }

    fn write(&self, path: &str, content: &str) -> Result<Outcome> {
        let options = parse_arguments(&json!({"path": path, "content": content}).to_string())?;
        write::run(&options, &self.context, &CancelToken::default())
    }

    fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.tree.path(path)).unwrap()
    }

    fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }
}

/// First and last line of each conflict.
fn lines(text: &str) -> Vec<(u64, u64)> {
    find_conflicts(text.as_bytes()).iter().map(|conflict| (conflict.start, conflict.end)).collect()
}

#[test]
fn a_conflict_is_what_git_writes() {
    let check = |text: &str, expected: &[(u64, u64)]| assert_eq!(lines(text), expected, "{text:?}");
    check(TWO, &[(2, 6), (8, 14)]);
    check(&TWO.replace('\n', "\r\n"), &[(2, 6), (8, 14)]);
    check("<<<<<<<\n=======\n>>>>>>>", &[(1, 3)]);
    check("\u{feff}<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", &[(1, 5)]);
    // Too short, too long, indented, a label without a blank.
    check("<<<<<< a\n=======\n>>>>>>> b\n", &[]);
    check("<<<<<<<< a\n=======\n>>>>>>>> b\n", &[]);
    check(" <<<<<<< a\n=======\n>>>>>>> b\n", &[]);
    check("<<<<<<<a\n=======\n>>>>>>>b\n", &[]);
    // Not closed, not in order.
    check("<<<<<<< a\nx\n=======\ny\n", &[]);
    check("=======\n>>>>>>> b\n<<<<<<< a\n", &[]);
    check("<<<<<<< a\n>>>>>>> b\n", &[]);
    check("<<<<<<< a\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", &[(2, 6)]);
    // A heading underlined with seven signs is content.
    check("Heading\n=======\ntext\n", &[]);
    check("<<<<<<< a\nx\n=======\nHeading\n=======\n>>>>>>> b\n", &[(1, 6)]);
}

#[test]
fn a_text_that_shows_conflicts_says_so_and_a_raw_one_does_not() {
    let merge = Merge::new(&[("c.txt", TWO), ("plain.txt", "a\n")]);
    let shown = merge.read("c.txt").unwrap();
    assert_eq!(shown.details["conflictCount"], 2);
    assert!(
        shown
            .text
            .contains("⚠ 2 unresolved conflicts detected\n- ours = HEAD\n- theirs = other\n- base = base\n")
    );
    assert!(shown.notices.iter().any(|notice| notice.kind == "conflicts"));
    let part = merge.read("c.txt:1-2").unwrap();
    assert!(part.text.contains("⚠ 1 of 2 unresolved conflicts detected"), "{}", part.text);
    assert!(!part.text.contains("#2"));
    let raw = merge.read("c.txt:raw").unwrap();
    assert_eq!(raw.text, TWO);
    assert!(!merge.read("c.txt:16-16").unwrap().text.contains('⚠'));
    assert!(!merge.read("plain.txt").unwrap().text.contains('⚠'));
}

#[test]
fn conflicts_with_crlf_are_seen_and_keep_their_line_ends() {
    let merge = Merge::new(&[("c.txt", &TWO.replace('\n', "\r\n"))]);
    assert_eq!(merge.read("c.txt").unwrap().details["conflictCount"], 2);
    merge.write("conflict://1", "one\ntwo\n").unwrap();
    merge.write("conflict://2", "@both").unwrap();
    assert_eq!(merge.text("c.txt"), "top\r\none\r\ntwo\r\nmid\r\na\r\nc\r\nend\r\n");
}

#[test]
fn every_byte_outside_of_a_conflict_stays() {
    let before = b"\xEF\xBB\xBFlatin \xE9\r\nlf\n\x00\n";
    let after = b"mixed\r\nno end \xFF";
    let conflict = b"<<<<<<< a\nours \xE9\n=======\ntheirs\n>>>>>>> b\n";
    let merge = Merge::new(&[]);
    merge.tree.write("c.txt", [&before[..], conflict, after].concat());
    merge.read("c.txt:conflicts").unwrap();
    merge.write("conflict://1", "@ours\nplus").unwrap();
    assert_eq!(merge.bytes("c.txt"), [&before[..], b"ours \xE9\nplus\n", after].concat());
}

#[test]
fn a_conflict_at_the_end_without_a_line_end_leaves_none() {
    let merge = Merge::new(&[("c.txt", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b")]);
    merge.read("c.txt").unwrap();
    merge.write("conflict://1", "@theirs\n").unwrap();
    assert_eq!(merge.text("c.txt"), "y");
}

#[test]
fn blank_content_removes_the_conflict() {
    let merge = Merge::new(&[("c.txt", TWO)]);
    merge.read("c.txt").unwrap();
    merge.write("conflict://1", "").unwrap();
    assert!(merge.text("c.txt").starts_with("top\nmid\n"));
}

#[test]
fn numbers_follow_a_conflict_that_moves() {
    let merge = Merge::new(&[("c.txt", TWO), ("d.txt", TWO)]);
    merge.read("c.txt").unwrap();
    assert!(merge.read("d.txt").unwrap().text.contains("#3  L2-6"));
    merge.tree.write("c.txt", format!("new\nlines\n{TWO}"));
    // Without another read its text finds it, with one its number stays.
    assert_eq!(merge.read("conflict://2/theirs").unwrap().text, "c");
    let list = merge.read("c.txt:conflicts").unwrap();
    assert!(list.text.ends_with("#1  L4-8\n#2  L10-16  (3-way)"), "{}", list.text);
    merge.write("conflict://1", "@ours").unwrap();
    let list = merge.read("c.txt:conflicts").unwrap();
    assert!(list.text.ends_with("#2  L6-12  (3-way)"), "{}", list.text);
    assert_eq!(merge.read("conflict://1").unwrap_err().code(), "conflict_not_found");
}

#[test]
fn the_nearest_of_equal_conflicts_is_meant() {
    let one = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
    let merge = Merge::new(&[("c.txt", &format!("{one}mid\n{one}end\n"))]);
    merge.read("c.txt").unwrap();
    merge.tree.write("c.txt", format!("shifted\n{one}mid\n{one}end\n"));
    merge.write("conflict://2", "second").unwrap();
    assert_eq!(merge.text("c.txt"), format!("shifted\n{one}mid\nsecond\nend\n"));
}

#[test]
fn a_conflict_that_changed_is_not_written_over() {
    let merge = Merge::new(&[("c.txt", TWO)]);
    merge.read("c.txt").unwrap();
    let changed = TWO.replace("ours\n", "somebody else's\n");
    merge.tree.write("c.txt", &changed);
    for outcome in [merge.write("conflict://1", "mine"), merge.read("conflict://1")] {
        assert_eq!(outcome.unwrap_err().code(), "conflict_stale");
    }
    assert_eq!(merge.text("c.txt"), changed);
    fs::remove_file(merge.tree.path("c.txt")).unwrap();
    assert_eq!(merge.write("conflict://2", "mine").unwrap_err().code(), "conflict_stale");
}

#[test]
fn all_at_once_is_all_or_nothing_for_each_file() {
    let merge = Merge::new(&[("a.txt", TWO), ("b.txt", TWO), ("c.txt", TWO)]);
    for path in ["a.txt", "b.txt", "c.txt"] {
        merge.read(path).unwrap();
    }
    let changed = TWO.replace("theirs\n", "other\n");
    merge.tree.write("b.txt", &changed);
    let error = merge.write("conflict://*", "@theirs").unwrap_err();
    let ToolError::ConflictBulkFailed { resolved, failed, .. } = error else { panic!("{error}") };
    assert_eq!(resolved, ["a.txt", "c.txt"]);
    assert_eq!(failed.iter().map(|failure| failure.path.as_str()).collect::<Vec<_>>(), ["b.txt"]);
    assert_eq!(merge.text("b.txt"), changed);
    assert_eq!(merge.text("a.txt"), "top\ntheirs\nmid\nc\nend\n");
    // Read again, the rest can be done.
    merge.read("b.txt").unwrap();
    assert_eq!(
        merge.write("conflict://*", "@ours").unwrap().text,
        "Resolved 2 conflicts across 1 file:\n  b.txt: 2 conflicts"
    );
    assert_eq!(merge.write("conflict://*", "@ours").unwrap_err().code(), "conflict_not_found");
}

#[test]
fn a_missing_base_changes_nothing() {
    let merge = Merge::new(&[("c.txt", TWO)]);
    merge.read("c.txt").unwrap();
    assert_eq!(merge.write("conflict://1", "@base").unwrap_err().code(), "conflict_no_base");
    assert_eq!(merge.write("conflict://*", "@base").unwrap_err().code(), "conflict_bulk_failed");
    assert_eq!(merge.text("c.txt"), TWO);
}

#[test]
#[cfg(unix)]
fn a_file_under_two_names_has_its_conflicts_once() {
    let merge = Merge::new(&[("real.txt", TWO)]);
    merge.tree.link("link.txt", "real.txt");
    merge.read("real.txt").unwrap();
    merge.read("link.txt").unwrap();
    assert_eq!(merge.write("conflict://*", "@ours").unwrap().details["resolved"], 2);
    assert!(merge.tree.path("link.txt").symlink_metadata().unwrap().is_symlink());
}

#[test]
fn sessions_share_no_numbers_and_a_call_without_one_knows_none() {
    let merge = Merge::new(&[("c.txt", TWO)]);
    merge.read("c.txt").unwrap();
    for session in [None, Some(Arc::new(Session::default()))] {
        let context = Context { session, ..merge.context.clone() };
        let other = Merge { tree: Tree::new(&[]), context };
        assert_eq!(other.read("conflict://1").unwrap_err().code(), "conflict_not_found");
        assert_eq!(other.write("conflict://1", "x").unwrap_err().code(), "conflict_not_found");
    }
}

#[test]
fn a_needless_prefix_is_dropped_and_said() {
    let merge = Merge::new(&[("c.txt", TWO)]);
    merge.read("c.txt").unwrap();
    let outcome = merge.write("file:conflict://1", "x").unwrap();
    assert!(outcome.notices.iter().any(|notice| notice.kind == "prefix_dropped"));
}

#[test]
fn addresses_that_are_none_are_refused_by_name() {
    let merge = Merge::new(&[("c.txt", TWO)]);
    merge.read("c.txt").unwrap();
    for (path, code) in [
        ("conflict://", "conflict_bad_uri"),
        ("conflict://0", "conflict_bad_uri"),
        ("conflict://+1", "conflict_bad_uri"),
        ("conflict://1/", "conflict_bad_uri"),
        ("conflict://1/ours/x", "conflict_bad_uri"),
        ("conflict://99999999999999999999999", "conflict_bad_uri"),
        ("conflict://9", "conflict_not_found"),
        ("conflict://*", "conflict_wildcard_read"),
        ("conflict://1/base", "conflict_no_base"),
    ] {
        assert_eq!(merge.read(path).unwrap_err().code(), code, "{path}");
    }
    assert_eq!(merge.write("conflict://1/theirs", "x").unwrap_err().code(), "conflict_scope_readonly");
}

proptest! {
    #[test]
    fn any_bytes_are_looked_through(pieces in prop::collection::vec(
        prop::sample::select(vec!["<<<<<<< a\n", "||||||| b\n", "=======\n", ">>>>>>> c\n", "x\n", "\r\n", "\r", "<<<<<<<"]), 0..40)) {
        let text = pieces.concat();
        let mut end = 0;
        for conflict in find_conflicts(text.as_bytes()) {
            prop_assert!(conflict.bytes.start >= end && conflict.bytes.end <= text.len());
            prop_assert!(conflict.start < conflict.end);
            let base = conflict.base.as_ref().map_or(conflict.ours.bytes.end, |base| base.bytes.end);
            prop_assert!(conflict.bytes.start < conflict.ours.bytes.start && base < conflict.theirs.bytes.start + 1);
            prop_assert!(conflict.theirs.bytes.end < conflict.bytes.end);
            end = conflict.bytes.end;
        }
    }
}
