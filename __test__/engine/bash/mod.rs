//! `bash`: what is run, what is shown, and that nothing stays behind.

mod properties;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{Context, bash, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

struct Fixture {
    directory: TempDir,
    settings: Value,
}

impl Fixture {
    fn new() -> Self {
        Self { directory: TempDir::new().unwrap(), settings: json!({}) }
    }

    fn with(settings: Value) -> Self {
        Self { settings, ..Self::new() }
    }

    fn root(&self) -> std::path::PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    fn context(&self) -> Context {
        Context {
            cwd: self.root(),
            settings: Settings::new(self.settings.as_object().unwrap().clone()),
            has_edit_tool: true,
            env: vec![("PATH".into(), PATH.into()), ("PAGER".into(), "less".into())],
            ..Context::default()
        }
    }

    fn run_with(&self, arguments: &Value, cancel: &CancelToken) -> Result<Outcome, ToolError> {
        bash::run(&parse_arguments(&arguments.to_string())?, &self.context(), cancel)
    }

    fn run(&self, arguments: Value) -> Result<Outcome, ToolError> {
        self.run_with(&arguments, &CancelToken::new())
    }

    fn text(&self, command: &str) -> String {
        self.run(json!({"command": command})).unwrap().text
    }
}

/// The text of a command that succeeds.
#[track_caller]
fn check(command: &str, expected: &str) {
    assert_eq!(Fixture::new().text(command), expected, "{command}");
}

#[track_caller]
fn check_error(arguments: Value, code: &str) -> ToolError {
    let error = Fixture::new().run(arguments).unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    error
}

#[cfg(target_os = "linux")]
fn runs(marker: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|line| line.split(|byte| *byte == 0).any(|part| part == marker.as_bytes()))
}

#[test]
fn shows_what_a_terminal_would_show() {
    for (printed, shown) in [
        ("caf\\351\\n", "caf\u{FFFD}\n"),
        ("a\\000b\\n", "ab\n"),
        ("ab\\rc\\bd\\n", "db\n"),
        ("a\\001b\\rc\\bd\\n", "db\n"),
        ("one\\r\\ntwo\\r\\r\\n", "one\ntwo\n"),
        ("10%%\\r20%%\\r100%%\\ndone\\n", "100%\ndone\n"),
        ("long text\\r\\033[Kab\\n", "ab\n"),
        ("long text\\033[2K\\033[1Gab\\n", "ab\n"),
        ("abc\\033[3G\\033[1Kd\\n", "  d\n"),
        ("\\033[31mred\\033[0m \\033[38;5;1mx\\033[m\\n", "red x\n"),
        ("\\033]0;title\\007a\\033]8;;http://x\\033\\\\link\\033]8;;\\033\\\\\\n", "alink\n"),
        ("\\033(Bplain\\0337\\033=\\n", "plain\n"),
        ("\\033]never ended\\nkept\\n", "\nkept\n"),
        ("\\302\\205x\\302\\233 1mé\\n", "xé\n"),
        ("é\\b\\bab\\rü\\n", "üb\n"),
        ("N\\bNA\\bA\\tx\\n", "NA\tx\n"),
        ("50%%\\r", "50%"),
        ("\\342\\206", "\u{FFFD}"),
    ] {
        check(&format!("printf '{printed}'"), shown);
    }
}

#[test]
fn state_survives_the_end_of_a_read() {
    let pause = "; sleep 0.05; printf ";
    for (parts, shown) in [
        (["'go \\342'", "'\\206'", "'\\222 on\\n'"], "go → on\n"),
        (["'a\\033'", "'[3'", "'1mb\\n'"], "ab\n"),
        (["'old text\\r'", "'new'", "'\\n'"], "new text\n"),
        (["'line\\r'", "'\\n'", "'next\\n'"], "line\nnext\n"),
    ] {
        check(&format!("printf {}", parts.join(pause)), shown);
    }
}

