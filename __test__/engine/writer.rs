//! The writer below every tool: processes that are killed, disks that fail, and others who write at the same time.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::{Result, ToolError};
use gajae_tool_core::engine::files::{
    Disk, Expected, FileSystem, InPlace, Mark, Target, Transaction, Writer, Written,
};
use tempfile::TempDir;

/// Tells a run of this program that it is a child, and what to do.
const ROLE: &str = "WRITER_TEST_ROLE";
const PLACE: &str = "WRITER_TEST_PLACE";

/// A directory `tree` to work in and a directory for journals beside it.
struct Place {
    root: PathBuf,
    state: Vec<PathBuf>,
    _temporary: Option<TempDir>,
}

impl Place {
    fn new() -> Self {
        let temporary = tempfile::tempdir().expect("a directory");
        let root = temporary.path().canonicalize().expect("a directory");
        fs::create_dir(root.join("tree")).expect("a directory");
        Self { _temporary: Some(temporary), ..Self::at(&root) }
    }

    fn at(root: &Path) -> Self {
        Self { root: root.to_owned(), state: vec![root.join("state")], _temporary: None }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join("tree").join(name)
    }

    fn put(&self, name: &str, content: &str) {
        fs::create_dir_all(self.path(name).parent().expect("a parent")).expect("a directory");
        fs::write(self.path(name), content).expect("a file");
    }

    fn writer(&self) -> Writer<'_> {
        Writer::new(&self.state, false)
    }

    fn lock(&self, names: &[&str]) -> Vec<Target> {
        lock(&self.writer(), self, names).expect("the lock")
    }

    /// Every name below the tree with what it holds, and whether journals are left.
    fn content(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.root.join("tree")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a directory").flatten() {
                let path = entry.path();
                let name = path.strip_prefix(self.path("")).expect("below").to_string_lossy().into_owned();
                if path.is_dir() {
                    files.insert(name, "(directory)".into());
                    folders.push(path);
                } else {
                    files.insert(name, fs::read_to_string(&path).unwrap_or_else(|error| error.to_string()));
                }
            }
        }
        let journals = fs::read_dir(&self.state[0]).map_or(0, Iterator::count);
        files.insert("(journals)".into(), journals.to_string());
        files
    }

    fn child(&self, role: &str) -> Child {
        Command::new(std::env::current_exe().expect("this program"))
            .args(["writer::what_a_child_does", "--exact", "--nocapture", "--test-threads=1"])
            .envs([(ROLE, role.as_ref()), (PLACE, self.root.as_os_str())])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a child")
    }
}

fn lock(writer: &Writer, place: &Place, names: &[&str]) -> Result<Vec<Target>> {
    let paths: Vec<PathBuf> = names.iter().map(|name| place.path(name)).collect();
    let paths: Vec<(&Path, &str)> = paths.iter().map(PathBuf::as_path).zip(names.iter().copied()).collect();
    writer.lock_all(&paths, &CancelToken::new())
}

/// The names that [`switch`] works on: written, written in place, made and deleted, and the two of a moved file.
const WRITTEN: [&str; 7] = ["a0", "a1", "a2", "a3", "a4", "a5", "linked"];
const MADE: &str = "deep/er/made";
const MOVED: [&str; 2] = ["moved-a", "moved-b"];

/// A tree in one of its two states.
fn state(label: char) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> =
        WRITTEN.iter().map(|name| ((*name).to_owned(), long(label))).collect();
    files.insert("other-link".into(), long(label));
    files.insert("deep".into(), "(directory)".into());
    files.insert(MOVED[usize::from(label == 'b')].into(), "moved".into());
    if label == 'b' {
        files.insert("deep/er".into(), "(directory)".into());
        files.insert(MADE.into(), "made".into());
    }
    files.insert("(journals)".into(), "0".into());
    files
}

fn long(label: char) -> String {
    let length = if label == 'a' { 40_000 } else { 30_000 };
    label.to_string().repeat(length)
}

fn prepare(place: &Place) {
    for name in WRITTEN {
        place.put(name, &long('a'));
    }
    place.put(MOVED[0], "moved");
    fs::create_dir_all(place.path("deep")).expect("a directory");
    fs::hard_link(place.path("linked"), place.path("other-link")).expect("a link");
    assert_eq!(place.content(), state('a'));
}

