//! `recipe`: which tasks there are, and what is run.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{Context, parse_arguments, recipe};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::json;
use tempfile::TempDir;

/// A directory with files, and runners that print how they are called.
struct Project {
    directory: TempDir,
    programs: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)], programs: &[&str]) -> Self {
        let project = Self { directory: TempDir::new().unwrap(), programs: TempDir::new().unwrap() };
        for (name, text) in files {
            let path = project.directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        for program in programs {
            let path = project.programs.path().join(program);
            std::fs::write(&path, "#!/bin/sh\nprintf '%s' \"${0##*/}\"; printf ' [%s]' \"$@\"; echo\n")
                .unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        project
    }

    fn context(&self) -> Context {
        let path = format!("{}:/usr/bin:/bin", self.programs.path().display());
        Context {
            cwd: self.directory.path().canonicalize().unwrap(),
            env: vec![("PATH".into(), path)],
            ..Context::default()
        }
    }

    fn run(&self, op: &str) -> Result<Outcome, ToolError> {
        let options = parse_arguments(&json!({"op": op}).to_string())?;
        recipe::run(&options, &self.context(), &CancelToken::new())
    }

    /// `runner:task` of all there are, but for runners of the machine.
    fn tasks(&self) -> Vec<String> {
        let runners = recipe::detect(&self.context());
        runners
            .iter()
            .flat_map(|runner| runner.tasks.iter().map(|task| format!("{}:{}", runner.id, task.name)))
            .collect()
    }
}

#[track_caller]
fn check_tasks(files: &[(&str, &str)], programs: &[&str], expected: &[&str]) -> Project {
    let project = Project::new(files, programs);
    assert_eq!(project.tasks(), expected);
    project
}

#[test]
fn each_runner_has_its_file() {
    check_tasks(
        &[(
            "justfile",
            "set shell := ['sh']\nname := 'x'\nalias b := build\n\n# Build it\nbuild target='all': deps\n  echo\n\n[private]\nhelper:\n@deps:\n_hidden:\ntest +args:\n",
        )],
        &["just"],
        &["just:build", "just:deps", "just:test"],
    );
    check_tasks(
        &[(
            "Makefile",
            "CC := cc\n.PHONY: build \\\n  test\nbuild: ## Build it\n\t@echo x: y\ntest all:\n%.o: %.c\nout.txt: ## make out\nhidden.o:\n$(X): y\n",
        )],
        &["make"],
        &["make:build", "make:test", "make:out.txt"],
    );
    check_tasks(
        &[("makefile", "a b: c\nd::\nx = y:z\n"), ("Makefile", "other:\n")],
        &["make"],
        &["make:a", "make:b", "make:d"],
    );
    check_tasks(
        &[(
            "Taskfile.yml",
            "version: '3'\nvars:\n  A: b\ntasks:\n  default:\n    cmds:\n      - task: build\n  build:\n    desc: Build it\n    cmds: [x]\n  db:migrate: echo\n  'quoted:one':\n    cmd: y\n  secret:\n    internal: true\nincludes:\n  x: y\n",
        )],
        &["task"],
        &["task:default", "task:build", "task:db:migrate", "task:quoted:one"],
    );
    check_tasks(
        &[(
            "deno.jsonc",
            "{\n // tasks\n \"tasks\": {\"dev\": \"deno run x\", \"lint\": {\"command\": \"y\", \"description\": \"z\"},},\n}",
        )],
        &["deno"],
        &["deno:dev", "deno:lint"],
    );
    check_tasks(
        &[
            ("Cargo.toml", "[package]\nname = \"tool\" # x\n[[test]]\nname = \"own\"\npath = \"x.rs\"\n"),
            ("src/main.rs", ""),
            ("src/bin/b.rs", ""),
            ("examples/e/main.rs", ""),
            ("tests/t.rs", ""),
            ("tests/common/mod.rs", ""),
        ],
        &["cargo"],
        &["cargo:test/own", "cargo:bin/tool", "cargo:bin/b", "cargo:example/e", "cargo:test/t"],
    );
    check_tasks(&[("justfile", "a:\n")], &[], &[]);
    check_tasks(
        &[
            ("package.json", "no JSON"),
            ("deno.json", "["),
            ("Cargo.toml", "\u{0}"),
            ("Taskfile.yml", "tasks: ["),
        ],
        &["npm", "deno", "cargo", "task"],
        &[],
    );
}

#[test]
fn the_lock_file_names_the_runner_of_scripts() {
    let package =
        ("package.json", r#"{"scripts": {"test": "x", "a:b": "y", "--evil": "z", "with blank": "z"}}"#);
    for (lock, runner) in
        [("package-lock.json", "npm"), ("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun")]
    {
        let expected = [format!("{runner}:test"), format!("{runner}:a:b")];
        let project = check_tasks(
            &[package, (lock, "")],
            &["npm", "pnpm", "yarn", "bun"],
            &[&expected[0], &expected[1]],
        );
        assert_eq!(project.run("test").unwrap().text, format!("{runner} [run] [test]\n"));
        assert_eq!(project.run("pkg:a:b").unwrap().text, format!("{runner} [run] [a:b]\n"));
    }
    check_tasks(&[package], &["npm", "bun"], &["bun:test", "bun:a:b"]);
}

#[test]
fn packages_of_a_workspace_have_tasks_of_their_own() {
    let files = [
        (
            "package.json",
            r#"{"scripts": {"test": "x"}, "workspaces": ["packages/*", "!packages/out", "tools"]}"#,
        ),
        ("package-lock.json", ""),
        ("packages/a/package.json", r#"{"name": "@s/a", "scripts": {"test": "x"}}"#),
        ("packages/out/package.json", r#"{"scripts": {"test": "x"}}"#),
        ("packages/none/file", ""),
        ("tools/package.json", r#"{"scripts": {"gen": "x"}}"#),
    ];
    check_tasks(&files, &["npm"], &["npm:test", "npm:@s/a/test", "npm:tools/gen"]);
    let project = Project::new(&files, &["npm"]);
    std::fs::write(project.programs.path().join("npm"), "#!/bin/sh\npwd\n").unwrap();
    assert!(project.run("@s/a/test").unwrap().text.ends_with("/packages/a\n"));
    let cargo = [
        ("Cargo.toml", "[workspace]\nmembers = [\n  \"crates/*\", # all\n]\n"),
        ("crates/one/Cargo.toml", "[package]\nname = \"one\"\n"),
        ("crates/one/src/main.rs", ""),
    ];
    let project = check_tasks(&cargo, &["cargo"], &["cargo:one/bin/one"]);
    assert_eq!(
        project.run("one/bin/one -- --x").unwrap().text,
        "cargo [run] [-p] [one] [--bin] [one] [--] [--x]\n"
    );
}

#[test]
fn what_is_passed_on_is_never_the_shells() {
    let project = Project::new(&[("justfile", "build:\n")], &["just"]);
    let cases = [
        ("build", "just [build]\n"),
        ("  build   a  b ", "just [build] [a] [b]\n"),
        ("build A=x 'b c' \"d e\" f\\ g", "just [build] [A=x] [b c] [d e] [f g]\n"),
        (
            "build ; rm -rf $HOME `x` $(y) && z | w > o",
            "just [build] [;] [rm] [-rf] [$HOME] [`x`] [$(y)] [&&] [z] [|] [w] [>] [o]\n",
        ),
        ("just:build it\"'\"s ''", "just [build] [it's] []\n"),
        ("build\n*", "just [build] [*]\n"),
    ];
    for (op, expected) in cases {
        assert_eq!(project.run(op).unwrap().text, expected, "{op}");
    }
    let npm = Project::new(&[("package.json", r#"{"scripts": {"t": "x"}}"#)], &["npm"]);
    assert_eq!(npm.run("t a --watch").unwrap().text, "npm [run] [t] [--] [a] [--watch]\n");
    assert_eq!(npm.run("t --silent -- --watch").unwrap().text, "npm [run] [t] [--silent] [--] [--watch]\n");
}

#[test]
fn a_task_that_is_not_clear_is_not_run() {
    let project = Project::new(&[("justfile", "test:\nonly:\n"), ("Makefile", "test:\n")], &["just", "make"]);
    let code = |op: &str| project.run(op).unwrap_err().code();
    assert_eq!([code(""), code("  "), code("''")], ["recipe_empty_op"; 3]);
    assert_eq!([code("nope"), code("make:only"), code("npm:test")], ["recipe_unknown_task"; 3]);
    let ToolError::RecipeAmbiguousTask { candidates, .. } = project.run("test").unwrap_err() else {
        panic!("it was run")
    };
    assert_eq!(candidates, ["just:test", "make:test"]);
    assert_eq!(code("'open"), "invalid_arguments");
    assert_eq!(project.run("make:test x").unwrap().text, "make [test] [x]\n");
    let error = parse_arguments::<recipe::Options>(r#"{"op": "x", "other": 1}"#).unwrap_err();
    assert_eq!(error.code(), "invalid_arguments");
}

#[test]
fn looking_for_tasks_runs_nothing_and_never_hangs() {
    let project = Project::new(
        &[("Makefile", "$(shell touch ran)\nall:\n"), ("justfile", "x := `touch ran`\nall:\n")],
        &["just", "make", "npm"],
    );
    for program in ["just", "make", "npm"] {
        let script = format!("#!/bin/sh\ntouch {}\n", project.directory.path().join("ran").display());
        std::fs::write(project.programs.path().join(program), script).unwrap();
    }
    let pipe = project.directory.path().join("package.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(project.tasks(), ["just:all", "make:all"]);
    assert!(!Path::new(&project.directory.path().join("ran")).exists());
}

#[test]
fn the_model_is_told_of_a_few() {
    let many: Vec<_> = (0..30).map(|number| format!("task{number}: ## About\u{1b} {number}\n")).collect();
    let project = Project::new(&[("Makefile", &many.concat())], &["make"]);
    let text = recipe::describe(&recipe::detect(&project.context()));
    assert!(
        text.starts_with("make (Makefile):\n- task0: About") && text.ends_with("\n- and 10 more"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'));
}