#[test]
fn a_line_without_end_is_written_over_only_at_its_end() {
    let text = Fixture::with(json!({"tools.outputMaxColumns": 0, "tools.artifactTailBytes": 200}))
        .text("head -c 100000 /dev/zero | tr '\\0' a; printf '\\rb\\n'");
    assert_eq!(text.len(), 100_001);
    assert_eq!(text.matches('b').count(), 1);
}

#[test]
fn output_is_kept_as_it_came() {
    check("echo hi", "hi\n");
    check("true", "(no output)");
    check("echo", "\n");
    check("printf '\\n\\na\\n\\n\\n'", "\n\na\n\n\n");
    check("echo out; echo err >&2; echo out2", "out\nerr\nout2\n");
    check("cat; echo done", "done\n");
    check("seq 1 20 | head -3", "1\n2\n3\n");
    check("printf 'éééé→ü\\n' | head -5", "éééé→ü\n");
    check("yes | head -1", "y\n");
    check("-x 2>/dev/null; echo $?", "127\n");
    check("head -c 500000 /dev/zero | tr '\\0' '\\r' >&2; echo done", "done\n");
}

#[test]
fn receipts() {
    let fixture = Fixture::new();
    let (_, details, _) = fixture.run(json!({"command": "echo hi"})).unwrap().receipt();
    assert_eq!(Value::from(details), json!({"timeoutSeconds": 300}));
    let (text, details, _) = fixture.run(json!({"command": "true", "timeout": 0})).unwrap().receipt();
    let notice = &details["notices"][0];
    assert_eq!(text, format!("(no output)\n\n{}", notice["text"].as_str().unwrap()));
    assert_eq!((&details["timeoutSeconds"], &details["requestedTimeoutSeconds"]), (&json!(1), &json!(0)));
    for (fact, value) in [("effective", 1), ("requested", 0), ("min", 1), ("max", 3600)] {
        assert_eq!(notice[fact], value, "{fact}");
    }
    let fraction = fixture.run(json!({"command": "true", "timeout": 1.5})).unwrap();
    assert_eq!((fraction.details["timeoutSeconds"].clone(), fraction.notices.len()), (json!(1.5), 0));
}

#[test]
fn exit_codes() {
    for (command, code, output) in [
        ("echo partial; exit 3", 3, "partial\n"),
        ("exit 5", 5, ""),
        ("kill -TERM $$", 143, ""),
        ("kill -KILL $$", 137, ""),
    ] {
        let error = check_error(json!({"command": command}), "nonzero_exit");
        assert_eq!(error, ToolError::NonzeroExit { exit_code: code, output: output.into() });
        let shown = if output.is_empty() { "(no output)" } else { output };
        assert_eq!(error.to_string(), format!("{shown}\n\nCommand exited with code {code}"));
    }
    check_error(json!({"command": "if then"}), "nonzero_exit");
    check("false | true", "(no output)");
    check("", "(no output)");
}

#[test]
fn refused_arguments() {
    check_error(json!({}), "invalid_arguments");
    check_error(json!({"command": "a\u{0}b"}), "invalid_arguments");
    check_error(json!({"command": "true", "timeout": "10"}), "invalid_arguments");
    let error = check_error(json!({"command": "true", "env": {"A": 1}}), "invalid_arguments");
    assert_eq!(error.fields()["issues"][0]["path"], "env.A");
    check_error(json!({"command": "true", "env": {"A": "\u{0}"}}), "invalid_arguments");
    check_error(json!({"command": "true", "env": {"1X": "a"}}), "invalid_env_name");
    check_error(json!({"command": "true", "async": true}), "async_disabled");
    let fixture = Fixture::with(json!({"async.enabled": true}));
    assert_eq!(
        fixture.run(json!({"command": "true", "async": true})).unwrap_err().code(),
        "async_unavailable"
    );
    check_error(json!({"command": "cat artifact://0"}), "shell_url_rejected");
    check_error(json!({"command": "cat < \"skill://a/b\""}), "shell_url_rejected");
    check(
        "echo https://example.com/a 'memory:// x' my-agent://b",
        "https://example.com/a memory:// x my-agent://b\n",
    );
    let ignored = json!({"command": "echo hi", "description": "x", "pty": true, "async": false, "cwd": null});
    assert_eq!(Fixture::new().run(ignored).unwrap().text, "hi\n");
}