/// Ten files from the state they are in to `label`.
fn switch(writer: &Writer, place: &Place, label: char) -> Result<Vec<Written>> {
    let names: Vec<&str> = WRITTEN.into_iter().chain([MADE]).chain(MOVED).collect();
    let targets = lock(writer, place, &names)?;
    let (old, new) = (long(if label == 'a' { 'b' } else { 'a' }), long(label));
    let mut change = Transaction::new(*writer);
    for target in &targets[..WRITTEN.len()] {
        change = change.write(target, new.as_bytes(), Expected::Bytes(old.as_bytes()));
    }
    let (made, rest) = targets[WRITTEN.len()..].split_first().expect("targets");
    let change = match label {
        'b' => change.create(made, b"made").rename(&rest[0], &rest[1]),
        _ => change.delete(made, Expected::Anything).rename(&rest[1], &rest[0]),
    };
    let written = change.commit();
    if label == 'a' && written.is_ok() {
        // A deleted file leaves its directory; the state has none.
        let _ = fs::remove_dir(place.path("deep/er"));
    }
    written
}

/// Not a test by itself: what the processes do that other tests start and kill.
#[test]
fn what_a_child_does() {
    let (Ok(role), Some(root)) = (std::env::var(ROLE), std::env::var_os(PLACE)) else { return };
    let place = Place::at(Path::new(&root));
    io::stderr().write_all(b"!").expect("the parent");
    match role.as_str() {
        "append" => append_lines(&place),
        "all" => {
            for label in ['b', 'a'].into_iter().cycle() {
                switch(&place.writer(), &place, label).expect("the change");
            }
        }
        name => {
            for label in ['b', 'a'].into_iter().cycle() {
                let target = place.lock(&[name]).remove(0);
                place.writer().write(&target, long(label).as_bytes(), Expected::Anything).expect("the write");
            }
        }
    }
}

fn append_lines(place: &Place) {
    std::thread::scope(|scope| {
        for thread in 0..5 {
            scope.spawn(move || {
                for line in 0..10 {
                    let target = place.lock(&["log"]).remove(0);
                    let old = fs::read(target.path()).expect("the file");
                    let line = format!("{}.{thread}.{line}\n", std::process::id());
                    let new = [old.as_slice(), line.as_bytes()].concat();
                    place.writer().write(&target, &new, Expected::Bytes(&old)).expect("the write");
                }
            });
        }
    });
}

/// Starts a child, waits until it is at work, and kills it a moment later.
fn kill_one(place: &Place, role: &str, number: u32) {
    let mut child = place.child(role);
    let mut stderr = child.stderr.take().expect("a pipe");
    let mut byte = [0];
    while stderr.read(&mut byte).expect("the child") == 1 && byte != *b"!" {}
    // Spread over several turns of the child's loop.
    std::thread::sleep(Duration::from_micros(u64::from(number * 7919 % 6000)));
    child.kill().expect("the child");
    child.wait().expect("the child");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("the child");
    assert!(!rest.contains("panicked"), "{rest}");
}

#[test]
fn a_killed_writer_leaves_the_old_or_the_new_file() {
    let place = Place::new();
    place.put("file", &long('a'));
    for number in 0..200 {
        kill_one(&place, "file", number);
        let found = fs::read_to_string(place.path("file")).expect("the file");
        assert!(found == long('a') || found == long('b'), "kill {number}: {} bytes", found.len());
        place.lock(&["file"]);
        let names: Vec<_> = place.content().into_keys().collect();
        assert_eq!(names, ["(journals)", "file"], "kill {number}: nothing else after the next call");
    }
}

#[test]
fn a_writer_killed_in_place_is_put_right_by_the_next_call() {
    let place = Place::new();
    place.put("file", &long('a'));
    fs::hard_link(place.path("file"), place.path("link")).expect("a link");
    for number in 0..60 {
        kill_one(&place, "file", number);
        place.lock(&["file"]);
        let found = fs::read_to_string(place.path("link")).expect("the file");
        assert!(found == long('a') || found == long('b'), "kill {number}: {} bytes", found.len());
        assert_eq!(place.content().len(), 3);
        assert_eq!(place.content()["(journals)"], "0");
    }
}

