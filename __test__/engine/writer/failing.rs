//! Disks on which calls fail.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::files::{
    Disk, Expected, FileSystem, InPlace, Target, Transaction, Writer, Written,
};

use super::{MADE, MOVED, Place, WRITTEN, lock, long, prepare, state, switch};

/// A disk on which one call, or every call from one on, fails.
#[derive(Debug)]
struct Failing {
    calls: AtomicUsize,
    from: usize,
    until: usize,
    errno: i32,
}

impl Failing {
    fn new(from: usize, until: usize, errno: i32) -> Self {
        Self { calls: AtomicUsize::new(0), from, until, errno }
    }

    fn call<T>(&self, real: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        if (self.from..self.until).contains(&number) {
            return Err(io::Error::from_raw_os_error(self.errno));
        }
        real()
    }
}

impl FileSystem for Failing {
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        self.call(|| Disk.write(file, bytes))
    }
    fn set_length(&self, file: &File, length: u64) -> io::Result<()> {
        self.call(|| Disk.set_length(file, length))
    }
    fn sync(&self, file: &File) -> io::Result<()> {
        self.call(|| Disk.sync(file))
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(|| Disk.link(from, to))
    }
    fn name(&self, file: &File, to: &Path) -> io::Result<()> {
        self.call(|| Disk.name(file, to))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(|| Disk.rename(from, to))
    }
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.call(|| Disk.exchange(one, other))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(|| Disk.remove(path))
    }
}

const EIO: i32 = 5;
const EINTR: i32 = 4;
const ENOSPC: i32 = 28;

/// A change of ten files on a disk whose calls fail from the n-th on, for every n: once, or for good.
#[track_caller]
fn check_every_failure(errno: i32, is_lasting: bool) {
    for number in 0.. {
        let place = Place::new();
        prepare(&place);
        let until = if is_lasting { usize::MAX } else { number + 1 };
        let disk = Failing::new(number, until, errno);
        let result = switch(&Writer::on(&disk, &place.state, true), &place, 'b');
        // What a failing disk could not take back the next call does.
        place.writer().repair().iter().for_each(|repair| assert_eq!(repair.left, None));
        place.lock(&WRITTEN);
        let label = if result.is_ok() { 'b' } else { 'a' };
        let found = place.content();
        assert!(found == state(label), "call {number}, {result:?}: {:?}", found.keys().collect::<Vec<_>>());
        if let Err(error) = result {
            check_told(&error, errno);
        }
        if disk.calls.load(Ordering::Relaxed) <= number {
            return;
        }
    }
}

/// The error names a file of the change and says what the disk said.
#[track_caller]
fn check_told(error: &ToolError, errno: i32) {
    let ToolError::Io { path, reason } = error else { panic!("{error:?}") };
    let names = WRITTEN.into_iter().chain(MOVED).chain([MADE]);
    assert!(names.into_iter().any(|name| name == path), "{error:?}");
    let said = io::Error::from_raw_os_error(errno).to_string();
    let said = said.split(" (os error").next().unwrap_or_default();
    assert!(reason.to_lowercase().contains(&said.to_lowercase()), "{reason:?} does not say {said:?}");
}

/// Every call asks for journals, and where there were none it does not read the directory again before something
/// happens there.
#[test]
fn a_place_that_was_empty_for_long_is_looked_into_again_once_a_journal_lies_there() {
    let place = Place::new();
    prepare(&place);
    fs::create_dir_all(&place.state[0]).expect("the place");
    // Only what has not changed for a while is taken for known.
    std::thread::sleep(Duration::from_millis(3_500));
    assert_eq!(place.writer().repair(), []);
    assert_eq!(place.writer().repair(), []);
    let disk = Failing::new(40, usize::MAX, EIO);
    switch(&Writer::on(&disk, &place.state, true), &place, 'b').expect_err("a failure");
    assert_eq!(place.content()["(journals)"], "1", "the disk could not take it back");
    assert_ne!(place.writer().repair(), []);
    // Clears away the drafts, too.
    place.lock(&WRITTEN);
    assert!(place.content() == state('a'));
}

/// One file alone, which needs no journal unless it is written in place: whatever call fails, the old content or the new
/// one is there, nothing else, and the error says which.
#[test]
fn a_single_write_fails_with_the_old_file_or_ends_with_the_new_one() {
    type Change = fn(&Writer, &Target) -> Result<Vec<Written>>;
    let write: Change = |writer, target| {
        Transaction::new(*writer).write(target, long('b').as_bytes(), Expected::Anything).commit()
    };
    let delete: Change =
        |writer, target| Transaction::new(*writer).delete(target, Expected::Anything).commit();
    for (name, change) in
        [("a0", write), ("linked", write), (MADE, write), ("a1", delete), ("linked", delete)]
    {
        for (errno, is_lasting) in [(EIO, false), (EIO, true), (ENOSPC, false), (ENOSPC, true)] {
            check_every_failure_of_one(name, change, errno, is_lasting);
        }
    }
}

