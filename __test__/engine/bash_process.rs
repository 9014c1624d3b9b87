//! `bash`: what becomes of processes, terminals and shared state.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::{Context, bash, parse_arguments};
use gajae_tool_core::engine::outcome::Outcome;
use gajae_tool_core::engine::session::Session;
use gajae_tool_core::engine::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Fixture {
    directory: TempDir,
    context: Context,
}

impl Fixture {
    fn new(settings: &Value, host: Value) -> Self {
        let directory = TempDir::new().unwrap();
        let context = Context {
            cwd: directory.path().canonicalize().unwrap(),
            settings: Settings::new(settings.as_object().unwrap().clone()),
            bash: serde_json::from_value(host).unwrap(),
            env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            session: Some(Arc::new(Session::default())),
            ..Context::default()
        };
        Self { directory, context }
    }

    fn run(&self, arguments: Value) -> Result<Outcome, ToolError> {
        bash::run(&parse_arguments(&arguments.to_string())?, &self.context, &CancelToken::new())
    }

    fn text(&self, command: &str) -> String {
        self.run(json!({"command": command})).unwrap_or_else(|error| panic!("{command}: {error}")).text
    }

    /// Starts a command that may become a job, and hears of its end.
    fn start(&self, arguments: Value) -> (Result<Outcome, ToolError>, Ends) {
        let ends = Ends::default();
        let tell = ends.clone();
        let background = bash::Background {
            token: CancelToken::new(),
            on_end: Box::new(move |id| tell.0.lock().unwrap().push(id.map(str::to_owned))),
        };
        let caller = bash::Caller { background: Some(background), ..bash::Caller::default() };
        let options = parse_arguments(&arguments.to_string()).unwrap();
        let started = bash::start(&options, &self.context, caller, &CancelToken::new());
        let outcome = started.and_then(|started| match started {
            bash::Started::Ended(ended) => ended.finish(bash::Kept::Nowhere),
            bash::Started::Running(outcome) => Ok(*outcome),
        });
        (outcome, ends)
    }

    fn jobs(&self) -> &bash::Jobs {
        &self.context.session.as_ref().unwrap().jobs
    }
}

#[derive(Debug, Clone, Default)]
struct Ends(Arc<Mutex<Vec<Option<String>>>>);

impl Ends {
    /// Waits for the one end there will be.
    fn get(&self) -> Option<String> {
        eventually(|| !self.0.lock().unwrap().is_empty());
        self.0.lock().unwrap()[0].clone()
    }
}

#[track_caller]
fn eventually(is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(10), "it never happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process has the marker among its arguments.
#[cfg(target_os = "linux")]
fn runs(marker: &str) -> bool {
    process_with(marker).is_some()
}

/// The id of the process that has the marker among its arguments.
#[cfg(target_os = "linux")]
fn process_with(marker: &str) -> Option<String> {
    let is_marker = |argument: &[u8]| argument == marker.as_bytes();
    std::fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let has_it = line.split(|byte| *byte == 0).skip(1).any(is_marker);
        has_it.then(|| entry.file_name().into_string().ok())?
    })
}

#[test]
fn the_session_is_the_commands_own() {
    let fixture = Fixture::new(&json!({}), json!({}));
    let text = fixture.text("echo $$ $(ps -o sid= -p $$) $(ps -o pgid= -p $$)");
    let ids: Vec<_> = text.split_whitespace().collect();
    assert!(ids[0] == ids[1] && ids[1] == ids[2], "{text}");
    // Without a terminal there is none to ask on.
    assert_eq!(fixture.text("(: < /dev/tty) 2> /dev/null && echo asks || echo silent"), "silent\n");
}

#[test]
fn a_signal_that_the_host_ignores_is_not_ignored() {
    // The test harness ignores SIGPIPE as every Rust program does.
    let text = Fixture::new(&json!({}), json!({})).text("yes | head -1; echo ${PIPESTATUS[0]}");
    assert_eq!(text, "y\n141\n");
}

