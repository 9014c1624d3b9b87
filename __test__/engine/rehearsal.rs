//! The road of every edit: several changes of several files, made together or not at all.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;
use std::path::Path;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::Context;
use gajae_tool_core::engine::exec::edit::{DiffStyle, Done, Plan, Rehearsal, Wanted};
use gajae_tool_core::engine::text::{Document, Splice};
use tempfile::TempDir;

fn tree(files: &[(&str, &str)]) -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    for (name, content) in files {
        fs::write(tree.path().join(name), content).expect("a file");
    }
    tree
}

fn context(tree: &TempDir) -> Context {
    Context { cwd: tree.path().to_owned(), state_dirs: vec![crate::write::state_dir()], ..Context::default() }
}

/// What takes the place of the only occurrence of a text.
fn plan(old: &'static str, new: &'static str) -> impl FnOnce(&Document) -> Result<Plan> {
    move |document| {
        let at = document.text().find(old).expect("the text");
        let splice = Splice { range: at..at + old.len(), new: new.as_bytes().into() };
        Ok(Plan { splices: vec![splice], ..Plan::default() })
    }
}

fn rehearse(
    tree: &TempDir,
    names: &[&str],
    entries: impl FnOnce(&mut Rehearsal) -> Result<()>,
) -> Result<Done> {
    let context = context(tree);
    let cancel = CancelToken::new();
    let wanted: Vec<Wanted> = names.iter().map(|name| Wanted::New(name)).collect();
    let mut rehearsal = Rehearsal::open(&wanted, DiffStyle::Unified, &context, &cancel)?;
    entries(&mut rehearsal)?;
    rehearsal.commit()
}

#[track_caller]
fn check(tree: &TempDir, expected: &[(&str, &str)]) {
    let mut found: Vec<(String, String)> = fs::read_dir(tree.path())
        .expect("the directory")
        .flatten()
        .map(|entry| {
            let content = fs::read_to_string(entry.path()).expect("a text");
            (entry.file_name().to_string_lossy().into_owned(), content)
        })
        .collect();
    found.sort();
    let expected: Vec<(String, String)> =
        expected.iter().map(|(name, content)| ((*name).to_owned(), (*content).to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn entries_see_what_earlier_ones_left() {
    let tree = tree(&[("a", "one\n"), ("b", "x\n")]);
    let done = rehearse(&tree, &["a", "b", "c"], |rehearsal| {
        rehearsal.update(0, plan("one", "two"))?;
        rehearsal.update(0, plan("two", "three"))?;
        rehearsal.delete(1)?;
        rehearsal.create(2, "new\n")?;
        rehearsal.update(2, plan("new", "newer"))
    })
    .expect("a commit");
    check(&tree, &[("a", "three\n"), ("c", "newer\n")]);
    let diffs: Vec<&str> = done.changes.iter().map(|change| change.diff.as_str()).collect();
    assert_eq!(diffs[0], "@@ -1,1 +1,1 @@\n-1|one\n+1|two");
    assert_eq!(diffs[2], "@@ -1,1 +0,0 @@\n-1|x");
    assert_eq!(diffs[3], "@@ -0,0 +1,1 @@\n+1|new");
}

#[test]
fn a_failing_entry_leaves_everything_as_it_is() {
    let tree = tree(&[("a", "one\n"), ("b", "x\n")]);
    let failed = rehearse(&tree, &["a", "b", "c"], |rehearsal| {
        rehearsal.update(0, plan("one", "two"))?;
        rehearsal.create(2, "new\n")?;
        rehearsal.create(1, "taken")
    });
    assert_eq!(failed.expect_err("a refusal").code(), "already_exists");
    check(&tree, &[("a", "one\n"), ("b", "x\n")]);
}

#[test]
fn names_may_change_hands() {
    let tree = tree(&[("a", "A\n"), ("b", "B\n")]);
    rehearse(&tree, &["a", "b", "c"], |rehearsal| {
        let nothing = |_: &Document| Ok(Plan::default());
        rehearsal.update_and_rename(0, 2, "c", nothing)?;
        rehearsal.update_and_rename(1, 0, "a", plan("B", "BB"))?;
        rehearsal.update_and_rename(2, 1, "b", nothing)
    })
    .expect("a commit");
    check(&tree, &[("a", "BB\n"), ("b", "A\n")]);
}

#[cfg(unix)]
#[test]
fn a_renamed_file_stays_the_same_file() {
    use std::os::unix::fs::PermissionsExt;
    let tree = tree(&[("run.sh", "echo 1\n")]);
    let mode =
        |name: &str| fs::metadata(tree.path().join(name)).expect("a file").permissions().mode() & 0o777;
    fs::set_permissions(tree.path().join("run.sh"), fs::Permissions::from_mode(0o751)).expect("a mode");
    rehearse(&tree, &["run.sh", "go.sh"], |rehearsal| {
        rehearsal.update_and_rename(0, 1, "go.sh", plan("1", "2"))
    })
    .expect("a commit");
    check(&tree, &[("go.sh", "echo 2\n")]);
    assert_eq!(mode("go.sh"), 0o751);
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_one_file() {
    let tree = tree(&[("a", "one two\n")]);
    fs::hard_link(tree.path().join("a"), tree.path().join("b")).expect("a link");
    rehearse(&tree, &["a", "b"], |rehearsal| {
        rehearsal.update(0, plan("one", "1"))?;
        rehearsal.update(1, plan("two", "2"))
    })
    .expect("a commit");
    check(&tree, &[("a", "1 2\n"), ("b", "1 2\n")]);
}

#[test]
fn a_plan_allows_no_deletion_and_no_new_name() {
    let tree = tree(&[("plan.md", "x\n")]);
    let mut context = context(&tree);
    context.plan_file = Some(tree.path().join("plan.md"));
    let cancel = CancelToken::new();
    let open = || Rehearsal::open(&[Wanted::Existing("plan.md")], DiffStyle::Numbered, &context, &cancel);
    assert_eq!(
        open().and_then(|mut rehearsal| rehearsal.delete(0)).expect_err("a refusal").code(),
        "plan_mode_denied"
    );
    let other = Rehearsal::open(&[Wanted::Existing("other.md")], DiffStyle::Numbered, &context, &cancel);
    assert_eq!(other.expect_err("a refusal").code(), "plan_mode_denied");
    assert!(Path::new(&tree.path().join("plan.md")).exists());
}