#[test]
fn the_directory() {
    let fixture = Fixture::new();
    let root = fixture.root();
    std::fs::create_dir(root.join("my dir")).unwrap();
    std::fs::create_dir(root.join("my dir/deep")).unwrap();
    std::os::unix::fs::symlink("my dir", root.join("link")).unwrap();
    std::fs::OpenOptions::new().create_new(true).write(true).open(root.join("file")).unwrap();
    let shown = |path: &str| format!("{}\n", root.join(path).display());
    let pwd = |arguments: Value| fixture.run(arguments).map(|outcome| outcome.text);
    assert_eq!(pwd(json!({"command": "pwd", "cwd": "my dir"})).unwrap(), shown("my dir"));
    assert_eq!(pwd(json!({"command": "pwd", "cwd": "link"})).unwrap(), shown("my dir"));
    assert_eq!(pwd(json!({"command": "pwd", "cwd": root.join("link/deep")})).unwrap(), shown("my dir/deep"));
    for (cwd, code) in [("gone", "cwd_not_found"), ("file", "cwd_not_directory"), ("", "empty_path")] {
        assert_eq!(pwd(json!({"command": "pwd", "cwd": cwd})).unwrap_err().code(), code, "{cwd}");
    }
}

#[test]
fn a_leading_cd_moves_the_call_only_where_the_shell_would() {
    let fixture = Fixture::new();
    let root = fixture.root();
    for name in ["sub", "my dir", "a&b"] {
        std::fs::create_dir(root.join(name)).unwrap();
    }
    let at = |path: &str| format!("{}\n", root.join(path).display());
    let both = |first: &str, second: &str| format!("{}{}", at(first), at(second));
    for (command, text) in [
        ("cd sub && pwd", at("sub")),
        ("  cd  sub&&pwd", at("sub")),
        ("cd sub &&\n pwd", at("sub")),
        ("cd \"my dir\" && pwd", at("my dir")),
        ("cd 'my dir' && pwd", at("my dir")),
        ("cd 'a&b' && pwd", at("a&b")),
        ("cd my\\ dir && pwd", at("my dir")),
        ("cd sub; pwd", at("sub")),
        ("D=sub; cd $D && pwd", at("sub")),
        ("cd $PWD/sub && pwd", at("sub")),
        ("cd s?b && pwd", at("sub")),
        ("cd / && pwd", "/\n".into()),
        ("cd sub && pwd && cd - >/dev/null && pwd", both("sub", ".").replace("/.\n", "\n")),
        ("cd sub && true & wait; pwd", at("").replace("/\n", "\n")),
        ("cd sub && pwd 2>&1 && pwd", both("sub", "sub")),
        ("cd gone 2>/dev/null && pwd || echo other", "other\n".into()),
        ("cd gone && pwd || echo other", "other\n".into()),
    ] {
        let shown = fixture.text(command);
        let shown = if command.starts_with("cd gone && ") {
            shown.lines().last().unwrap().to_owned() + "\n"
        } else {
            shown
        };
        assert_eq!(shown, text, "{command}");
    }
    assert_eq!(fixture.run(json!({"command": "cd gone && pwd"})).unwrap_err().code(), "cwd_not_found");
    let error = fixture.run(json!({"command": "cd $GONE/x && pwd"})).unwrap_err();
    assert_eq!(error.code(), "nonzero_exit");
}

#[test]
fn a_deleted_session_directory_is_named() {
    let fixture = Fixture::new();
    let _ = fixture.run(json!({"command": "rm -rf \"$PWD\""}));
    let context = Context {
        cwd: "/nowhere/at/all".into(),
        settings: Settings::default(),
        has_edit_tool: true,
        ..Context::default()
    };
    let options = bash::Options { command: "pwd".into(), ..bash::Options::default() };
    let error = bash::run(&options, &context, &CancelToken::new()).unwrap_err();
    assert_eq!(error, ToolError::CwdNotFound { path: "/nowhere/at/all".into() });
}