#[test]
fn descriptors_of_the_host_stay_with_the_host() {
    let file = tempfile::tempfile().unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    let shown = Fixture::new(&json!({}), json!({})).text("ls /dev/fd/ | wc -l");
    let open: u32 = shown.trim().parse().unwrap();
    assert!(open <= 5, "{open} descriptors are open");
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_in_a_group_of_its_own_does_not_outlive_the_call() {
    let fixture = Fixture::new(&json!({}), json!({}));
    assert_eq!(fixture.text("set -m; sleep 71.5 > /dev/null 2>&1 & echo left"), "left\n");
    assert!(!runs("71.5"));
    assert_eq!(
        fixture.text("set -m; (trap '' TERM; sleep 72.5) > /dev/null 2>&1 & sleep 0.2; echo left"),
        "left\n"
    );
    assert!(!runs("72.5"));
    // It left the session and holds the output.
    assert_eq!(fixture.text("setsid sleep 73.5 & sleep 0.1; echo left"), "left\n");
    assert!(!runs("73.5"));
    // The same with a terminal for an output.
    let person = Fixture::new(&json!({}), json!({"hasUi": true}));
    let arguments = json!({"command": "setsid sleep 78.5 & sleep 0.1; echo left", "pty": true});
    assert_eq!(person.run(arguments).unwrap().text, "left\n");
    assert!(!runs("78.5"));
    // It also holds after a second, when process ids may have come round.
    assert_eq!(fixture.text("set -m; sleep 74.5 > /dev/null 2>&1 & sleep 1.2; echo left"), "left\n");
    assert!(!runs("74.5"));
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_of_calls_that_end_in_any_way() {
    let descriptors = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let fixture = Fixture::new(&json!({}), json!({}));
    fixture.text("true");
    let before = descriptors();
    for round in 0..60_u64 {
        let cancel = CancelToken::new();
        let canceller = cancel.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(round * 7 % 40));
            canceller.cancel();
        });
        let command =
            ["sleep 75.5 & sleep 75.5", "yes", "true", "sleep 75.5 & echo x", "set -m; sleep 75.5 & wait"]
                [(round % 5) as usize];
        let options = parse_arguments(&json!({"command": command}).to_string()).unwrap();
        let _ = bash::run(&options, &fixture.context, &cancel);
        thread.join().unwrap();
    }
    assert!(!runs("75.5"));
    // Other tests of this process open and close some.
    eventually(|| descriptors() <= before + 20);
}

/// A fork of the host is a copy of its descriptors for a moment, also after it has become another program.
#[test]
#[cfg(target_os = "linux")]
fn what_the_host_starts_meanwhile_is_not_ended_with_a_call() {
    use std::os::fd::{AsRawFd, BorrowedFd};
    use std::os::unix::process::CommandExt;

    let (fixture, cancel) = (Fixture::new(&json!({}), json!({})), CancelToken::new());
    let options = parse_arguments(&json!({"command": "exec sleep 79.5"}).to_string()).unwrap();
    std::thread::scope(|scope| {
        let call = scope.spawn(|| bash::run(&options, &fixture.context, &cancel));
        eventually(|| process_with("79.5").is_some());
        let output = std::fs::read_link(format!("/proc/{}/fd/1", process_with("79.5").unwrap())).unwrap();
        let own = std::fs::read_dir("/proc/self/fd").unwrap().flatten().map(|entry| entry.path());
        let reading_end =
            own.into_iter().find(|end| std::fs::read_link(end).is_ok_and(|to| to == output)).unwrap();
        let writing_end = std::fs::OpenOptions::new().write(true).open(&reading_end).unwrap();
        let number =
            |end: &std::path::Path| end.file_name().unwrap().to_str().unwrap().parse::<i32>().unwrap();
        let held = [number(&reading_end), writing_end.as_raw_fd()];
        let mut other = std::process::Command::new("sleep");
        // SAFETY: calls nothing that a forked process may not call; both descriptors are open in it.
        unsafe {
            other.arg("80.5").pre_exec(move || {
                held.iter().try_for_each(|end| {
                    let end = BorrowedFd::borrow_raw(*end);
                    Ok(rustix::io::fcntl_setfd(end, rustix::io::FdFlags::empty())?)
                })
            })
        };
        let mut other = other.spawn().unwrap();
        drop(writing_end);
        cancel.cancel();
        assert_eq!(call.join().unwrap().unwrap_err().code(), "aborted");
        assert_eq!(other.try_wait().unwrap(), None, "it goes on");
        other.kill().unwrap();
        other.wait().unwrap();
    });
}