#[test]
fn of_ten_files_all_are_old_or_all_are_new_after_a_kill() {
    let place = Place::new();
    prepare(&place);
    let mut cut_short = 0;
    for number in 0..100 {
        kill_one(&place, "all", number);
        cut_short += usize::from(place.content()["(journals)"] != "0");
        place.writer().repair().iter().for_each(|repair| assert_eq!(repair.left, None));
        // The next call.
        place.lock(&WRITTEN);
        let found = place.content();
        let _ = fs::remove_dir(place.path("deep/er"));
        let label = found["a0"].chars().next().expect("content");
        let settled = place.content();
        assert!(settled == state(label), "kill {number}: {:?}", found.keys().collect::<Vec<_>>());
        if label == 'b' {
            // The child starts from `a`.
            switch(&place.writer(), &place, 'a').expect("the change");
        }
    }
    assert!(cut_short > 0, "no kill came in the middle");
}

#[test]
fn writers_in_several_processes_lose_nothing() {
    let place = Place::new();
    place.put("log", "");
    let children: Vec<Child> = (0..4).map(|_| place.child("append")).collect();
    for child in children {
        let output = child.wait_with_output().expect("the child");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let log = fs::read_to_string(place.path("log")).expect("the file");
    let mut lines: Vec<&str> = log.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 4 * 5 * 10);
    assert_eq!(place.content().len(), 2, "no lock file, no draft");
}

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
    }
    let place = Place::new();
    prepare(&place);
    let written = switch(&Writer::on(&Busy, &place.state, true), &place, 'b').expect("the change");
    assert_eq!(written[3].in_place.map(InPlace::name), Some("rename_refused"));
    assert_eq!(written[6].in_place.map(InPlace::name), Some("hard_links"));
    assert!(place.content() == state('b'));
}

#[test]
fn one_file_that_changed_meanwhile_stops_all() {
    let place = Place::new();
    prepare(&place);
    place.put("a4", "somebody else's");
    let error = switch(&place.writer(), &place, 'b').expect_err("a refusal");
    assert_eq!(error.code(), "concurrent_modification");
    assert_eq!(place.content()["a4"], "somebody else's");
    place.put("a4", &long('a'));
    assert!(place.content() == state('a'));
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

#[test]
fn a_file_is_held_by_all_its_names() {
    let place = Place::new();
    prepare(&place);
    std::os::unix::fs::symlink("deep", place.path("alias")).expect("a link");
    place.put("deep/x", "x");
    for (held, wanted) in [("linked", "other-link"), ("deep/x", "alias/x"), ("deep/new", "alias/new")] {
        let lock = place.lock(&[held]);
        let order = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                place.lock(&[wanted]);
                order.fetch_add(1, Ordering::SeqCst)
            });
            std::thread::sleep(Duration::from_millis(30));
            assert_eq!(order.fetch_add(1, Ordering::SeqCst), 0, "{wanted} waits for {held}");
            drop(lock);
            assert_eq!(waiting.join().expect("the thread"), 1);
        });
    }
}

/// In whatever order calls name their files, none waits for ever.
#[test]
fn calls_on_several_files_never_block_each_other() {
    let place = Place::new();
    place.put("x", "0");
    place.put("y", "0");
    std::thread::scope(|scope| {
        for order in [["x", "y"], ["y", "x"]].into_iter().cycle().take(6) {
            scope.spawn({
                let place = &place;
                move || {
                    for _ in 0..20 {
                        let targets = place.lock(&order);
                        let count = |target: &Target| -> u32 {
                            fs::read_to_string(target.path()).expect("the file").parse().expect("a number")
                        };
                        let next = (count(&targets[0]) + 1).to_string();
                        let mut change = Transaction::new(place.writer());
                        for target in &targets {
                            change = change.write(target, next.as_bytes(), Expected::Anything);
                        }
                        change.commit().expect("the change");
                    }
                }
            });
        }
    });
    assert_eq!((place.content()["x"].as_str(), place.content()["y"].as_str()), ("120", "120"));
}

