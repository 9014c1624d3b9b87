//! Sessions of Unix.
//!
//! The rule that keeps signals from hitting strangers: session and group have the process id of the shell, and that id
//! is taken as long as the shell is not collected (`waitid` only looks) or a member remains. So the group is signalled
//! before the shell is collected, or right after a member was seen.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::spawn::{Streams, spawn};
use super::{Exit, Pumped, Sink};
use crate::engine::exec::bash::prepare::Plan;

/// Time between TERM and KILL, and what KILL gets twice.
const TERM_GRACE: Duration = Duration::from_millis(75);
const KILL_GRACE: Duration = Duration::from_millis(150);
/// How often the end of a group is looked for; nothing announces it.
const SETTLE_TICK: Duration = Duration::from_millis(2);
/// What is already in the pipe is taken for at most this long.
const LAST_WORDS: Duration = Duration::from_millis(100);
const CHUNK: usize = 64 * 1024;

/// A shell, everything of its session, and their output.
#[derive(Debug)]
pub struct Group {
    leader: Pid,
    started: Instant,
    shell: Shell,
    /// Becomes readable when the shell exits; only where the system has such a thing.
    exit_watch: Option<OwnedFd>,
    /// Absent once everyone has closed the other end.
    output: Option<File>,
    buffer: Vec<u8>,
}

/// What became of the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shell {
    Running,
    /// Exited, not collected: its id is still taken.
    Exited,
    Collected(Exit),
    /// Collected by someone else. Its id may be anyone's now.
    Lost,
}

impl Group {
    /// Starts the shell.
    pub fn spawn(plan: &Plan) -> io::Result<Self> {
        let script = ["-c", plan.command.as_str()];
        let started = Instant::now();
        let (leader, output) = if plan.wants_terminal {
            let terminal = open_terminal()?;
            let name = ptsname(&terminal, Vec::new())?;
            (spawn(plan, &script, Streams::Terminal(&name))?, terminal)
        } else {
            let (output, writer) = io::pipe()?;
            (spawn(plan, &script, Streams::Pipe(writer.as_fd()))?, output.into())
        };
        Ok(Self {
            leader,
            started,
            shell: Shell::Running,
            exit_watch: exit_watch(leader),
            output: Some(File::from(output)),
            buffer: vec![0; CHUNK],
        })
    }

    /// Whether the shell has exited. Does not collect it.
    pub fn has_exited(&mut self) -> bool {
        if self.shell == Shell::Running {
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            self.shell = match rustix::process::waitid(WaitId::Pid(self.leader), look) {
                Ok(None) | Err(rustix::io::Errno::INTR) => Shell::Running,
                Ok(Some(_)) => Shell::Exited,
                Err(_) => Shell::Lost,
            };
        }
        self.shell != Shell::Running
    }

    /// Whether everyone has closed the output.
    pub fn output_ended(&self) -> bool {
        self.output.is_none()
    }