#[test]
fn a_terminal_is_there_only_for_a_person() {
    let arguments = json!({"command": "test -t 0 && test -t 1 && echo terminal $TERM; stty size 2>/dev/null; echo end", "pty": true});
    let seen = Fixture::new(&json!({}), json!({"hasUi": true})).run(arguments.clone()).unwrap().text;
    assert_eq!(seen, "terminal xterm-256color\n40 120\nend\n");
    let unseen = Fixture::new(&json!({}), json!({})).run(arguments).unwrap().text;
    assert_eq!(unseen, "end\n");
}

#[test]
fn a_command_with_a_terminal_obeys_its_limits() {
    let fixture = Fixture::new(&json!({}), json!({"hasUi": true}));
    let started = Instant::now();
    let error =
        fixture.run(json!({"command": "echo before; read line", "pty": true, "timeout": 1})).unwrap_err();
    assert_eq!(error.code(), "timeout");
    assert!(error.to_string().contains("before") && started.elapsed() < Duration::from_secs(4));
    let text = fixture
        .run(json!({"command": "(: < /dev/tty) && echo own; seq 20000 | tail -1", "pty": true}))
        .unwrap()
        .text;
    assert_eq!(text, "own\n20000\n");
}

#[test]
fn state_is_shared_only_on_request() {
    let fresh = Fixture::new(&json!({}), json!({}));
    fresh.text("A=1; f() { echo f; }; cd /");
    assert_eq!(fresh.text("echo [$A]; type f > /dev/null 2>&1 || echo gone"), "[]\ngone\n");

    let kept = Fixture::new(&json!({"bash.persistentSession": true}), json!({}));
    std::fs::create_dir(kept.directory.path().join("sub dir")).unwrap();
    kept.text("A='it'\\''s\nlong'; export B=2; L=(x 'y z'); f() { echo \"f $1\"; }; alias hi='echo hi'; cd 'sub dir'; set -o noglob");
    assert_eq!(
        kept.text("echo \"$A\"; sh -c 'echo $B'; echo ${L[1]}; f 3; basename \"$PWD\"; echo *"),
        "it's\nlong\n2\ny z\nf 3\nsub dir\n*\n"
    );
    assert_eq!(
        kept.run(json!({"command": "echo $C; A=new; exit 5", "env": {"C": "c"}})).unwrap_err().to_string(),
        "c\n\n\nCommand exited with code 5"
    );
    assert_eq!(kept.text("echo [$C] $A"), "[] new\n", "what is given is for one command");
    assert_eq!(kept.run(json!({"command": "pwd", "cwd": "/"})).unwrap().text, "/\n");
    assert_eq!(kept.run(json!({"command": "sleep 20", "timeout": 1})).unwrap_err().code(), "timeout");
    assert_eq!(kept.text("echo $A"), "new\n", "a command that is stopped takes nothing along");
    assert_eq!(kept.run(json!({"command": "if then"})).unwrap_err().code(), "nonzero_exit");
    assert_eq!(kept.text("echo $A"), "new\n");
}

#[test]
fn a_job_goes_on_and_is_told_when_it_ends() {
    let fixture = Fixture::new(&json!({"async.enabled": true}), json!({}));
    let (outcome, ends) = fixture.start(json!({"command": "echo hi; sleep 0.3; echo there", "async": true}));
    let outcome = outcome.unwrap();
    assert!(
        outcome.text.starts_with("Background job bg_1 started: echo hi; sleep 0.3; echo there\n"),
        "{}",
        outcome.text
    );
    assert_eq!(outcome.receipt().1["async"], json!({"state": "running", "jobId": "bg_1", "type": "bash"}));
    eventually(|| fixture.jobs().get("bg_1").unwrap().text == "hi\n");
    assert_eq!(fixture.jobs().get("bg_1").unwrap().state, "running");
    assert_eq!(ends.get().as_deref(), Some("bg_1"));
    let job = fixture.jobs().get("bg_1").unwrap();
    assert_eq!((job.state, job.text.as_str(), job.exit_code), ("completed", "hi\nthere\n", Some(0)));
    let (_, ends) = fixture.start(json!({"command": "echo no; exit 3", "async": true}));
    assert_eq!(ends.get().as_deref(), Some("bg_2"));
    let job = fixture.jobs().get("bg_2").unwrap();
    assert_eq!((job.state, job.code, job.exit_code), ("failed", Some("nonzero_exit"), Some(3)));
    assert_eq!(fixture.jobs().list().len(), 2);
    assert!(fixture.jobs().get("bg_3").is_none() && !fixture.jobs().cancel("bg_1"));
}