#[test]
fn the_environment() {
    let fixture = Fixture::new();
    let shown = "echo $PAGER $GIT_PAGER $EDITOR $GIT_TERMINAL_PROMPT $TERM $CI $NO_COLOR $PYTHONUNBUFFERED";
    assert_eq!(fixture.text(shown), "cat cat true 0 dumb 1 1 1\n");
    let given = json!({"command": "echo \"$FOO|$BAR|$PAGER\"", "env": {"FOO": "a b", "BAR": "$HOME", "PAGER": "more"}});
    assert_eq!(fixture.run(given).unwrap().text, "a b|$HOME|more\n");
    assert_eq!(fixture.text("echo \"[$FOO]\""), "[]\n");
    assert_eq!(
        fixture.text("echo \"[$CARGO_MANIFEST_DIR]\""),
        "[]\n",
        "nothing but what was given is passed on"
    );
}

#[test]
fn the_end_of_a_long_output_is_kept() {
    let lines = |fixture: Fixture, command: &str| {
        let outcome = fixture.run(json!({"command": command})).unwrap();
        let cut = outcome.meta.truncation.clone();
        (outcome, cut)
    };
    let (outcome, cut) = lines(Fixture::new(), "seq 1 3000");
    assert!(cut.is_none() && outcome.text.starts_with("1\n"), "exactly the limit is not cut");
    let (outcome, cut) = lines(Fixture::new(), "seq 1 3001");
    let cut = cut.unwrap();
    assert!(outcome.text.starts_with("2\n3\n") && outcome.text.ends_with("\n3001\n"));
    assert_eq!((cut.direction.as_str(), cut.truncated_by.as_str()), ("tail", "lines"));
    assert_eq!((cut.total_lines, cut.output_lines), (3002, 3001));
    let range = cut.shown_range.unwrap();
    assert_eq!((range.start, range.end), (2, 3002));
    assert_eq!(cut.output_bytes, outcome.text.len() as u64);

    let (outcome, cut) = lines(
        Fixture::with(json!({"tools.artifactTailBytes": 1})),
        "for i in $(seq 1 200); do echo line $i; done",
    );
    let cut = cut.unwrap();
    assert!(outcome.text.starts_with("85\nline 86\n"));
    assert_eq!((cut.truncated_by.as_str(), cut.total_lines, cut.total_bytes), ("bytes", 201, 1692));
    assert_eq!((cut.output_lines, cut.output_bytes, cut.max_bytes), (117, 1024, Some(1024)));
    let range = cut.shown_range.unwrap();
    assert_eq!((range.start, range.end), (85, 201));
}

#[test]
fn both_ends_are_kept_on_request() {
    let settings = json!({"tools.artifactHeadBytes": 0.5, "tools.artifactTailBytes": 0.5});
    let outcome = Fixture::with(settings.clone()).run(json!({"command": "seq 1000 1999"})).unwrap();
    let cut = outcome.meta.truncation.clone().unwrap();
    assert_eq!(
        (cut.direction.as_str(), cut.truncated_by.as_str(), cut.total_bytes),
        ("middle", "middle", 5000)
    );
    assert_eq!(cut.elided_bytes, Some(5000 - 1024));
    let (head, tail) = (cut.head_range.unwrap(), cut.tail_range.unwrap());
    assert_eq!((head.start, head.end, tail.start, tail.end), (1, 103, 898, 1001));
    assert_eq!(cut.elided_lines, Some(1001 - 103 - 104));
    assert_eq!(outcome.notices[0].kind, "elision_marker");
    assert!(outcome.text.starts_with("1000\n") && outcome.text.ends_with("\n1999\n"));
    let whole = Fixture::with(settings).run(json!({"command": "seq 1000 1200"})).unwrap();
    assert!(whole.meta.truncation.is_none() && whole.text.lines().count() == 201);
}

