//! Others who save a file at the last moment: after it was looked at once more, before it is replaced.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::files::{Disk, Expected, FileSystem, Transaction, Writer};

use super::{Place, lock};

/// A disk on which somebody else does something right before files change names.
struct Racing<F> {
    exchanges: AtomicUsize,
    /// Gets the number of the exchange, from 0, and the file.
    meanwhile: F,
}

impl<F> std::fmt::Debug for Racing<F> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Racing")
    }
}

impl<F: Fn(usize, &Path) + Send + Sync> FileSystem for Racing<F> {
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        (self.meanwhile)(self.exchanges.fetch_add(1, Ordering::Relaxed), other);
        Disk.exchange(one, other)
    }
}

/// As an editor saves: a new file in the place of the old one.
fn save(path: &Path, content: &str) {
    let draft = path.with_extension("draft");
    fs::write(&draft, content).expect("a file");
    fs::rename(&draft, path).expect("a rename");
}

/// The outcome of a write from `old` to `new`, and what the tree holds behind it.
fn write(meanwhile: impl Fn(usize, &Path) + Send + Sync) -> (Result<(), ToolError>, Vec<(String, String)>) {
    let place = Place::new();
    place.put("a", "old");
    let disk = Racing { exchanges: AtomicUsize::new(0), meanwhile };
    let writer = Writer::on(&disk, &place.state, false);
    let targets = lock(&writer, &place, &["a"]).expect("the lock");
    let written = writer.write(&targets[0], b"new", Expected::Bytes(b"old")).map(drop);
    (written, place.content().into_iter().filter(|(name, _)| name != "(journals)").collect())
}

#[track_caller]
fn check_kept(meanwhile: impl Fn(usize, &Path) + Send + Sync, expected: &[(&str, &str)]) {
    let (written, content) = write(meanwhile);
    assert_eq!(written.expect_err("a conflict").code(), "concurrent_modification");
    let content: Vec<(&str, &str)> = content.iter().map(|(name, text)| (&**name, &**text)).collect();
    assert_eq!(content, expected);
}

#[test]
fn what_somebody_saved_at_the_last_moment_stays() {
    let first = |number: usize| number == 0;
    check_kept(
        |number, path| {
            if first(number) {
                save(path, "theirs");
            }
        },
        &[("a", "theirs")],
    );
    check_kept(
        |number, path| {
            if first(number) {
                fs::write(path, "theirs").expect("a write");
            }
        },
        &[("a", "theirs")],
    );
    check_kept(
        |number, path| {
            if first(number) {
                fs::remove_file(path).expect("a removal");
            }
        },
        &[],
    );
    // And once more while it is put back.
    check_kept(
        |number, path| {
            if number < 2 {
                save(path, &format!("theirs {number}"));
            }
        },
        &[("a", "theirs 1")],
    );
}

#[test]
fn the_same_bytes_saved_at_the_last_moment_are_no_conflict() {
    let (written, content) = write(|number, path| {
        if number == 0 {
            save(path, "old");
        }
    });
    written.expect("the write");
    assert_eq!(content, [("a".to_owned(), "new".to_owned())]);
}

#[test]
fn of_several_files_none_is_written_when_somebody_saves_one_at_the_last_moment() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.put(name, "old");
    }
    let disk = Racing {
        exchanges: AtomicUsize::new(0),
        meanwhile: |number: usize, path: &Path| {
            if number == 1 {
                save(path, "theirs");
            }
        },
    };
    let writer = Writer::on(&disk, &place.state, false);
    let targets = lock(&writer, &place, &["a", "b", "c"]).expect("the lock");
    let change = targets.iter().fold(Transaction::new(writer), |change, target| {
        change.write(target, b"new", Expected::Bytes(b"old"))
    });
    assert_eq!(change.commit().expect_err("a conflict").code(), "concurrent_modification");
    let content = place.content();
    let content: Vec<(&str, &str)> = content.iter().map(|(name, text)| (&**name, &**text)).collect();
    assert_eq!(content, [("(journals)", "0"), ("a", "old"), ("b", "theirs"), ("c", "old")]);
}

/// Where files cannot change names the rename has to do.
#[test]
fn without_exchanges_a_file_is_replaced_all_the_same() {
    #[derive(Debug)]
    struct Plain;
    impl FileSystem for Plain {
        fn exchange(&self, _: &Path, _: &Path) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
    let place = Place::new();
    place.put("a", "old");
    let writer = Writer::on(&Plain, &place.state, false);
    let targets = lock(&writer, &place, &["a"]).expect("the lock");
    writer.write(&targets[0], b"new", Expected::Bytes(b"old")).expect("the write");
    assert_eq!(place.content()["a"], "new");
}
