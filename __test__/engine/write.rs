//! `write`, and the atomic replacing of files below it.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;
use std::path::{Path, PathBuf};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::{Context, parse_arguments, write};
use gajae_tool_core::engine::files::{Expected, Writer, generated_marker};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::text::letters;
use serde_json::{Value, json};
use tempfile::TempDir;

fn call_with(cwd: &Path, path: &str, content: &str, settings: Value) -> Result<Outcome> {
    let session: Context = serde_json::from_value(
        json!({"cwd": cwd, "settings": settings, "hasEditTool": true, "stateDirs": [state_dir()]}),
    )
    .expect("a context");
    let options = parse_arguments(&json!({"path": path, "content": content, "extra": 1}).to_string())?;
    write::run(&options, &session, &CancelToken::new())
}

/// Shared by the tests, as by the sessions of a user; each user has one.
pub fn state_dir() -> PathBuf {
    let user = if cfg!(unix) { rustix::process::geteuid().as_raw() } else { 0 };
    std::env::temp_dir().join(format!("gajae-tool-core-tests-{user}"))
}

fn call(cwd: &Path, path: &str, content: &str) -> Result<Outcome> {
    call_with(cwd, path, content, json!({}))
}

fn tree(files: &[(&str, &[u8])]) -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    for (path, content) in files {
        fs::create_dir_all(tree.path().join(path).parent().expect("a parent")).expect("a directory");
        fs::write(tree.path().join(path), content).expect("a file");
    }
    tree
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[track_caller]
fn check(tree: &TempDir, path: &str, content: &str, stored: &[u8]) -> Outcome {
    let outcome = call(tree.path(), path, content).expect("the write");
    assert_eq!(fs::read(tree.path().join(path)).expect("the file"), stored);
    outcome
}

#[track_caller]
fn check_refused(tree: &TempDir, path: &str, content: &str, code: &str) {
    let before = names(tree.path());
    let error = call(tree.path(), path, content).expect_err(path);
    assert_eq!(error.code(), code, "{path}: {error}");
    assert_eq!(names(tree.path()), before, "nothing is left behind");
}

#[test]
fn stores_the_bytes_it_is_given() {
    let tree = tree(&[("a.txt", b"old\r\n")]);
    for content in
        ["hi\n", "", "a\r\nb\r\n", "no newline", "\\title{x}\\n", "\u{ac00}\u{1f389}\n", "\u{feff}x"]
    {
        let outcome = check(&tree, "a.txt", content, content.as_bytes());
        assert_eq!(outcome.text, format!("Successfully wrote {} bytes to a.txt", content.len()));
        assert!(outcome.details.is_empty());
    }
    check(&tree, "x/y/z.txt", "deep", b"deep");
    let outcome = call(tree.path(), "s/../t.txt", "up").expect("the write");
    assert_eq!(outcome.text, "Successfully wrote 2 bytes to t.txt");
    assert_eq!(names(tree.path()), ["a.txt", "t.txt", "x"]);
}

#[test]
fn an_existing_byte_order_mark_stays() {
    let tree = tree(&[("with.txt", b"\xEF\xBB\xBFold\n"), ("without.txt", b"old\n")]);
    let outcome = check(&tree, "with.txt", "new\n", b"\xEF\xBB\xBFnew\n");
    assert_eq!(outcome.notices[0].kind, "bom_kept");
    check(&tree, "with.txt", "\u{feff}new\n", b"\xEF\xBB\xBFnew\n");
    check(&tree, "without.txt", "new\n", b"new\n");
}

#[test]
fn a_file_in_another_encoding_becomes_utf8_and_that_is_said() {
    let tree = tree(&[("le.txt", b"\xFF\xFEa\0"), ("be.txt", b"\xFE\xFF\0a")]);
    for (name, encoding) in [("le.txt", "UTF-16LE"), ("be.txt", "UTF-16BE")] {
        let outcome = check(&tree, name, "\u{e9}\n", "\u{e9}\n".as_bytes());
        let notice = &outcome.notices[0];
        assert_eq!((notice.kind, notice.facts["from"].as_str()), ("encoding_changed", Some(encoding)));
        assert!(outcome.text.contains(&notice.text));
        assert!(check(&tree, name, "again", b"again").notices.is_empty());
    }
}

#[test]
fn in_plan_mode_only_the_plan_is_written() {
    let tree = tree(&[("plans/plan.md", b"old"), ("other.md", b"old")]);
    let context: Context = serde_json::from_value(json!({
        "cwd": tree.path(), "settings": {}, "planFile": tree.path().join("plans/plan.md"),
    }))
    .expect("a context");
    let write = |path: &str| {
        let options = parse_arguments(&json!({"path": path, "content": "new"}).to_string())?;
        write::run(&options, &context, &CancelToken::new())
    };
    for path in ["other.md", "new.md", "plans/other.md"] {
        assert_eq!(write(path).expect_err(path).code(), "plan_mode_denied");
    }
    // Its name alone means the plan.
    for path in ["plans/plan.md", "plan.md", "elsewhere/plan.md"] {
        assert!(write(path).expect(path).text.contains("plans/plan.md"));
    }
    assert_eq!(names(tree.path()), ["other.md", "plans"]);
    assert_eq!(fs::read_to_string(tree.path().join("other.md")).expect("the file"), "old");
}

