//! `bash`: commands that are not run, or not as they were written.
#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{Context, bash, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

fn run(arguments: Value, host: Value, settings: Value) -> Result<Outcome, ToolError> {
    let directory = TempDir::new().unwrap();
    std::fs::write(directory.path().join("f"), "one\ntwo\n").unwrap();
    let context = Context {
        cwd: directory.path().canonicalize().unwrap(),
        settings: Settings::new(settings.as_object().unwrap().clone()),
        bash: serde_json::from_value(host).unwrap(),
        env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        ..Context::default()
    };
    bash::run(&parse_arguments(&arguments.to_string())?, &context, &CancelToken::new())
}

#[track_caller]
fn check_blocked(command: &str, host: &Value, settings: &Value) {
    match run(json!({"command": command}), host.clone(), settings.clone()) {
        Err(ToolError::CommandBlocked { command: named, .. }) => assert_eq!(named, command),
        other => panic!("{command}: {other:?}"),
    }
}

#[track_caller]
fn check_text(command: &str, host: &Value, settings: &Value, expected: &str) {
    let outcome = run(json!({"command": command}), host.clone(), settings.clone());
    assert_eq!(outcome.unwrap_or_else(|error| panic!("{command}: {error}")).text, expected, "{command}");
}

#[test]
fn a_read_only_session_runs_what_reads_and_nothing_else() {
    let host = json!({"readOnly": true});
    check_text("grep -c o f", &host, &json!({}), "2\n");
    check_text("wc -l 'f'", &host, &json!({}), "2 f\n");
    check_text("grep -c 'o' f \"f\"", &host, &json!({}), "f:2\nf:2\n");
}

#[test]
fn a_read_only_session_is_not_talked_round() {
    let host = json!({"readOnly": true});
    let commands = [
        "rm f",
        "cat f",
        "ls; rm f",
        "ls && rm f",
        "ls | sh",
        "ls > g",
        "ls $(rm f)",
        "ls `rm f`",
        "ls \"$(rm f)\"",
        "ls $HOME",
        "ls *",
        "ls \\f",
        "ls & rm f",
        "ls\nrm f",
        "/bin/ls",
        "X=1 ls",
        "PATH=. ls",
        "rg --pre sh x",
        "rg --pre=sh x",
        "rg -z x f",
        "tree -o g",
        "tree -ao g",
        "tree --output g",
        "file -C -m f",
        "file --compile",
        "cd / && ls",
        "(ls)",
        "ls # x",
        "eval ls",
        "'' ls",
        "\"ls",
    ];
    for command in commands {
        check_blocked(command, &host, &json!({}));
    }
}

#[test]
fn a_session_with_a_list_runs_what_begins_so() {
    let host = json!({"allowedPrefixes": ["echo hi", "wc"]});
    check_text("echo   'hi' you", &host, &json!({}), "hi you\n");
    for command in ["echo", "echo hid", "echo hi; rm f", "wcx", "true", "echo hi > g", "echo hi $HOME"] {
        check_blocked(command, &host, &json!({}));
    }
    check_blocked("wc f", &json!({"allowedPrefixes": ["", " "]}), &json!({}));
}

#[test]
fn a_restricted_session_takes_no_variables() {
    let arguments = json!({"command": "wc -l f", "env": {"BASH_ENV": "f", "LD_PRELOAD": "x"}});
    let outcome = run(arguments, json!({"readOnly": true}), json!({})).unwrap();
    assert!(outcome.text.starts_with("2 f\n\n"), "{}", outcome.text);
    assert_eq!(outcome.receipt().1["notices"][0]["kind"], "env_dropped");
}

