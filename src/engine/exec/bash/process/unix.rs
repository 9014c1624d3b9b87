//! Sessions of Unix.
//!
//! The rule that keeps signals from hitting strangers: session and group have the process id of the program, and that id is
//! taken as long as the program is not collected (`waitid` only looks) or a member remains. So the group
//! is signalled before the program is collected, or right after a member was seen.

use std::fs::File;
use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::spawn::{Streams, spawn};
use super::{Console, Exit, Launch, Lease, Pumped, Sink, Stream};

/// Time between TERM and KILL, and what each KILL gets.
const TERM_GRACE: Duration = Duration::from_millis(75);
const KILL_GRACE: Duration = Duration::from_millis(150);
/// One is enough for all that is there; what is started meanwhile in a group of its own takes another.
const KILLS: usize = 4;
/// How often the end of a group is looked for; nothing announces it.
const SETTLE_TICK: Duration = Duration::from_millis(2);
/// What is already in the pipe is taken for at most this long.
const LAST_WORDS: Duration = Duration::from_millis(100);
const CHUNK: usize = 64 * 1024;

/// A program, everything of its session, and their outputs.
#[derive(Debug)]
pub struct Group {
    leader: Pid,
    started: Instant,
    state: State,
    /// Becomes readable when the program exits; only where the system has such a thing.
    exit_watch: Option<OwnedFd>,
    /// Those whose other end someone has open.
    outputs: Vec<(Stream, File)>,
    /// Where the output is shown, too, and its input comes from.
    console: Option<Arc<Console>>,
    buffer: Vec<u8>,
}

/// What became of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    /// Exited, not collected: its id is still taken.
    Exited,
    Collected(Exit),
    /// Collected by someone else. Its id may be anyone's now.
    Lost,
}

impl Group {
    /// Starts the program.
    pub fn spawn(launch: &Launch<'_>) -> io::Result<Self> {
        let started = Instant::now();
        let (leader, outputs) = match launch.terminal {
            Some(terminal) => with_terminal(launch, terminal),
            None => with_pipes(launch),
        }?;
        Ok(Self {
            leader,
            started,
            state: State::Running,
            exit_watch: exit_watch(leader),
            outputs,
            console: launch.terminal.map(Lease::console),
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
        if let Some(console) = &self.console {
            console.pass_on();
        }
        // What is left after the exit is little.
        let is_full = watches_exit && self.console.as_ref().is_some_and(|console| console.is_full());
        let watched = if is_full { 0 } else { self.outputs.len() };
        let readable = readable(&self.outputs[..watched], exit.map(AsFd::as_fd), wait);
        let mut pumped = Pumped::Nothing;
        // From the last one, since one that has ended is taken out.
        for at in readable.into_iter().rev() {
            let (stream, output) = &mut self.outputs[at];
            match output.read(&mut self.buffer) {
                Ok(length) if length > 0 => {
                    sink(*stream, &self.buffer[..length]);
                    if let Some(console) = &self.console {
                        console.show(&self.buffer[..length]);
                    }
                    pumped = Pumped::Data;
                }
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
                Ok(_) | Err(_) => drop(self.outputs.remove(at)),
            }
        }
        pumped
    }

    /// Ends everything that is left of the session, and whoever else holds the output. At once where nothing is left.
    pub fn end(mut self, sink: Sink<'_>) -> Exit {
        self.has_exited();
        self.signal(Signal::TERM);
        // A stopped process takes the signal only when it goes on.
        self.signal(Signal::CONT);
        let mut is_gone = self.settles(TERM_GRACE, sink);
        for _ in 0..KILLS {
            if is_gone {
                break;
            }
            self.signal(Signal::KILL);
            is_gone = self.settles(KILL_GRACE, sink);
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
            State::Collected(exit) => exit,
            State::Running | State::Exited | State::Lost => Exit::Unknown,
        }
    }

    /// Waits until the program is collected and its session is empty.
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

    /// Never reaches the host: its session is not that of the program.
    fn signal(&mut self, signal: Signal) {
        if matches!(self.state, State::Running | State::Exited) || self.members_remain() {
            // Fails if the last member is gone meanwhile.
            let _ = rustix::process::kill_process_group(self.leader, signal);
            signal_beyond_group(self.leader, self.started.elapsed(), signal);
        }
    }

    /// Whether a member beside the collected program is there, and with it the session.
    fn members_remain(&self) -> bool {
        if !matches!(self.state, State::Collected(_)) {
            return false;
        }
        // Where this process is the first of a container, orphans of the group are its children.
        let collect = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        while matches!(rustix::process::waitid(WaitId::Pgid(Some(self.leader)), collect), Ok(Some(_))) {}
        has_members(self.leader, self.started.elapsed())
    }

    fn collect(&mut self) {
        if self.state == State::Exited {
            self.state = collect(self.leader).map_or(State::Lost, State::Collected);
        }
    }
}

impl Drop for Group {
    /// Only after a panic, or if the program hangs in the kernel, is anything left to do.
    fn drop(&mut self) {
        if matches!(self.state, State::Running | State::Exited) {
            self.signal(Signal::KILL);
            let leader = self.leader;
            let _ = std::thread::Builder::new().name("collect".into()).spawn(move || collect(leader));
        }
    }
}

/// Starts a program on a terminal of its own.
fn with_terminal(launch: &Launch<'_>, console: &Console) -> io::Result<(Pid, Vec<(Stream, File)>)> {
    let terminal = File::from(open_terminal()?);
    let name = ptsname(&terminal, Vec::new())?;
    let device = terminal.try_clone()?;
    console.fit(&device);
    let leader = spawn(launch, Streams::Terminal(&name))?;
    console.open(device);
    Ok((leader, vec![(Stream::Output, terminal)]))
}

/// Starts a program with one pipe for both outputs, or one for each.
fn with_pipes(launch: &Launch<'_>) -> io::Result<(Pid, Vec<(Stream, File)>)> {
    let (output, writer) = io::pipe()?;
    let mut outputs = vec![(Stream::Output, file(output))];
    let leader = if launch.is_apart {
        let (errors, errors_writer) = io::pipe()?;
        outputs.push((Stream::Errors, file(errors)));
        spawn(launch, Streams::Apart { output: writer.as_fd(), errors: errors_writer.as_fd() })?
    } else {
        spawn(launch, Streams::Pipe(writer.as_fd()))?
    };
    Ok((leader, outputs))
}

fn file(reader: PipeReader) -> File {
    File::from(OwnedFd::from(reader))
}

/// The host's end of a new terminal. Neither reading nor typing waits.
fn open_terminal() -> io::Result<OwnedFd> {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::io::fcntl_setfd(&terminal, rustix::io::FdFlags::CLOEXEC)?;
    grantpt(&terminal)?;
    unlockpt(&terminal)?;
    rustix::fs::fcntl_setfl(&terminal, rustix::fs::OFlags::NONBLOCK)?;
    Ok(terminal)
}

/// Waits for the end of the program and lets its id go.
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

/// The places of the outputs that are readable within `wait`; returns early once `exit` is.
fn readable(outputs: &[(Stream, File)], exit: Option<BorrowedFd<'_>>, wait: Duration) -> Vec<usize> {
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

/// Whether a session has members that are more than orphans nobody has collected.
#[cfg(target_os = "linux")]
fn has_members(leader: Pid, age: Duration) -> bool {
    !super::proc::members(leader, age).is_empty() || (!super::proc::is_there() && has_group(leader))
}

/// Elsewhere only the group of the program can be seen.
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