#[test]
fn a_window_starts_with_a_whole_character() {
    let outcome = Fixture::with(json!({"tools.artifactTailBytes": 1}))
        .run(json!({"command": "for i in $(seq 1 400); do printf '→→\\n'; done"}))
        .unwrap();
    assert!(!outcome.text.contains('\u{FFFD}') && outcome.text.len() > 1020 && outcome.text.len() <= 1024);
}

#[test]
fn long_lines_are_cut_after_the_window_is_chosen() {
    let fixture = Fixture::new();
    let outcome = fixture.run(json!({"command": "printf 'é%.0s' $(seq 1 900); echo; echo ok"})).unwrap();
    assert_eq!(outcome.text, format!("{}…\nok\n", "é".repeat(768)));
    assert_eq!(outcome.meta.limits.unwrap().column_truncated.unwrap().max_column, 768);
    assert!(outcome.meta.truncation.is_none());
    let exact = fixture.run(json!({"command": "printf 'x%.0s' $(seq 1 768)"})).unwrap();
    assert!(exact.meta.limits.is_none());
    let error =
        fixture.run(json!({"command": "seq 1 9000; printf 'x%.0s' $(seq 1 900); exit 4"})).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains(" of 9001. ") && text.contains("768") && text.ends_with("Command exited with code 4"),
        "{text}"
    );
}

#[test]
fn a_line_whose_start_is_gone_keeps_its_end() {
    for settings in [json!({}), json!({"tools.artifactTailBytes": 1}), json!({"tools.artifactHeadBytes": 1})]
    {
        let outcome = Fixture::with(settings)
            .run(json!({"command": "head -c 500000 /dev/zero | tr '\\0' e; echo done"}))
            .unwrap();
        assert!(outcome.text.ends_with("eeedone\n"), "{}", outcome.text);
        assert!(outcome.text.lines().all(|line| line.chars().count() <= 769), "{}", outcome.text);
    }
    // A line that is all there loses its end, also right behind the cut.
    let settings = json!({"tools.artifactTailBytes": 1, "tools.outputMaxColumns": 5});
    let outcome =
        Fixture::with(settings).run(json!({"command": "seq 1 500; printf '%01023d\\n' 7"})).unwrap();
    assert!(outcome.text.starts_with("00000…\n"), "{}", outcome.text);
}

/// A command whose output can be kept.
fn ended(command: &str, settings: Value) -> Arc<bash::Ended> {
    let fixture = Fixture::with(settings);
    let options = bash::Options { command: command.into(), ..bash::Options::default() };
    let caller = bash::Caller { holds_output: true, ..bash::Caller::default() };
    let context = Context { state_dirs: vec![fixture.root().join("state")], ..fixture.context() };
    match bash::start(&options, &context, caller, &CancelToken::new()).unwrap() {
        bash::Started::Ended(ended) => ended,
        bash::Started::Running(outcome) => panic!("{}", outcome.text),
    }
}

fn whole(ended: &bash::Ended) -> Option<String> {
    ended.to_keep().map(|whole| whole.text().unwrap())
}

fn kept(missing: u64) -> bash::Kept {
    bash::Kept::Artifact { id: "7".into(), missing }
}

#[test]
fn little_is_shown_of_an_output_that_is_kept() {
    let ended = ended("seq 1 3000", json!({}));
    assert_eq!(whole(&ended).unwrap().lines().count(), 3000);
    let outcome = ended.finish(kept(0)).unwrap();
    let cut = outcome.meta.truncation.unwrap();
    assert_eq!((cut.artifact_id.as_deref(), cut.output_bytes, cut.total_lines), (Some("7"), 1024, 3001));
    assert!(outcome.text.ends_with("\n3000\n"));
}