#[test]
fn what_is_no_plain_file_is_refused() {
    let tree = tree(&[("d/x", b"1"), ("f", b"1"), ("a.txt", b"1")]);
    for (path, code) in [
        ("", "io_error"),
        ("d", "io_error"),
        ("/", "io_error"),
        ("new/", "io_error"),
        ("f/g.txt", "io_error"),
        ("f/deep/g.txt", "io_error"),
        ("nul\0byte", "io_error"),
        ("conflict://1", "conflict_not_found"),
        ("file:conflict://1", "conflict_not_found"),
        ("agent://x", "unsupported"),
        ("https://host/x", "unsupported"),
        ("a.txt:5", "selector_unsupported"),
        ("a.txt:5-9,12:raw", "selector_unsupported"),
        ("./a.txt:conflicts", "selector_unsupported"),
    ] {
        check_refused(&tree, path, "x", code);
    }
    // No file to be mistaken for: the name is a name.
    check(&tree, "new.txt:5", "x", b"x");
    check(&tree, "new.txt:5", "y", b"y");
    check(&tree, "a.txt:five", "x", b"x");
}

#[test]
fn anchors_are_removed_only_if_they_are_anchors_of_the_file() {
    let tree = tree(&[("a.txt", b"one\ntwo\n")]);
    let anchored = format!("1{}|one\n2{}|TWO\n", letters("one"), letters("two"));
    let outcome = check(&tree, "a.txt", &anchored, b"one\nTWO\n");
    assert_eq!(outcome.notices[0].kind, "hash_prefix_stripped");
    assert!(outcome.text.contains(&outcome.notices[0].text));
    // Line 2 is another one by now.
    check(&tree, "a.txt", &anchored, anchored.as_bytes());
    check(&tree, "new.txt", &anchored, anchored.as_bytes());
    let partly = format!("1{}|one\nplain\n", letters("one"));
    fs::write(tree.path().join("a.txt"), "one\ntwo\n").expect("a file");
    check(&tree, "a.txt", &partly, partly.as_bytes());
    fs::write(tree.path().join("a.txt"), "one\ntwo\n").expect("a file");
    call_with(tree.path(), "a.txt", &anchored, json!({"readHashLines": false})).expect("the write");
    assert_eq!(fs::read_to_string(tree.path().join("a.txt")).expect("the file"), anchored);
}

#[test]
fn generated_files_are_guarded() {
    let tree = tree(&[("api.pb.go", b"package x\n"), ("g.ts", b"// @generated by tool\nconst a = 1\n")]);
    check_refused(&tree, "api.pb.go", "x", "auto_generated_file");
    check_refused(&tree, "g.ts", "x", "auto_generated_file");
    check(&tree, "new.pb.go", "package x\n", b"package x\n");
    call_with(tree.path(), "g.ts", "x", json!({"edit.blockAutoGenerated": false})).expect("the write");
}

#[test]
fn generated_files_are_known_by_name_and_header() {
    let cases: &[(&str, &str, Option<&str>)] = &[
        ("zz_generated.deepcopy.go", "", Some("zz_generated.deepcopy.go")),
        ("x_pb2.py", "", Some("x_pb2.py")),
        ("generated.ts", "", Some("generated.ts")),
        ("regenerated.ts", "", None),
        ("a.go", "// Code generated by sqlc. DO NOT EDIT.\n", Some("Code generated by sqlc.")),
        ("a.go", "\u{feff}\n\n//  Code\tgenerated by  x\n", Some("Code generated by x")),
        ("a.py", "#!/usr/bin/env python\n# @generated\n", Some("@generated")),
        ("a.py", "# @generatedly\n", None),
        (
            "a.rs",
            "/* one\n\n * This file was AUTOMATICALLY generated\n */\n",
            Some("This file was AUTOMATICALLY generated"),
        ),
        ("a.ts", "// generated by protoc-gen-ts v1\n", Some("generated by protoc-gen-ts")),
        ("a.ts", "// generated by buffalo\n", None),
        ("a.ts", "// generated by buf\n", Some("generated by buf")),
        ("a.ts", "const a = 1;\n// @generated\n", None),
        ("a.sql", "-- @generated\n", Some("@generated")),
        ("a.html", "<!-- @generated -->\n", Some("@generated")),
        ("Makefile", "# @generated\n", Some("@generated")),
        ("notes.txt", "# @generated\n", None),
    ];
    for (name, head, marker) in cases {
        assert_eq!(generated_marker(name, head.as_bytes()).as_deref(), *marker, "{name}: {head:?}");
    }
    let late = format!("{}// @generated\n", "// x\n".repeat(50));
    assert_eq!(generated_marker("a.ts", late.as_bytes()), None);
}

