//! What only `/proc` knows: who in a group is alive, and who left the group but still holds the writing end of the
//! output. Asked only when something is left after a command.

use std::fs;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

/// Ends whoever can still write into the pipe that `output` reads: TERM, `grace`, KILL, `grace`.
pub fn end_writers(output: BorrowedFd<'_>, grace: Duration) {
    let Ok(pipe) = rustix::fs::fstat(output) else { return };
    let target = PathBuf::from(format!("pipe:[{}]", pipe.st_ino));
    let mut found = writers(&target);
    if found.is_empty() {
        return;
    }
    send(&found, Signal::TERM);
    await_exit(&found, grace);
    // With what was started between looking and ending.
    found.extend(writers(&target));
    send(&found, Signal::KILL);
    await_exit(&found, grace);
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

/// Whether a member of the group is more than a zombie. True where `/proc` cannot tell.
pub fn is_alive(group: Pid) -> bool {
    let mut seen = false;
    let alive = processes().any(|id| {
        let stat = fs::read(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap_or_default();
        // `id (name) state parent group …`; a name may hold blanks and parentheses.
        let behind_name = memchr::memrchr(b')', &stat).map_or(&[][..], |at| &stat[at + 1..]);
        let mut fields = behind_name.split(|byte| *byte == b' ').skip(1);
        let (state, member_of) = (fields.next(), fields.nth(1));
        seen |= state.is_some();
        let is_member = member_of == Some(group.as_raw_nonzero().to_string().as_bytes());
        is_member && !matches!(state, Some(b"Z" | b"X" | b"x"))
    });
    alive || !seen
}

/// Signals go through descriptors that name exactly the process that was looked at, whoever has its id by now.
fn send(processes: &[OwnedFd], signal: Signal) {
    for process in processes {
        // Fails if it is gone, which is what was wanted.
        let _ = pidfd_send_signal(process, signal);
    }
}

fn writers(target: &Path) -> Vec<OwnedFd> {
    let others = processes().filter(|id| *id != getpid() && can_write(*id, target));
    others
        .filter_map(|id| {
            let process = pidfd_open(id, PidfdFlags::empty()).ok()?;
            // Asked again now that the descriptor pins the process.
            can_write(id, target).then_some(process)
        })
        .collect()
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    ids.filter_map(Pid::from_raw)
}

/// The links of a process's descriptors carry their access as mode bits. The reading end does not count: a fork of
/// the host holds it for a moment.
fn can_write(id: Pid, target: &Path) -> bool {
    let Ok(entries) = fs::read_dir(format!("/proc/{}/fd", id.as_raw_nonzero())) else { return false };
    entries.flatten().map(|entry| entry.path()).any(|link| {
        fs::read_link(&link).is_ok_and(|to| to == target)
            && link.symlink_metadata().is_ok_and(|metadata| metadata.mode() & 0o200 != 0)
    })
}
