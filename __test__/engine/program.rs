//! Programs without a shell.
#![cfg(unix)]

use std::path::PathBuf;
use std::time::Instant;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::Context;
use gajae_tool_core::engine::exec::program::{Ended, Options, run};
use serde_json::{Value, json};

fn context() -> Context {
    let cwd = std::env::temp_dir();
    let env: Vec<(String, String)> =
        vec![("PATH".into(), "/usr/bin:/bin".into()), ("=C:".into(), "x".into())];
    serde_json::from_value(json!({"cwd": cwd, "env": env})).expect("a context")
}

fn start(options: Value, cancel: &CancelToken) -> Result<Ended> {
    let options: Options = serde_json::from_value(options).expect("options");
    run(&options, &context(), cancel)
}

fn shell(script: &str) -> Ended {
    start(json!({"command": "sh", "args": ["-c", script]}), &CancelToken::new()).expect("an end")
}

#[test]
fn outputs_are_apart_and_codes_are_results() {
    let cases = [
        ("echo out; echo err >&2; exit 3", "out\n", "err\n", 3),
        ("kill -TERM $$", "", "", 143),
        ("echo $PWD >&2; [ \"$PWD\" = \"$(pwd -P)\" ]", "", "*", 0),
        ("(sleep 0.5; echo late) & :", "late\n", "", 0),
    ];
    for (script, stdout, stderr, code) in cases {
        let ended = shell(script);
        assert_eq!((ended.stdout.as_str(), ended.code, ended.killed), (stdout, code, false), "{script}");
        assert!(stderr == "*" || ended.stderr == stderr, "{script}: {}", ended.stderr);
    }
}

#[test]
fn a_time_limit_and_an_abort_have_codes_of_their_own() {
    let started = Instant::now();
    let script = json!({"command": "sh", "args": ["-c", "echo early; sleep 30 & wait"], "timeout": 150});
    let ended = start(script, &CancelToken::new()).expect("an end");
    assert_eq!((ended.stdout.as_str(), ended.code, ended.killed), ("early\n", 124, true));
    let cancel = CancelToken::new();
    let later = cancel.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(150));
        later.cancel();
    });
    let ended = start(json!({"command": "sleep", "args": ["30"]}), &cancel).expect("an end");
    assert_eq!((ended.code, ended.killed), (130, true));
    thread.join().expect("a thread");
    assert!(started.elapsed().as_secs() < 10);
}

#[test]
fn long_outputs_are_read_to_their_end_and_kept_in_part() {
    let ended = shell("head -c 12000000 /dev/zero; head -c 11000000 /dev/zero >&2");
    let dropped = ended.dropped.expect("something is missing");
    let kept = 10 * 1024 * 1024;
    assert_eq!((ended.stdout.len(), dropped.stdout), (kept, 12_000_000 - kept));
    assert_eq!((ended.stderr.len(), dropped.stderr), (kept, 11_000_000 - kept));
}

#[test]
fn what_cannot_start_is_an_error_by_name() {
    let missing: PathBuf = std::env::temp_dir().join("no-such-program");
    let cases = [
        (json!({"command": "no-such-program-xyz"}), "path_not_found"),
        (json!({"command": missing}), "path_not_found"),
        (json!({"command": "/etc/passwd"}), "permission_denied"),
        (json!({"command": ""}), "invalid_arguments"),
        (json!({"command": "sh", "args": ["a\0b"]}), "invalid_arguments"),
        (json!({"command": "sh", "timeout": -1}), "invalid_arguments"),
        (json!({"command": "sh", "timeout": 1e300}), "invalid_arguments"),
        (json!({"command": "sh", "cwd": "no/such/place"}), "cwd_not_found"),
        (json!({"command": "true", "args": ["x".repeat(4_000_000)]}), "invalid_arguments"),
    ];
    for (options, code) in cases {
        let error = start(options.clone(), &CancelToken::new()).expect_err("an error");
        assert_eq!(error.code(), code, "{error}");
    }
}
