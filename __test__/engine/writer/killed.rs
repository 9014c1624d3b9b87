//! Processes that are killed, and several that write at once.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use gajae_tool_core::engine::files::Expected;

use super::{PLACE, Place, ROLE, WRITTEN, long, prepare, state, switch};

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