/// A journal must never be taken for that of a dead process, also not while it is made or cleared away.
#[test]
fn changes_at_work_are_left_alone_by_those_who_repair() {
    let place = Place::new();
    let working = AtomicUsize::new(4);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (place, working) = (&place, &working);
            scope.spawn(move || {
                let names = [0, 1].map(|side| format!("{worker}-{side}"));
                place.put(&names[0], "0");
                for round in 0..200 {
                    let (from, to) = (&names[round % 2], &names[(round + 1) % 2]);
                    let writer = place.writer();
                    let targets = lock(&writer, place, &[from, to]).expect("the lock");
                    let (old, new) = (round.to_string(), (round + 1).to_string());
                    let change = Transaction::new(writer)
                        .write(&targets[0], new.as_bytes(), Expected::Bytes(old.as_bytes()))
                        .rename(&targets[0], &targets[1]);
                    change.commit().unwrap_or_else(|error| panic!("round {round}: {error}"));
                    assert_eq!(targets[0].repairs(), [], "nobody died");
                }
                working.fetch_sub(1, Ordering::Relaxed);
            });
        }
        while working.load(Ordering::Relaxed) > 0 && !std::thread::panicking() {
            assert_eq!(place.writer().repair(), [], "nobody died");
        }
    });
    let left = (0..4).map(|worker| (format!("{worker}-0"), "200".to_owned()));
    let left: BTreeMap<_, _> = left.chain([("(journals)".to_owned(), "0".to_owned())]).collect();
    assert_eq!(place.content(), left);
}

#[test]
fn a_waiting_call_can_be_cancelled() {
    let place = Place::new();
    place.put("x", "");
    let _held = place.lock(&["x"]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let error = place.writer().lock(&place.path("x"), "x", &cancel).expect_err("cancelled");
    assert_eq!(error.code(), "aborted");
}

#[test]
fn nothing_is_replaced_that_was_to_be_made() {
    let place = Place::new();
    place.put("there", "old");
    let targets = place.lock(&["there", "free"]);
    let change = || Transaction::new(place.writer());
    let code = |change: Transaction| change.commit().expect_err("a refusal").code();
    assert_eq!(code(change().create(&targets[0], b"new")), "already_exists");
    assert_eq!(code(change().create(&targets[1], b"new").create(&targets[0], b"new")), "already_exists");
    assert_eq!(code(change().rename(&targets[1], &targets[0])), "path_not_found");
    place.put("free", "taken");
    assert_eq!(code(change().rename(&targets[1], &targets[0])), "already_exists");
    assert_eq!(place.content().len(), 3);
}

#[test]
fn a_change_after_the_look_is_noticed() {
    let place = Place::new();
    place.put("file", "old");
    let target = place.lock(&["file"]).remove(0);
    let look = || Expected::Unchanged(Mark::of(&target.path().metadata().expect("metadata")));
    let seen = look();
    place.put("file", "somebody else's");
    let error = place.writer().write(&target, b"mine", seen).expect_err("a refusal");
    assert_eq!(error.code(), "concurrent_modification");
    assert_eq!(place.content()["file"], "somebody else's");
    place.writer().write(&target, b"mine", look()).expect("the write");
    assert_eq!(place.content()["file"], "mine");
}

#[test]
fn links_are_deleted_and_renamed_themselves() {
    let place = Place::new();
    place.put("real", "old");
    std::os::unix::fs::symlink("real", place.path("link")).expect("a link");
    let targets = place.lock(&["link", "renamed"]);
    let change = Transaction::new(place.writer());
    change
        .write(&targets[0], b"new", Expected::Bytes(b"old"))
        .rename(&targets[0], &targets[1])
        .commit()
        .expect("the change");
    assert!(place.path("renamed").symlink_metadata().expect("metadata").is_symlink());
    assert_eq!(place.content()["real"], "new");
    drop(targets);
    let target = place.lock(&["renamed"]).remove(0);
    Transaction::new(place.writer()).delete(&target, Expected::Bytes(b"new")).commit().expect("the change");
    assert_eq!(place.content().len(), 2);
}

#[test]
fn drafts_of_dead_writers_are_cleared_away() {
    let place = Place::new();
    place.put("file", "old");
    place.put(".gajae-write-1-0", "half");
    let alive = place.path(".gajae-write-2-0");
    fs::write(&alive, "half").expect("a file");
    let writer_at_work = File::open(&alive).expect("the file");
    writer_at_work.try_lock().expect("the lock");
    place.lock(&["file"]);
    let names: Vec<_> = place.content().into_keys().collect();
    assert_eq!(names, ["(journals)", ".gajae-write-2-0", "file"]);
    drop(writer_at_work);
    place.lock(&["file"]);
    assert_eq!(place.content().len(), 2);
}

#[test]
fn without_a_place_for_a_journal_nothing_is_risked() {
    let place = Place::new();
    prepare(&place);
    let error = switch(&Writer::new(&[], true), &place, 'b').expect_err("a refusal");
    assert_eq!(error.code(), "io_error");
    assert!(place.content() == state('a'));
}
