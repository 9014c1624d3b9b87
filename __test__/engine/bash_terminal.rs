//! `bash`: the terminal of a command as a person has it.
#![cfg(unix)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::exec::bash::{self, Console, Lease};
use gajae_tool_core::engine::exec::{Context, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What a person saw, and what the call gave.
struct Seen {
    screen: String,
    result: Result<Outcome>,
}

/// Runs a command; `act` is a person who looks at the whole screen again and again.
fn run(arguments: &Value, mut act: impl FnMut(&Console, &str) + Send) -> Seen {
    let console = Arc::new(Console::new("one".into(), Box::new(|| {})));
    let lease = Lease::new(&console);
    std::thread::scope(|scope| {
        let person = scope.spawn(|| {
            let mut screen = Vec::new();
            while let Some(bytes) = console.take() {
                screen.extend(bytes);
                act(&console, &String::from_utf8_lossy(&screen));
                std::thread::sleep(Duration::from_millis(2));
            }
            String::from_utf8_lossy(&screen).into_owned()
        });
        let result = start(arguments, lease);
        Seen { screen: person.join().unwrap(), result }
    })
}

fn start(arguments: &Value, lease: Lease) -> Result<Outcome> {
    let directory = TempDir::new().unwrap();
    let context = Context {
        cwd: directory.path().canonicalize().unwrap(),
        bash: serde_json::from_value(json!({"hasUi": true})).unwrap(),
        env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        ..Context::default()
    };
    let options = parse_arguments(&arguments.to_string())?;
    let caller = bash::Caller { terminal: Some(lease), ..bash::Caller::default() };
    match bash::start(&options, &context, caller, &CancelToken::new())? {
        bash::Started::Ended(ended) => ended.finish(bash::Kept::Nowhere),
        bash::Started::Running(outcome) => Ok(*outcome),
    }
}

#[test]
fn what_a_person_types_is_read_and_what_is_written_is_seen() {
    let mut typed = false;
    let seen =
        run(&json!({"command": "echo ready; read x; echo \"got $x\"", "pty": true}), |console, screen| {
            if screen.contains("ready") && !typed {
                typed = console.write("heß\n".as_bytes());
            }
        });
    let outcome = seen.result.unwrap();
    assert!(outcome.text.contains("got heß"), "{}", outcome.text);
    assert_eq!(outcome.details["terminalId"], "one");
    // As it came, with the line breaks of a terminal and the echo.
    assert!(seen.screen.contains("got heß\r\n"), "{:?}", seen.screen);
}

#[test]
fn what_is_typed_too_early_waits() {
    let console = Arc::new(Console::new("one".into(), Box::new(|| {})));
    assert!(console.write(b"early\n"));
    assert!(!console.write("x".repeat(70_000).as_bytes()), "there is room for so much only");
    console.resize((77, 22));
    let outcome =
        start(&json!({"command": "read x; echo \"[$x]\"; stty size", "pty": true}), Lease::new(&console));
    let text = outcome.unwrap().text;
    assert!(text.contains("[early]") && text.contains("22 77"), "{text}");
    assert!(!console.write(b"late\n"), "nobody reads any more");
}

#[test]
fn a_running_command_is_told_of_its_size() {
    let command = "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.02; done";
    let seen = run(&json!({"command": command, "pty": true, "timeout": 60}), |console, screen| {
        if screen.contains("ready") {
            console.resize((99, 33));
        }
    });
    assert!(seen.result.unwrap().text.contains("33 99"));
}

#[test]
fn an_interrupt_that_is_typed_ends_what_runs() {
    let seen =
        run(&json!({"command": "echo ready; sleep 3000", "pty": true, "timeout": 60}), |console, screen| {
            if screen.contains("ready") && !screen.contains("^C") {
                console.write(b"\x03");
            }
        });
    assert!(matches!(seen.result, Err(ToolError::NonzeroExit { exit_code: 130, .. })), "{:?}", seen.result);
}

#[test]
fn who_does_not_look_stops_the_command_and_who_does_sees_every_byte() {
    let command = "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end";
    let console = Arc::new(Console::new("one".into(), Box::new(|| {})));
    let result = start(&json!({"command": command, "pty": true, "timeout": 1}), Lease::new(&console));
    assert!(matches!(result, Err(ToolError::Timeout { .. })), "{result:?}");
    let waiting = console.take().unwrap().len();
    // All of it is ready in a moment; without a limit it would be here.
    assert!(waiting < (1 << 20) + 300_000, "{waiting}");
    let seen = run(&json!({"command": command, "pty": true}), |_, _| {});
    assert!(seen.result.unwrap().text.ends_with("end\n"));
    assert_eq!(seen.screen.bytes().filter(|byte| *byte == b'x').count(), 3_000_000);
}

#[test]
fn only_a_command_that_has_it_is_told_of_and_its_end_once() {
    let check = |arguments: Value, has_it: bool| {
        let told = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&told);
        let tell = Box::new(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        let console = Arc::new(Console::new("one".into(), tell));
        let _ = start(&arguments, Lease::new(&console));
        // Once for the start and all that followed, as nobody took anything.
        assert_eq!(told.load(Ordering::SeqCst), usize::from(has_it), "{arguments}");
        assert_eq!(console.take().is_some(), has_it, "{arguments}");
        assert_eq!(console.take(), None, "{arguments}");
    };
    check(json!({"command": "echo x", "pty": true}), true);
    check(json!({"command": "echo x"}), false);
    check(json!({"command": "echo x", "pty": true, "cwd": "gone"}), false);
    check(json!({"command": "echo x\0", "pty": true}), false);
}