#[test]
fn much_is_shown_of_an_output_that_could_not_be_kept() {
    let failed = || bash::Kept::Failed { reason: "disk full".into() };
    let outcome = ended("seq 1 3000", json!({})).finish(failed()).unwrap();
    assert!(outcome.text.starts_with("1\n") && outcome.meta.truncation.is_none());
    let cut = ended("seq 1 3001", json!({})).finish(failed()).unwrap().meta.truncation.unwrap();
    assert_eq!(cut.artifact_failure_diagnostic.as_deref(), Some("disk full"));
    // Also where a long line alone is cut.
    let outcome = ended("head -c 1000 /dev/zero | tr '\\0' a", json!({})).finish(failed()).unwrap();
    let cut = outcome.meta.truncation.unwrap();
    assert_eq!((cut.artifact_failure_diagnostic.as_deref(), cut.total_bytes), (Some("disk full"), 1000));
}

#[test]
fn an_output_that_is_shown_whole_is_not_kept() {
    assert!(ended("seq 1 200", json!({})).to_keep().is_none());
    assert!(ended("true", json!({})).to_keep().is_none());
    let ended = ended("head -c 1000 /dev/zero | tr '\\0' a", json!({}));
    assert_eq!(whole(&ended).map(|text| text.len()), Some(1000), "a long line is cut too");
    assert_eq!(ended.finish(kept(0)).unwrap().meta.truncation.unwrap().total_bytes, 1000);
}

#[test]
fn an_error_names_what_was_kept_and_what_is_missing_there() {
    let ended = ended("head -c 11000000 /dev/zero | tr '\\0' a; exit 4", json!({}));
    let limit = 10 * 1024 * 1024;
    assert_eq!(whole(&ended).map(|text| text.len()), Some(limit));
    let error = ended.finish(kept(0)).unwrap_err().to_string();
    assert!(error.contains("artifact://7") && error.contains("502.2KB of it missing"), "{error}");
    assert!(error.ends_with("Command exited with code 4"), "{error}");
}

#[test]
fn the_end_of_endless_output_is_its_end() {
    let outcome =
        Fixture::new().run(json!({"command": "yes 0123456789 | head -c 20000000; echo; echo end"})).unwrap();
    let cut = outcome.meta.truncation.unwrap();
    assert!(outcome.text.ends_with("\nend\n") && outcome.text.len() <= 50 * 1024);
    assert_eq!(cut.total_bytes, 20_000_005);
}

#[test]
fn a_timeout_ends_the_whole_group() {
    let started = Instant::now();
    let command = "trap '' TERM; echo start; sleep 61.5 & sleep 62.5; wait";
    let error = check_error(json!({"command": command, "timeout": 1}), "timeout");
    assert!(started.elapsed() < Duration::from_secs(4));
    let text = error.to_string();
    assert_eq!(text, "[Command timed out after 1 seconds]\nstart\n\n\nCommand timed out after 1 seconds");
    #[cfg(target_os = "linux")]
    assert!(!runs("61.5") && !runs("62.5"));
}

#[test]
fn a_stopped_command_and_one_that_closed_its_output_end_too() {
    for command in ["kill -STOP $$", "exec >&- 2>&-; sleep 63.5"] {
        let started = Instant::now();
        check_error(json!({"command": command, "timeout": 1}), "timeout");
        assert!(started.elapsed() < Duration::from_secs(3), "{command}");
    }
}

#[test]
fn an_abort_is_noticed_at_once_and_keeps_the_output() {
    let (fixture, cancel) = (Fixture::new(), CancelToken::new());
    let canceller = cancel.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        canceller.cancel();
        Instant::now()
    });
    let error = fixture.run_with(&json!({"command": "echo begun; sleep 64.5"}), &cancel).unwrap_err();
    assert!(thread.join().unwrap().elapsed() < Duration::from_secs(1));
    assert_eq!(error, ToolError::Aborted { output: "begun\n".into() });
    assert_eq!(error.to_string(), "begun\n\n\nCommand aborted");
    #[cfg(target_os = "linux")]
    assert!(!runs("64.5"));
    let again = fixture.run_with(&json!({"command": "touch ran"}), &cancel).unwrap_err();
    assert_eq!(again, ToolError::aborted());
    assert!(!fixture.root().join("ran").exists());
}

