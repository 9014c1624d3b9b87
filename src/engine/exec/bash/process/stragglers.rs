//! Processes that left the group of a command but still hold the writing end of its output, found in `/proc`.

use std::fs;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

/// Ends whoever can still write into the pipe that `output` reads: TERM, `grace`, KILL.
pub fn end(output: BorrowedFd<'_>, grace: Duration) {
    let Ok(pipe) = rustix::fs::fstat(output) else { return };
    let target = PathBuf::from(format!("pipe:[{}]", pipe.st_ino));
    let holders = holders(&target);
    if holders.is_empty() {
        return;
    }
    send(&holders, Signal::TERM);
    std::thread::sleep(grace);
    send(&holders, Signal::KILL);
    // What was started between looking and killing.
    send(&self::holders(&target), Signal::KILL);
}

/// Signals go through descriptors that name exactly the process that was looked at, whoever has its id by now.
fn send(holders: &[OwnedFd], signal: Signal) {
    for holder in holders {
        // Fails if it is gone, which is what was wanted.
        let _ = pidfd_send_signal(holder, signal);
    }
}

fn holders(target: &PathBuf) -> Vec<OwnedFd> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let others = ids.filter_map(Pid::from_raw).filter(|id| *id != getpid());
    others
        .filter(|id| can_write(*id, target))
        .filter_map(|id| {
            let process = pidfd_open(id, PidfdFlags::empty()).ok()?;
            // Asked again now that the descriptor pins the process.
            can_write(id, target).then_some(process)
        })
        .collect()
}

/// The links of a process's descriptors carry their access as mode bits. The reading end does not count: a fork of
/// the host holds it for a moment.
fn can_write(id: Pid, target: &PathBuf) -> bool {
    let Ok(entries) = fs::read_dir(format!("/proc/{}/fd", id.as_raw_nonzero())) else { return false };
    entries.flatten().map(|entry| entry.path()).any(|link| {
        fs::read_link(&link).is_ok_and(|to| to == *target)
            && link.symlink_metadata().is_ok_and(|metadata| metadata.mode() & 0o200 != 0)
    })
}