#[track_caller]
fn check_every_failure_of_one(
    name: &str,
    change: fn(&Writer, &Target) -> Result<Vec<Written>>,
    errno: i32,
    is_lasting: bool,
) {
    let changed = {
        let place = Place::new();
        prepare(&place);
        change(&place.writer(), &place.lock(&[name])[0]).expect("the change");
        place.content()
    };
    for number in 0.. {
        let place = Place::new();
        prepare(&place);
        let until = if is_lasting { usize::MAX } else { number + 1 };
        let disk = Failing::new(number, until, errno);
        let writer = Writer::on(&disk, &place.state, true);
        let result = lock(&writer, &place, &[name]).and_then(|targets| change(&writer, &targets[0]));
        place.writer().repair().iter().for_each(|repair| assert_eq!(repair.left, None));
        place.lock(&[name]);
        let expected = if result.is_ok() { changed.clone() } else { state('a') };
        let found = place.content();
        assert!(
            found == expected,
            "{name}, call {number}, {result:?}: {:?}",
            found.keys().collect::<Vec<_>>()
        );
        if let Err(error) = result {
            check_told(&error, errno);
        }
        if disk.calls.load(Ordering::Relaxed) <= number {
            return;
        }
    }
}

#[test]
fn a_call_that_fails_once_loses_nothing() {
    check_every_failure(EIO, false);
    check_every_failure(ENOSPC, false);
}

#[test]
fn a_disk_that_fails_for_good_loses_nothing() {
    check_every_failure(EIO, true);
}

/// Interrupted calls are made again, and a write may take one part after the other.
#[test]
fn interrupted_and_short_writes_are_no_failure() {
    #[derive(Debug)]
    struct Hesitant(AtomicUsize);
    impl FileSystem for Hesitant {
        fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
            match self.0.fetch_add(1, Ordering::Relaxed) % 3 {
                0 => Err(io::Error::from_raw_os_error(EINTR)),
                odd => file.write(&bytes[..bytes.len().min(odd * 1000)]),
            }
        }
        fn sync(&self, file: &File) -> io::Result<()> {
            match self.0.fetch_add(1, Ordering::Relaxed) % 2 {
                0 => Err(io::Error::from_raw_os_error(EINTR)),
                _ => file.sync_all(),
            }
        }
    }
    let place = Place::new();
    prepare(&place);
    let disk = Hesitant(AtomicUsize::new(0));
    switch(&Writer::on(&disk, &place.state, true), &place, 'b').expect("the change");
    assert!(place.content() == state('b'));
}

/// As on a mount point: written in place, with the same promise.
#[test]
fn a_refused_rename_becomes_a_write_in_place() {
    #[derive(Debug)]
    struct Busy;
    impl FileSystem for Busy {
        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            if to.ends_with("a3") { Err(io::ErrorKind::ResourceBusy.into()) } else { fs::rename(from, to) }
        }
        fn exchange(&self, from: &Path, to: &Path) -> io::Result<()> {
            if to.ends_with("a3") { Err(io::ErrorKind::ResourceBusy.into()) } else { Disk.exchange(from, to) }
        }
    }
    let place = Place::new();
    prepare(&place);
    let written = switch(&Writer::on(&Busy, &place.state, true), &place, 'b').expect("the change");
    assert_eq!(written[3].in_place.map(InPlace::name), Some("rename_refused"));
    assert_eq!(written[6].in_place.map(InPlace::name), Some("hard_links"));
    assert!(place.content() == state('b'));
}

#[test]
fn what_was_changed_after_a_crash_is_not_put_back() {
    let place = Place::new();
    prepare(&place);
    // Dies in the middle: every call from one on fails, and nothing can be taken back.
    let total = Failing::new(usize::MAX, usize::MAX, EIO);
    switch(&Writer::on(&total, &place.state, false), &place, 'b').expect("the change");
    switch(&place.writer(), &place, 'a').expect("the change");
    let renames = total.calls.into_inner() * 2 / 3;
    let disk = Failing::new(renames, usize::MAX, EIO);
    switch(&Writer::on(&disk, &place.state, false), &place, 'b').expect_err("a failure");
    assert_eq!(place.content()["a0"], long('b'));
    place.put("a0", "mine by now");
    let repairs = place.writer().repair();
    let left: Vec<_> = repairs.iter().filter_map(|repair| repair.left.as_ref()).collect();
    assert_eq!(left.len(), 1, "{repairs:?}");
    assert_eq!(fs::read_to_string(left[0]).expect("the old content"), long('a'));
    assert_eq!(place.content()["a0"], "mine by now");
    assert_eq!(place.content()["a1"], long('a'));
    assert!(place.writer().repair().is_empty(), "told once");
}
