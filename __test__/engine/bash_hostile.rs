//! `bash`: commands that try to stay, and hosts whose directories are not what they were.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::{Context, bash, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};
use tempfile::TempDir;

fn context(cwd: PathBuf) -> Context {
    Context { cwd, env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())], ..Context::default() }
}

fn run(arguments: &Value, context: &Context) -> Result<Outcome> {
    bash::run(&parse_arguments(&arguments.to_string())?, context, &CancelToken::new())
}

fn real(directory: &TempDir) -> PathBuf {
    directory.path().canonicalize().unwrap()
}

/// Whether a process runs that names the path.
fn runs(path: &Path) -> bool {
    let path = path.to_str().unwrap().as_bytes();
    let ids = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    ids.filter_map(|id| std::fs::read(id.join("cmdline")).ok())
        .any(|line| line.windows(path.len()).any(|part| part == path))
}

/// Whether nothing of the kind runs any more. What was killed may be listed for another moment; what got away stays.
fn ends(path: &Path) -> bool {
    let started = Instant::now();
    while runs(path) {
        if started.elapsed() > Duration::from_secs(5) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
fn a_process_that_is_always_another_one_is_caught() {
    let directory = TempDir::new().unwrap();
    let script = real(&directory).join("next.sh");
    // In the session of the command, in groups of its own, and in sessions of its own.
    for next in ["bash \"$0\" &", "set -m; bash \"$0\" &", "setsid -f bash \"$0\""] {
        // Ends with its file, should the test fail.
        std::fs::write(
            &script,
            format!("sleep 0.03\n[ ! -e \"$0\" ] || {{ {next} }}\n").replace("\" }", "\"; }"),
        )
        .unwrap();
        let command = format!("bash {0} & sleep 0.2; echo started", script.display());
        // The shells among them may still tell that what they started was killed.
        let text = run(&json!({"command": command}), &context(real(&directory))).unwrap().text;
        assert!(text.starts_with("started\n"), "{text}");
        assert!(ends(&script), "{next}");
        let command = format!("trap '' TERM; bash {0}; sleep 3000", script.display());
        let error = run(&json!({"command": command, "timeout": 1}), &context(real(&directory))).unwrap_err();
        assert_eq!(error.code(), "timeout");
        assert!(ends(&script), "{next}");
    }
}

#[test]
fn a_directory_that_is_swapped_leads_no_command_outside() {
    let (directory, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (root, outside) = (real(&directory), real(&other));
    for (place, name) in [(root.join("work"), "inside"), (outside.clone(), "outside")] {
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("name"), name).unwrap();
    }
    let context = Context { allowed_roots: Some(vec![root.clone()]), ..context(root.clone()) };
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                std::fs::rename(root.join("work"), root.join("aside")).unwrap();
                std::os::unix::fs::symlink(&outside, root.join("work")).unwrap();
                std::fs::remove_file(root.join("work")).unwrap();
                std::fs::rename(root.join("aside"), root.join("work")).unwrap();
            }
        });
        let results: Vec<_> =
            (0..100).map(|_| run(&json!({"command": "cat name", "cwd": "work"}), &context)).collect();
        is_over.store(true, Ordering::Relaxed);
        for result in results {
            match result {
                Ok(outcome) => assert_eq!(outcome.text, "inside"),
                Err(error) => assert!(
                    matches!(
                        error.code(),
                        "cwd_not_found" | "outside_allowed_roots" | "permission_denied" | "cwd_not_directory"
                    ),
                    "{}: {error}",
                    error.code()
                ),
            }
        }
    });
}

#[test]
fn a_directory_that_goes_while_its_command_runs_is_the_commands_own_business() {
    let directory = TempDir::new().unwrap();
    std::fs::create_dir(directory.path().join("gone")).unwrap();
    let command = "rm -r \"$PWD\"; ls; echo end";
    let outcome = run(&json!({"command": command, "cwd": "gone"}), &context(real(&directory)));
    assert_eq!(outcome.unwrap().text, "end\n");
}

#[test]
fn what_a_system_passes_on_is_passed_on() {
    let directory = TempDir::new().unwrap();
    let context = context(real(&directory));
    let text = |arguments: Value| run(&arguments, &context).unwrap().text;
    assert_eq!(text(json!({"command": format!("echo {} | wc -c", "x".repeat(64 << 10))})).trim(), "65537");
    assert_eq!(text(json!({"command": "echo ${#A}", "env": {"A": "x".repeat(64 << 10)}})), "65536\n");
    // A character that comes in pieces, then bytes that are none.
    let pieces = r"printf '\xe2'; sleep 0.03; printf '\x82'; sleep 0.03; printf '\xac\xff\xc3'; sleep 0.03; printf '(\n'";
    assert_eq!(text(json!({"command": pieces})), "€\u{fffd}\u{fffd}(\n");
    // Outputs that the command closes itself.
    assert_eq!(text(json!({"command": "exec 1>&-; echo lost 2> /dev/null; echo told >&2"})), "told\n");
    assert_eq!(text(json!({"command": "exec 0<&- 1>&- 2>&-; sleep 0.1"})), "(no output)");
}
