//! Allowed roots: no tool reads or writes outside of them, whatever links, `..` or a race say.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::{Context, bash, edit, find, parse_arguments, read, search, write};
use gajae_tool_core::engine::files::{self, Confinement};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

/// `inside` is the session's directory and its only root; `outside` lies beside it.
struct Fence {
    _directory: TempDir,
    base: PathBuf,
}

impl Fence {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let base = directory.path().canonicalize().unwrap();
        for name in ["inside/sub", "outside/deep"] {
            fs::create_dir_all(base.join(name)).unwrap();
        }
        let fence = Self { _directory: directory, base };
        fence.file("inside/a.txt", "allowed\n");
        fence.file("inside/sub/b.txt", "allowed too\n");
        fence.file("outside/secret.txt", "secret\n");
        fence.file("outside/deep/secret.txt", "secret\n");
        fence
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    fn link(&self, name: &str, target: impl AsRef<Path>) {
        symlink(target, self.path(name)).unwrap();
    }

    fn context(&self) -> Context {
        Context {
            cwd: self.path("inside"),
            allowed_roots: Some(vec![self.path("inside")]),
            home: Some(self.path("outside")),
            settings: Settings::new(
                json!({"readHashLines": false, "edit.mode": "replace"}).as_object().unwrap().clone(),
            ),
            has_edit_tool: true,
            state_dirs: vec![self.path("state")],
            env: vec![("PATH".into(), "/usr/bin:/bin".into())],
            ..Context::default()
        }
    }

    fn call(&self, tool: &str, arguments: Value) -> Result<Outcome> {
        let context = self.context();
        context.confine(|| run(tool, &arguments, &context))
    }

    #[track_caller]
    fn refuses(&self, tool: &str, arguments: Value) {
        let error = match self.call(tool, arguments.clone()) {
            Err(error) => error,
            Ok(outcome) => panic!("{tool} {arguments}: {}", outcome.text),
        };
        assert_eq!(error.code(), "outside_allowed_roots", "{tool} {arguments}: {error}");
        assert!(!error.to_string().contains("secret\n"));
    }

    #[track_caller]
    fn reads(&self, path: &str, content: &str) {
        let outcome = self.call("read", json!({"path": path})).unwrap();
        assert!(outcome.text.contains(content), "{path}: {}", outcome.text);
    }

    /// What lies outside, by name and content.
    fn outside(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        let mut open = vec![self.path("outside")];
        while let Some(directory) = open.pop() {
            for entry in directory.read_dir().unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path.clone());
                }
                found.push((path.clone(), fs::read_to_string(&path).unwrap_or_default()));
            }
        }
        found.sort();
        found
    }
}

fn run(tool: &str, arguments: &Value, context: &Context) -> Result<Outcome> {
    let (text, cancel) = (arguments.to_string(), CancelToken::default());
    match tool {
        "read" => read::run(&parse_arguments(&text)?, context, &cancel),
        "search" => search::run(&parse_arguments(&text)?, context, &cancel),
        "find" => find::run(&parse_arguments(&text)?, context, &cancel),
        "write" => write::run(&parse_arguments(&text)?, context, &cancel),
        "edit" => edit::run(&parse_arguments(&text)?, context, &cancel),
        "bash" => bash::run(&parse_arguments(&text)?, context, &cancel),
        other => panic!("no tool {other}"),
    }
}

#[test]
fn what_lies_inside_is_reached_by_every_name_of_it() {
    let fence = Fence::new();
    fence.link("inside/relative", "sub/b.txt");
    fence.link("inside/absolute", fence.path("inside/sub/b.txt"));
    fence.link("inside/directory", fence.path("inside/sub"));
    fence.link("inside/back", "../inside/sub");
    fence.link("outside/in", fence.path("inside"));
    for path in [
        "sub/b.txt",
        "relative",
        "absolute",
        "directory/b.txt",
        "back/b.txt",
        "sub/../sub/b.txt",
        "../inside/sub/b.txt",
    ] {
        fence.reads(path, "allowed too");
    }
    fence.reads(&fence.text("outside/in/a.txt"), "allowed");
    let found = fence.call("search", json!({"pattern": "allowed", "paths": ["."]})).unwrap();
    assert_eq!(found.details["fileCount"], 2);
}

#[test]
fn nothing_outside_is_read() {
    let fence = Fence::new();
    fence.link("inside/file", "../outside/secret.txt");
    fence.link("inside/far", fence.path("outside/secret.txt"));
    fence.link("inside/dir", fence.path("outside"));
    fence.link("inside/chain", "file");
    let paths = [
        "../outside/secret.txt",
        "file",
        "far",
        "chain",
        "dir/secret.txt",
        "dir",
        "..",
        "~/secret.txt",
        "~",
        "sub/../../outside/secret.txt",
    ];
    let named = [
        fence.text("outside/secret.txt"),
        fence.text("outside"),
        format!("file://{}", fence.text("outside/secret.txt")),
    ];
    for path in paths.iter().map(|path| (*path).to_owned()).chain(named) {
        fence.refuses("read", json!({"path": path}));
        fence.refuses("read", json!({"path": format!("{path}:1-2")}));
        if !path.starts_with("file://") {
            fence.refuses("search", json!({"pattern": "secret", "paths": [path]}));
        }
        fence.refuses("find", json!({"paths": [path]}));
    }
    fence.refuses("search", json!({"pattern": "secret", "paths": ["../outside/*.txt"]}));
    fence.refuses("find", json!({"paths": ["../outside/**"]}));
}