#[test]
fn a_job_can_be_ended_and_ends_with_its_session() {
    let settings = json!({"async.enabled": true, "async.maxJobs": 1});
    let fixture = Fixture::new(&settings, json!({}));
    let (_, ends) = fixture.start(json!({"command": "sleep 76.5", "async": true}));
    let (refused, _) = fixture.start(json!({"command": "touch ran", "async": true}));
    assert_eq!(refused.unwrap_err().code(), "async_unavailable");
    assert!(!fixture.context.cwd.join("ran").exists(), "nothing of it ran");
    assert!(fixture.jobs().cancel("bg_1"));
    assert_eq!(ends.get().as_deref(), Some("bg_1"));
    assert_eq!(fixture.jobs().get("bg_1").unwrap().state, "cancelled");
    let (_, ends) = fixture.start(json!({"command": "sleep 77.5", "async": true}));
    drop(fixture);
    assert_eq!(ends.get().as_deref(), Some("bg_2"));
    #[cfg(target_os = "linux")]
    assert!(!runs("76.5") && !runs("77.5"));
}

#[test]
fn a_command_that_takes_long_becomes_a_job() {
    let settings = json!({"bash.autoBackground.enabled": true, "bash.autoBackground.thresholdMs": 300});
    let fixture = Fixture::new(&settings, json!({}));
    let (quick, ends) = fixture.start(json!({"command": "echo quick"}));
    assert_eq!((quick.unwrap().text.as_str(), ends.get()), ("quick\n", None));
    let (long, ends) = fixture.start(json!({"command": "echo early; sleep 1; echo late"}));
    assert!(long.unwrap().text.starts_with("early\nBackground job bg_1 started: "));
    ends.get();
    assert_eq!(fixture.jobs().get("bg_1").unwrap().text, "early\nlate\n");
}

#[test]
fn a_running_command_is_told_of_piece_by_piece() {
    let fixture = Fixture::new(&json!({}), json!({}));
    let mut told = Vec::new();
    let mut tell = |outcome: Outcome| told.push((Instant::now(), outcome.text));
    let caller = bash::Caller { on_update: Some(&mut tell), ..bash::Caller::default() };
    let options = parse_arguments(&json!({"command": "for i in 1 2 3; do echo $i; sleep 0.1; done; printf '10%%\\r20%%'; sleep 0.2; yes | head -n 3000000 | tail -1"}).to_string()).unwrap();
    bash::start(&options, &fixture.context, caller, &CancelToken::new()).unwrap();
    let texts: Vec<_> = told.iter().map(|(_, text)| text.as_str()).collect();
    assert!(texts.starts_with(&["1\n", "1\n2\n", "1\n2\n3\n"]), "{texts:?}");
    assert!(texts.contains(&"1\n2\n3\n20%"), "a line without end is shown, too: {texts:?}");
    assert!(told.windows(2).all(|pair| pair[1].0 - pair[0].0 >= Duration::from_millis(45)));
}

#[test]
fn a_long_output_goes_into_a_file_that_nobody_sees() {
    let mut fixture = Fixture::new(&json!({}), json!({}));
    let state: PathBuf = fixture.directory.path().join("state");
    fixture.context.state_dirs = vec![state.clone()];
    let caller = bash::Caller { holds_output: true, ..bash::Caller::default() };
    let options = parse_arguments(&json!({"command": "seq 1 500000"}).to_string()).unwrap();
    let bash::Started::Ended(ended) =
        bash::start(&options, &fixture.context, caller, &CancelToken::new()).unwrap()
    else {
        panic!("it became a job");
    };
    let text = ended.to_keep().unwrap().text().unwrap();
    assert!(text.starts_with("1\n2\n") && text.ends_with("\n500000\n"));
    assert_eq!(text.lines().count(), 500_000);
    assert_eq!(std::fs::read_dir(&state).unwrap().count(), 0);
}

/// The host forks to start a program; for a moment the fork holds what the host has open, also another call's output.
#[test]
fn a_command_is_not_ended_for_what_it_held_before_it_began() {
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let fixture = Fixture::new(&json!({}), json!({}));
                for round in 0..50 {
                    assert_eq!(fixture.text(&format!("echo {round}")), format!("{round}\n"));
                }
            });
        }
    });
}
