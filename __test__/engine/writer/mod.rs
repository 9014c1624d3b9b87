//! The writer below every tool: processes that are killed, disks that fail, and others who write at the same time.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

mod failing;
mod killed;
mod racing;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::files::{Expected, Mark, Target, Transaction, Writer, Written};
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
            .args(["writer::killed::what_a_child_does", "--exact", "--nocapture", "--test-threads=1"])
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
