//! Process groups of Unix.
//!
//! The rule that keeps signals from hitting strangers: the group has the process id of the program, and that id is
//! taken as long as the program is not collected (`waitid` only looks) or a member of the group remains. So the group
//! is signalled before the program is collected, or right after a member was seen.

use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::{Exit, Launch, Pumped, Sink, Stream};

/// Time between TERM and KILL, and what KILL gets twice.
const TERM_GRACE: Duration = Duration::from_millis(75);
const KILL_GRACE: Duration = Duration::from_millis(150);
/// How often the end of a group is looked for; nothing announces it.
const SETTLE_TICK: Duration = Duration::from_millis(2);
/// What is already in the pipe is taken for at most this long.
const LAST_WORDS: Duration = Duration::from_millis(100);
const CHUNK: usize = 64 * 1024;

/// A program, its group and their output.
#[derive(Debug)]
pub struct Group {
    /// Absent once a thread of its own waits for it.
    child: Option<Child>,
    leader: Pid,
    state: State,
    /// Becomes readable when the program exits; only where the system has such a thing.
    exit_watch: Option<OwnedFd>,
    /// Those whose other end someone has open.
    outputs: Vec<(Stream, PipeReader)>,
    buffer: Vec<u8>,
}

/// What became of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    /// Exited, not collected: its id is still taken.
    Exited,
    Collected(ExitStatus),
    /// Collected by someone else. Its id may be anyone's now.
    Lost,
}

impl Group {
    /// Starts the program. `process_group` keeps the standard library on `posix_spawn`, which does not copy the host.
    pub fn spawn(launch: &Launch<'_>) -> io::Result<Self> {
        let (output, writer) = io::pipe()?;
        let mut outputs = vec![(Stream::Output, output)];
        let errors = if launch.is_apart {
            let (errors, writer) = io::pipe()?;
            outputs.push((Stream::Errors, errors));
            writer
        } else {
            writer.try_clone()?
        };
        let mut command = launch.command();
        let child = command.stdout(writer).stderr(errors).process_group(0).spawn()?;
        // It holds the writing ends, which would keep the outputs from ending.
        drop(command);
        let leader = Pid::from_child(&child);
        Ok(Self {
            child: Some(child),
            leader,
            state: State::Running,
            exit_watch: exit_watch(leader),
            outputs,
            buffer: vec![0; CHUNK],
        })
    }

    /// Whether the program has exited. Does not collect it.
    pub fn has_exited(&mut self) -> bool {
        if self.state == State::Running {
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            self.state = match rustix::process::waitid(WaitId::Pid(self.leader), look) {
                Ok(None) | Err(rustix::io::Errno::INTR) => State::Running,
                Ok(Some(_)) => State::Exited,
                Err(_) => State::Lost,
            };
        }
        self.state != State::Running
    }

    /// Whether everyone has closed the outputs.
    pub fn output_ended(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Waits for output or the exit of the program, at most `wait`; reads at most one chunk of each output.
    pub fn pump(&mut self, wait: Duration, sink: Sink<'_>) -> Pumped {
        let watches_exit = self.state == State::Running;
        let wait = if watches_exit && self.exit_watch.is_none() && self.outputs.is_empty() {
            wait.min(SETTLE_TICK)
        } else {
            wait
        };
        let exit = self.exit_watch.as_ref().filter(|_| watches_exit);
        let readable = readable(&self.outputs, exit.map(AsFd::as_fd), wait);
        let mut pumped = Pumped::Nothing;
        // From the last one, since one that has ended is taken out.
        for at in readable.into_iter().rev() {
            let (stream, output) = &mut self.outputs[at];
            match output.read(&mut self.buffer) {
                Ok(length) if length > 0 => {
                    sink(*stream, &self.buffer[..length]);
                    pumped = Pumped::Data;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => drop(self.outputs.remove(at)),
            }
        }
        pumped
    }

    /// Ends everything that is left of the group, and whoever else holds the output. At once where nothing is left.
    pub fn end(mut self, sink: Sink<'_>) -> Exit {
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
        if !self.outputs.is_empty() {
            for (_, output) in &self.outputs {
                super::proc::end_writers(output.as_fd(), TERM_GRACE);
            }
            self.take_last_words(sink);
        }
        match self.state {
            State::Collected(status) => {
                let signalled = status.signal().map(|signal| 128 + signal);
                status.code().or(signalled).map_or(Exit::Unknown, Exit::Code)
            }
            State::Running | State::Exited | State::Lost => Exit::Unknown,
        }
    }

    /// Waits until the program is collected and its group is empty.
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

    /// Never reaches the host: its group is not that of the program.
    fn signal(&mut self, signal: Signal) {
        if matches!(self.state, State::Running | State::Exited) || self.members_remain() {
            // Fails if the last member is gone meanwhile.
            let _ = rustix::process::kill_process_group(self.leader, signal);
        }
    }

    /// Whether a member beside the collected program is there, and with it the group.
    fn members_remain(&self) -> bool {
        if !matches!(self.state, State::Collected(_)) {
            return false;
        }
        // Where this process is the first of a container, orphans of the group are its children.
        let collect = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        while matches!(rustix::process::waitid(WaitId::Pgid(Some(self.leader)), collect), Ok(Some(_))) {}
        let exists = rustix::process::test_kill_process_group(self.leader) != Err(rustix::io::Errno::SRCH);
        exists && is_alive(self.leader)
    }

    fn collect(&mut self) {
        if self.state == State::Exited {
            let status = self.child.as_mut().map(Child::wait);
            self.state = status.and_then(Result::ok).map_or(State::Lost, State::Collected);
        }
    }
}

impl Drop for Group {
    /// Only after a panic, or if the program hangs in the kernel, is anything left to do.
    fn drop(&mut self) {
        if matches!(self.state, State::Running | State::Exited) {
            self.signal(Signal::KILL);
            if let Some(mut child) = self.child.take() {
                let _ = std::thread::Builder::new().name("collect".into()).spawn(move || child.wait());
            }
        }
    }
}

/// The places of the outputs that are readable within `wait`; returns early once `exit` is.
fn readable(outputs: &[(Stream, PipeReader)], exit: Option<BorrowedFd<'_>>, wait: Duration) -> Vec<usize> {
    let watched = outputs.iter().map(|(_, output)| output.as_fd()).chain(exit);
    let mut watched: Vec<PollFd<'_>> =
        watched.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
    let timeout = Timespec::try_from(wait).ok();
    // An interrupted poll is a poll that saw nothing.
    if !poll(&mut watched, timeout.as_ref()).is_ok_and(|count| count > 0) {
        return Vec::new();
    }
    (0..outputs.len()).filter(|at| !watched[*at].revents().is_empty()).collect()
}

/// Whether an existing group is more than orphans that the first process of a container never collects.
#[cfg(target_os = "linux")]
fn is_alive(group: Pid) -> bool {
    super::proc::is_alive(group)
}

#[cfg(not(target_os = "linux"))]
fn is_alive(_: Pid) -> bool {
    true
}

#[cfg(target_os = "linux")]
fn exit_watch(leader: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(leader, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_watch(_: Pid) -> Option<OwnedFd> {
    None
}