    /// Waits for output or the exit of the shell, at most `wait`; reads at most one chunk.
    pub fn pump(&mut self, wait: Duration, sink: Sink<'_>) -> Pumped {
        let watches_exit = self.shell == Shell::Running;
        let wait = if watches_exit && self.exit_watch.is_none() && self.output.is_none() {
            wait.min(SETTLE_TICK)
        } else {
            wait
        };
        let exit = self.exit_watch.as_ref().filter(|_| watches_exit).map(AsFd::as_fd);
        if !is_readable(self.output.as_ref().map(AsFd::as_fd), exit, wait) {
            return Pumped::Nothing;
        }
        let Some(output) = &mut self.output else { return Pumped::Nothing };
        match output.read(&mut self.buffer) {
            Ok(length) if length > 0 => {
                sink(&self.buffer[..length]);
                return Pumped::Data;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => self.output = None,
        }
        Pumped::Nothing
    }

    /// Ends everything that is left of the session, and whoever else holds the output. At once where nothing is left.
    pub fn end(mut self, sink: Sink<'_>) -> Exit {
        self.has_exited();
        self.signal(Signal::TERM);
        // A stopped process takes the signal only when it goes on.
        self.signal(Signal::CONT);
        if !self.settles(TERM_GRACE, sink) {
            self.signal(Signal::KILL);
            if !self.settles(KILL_GRACE, sink) {
                self.signal(Signal::KILL);
                self.settles(KILL_GRACE, sink);
            }
        }
        self.take_last_words(sink);
        #[cfg(target_os = "linux")]
        if let Some(output) = &self.output {
            super::proc::end_writers(output.as_fd(), TERM_GRACE);
            self.take_last_words(sink);
        }
        match self.shell {
            Shell::Collected(exit) => exit,
            Shell::Running | Shell::Exited | Shell::Lost => Exit::Unknown,
        }
    }

    /// Waits until the shell is collected and its session is empty.
    fn settles(&mut self, limit: Duration, sink: Sink<'_>) -> bool {
        let started = Instant::now();
        loop {
            if self.has_exited() {
                self.collect();
                if !self.members_remain() {
                    return true;
                }
            }
            if started.elapsed() >= limit {
                return false;
            }
            self.pump(SETTLE_TICK, sink);
        }
    }

    fn take_last_words(&mut self, sink: Sink<'_>) {
        let started = Instant::now();
        while self.pump(Duration::ZERO, sink) == Pumped::Data && started.elapsed() < LAST_WORDS {}
    }

    /// Never reaches the host: its session is not that of the shell.
    fn signal(&mut self, signal: Signal) {
        if matches!(self.shell, Shell::Running | Shell::Exited) || self.members_remain() {
            // Fails if the last member is gone meanwhile.
            let _ = rustix::process::kill_process_group(self.leader, signal);
            signal_beyond_group(self.leader, self.started.elapsed(), signal);
        }
    }

    /// Whether a member beside the collected shell is there, and with it the session.
    fn members_remain(&self) -> bool {
        if !matches!(self.shell, Shell::Collected(_)) {
            return false;
        }
        // Where this process is the first of a container, orphans of the group are its children.
        let collect = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        while matches!(rustix::process::waitid(WaitId::Pgid(Some(self.leader)), collect), Ok(Some(_))) {}
        has_members(self.leader, self.started.elapsed())
    }

    fn collect(&mut self) {
        if self.shell == Shell::Exited {
            self.shell = collect(self.leader).map_or(Shell::Lost, Shell::Collected);
        }
    }
}

impl Drop for Group {
    /// Only after a panic, or if the shell hangs in the kernel, is anything left to do.
    fn drop(&mut self) {
        if matches!(self.shell, Shell::Running | Shell::Exited) {
            self.signal(Signal::KILL);
            let leader = self.leader;
            let _ = std::thread::Builder::new().name("collect".into()).spawn(move || collect(leader));
        }
    }
}

/// The host's end of a new terminal of a usual size.
fn open_terminal() -> io::Result<OwnedFd> {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::io::fcntl_setfd(&terminal, rustix::io::FdFlags::CLOEXEC)?;
    grantpt(&terminal)?;
    unlockpt(&terminal)?;
    tcsetwinsize(&terminal, Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 })?;
    Ok(terminal)
}

/// Waits for the end of the shell and lets its id go.
fn collect(leader: Pid) -> Option<Exit> {
    let status = loop {
        match rustix::process::waitid(WaitId::Pid(leader), WaitIdOptions::EXITED) {
            Err(rustix::io::Errno::INTR) => {}
            ended => break ended.ok()??,
        }
    };
    let signalled = status.terminating_signal().map(|signal| 128 + signal);
    status.exit_status().or(signalled).map(Exit::Code)
}

/// Whether `output` is readable within `wait`; returns early once `exit` is.
fn is_readable(output: Option<BorrowedFd<'_>>, exit: Option<BorrowedFd<'_>>, wait: Duration) -> bool {
    let mut watched: Vec<PollFd<'_>> =
        output.into_iter().chain(exit).map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
    let timeout = Timespec::try_from(wait).ok();
    // An interrupted poll is a poll that saw nothing.
    let seen = poll(&mut watched, timeout.as_ref()).is_ok_and(|count| count > 0);
    seen && output.is_some() && watched.first().is_some_and(|first| !first.revents().is_empty())
}

/// Whether a session has members that are more than orphans nobody has collected.
#[cfg(target_os = "linux")]
fn has_members(leader: Pid, age: Duration) -> bool {
    !super::proc::members(leader, age).is_empty() || (!super::proc::is_there() && has_group(leader))
}

/// Elsewhere only the group of the shell can be seen.
#[cfg(not(target_os = "linux"))]
fn has_members(leader: Pid, _: Duration) -> bool {
    has_group(leader)
}

fn has_group(leader: Pid) -> bool {
    rustix::process::test_kill_process_group(leader) != Err(rustix::io::Errno::SRCH)
}

/// Reaches members of the session that made groups of their own.
#[cfg(target_os = "linux")]
fn signal_beyond_group(leader: Pid, age: Duration, signal: Signal) {
    use super::proc;
    let members = proc::members(leader, age);
    members.iter().filter(|member| member.left_group).for_each(|member| proc::signal(member, leader, signal));
}

#[cfg(not(target_os = "linux"))]
fn signal_beyond_group(_: Pid, _: Duration, _: Signal) {}

#[cfg(target_os = "linux")]
fn exit_watch(leader: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(leader, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_watch(_: Pid) -> Option<OwnedFd> {
    None
}