#[test]
fn the_interceptor_names_the_better_tool() {
    let on = json!({"bashInterceptor.enabled": true});
    let blocked = [
        "cat f",
        "  head -3 f",
        "grep x f",
        "rg x",
        "find . -name '*.ts'",
        "find . -iname x",
        "fd -t f",
        "sed -i s/a/b/ f",
        "sed -E -i.bak s/a/b/ f",
        "perl -pi -e s/a/b/ f",
        "awk -i inplace 1 f",
        "echo hi > g",
        "printf 'a > b' >> g",
        "cat > g <<EOF\nx\nEOF",
        "cat <<EOF > g\nx\nEOF",
    ];
    for command in blocked {
        check_blocked(command, &json!({}), &on);
    }
    for command in [
        "echo 'a > b'",
        "echo a >&2",
        "find . -maxdepth 0",
        "sed -n 1p f",
        "true; cat f",
        "printf x > /dev/null",
    ] {
        run(json!({"command": command}), json!({}), on.clone())
            .unwrap_or_else(|error| panic!("{command}: {error}"));
    }
    check_text("cat f", &json!({}), &json!({}), "one\ntwo\n");
    check_text("cat f", &json!({"tools": ["bash", "write"]}), &on, "one\ntwo\n");
}

#[test]
fn the_rules_of_the_interceptor_can_be_others() {
    let rules = json!([
        {"pattern": "(", "tool": "read", "message": "broken"},
        {"pattern": "^FORBIDDEN", "flags": "i", "tool": "read", "message": "told so"},
        {"pattern": "(a*)*b", "tool": "read", "message": "linear"},
    ]);
    let settings = json!({"bashInterceptor.enabled": true, "bashInterceptor.patterns": rules});
    check_blocked("forbidden x", &json!({}), &settings);
    check_text("cat f", &json!({}), &settings, "one\ntwo\n");
    check_text(&format!("true {}", "a".repeat(30_000)), &json!({}), &settings, "(no output)");
}

#[test]
fn a_final_head_goes_only_on_request_and_is_told() {
    let on = json!({"bash.stripTrailingHeadTail": true});
    let changed = [
        ("seq 3 | head -1", "1\n2\n3\n"),
        ("seq 3 |tail -n 2", "1\n2\n3\n"),
        ("seq 3 2>&1 | head -n=1 -q", "1\n2\n3\n"),
        ("seq 3 |& head --lines=1", "1\n2\n3\n"),
        ("seq 2 | head -1 && seq 3 4 | tail -1", "1\n2\n3\n4\n"),
        ("printf 'éé→ü\\n' | head -5", "éé→ü\n"),
    ];
    for (command, expected) in changed {
        let outcome = run(json!({"command": command}), json!({}), on.clone()).unwrap();
        assert!(outcome.text.starts_with(&format!("{expected}\n\n")), "{command}: {}", outcome.text);
        let notice = &outcome.receipt().1["notices"][0];
        assert_eq!(notice["kind"], "command_changed");
        assert!(notice["removed"].as_array().is_some_and(|removed| !removed.is_empty()));
    }
    let kept = [
        ("seq 5 | tail -n +4", "4\n5\n"),
        ("seq 20 | head -3 | tac", "3\n2\n1\n"),
        ("echo 'x | head -1'", "x | head -1\n"),
        ("echo $(seq 5 | head -2)", "1 2\n"),
        ("head -1 f", "one\n"),
        ("seq 3 | head -1 > g; cat g", "1\n"),
        ("for i in 1 2 3; do echo $i; done | head -1", "1\n"),
        ("(seq 3) | head -1", "1\n"),
        ("seq 3 | head -1 f", "one\n"),
    ];
    for (command, expected) in kept {
        check_text(command, &json!({}), &on, expected);
    }
    check_text("seq 3 | head -1", &json!({}), &json!({}), "1\n");
}

#[test]
fn internal_addresses_become_the_files_they_stand_for() {
    let host = json!({"addresses": [["skill://a/b", "/x y/it's $HOME"], ["memory://m", "/m"]]});
    check_text("echo skill://a/b memory://m", &host, &json!({}), "/x y/it's $HOME /m\n");
    check_text("echo \"skill://a/b\" 'skill://a/b'", &host, &json!({}), "/x y/it's $HOME /x y/it's $HOME\n");
    for command in ["cat artifact://0", "cat <agent://x", "cat rule://unknown"] {
        let error = run(json!({"command": command}), host.clone(), json!({})).unwrap_err();
        assert_eq!(error.code(), "shell_url_rejected", "{command}");
    }
}