/// A text in the place of all that a file holds is never what was meant.
#[test]
fn a_whole_archive_or_database_is_not_replaced_by_a_text() {
    let database = [b"SQLite format 3\0".as_slice(), &[0; 100]].concat();
    let zip = b"PK\x03\x04\x14\0\0\0\0\0".as_slice();
    let tar = [b"a.txt".as_slice(), &[0; 507], b"text"].concat();
    let tree = tree(&[
        ("app.db", &database),
        ("data", &database),
        ("x.zip", zip),
        ("x.tar", &tar),
        ("x.tar.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
        ("text.zip", b"not yet an archive"),
        ("text.db", b"not yet a database"),
        ("empty.zip", b""),
    ]);
    for content in ["text", ""] {
        for path in ["app.db", "data"] {
            check_refused(&tree, path, content, "sqlite_bad_target");
        }
        for path in ["x.zip", "./x.tar", "x.tar.gz"] {
            check_refused(&tree, path, content, "archive_bad_target");
        }
    }
    assert_eq!(fs::read(tree.path().join("app.db")).expect("the file"), database);
    assert_eq!(fs::read(tree.path().join("x.zip")).expect("the file"), zip);
    for path in ["text.zip", "text.db", "empty.zip", "new.zip", "new.db"] {
        check(&tree, path, "text", b"text");
    }
}

#[test]
fn a_change_by_somebody_else_is_not_overwritten() {
    let tree = tree(&[("a.txt", b"one\n")]);
    let writer = Writer::new(&[], true);
    let target = writer.lock(&tree.path().join("a.txt"), "a.txt", &CancelToken::new()).expect("the target");
    for other in ["two\n", "one\nand more\n", ""] {
        fs::write(tree.path().join("a.txt"), other).expect("a file");
        let error = writer.write(&target, b"mine\n", Expected::Bytes(b"one\n")).expect_err("a refusal");
        assert_eq!(error.code(), "concurrent_modification");
        assert_eq!(fs::read_to_string(tree.path().join("a.txt")).expect("the file"), other);
    }
    fs::remove_file(tree.path().join("a.txt")).expect("the file");
    let error = writer.write(&target, b"mine\n", Expected::Bytes(b"one\n")).expect_err("a refusal");
    assert_eq!(error.code(), "concurrent_modification");
    assert_eq!(names(tree.path()), [""; 0]);
}

#[test]
fn a_failed_write_leaves_no_directory() {
    let tree = tree(&[]);
    let long = "n".repeat(300);
    check_refused(&tree, &format!("x/y/{long}"), "x", "io_error");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the mode");
    }

    #[test]
    fn mode_and_owner_stay() {
        let tree = tree(&[("run.sh", b"old")]);
        let path = tree.path().join("run.sh");
        for mode in [0o644, 0o755, 0o600, 0o2755, 0o4711] {
            set_mode(&path, mode);
            let before = path.metadata().expect("metadata");
            check(&tree, "run.sh", "new", b"new");
            let after = path.metadata().expect("metadata");
            assert_eq!(after.permissions().mode() & 0o7777, mode, "{mode:o}");
            assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
            assert_ne!(after.ino(), before.ino(), "replaced as a whole");
        }
    }

    #[test]
    fn a_foreign_owner_stays() {
        let tree = tree(&[("a.txt", b"old")]);
        let path = tree.path().join("a.txt");
        // Only root can give a file away; for others there is nothing to see here.
        if std::os::unix::fs::chown(&path, Some(12345), Some(54321)).is_err() {
            return;
        }
        set_mode(&path, 0o4755);
        check(&tree, "a.txt", "new", b"new");
        let after = path.metadata().expect("metadata");
        assert_eq!((after.uid(), after.gid(), after.mode() & 0o7777), (12345, 54321, 0o4755));
    }

    #[test]
    fn new_files_get_the_usual_mode() {
        let tree = tree(&[]);
        check(&tree, "new.txt", "x", b"x");
        fs::write(tree.path().join("plain"), "x").expect("a file");
        let mode = |name: &str| tree.path().join(name).metadata().expect("metadata").mode();
        assert_eq!(mode("new.txt"), mode("plain"));
    }

    #[test]
    fn links_are_written_through() {
        let tree = tree(&[("real/conf", b"old")]);
        let link = |target: &str, name: &str| symlink(target, tree.path().join(name)).expect("a link");
        link("real/conf", "conf");
        link("conf", "again");
        link("real/new", "dangling");
        link("loop2", "loop1");
        link("loop1", "loop2");
        check(&tree, "again", "new", b"new");
        check(&tree, "dangling", "made", b"made");
        assert_eq!(fs::read(tree.path().join("real/conf")).expect("the file"), b"new");
        assert_eq!(fs::read(tree.path().join("real/new")).expect("the file"), b"made");
        for name in ["conf", "again", "dangling"] {
            assert!(tree.path().join(name).symlink_metadata().expect("metadata").is_symlink(), "{name}");
        }
        check_refused(&tree, "loop1", "x", "io_error");
        assert_eq!(names(&tree.path().join("real")), ["conf", "new"]);
    }

    #[test]
    fn hard_links_keep_showing_one_content() {
        let tree = tree(&[("a", b"a long old content")]);
        fs::hard_link(tree.path().join("a"), tree.path().join("b")).expect("a link");
        set_mode(&tree.path().join("a"), 0o4755);
        for content in ["short", "a much longer content than the old one was"] {
            let outcome = check(&tree, "a", content, content.as_bytes());
            assert_eq!(outcome.details["writtenInPlace"], "hard_links");
            assert_eq!(tree.path().join("a").metadata().expect("metadata").mode() & 0o7777, 0o4755);
            assert_eq!(fs::read_to_string(tree.path().join("b")).expect("the file"), content);
        }
        assert_eq!(names(tree.path()), ["a", "b"]);
    }

    #[test]
    fn special_files_are_refused_without_waiting() {
        let tree = tree(&[]);
        rustix::fs::mkfifoat(rustix::fs::CWD, tree.path().join("pipe"), 0o666.into()).expect("a pipe");
        symlink("/dev/null", tree.path().join("null")).expect("a link");
        check_refused(&tree, "pipe", "x", "io_error");
        check_refused(&tree, "null", "x", "io_error");
    }

    /// Root may do everything, so these run once more as a user who may not.
    #[test]
    fn a_user_without_privileges_keeps_everything_too() {
        use std::os::unix::process::CommandExt;
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let program = std::env::current_exe().expect("this program");
        let run = std::process::Command::new(program)
            .args(["write::", "edit::", "writer::a_call_that_fails", "writer::links_are", "writer::what_was"])
            .uid(65534)
            .gid(65534)
            .output();
        // The user may have no way to this program.
        let Ok(run) = run else { return };
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    }

    #[test]
    fn what_the_user_may_not_write_stays() {
        let tree = tree(&[("closed/a.txt", b"one"), ("closed/b.txt", b"one"), ("own.txt", b"one")]);
        let path = |name: &str| tree.path().join(name);
        set_mode(&path("closed/b.txt"), 0o444);
        set_mode(&path("own.txt"), 0o444);
        set_mode(&path("closed"), 0o555);
        if rustix::process::geteuid().is_root() {
            return; // Done by the run of the test above.
        }
        let outcome = check(&tree, "closed/a.txt", "longer than one", b"longer than one");
        assert_eq!(outcome.details["writtenInPlace"], "directory_not_writable");
        check_refused(&tree, "closed/b.txt", "x", "permission_denied");
        check_refused(&tree, "closed/new.txt", "x", "permission_denied");
        check_refused(&tree, "closed/deep/new.txt", "x", "permission_denied");
        check_refused(&tree, "own.txt", "x", "permission_denied");
        assert_eq!(fs::read(path("own.txt")).expect("the file"), b"one");
        assert_eq!(names(&path("closed")), ["a.txt", "b.txt"]);
        set_mode(&path("closed"), 0o755);
    }

    /// A reader sees the old or the new content, whole.
    #[test]
    fn readers_never_see_a_part() {
        let tree = tree(&[("big", &vec![b'a'; 2_000_000])]);
        let path = tree.path().join("big");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    let seen = fs::read(&path).expect("the file");
                    assert!(seen.len() == 2_000_000 && seen.iter().all(|byte| *byte == seen[0]));
                }
            });
            let content = "b".repeat(2_000_000);
            for _ in 0..3 {
                call(tree.path(), "big", &content).expect("the write");
            }
            done.store(true, Ordering::Release);
            reader.join().expect("the reader");
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn extended_attributes_stay() {
        let tree = tree(&[("a", b"old")]);
        let path = tree.path().join("a");
        if rustix::fs::setxattr(&path, "user.note", b"kept", rustix::fs::XattrFlags::empty()).is_err() {
            return; // A file system without attributes.
        }
        check(&tree, "a", "new", b"new");
        let mut value = [0; 16];
        let length = rustix::fs::getxattr(&path, "user.note", value.as_mut_slice()).expect("the attribute");
        assert_eq!(&value[..length], b"kept");
    }
}
