//! A command as a session of its own, from its start to the end of everything it started.

#[cfg(not(unix))]
mod other;
#[cfg(target_os = "linux")]
mod proc;
#[cfg(unix)]
mod spawn;
#[cfg(unix)]
mod unix;

use std::io;
use std::time::{Duration, Instant};

#[cfg(not(unix))]
use other::Group;
#[cfg(unix)]
use unix::Group;

use super::prepare::Plan;
use crate::engine::cancel::CancelToken;

/// The longest the token is not looked at.
const TICK: Duration = Duration::from_millis(15);
/// Background children may hold the output this long without writing anything.
const DRAIN_IDLE: Duration = Duration::from_millis(250);
/// And this long in all.
const DRAIN: Duration = Duration::from_secs(2);

/// Where output goes. An empty piece means that time has passed.
pub type Sink<'a> = &'a mut dyn FnMut(&[u8]);

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

/// The exit status of a shell.
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
    /// Nothing within the time given, or nothing but the exit of the shell.
    Nothing,
}

/// Runs the plan, hands all output to `sink` in order, and leaves nothing behind. An error means that nothing ran.
pub fn conduct(plan: &Plan, cancel: &CancelToken, sink: Sink<'_>) -> io::Result<End> {
    let started = Instant::now();
    let mut group = Group::spawn(plan)?;
    let end = loop {
        if cancel.is_cancelled() {
            break Some(End::Aborted);
        }
        if group.has_exited() {
            break drain(&mut group, cancel, sink);
        }
        let left = plan.timeout.duration().saturating_sub(started.elapsed());
        if left.is_zero() {
            break Some(End::TimedOut);
        }
        if group.pump(left.min(TICK), sink) == Pumped::Nothing {
            sink(&[]);
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