#[test]
fn whether_something_is_there_outside_is_not_told() {
    let fence = Fence::new();
    fence.file("outside/rows.db", "SQLite format 3\0");
    fence.link("inside/link.db", "../outside/rows.db");
    for path in ["../outside/rows.db:t", "../outside/nothing.db:t", "link.db:t", "../outside/nothing.zip:a"] {
        fence.refuses("write", json!({"path": path, "content": "{a: 1}"}));
    }
    for path in ["../outside/secret.txt", "../outside/nothing", "../nowhere/at/all", "/nowhere"] {
        for tool in ["read", "write", "edit"] {
            let edits = json!([{"old_text": "secret", "new_text": "x"}]);
            let arguments = match tool {
                "read" => json!({"path": path}),
                "write" => json!({"path": path, "content": "x"}),
                _ => json!({"path": path, "edits": edits}),
            };
            fence.refuses(tool, arguments);
        }
    }
}

#[test]
fn nothing_outside_is_written() {
    let fence = Fence::new();
    fence.link("inside/file", "../outside/secret.txt");
    fence.link("inside/dangling", "../outside/new.txt");
    fence.link("inside/dir", fence.path("outside"));
    let before = fence.outside();
    for path in
        ["file", "dangling", "dir/secret.txt", "dir/new/deep.txt", "../outside/x.txt", "~/x.txt", "../x.txt"]
    {
        fence.refuses("write", json!({"path": path, "content": "mine"}));
    }
    for path in ["file", "dir/secret.txt", "../outside/secret.txt"] {
        fence.refuses("edit", json!({"path": path, "edits": [{"old_text": "secret", "new_text": "mine"}]}));
    }
    assert_eq!(fence.outside(), before);
    assert!(!fence.path("x.txt").exists());
}

#[test]
fn writing_inside_is_as_it_was() {
    let fence = Fence::new();
    fence.link("inside/link", "sub/b.txt");
    fence.call("write", json!({"path": "new/deep/c.txt", "content": "c"})).unwrap();
    fence.call("write", json!({"path": "link", "content": "through"})).unwrap();
    fence
        .call("edit", json!({"path": "a.txt", "edits": [{"old_text": "allowed", "new_text": "edited"}]}))
        .unwrap();
    fs::hard_link(fence.path("inside/a.txt"), fence.path("inside/other")).unwrap();
    fence.call("write", json!({"path": "other", "content": "both"})).unwrap();
    assert_eq!(fs::read_to_string(fence.path("inside/new/deep/c.txt")).unwrap(), "c");
    assert_eq!(fs::read_to_string(fence.path("inside/sub/b.txt")).unwrap(), "through");
    assert_eq!(fs::read_to_string(fence.path("inside/a.txt")).unwrap(), "both");
    assert!(fence.path("inside/link").symlink_metadata().unwrap().is_symlink());
    let left: Vec<_> =
        fence.path("inside").read_dir().unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 5, "{left:?}");
}

#[test]
fn a_walk_reports_no_link_that_leads_outside() {
    let fence = Fence::new();
    fence.link("inside/out", fence.path("outside/secret.txt"));
    fence.link("inside/outs", fence.path("outside"));
    fence.link("inside/in", "sub/b.txt");
    let found = fence.call("find", json!({"paths": ["*"], "type": "any"})).unwrap();
    assert!(found.text.contains("in\n") || found.text.ends_with("in"), "{}", found.text);
    assert!(!found.text.contains("out"), "{}", found.text);
    let found = fence.call("search", json!({"pattern": "secret", "paths": ["."]})).unwrap();
    assert_eq!(found.details["matchCount"], 0);
}

#[test]
fn commands_start_inside() {
    let fence = Fence::new();
    fence.link("inside/dir", fence.path("outside"));
    for cwd in ["..", "dir", "/", "~"] {
        fence.refuses("bash", json!({"command": "pwd", "cwd": cwd}));
    }
    fence.refuses("bash", json!({"command": "cd ../outside && pwd"}));
    let outcome = fence.call("bash", json!({"command": "pwd", "cwd": "sub"})).unwrap();
    assert_eq!(outcome.text.trim_end(), fence.text("inside/sub"));
}

#[test]
fn several_roots_are_each_allowed_and_no_root_allows_nothing() {
    let fence = Fence::new();
    let read = |roots: &[&str], path: &str| {
        let roots = roots.iter().map(|root| fence.path(root)).collect();
        let context = Context { allowed_roots: Some(roots), ..fence.context() };
        context.confine(|| run("read", &json!({"path": path}), &context)).map(|outcome| outcome.text)
    };
    assert_eq!(read(&["inside/sub", "outside/deep"], "../outside/deep/secret.txt").unwrap(), "secret\n");
    assert_eq!(read(&["inside/sub", "outside/deep"], "sub/b.txt").unwrap(), "allowed too\n");
    for roots in [&["inside/sub"][..], &[], &["nowhere"], &["inside-not"]] {
        assert_eq!(read(roots, "a.txt").unwrap_err().code(), "outside_allowed_roots");
    }
}

