//! What only `/proc` knows: who of a session is alive, and who left it but still holds the writing end of the output.
//! Looked at only when there may be something left after a command.

use std::ffi::OsStr;
use std::fs;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

/// Process ids are given in order; within this time they have not come round.
const IDS_ARE_IN_ORDER: Duration = Duration::from_secs(1);

/// A living process of a session.
#[derive(Debug)]
pub struct Member {
    /// Its id; pinned by nothing.
    id: Pid,
    /// Whether it left the group of the first process.
    pub left_group: bool,
}

/// The living members of the session of `leader`, a process that started `age` ago and is collected. Zombies are none.
pub fn members(leader: Pid, age: Duration) -> Vec<Member> {
    let first = leader.as_raw_nonzero().get();
    let last = last_id();
    // Nobody has started anything since.
    if last == Some(first) && age < IDS_ARE_IN_ORDER {
        return Vec::new();
    }
    let is_in_order = age < IDS_ARE_IN_ORDER && last.is_some_and(|last| last > first);
    let started_later = |id: &Pid| !is_in_order || id.as_raw_nonzero().get() > first;
    processes().filter(started_later).filter_map(|id| member(id, first)).collect()
}

/// Whether anything can be looked up at all.
pub fn is_there() -> bool {
    Path::new("/proc/self/stat").exists()
}

/// Signals a member, unless its id is someone else's by now.
pub fn signal(member: &Member, leader: Pid, signal: Signal) {
    let Ok(process) = pidfd_open(member.id, PidfdFlags::empty()) else { return };
    // Asked again now that the descriptor pins the process.
    if self::member(member.id, leader.as_raw_nonzero().get()).is_some() {
        send(&[process], signal);
    }
}

fn member(id: Pid, session: i32) -> Option<Member> {
    let stat = stat_of(id)?;
    // `state parent group session …`
    let mut fields = stat.split(|byte| *byte == b' ');
    let (state, group, of) = (fields.next()?, fields.nth(1)?, fields.next()?);
    let session = session.to_string();
    let is_living = !matches!(state, b"Z" | b"X" | b"x");
    (is_living && of == session.as_bytes()).then(|| Member { id, left_group: group != session.as_bytes() })
}

/// The process id given last.
fn last_id() -> Option<i32> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_ascii_whitespace().next_back()?.parse().ok()
}

/// The longest that writers are ended for.
const ENDING: Duration = Duration::from_secs(2);
/// Writers may be out of sight for so many looks; then they are those of somebody else.
const MISSES: usize = 4;
/// Between two looks that saw nobody.
const MISS: Duration = Duration::from_millis(5);

/// Ends whoever can still write to what `output` reads, a pipe or a terminal: TERM, `grace`, then KILL and `grace` until
/// there is nobody. A process that is always another one may be none of those that were there when the looking began, so
/// that nobody is seen proves nothing; that the output has ended does.
pub fn end_writers(output: BorrowedFd<'_>, grace: Duration) {
    let Some(target) = written_end(output) else { return };
    let (started, mut signals, mut misses) = (Instant::now(), 0, 0);
    while misses < MISSES && started.elapsed() < ENDING && !has_ended(output) {
        let found = writers(output, &target);
        if found.is_empty() {
            misses += 1;
            std::thread::sleep(MISS);
            continue;
        }
        send(&found, if signals == 0 { Signal::TERM } else { Signal::KILL });
        await_exit(&found, grace);
        (signals, misses) = (signals + 1, 0);
    }
}

/// Whether nobody has the other end open.
fn has_ended(output: BorrowedFd<'_>) -> bool {
    let mut watched = [PollFd::from_borrowed_fd(output, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut watched, Some(&now)).is_ok() && watched[0].revents().contains(PollFlags::HUP)
}

/// How links of descriptors name the other end. As long as this end is open, no other pipe or terminal has that name.
fn written_end(output: BorrowedFd<'_>) -> Option<PathBuf> {
    if let Ok(terminal) = rustix::pty::ptsname(output, Vec::new()) {
        return Some(PathBuf::from(OsStr::from_bytes(terminal.as_bytes())));
    }
    let pipe = rustix::fs::fstat(output).ok()?;
    Some(PathBuf::from(format!("pipe:[{}]", pipe.st_ino)))
}

/// Waits until all of them have exited, at most `limit`.
fn await_exit(processes: &[OwnedFd], limit: Duration) {
    let started = Instant::now();
    for process in processes {
        let left = Timespec::try_from(limit.saturating_sub(started.elapsed())).ok();
        // Readable once the process has exited; an interrupted wait only ends a courtesy early.
        let _ = poll(&mut [PollFd::new(process, PollFlags::IN)], left.as_ref());
    }
}

/// Signals go through descriptors that name exactly the process that was looked at, whoever has its id by now.
fn send(processes: &[OwnedFd], signal: Signal) {
    for process in processes {
        // Fails if it is gone, which is what was wanted.
        let _ = pidfd_send_signal(process, signal);
    }
}

fn writers(output: BorrowedFd<'_>, target: &Path) -> Vec<OwnedFd> {
    let others = processes().filter(|id| *id != getpid() && can_write(*id, target));
    others
        .filter_map(|id| {
            let process = pidfd_open(id, PidfdFlags::empty()).ok()?;
            // Asked again now that the descriptor pins the process; first whether it is a fork, since one that becomes a
            // program in between has closed what it held.
            (!is_fork_of_host(id, output, target) && can_write(id, target)).then_some(process)
        })
        .collect()
}

/// Whether a process is one that this host has forked to start a program, and that is not yet the program. It holds what
/// the host had open at that moment, also the writing end of another call's output, and closes it a moment after it
/// already counts as the new program. That it holds the reading end just where the host does tells it from all that a
/// command started: those were never given that end.
fn is_fork_of_host(id: Pid, output: BorrowedFd<'_>, target: &Path) -> bool {
    let descriptor = format!("/proc/{}/fd/{}", id.as_raw_nonzero(), output.as_raw_fd());
    link_to(Path::new(&descriptor), target).is_some_and(|mode| mode & WRITES == 0)
}

/// What `/proc` says of a process behind `id (name) `; a name may hold blanks and parentheses.
fn stat_of(id: Pid) -> Option<Vec<u8>> {
    let mut stat = fs::read(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
    let behind_name = memchr::memrchr(b')', &stat)? + 2;
    (behind_name <= stat.len()).then(|| stat.split_off(behind_name))
}

/// The newest first: they are those that may be gone in a moment.
fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let ids: Vec<_> = ids.collect();
    ids.into_iter().rev().filter_map(Pid::from_raw)
}

/// Whether a process has the end open that is written to.
fn can_write(id: Pid, target: &Path) -> bool {
    let Ok(entries) = fs::read_dir(format!("/proc/{}/fd", id.as_raw_nonzero())) else { return false };
    entries.flatten().any(|entry| link_to(&entry.path(), target).is_some_and(|mode| mode & WRITES != 0))
}

/// In the mode of a descriptor's link.
const WRITES: u32 = 0o200;

/// The mode of the link of a descriptor, which tells how it may be used, if it leads to `target`.
fn link_to(descriptor: &Path, target: &Path) -> Option<u32> {
    let leads_there = fs::read_link(descriptor).is_ok_and(|to| to == target);
    leads_there.then(|| descriptor.symlink_metadata().ok().map(|metadata| metadata.mode()))?
}