#[test]
fn background_children_neither_hold_the_call_nor_outlive_it() {
    for (command, marker) in [
        ("sleep 65.5 & echo ready", "65.5"),
        ("(sleep 66.5 &) ; echo ready", "66.5"),
        ("sleep 67.5 >/dev/null 2>&1 & echo ready", "67.5"),
        ("(trap '' TERM; exec sleep 68.5) >/dev/null 2>&1 & sleep 0.1; echo ready", "68.5"),
        ("setsid sleep 69.5 & sleep 0.1; echo ready", "69.5"),
        ("set -m; sleep 70.5 & echo ready", "70.5"),
    ] {
        let started = Instant::now();
        let text = Fixture::new().text(command);
        assert!(text.ends_with("ready\n"), "{command}: {text}");
        assert!(started.elapsed() < Duration::from_millis(2500), "{command}");
        #[cfg(target_os = "linux")]
        assert!(!runs(marker), "{command}");
        #[cfg(not(target_os = "linux"))]
        let _ = marker;
    }
}

#[test]
fn late_output_of_children_is_waited_for_but_not_for_ever() {
    check("(sleep 0.1; echo late) & echo early", "early\nlate\n");
    let started = Instant::now();
    let text = Fixture::new().text("(while sleep 0.05; do echo more; done) & echo first");
    assert!(text.starts_with("first\nmore\n"));
    assert!(started.elapsed() < Duration::from_secs(4));
}

#[test]
fn the_group_is_the_commands_own() {
    let host = rustix::process::getpgrp().as_raw_nonzero().get().to_string();
    let shown = Fixture::new().text("echo $$ $(ps -o pgid= -p $$)");
    let (leader, group) = shown.trim().split_once(' ').unwrap();
    assert_eq!(leader, group);
    assert_ne!(group, host);
    check_error(json!({"command": "kill -9 0"}), "nonzero_exit");
}

#[test]
fn a_command_too_long_for_the_system_is_named() {
    let command = format!("true {}", "x".repeat(3 << 20));
    let error = check_error(json!({"command": command}), "invalid_arguments");
    assert!(error.to_string().contains("`command`"), "{error}");
}

#[test]
fn many_at_once() {
    let started = Instant::now();
    let threads: Vec<_> = (0..20)
        .map(|index| std::thread::spawn(move || Fixture::new().text(&format!("sleep 0.3; echo {index}"))))
        .collect();
    for (index, thread) in threads.into_iter().enumerate() {
        assert_eq!(thread.join().unwrap(), format!("{index}\n"));
    }
    assert!(started.elapsed() < Duration::from_secs(4));
}

#[test]
fn falls_back_to_sh() {
    let fixture = Fixture::new();
    let bin = fixture.root().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(Path::new("/bin/sh"), bin.join("sh")).unwrap();
    let context = Context {
        cwd: fixture.root(),
        settings: Settings::default(),
        has_edit_tool: true,
        env: vec![("PATH".into(), bin.to_string_lossy().into_owned())],
        ..Context::default()
    };
    let options = bash::Options { command: "echo $0".into(), ..bash::Options::default() };
    let shown = bash::run(&options, &context, &CancelToken::new()).unwrap().text;
    assert_eq!(shown, format!("{}\n", bin.join("sh").display()));
}

/// The text of an output that comes in pieces.
fn shown(pieces: &[&[u8]], limits: bash::Limits) -> bash::Shown {
    let (mut terminal, mut window) = (bash::Terminal::default(), bash::Window::new(limits));
    for piece in pieces {
        terminal.feed(piece, &mut window);
    }
    terminal.finish(&mut window);
    window.finish()
}

const EVERYTHING: bash::Limits = bash::Limits { head: 0, tail: 1 << 20, tail_lines: None, columns: 0 };
