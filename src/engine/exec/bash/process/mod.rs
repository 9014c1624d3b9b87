//! A program as a session of its own, from its start to the end of everything it started. The shell of `bash` is one,
//! what a tool module starts is another.

mod console;
#[cfg(not(unix))]
mod other;
#[cfg(target_os = "linux")]
mod proc;
#[cfg(unix)]
mod spawn;
#[cfg(unix)]
mod unix;

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub use console::{Console, Lease, Size};
#[cfg(not(unix))]
use other::Group;
#[cfg(unix)]
use unix::Group;

use crate::engine::cancel::CancelToken;

/// The longest the token is not looked at.
const TICK: Duration = Duration::from_millis(15);
/// Background children may hold the output this long without writing anything.
const DRAIN_IDLE: Duration = Duration::from_millis(250);
/// And this long in all.
const DRAIN: Duration = Duration::from_secs(2);

/// Where output goes. An empty piece means that time has passed.
pub type Sink<'a> = &'a mut dyn FnMut(Stream, &[u8]);

/// Which output some bytes came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output, and errors that go where it goes.
    Output,
    /// Standard error.
    Errors,
}

/// What is started, and what is expected of it.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// Absolute path.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: &'a [&'a OsStr],
    /// Where it runs.
    pub cwd: &'a Path,
    /// The whole environment; later entries win.
    pub environment: &'a [(String, String)],
    /// How long it may run; absent for ever.
    pub limit: Option<Duration>,
    /// Keeps errors apart from output, and waits for both to be closed. Else errors go into the output, and what runs
    /// on in the background gets a moment only.
    pub is_apart: bool,
    /// What it has for input and outputs instead of pipes, where the system has such things.
    pub terminal: Option<&'a Lease>,
}

impl Launch<'_> {
    /// All but the outputs.
    fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command.args(self.arguments).current_dir(self.cwd).stdin(Stdio::null());
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Finished(Exit),
    /// Stopped after its time.
    TimedOut,
    /// Stopped by the caller.
    Aborted,
}

/// The exit status of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The exit code; 128 + signal after a signal.
    Code(i32),
    /// Someone else in this process has collected it.
    Unknown,
}

/// What one look at the output brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pumped {
    /// Some bytes.
    Data,
    /// Nothing within the time given, or nothing but the exit of the program.
    Nothing,
}

/// Runs the program, hands all output to `sink` in order, and leaves nothing behind. An error means that nothing ran.
pub fn conduct(launch: &Launch<'_>, cancel: &CancelToken, sink: Sink<'_>) -> io::Result<End> {
    let started = Instant::now();
    let mut group = Group::spawn(launch)?;
    let end = loop {
        if cancel.is_cancelled() {
            break Some(End::Aborted);
        }
        if group.has_exited() && (group.output_ended() || !launch.is_apart) {
            break drain(&mut group, cancel, sink);
        }
        let left = launch.limit.map_or(TICK, |limit| limit.saturating_sub(started.elapsed()));
        if left.is_zero() {
            break Some(End::TimedOut);
        }
        if group.pump(left.min(TICK), sink) == Pumped::Nothing {
            sink(Stream::Output, &[]);
        }
    };
    let exit = group.end(sink);
    Ok(end.unwrap_or(End::Finished(exit)))
}

/// Takes what children in the background still write. They get a moment, not the time of the command.
fn drain(group: &mut Group, cancel: &CancelToken, sink: Sink<'_>) -> Option<End> {
    let started = Instant::now();
    let mut last = started;
    while !group.output_ended() && last.elapsed() < DRAIN_IDLE && started.elapsed() < DRAIN {
        if cancel.is_cancelled() {
            return Some(End::Aborted);
        }
        if group.pump(TICK, sink) == Pumped::Data {
            last = Instant::now();
        }
    }
    None
}