#[test]
fn a_root_whose_name_only_begins_alike_is_another() {
    let fence = Fence::new();
    fs::create_dir(fence.path("inside-too")).unwrap();
    fence.file("inside-too/x.txt", "secret\n");
    fence.refuses("read", json!({"path": "../inside-too/x.txt"}));
}

#[test]
fn a_relative_root_is_refused() {
    let error = Confinement::new(Some(&[PathBuf::from("/tmp"), PathBuf::from("here")]), &[]).unwrap_err();
    assert!(
        matches!(error, ToolError::InvalidArguments { ref issues } if issues[0].path == "allowedRoots[1]")
    );
}

#[test]
fn the_confinement_ends_with_the_call_also_after_a_panic() {
    let fence = Fence::new();
    let confinement = Confinement::new(Some(&[fence.path("inside")]), &[]).unwrap();
    let outside = fence.path("outside/secret.txt");
    let _ = std::panic::catch_unwind(|| confinement.enter(|| panic!("expected")));
    assert!(files::read_regular(&outside, "x", 100).is_ok());
    confinement.enter(|| assert!(files::read_regular(&outside, "x", 100).is_err()));
}

/// Runs `call` again and again while `name` leads now inside, now outside.
fn race(fence: &Fence, name: &str, inside: &str, outside: &str, call: impl Fn()) {
    let stop = Arc::new(AtomicBool::new(false));
    let (path, spare) = (fence.path(name), fence.path("spare"));
    let targets = [fence.path(inside), fence.path(outside)];
    let _ = fs::remove_file(&path);
    symlink(&targets[0], &path).unwrap();
    let flipper = {
        let stop = Arc::clone(&stop);
        std::thread::spawn(move || {
            for turn in 1_usize.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                symlink(&targets[turn % 2], &spare).unwrap();
                fs::rename(&spare, &path).unwrap();
            }
        })
    };
    let end = Instant::now() + Duration::from_millis(700);
    while Instant::now() < end {
        call();
    }
    stop.store(true, Ordering::Relaxed);
    flipper.join().unwrap();
}

#[test]
fn a_link_that_is_flipped_while_it_is_read_never_shows_what_lies_outside() {
    let fence = Fence::new();
    fence.file("inside/sub/secret.txt", "allowed\n");
    let roots = [fence.path("inside")];
    for confinement in
        [Confinement::new(Some(&roots), &[]).unwrap(), Confinement::step_by_step(&roots).unwrap()]
    {
        let read = |path: &str| {
            let path = fence.path(path);
            if let Ok((bytes, _)) = confinement.enter(|| files::read_regular(&path, "x", 100)) {
                assert_ne!(bytes, b"secret\n");
            }
        };
        race(&fence, "inside/flip", "inside/sub/secret.txt", "outside/secret.txt", || read("inside/flip"));
        race(&fence, "inside/way", "inside/sub", "outside", || {
            read("inside/way/secret.txt");
            let listed = confinement.enter(|| files::read_dir(&fence.path("inside/way")));
            for entry in listed.into_iter().flatten().flatten() {
                assert_ne!(entry.file_name(), "deep");
            }
        });
    }
}

#[test]
fn a_link_that_is_flipped_while_it_is_written_never_changes_what_lies_outside() {
    let fence = Fence::new();
    let before = fence.outside();
    race(&fence, "inside/way", "inside/sub", "outside", || {
        let _ = fence.call("write", json!({"path": "way/secret.txt", "content": "mine"}));
        let _ = fence.call("write", json!({"path": "way/new/file.txt", "content": "mine"}));
        let _ = fence.call(
            "edit",
            json!({"path": "way/secret.txt", "edits": [{"old_text": "mine", "new_text": "m"}]}),
        );
    });
    assert_eq!(fence.outside(), before);
}

#[test]
fn executors_open_nothing_past_the_one_place_that_asks() {
    // Commands look at their own processes.
    const EXEMPT: &[&str] = &["bash/process/proc.rs"];
    const OPENERS: &[&str] =
        &["File::open(", "OpenOptions", "fs::read(", "fs::read_to_string(", "fs::read_dir(", ".read_dir("];
    let exec = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/exec");
    let (mut open, mut seen) = (vec![exec.clone()], 0);
    while let Some(directory) = open.pop() {
        for entry in directory.read_dir().unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            seen += 1;
            let text = fs::read_to_string(&path).unwrap();
            if EXEMPT.iter().any(|name| path.ends_with(name)) {
                continue;
            }
            for opener in OPENERS {
                assert!(!text.contains(opener), "{} uses `{opener}`: `engine::files` opens", path.display());
            }
        }
    }
    assert!(seen > 20);
}
