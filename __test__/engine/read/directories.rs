//! Directory listings.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::{Fixture, check_facts, make_directories};

/// Sets how long ago a file changed.
fn age(path: &Path, seconds: u64) {
    // One clock for all, so that equal ages are equal times.
    static NOW: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);
    let time = *NOW - Duration::from_secs(seconds);
    fs::File::open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn a_directory_lists_two_levels() {
    let fixture = Fixture::new(&[("a.txt", "12345"), ("b/c.txt", ""), ("b/d/e.txt", "deep"), (".hid", "h")]);
    for name in [".hid", "a.txt", "b/c.txt", "b/d", "b"] {
        age(&fixture.root().join(name), 7205);
    }
    let outcome = fixture.read(".");
    assert_eq!(
        outcome.text,
        ".\n  - .hid     1B        2h ago\n  - a.txt    5B        2h ago\n  - b/                 2h ago\n    \
         - c.txt  0B        2h ago\n    - d/               2h ago"
    );
    assert_eq!(outcome.details["isDirectory"], true);
    assert_eq!(fixture.text("b/"), fixture.text("b"));
    assert_eq!(fixture.text("/"), outcome.text);
    assert_eq!(fixture.text(".:raw"), outcome.text);
}

#[test]
fn ages_use_their_largest_unit() {
    const DAY: u64 = 86_400;
    for (seconds, expected) in [
        (0, "just now"),
        (30, "just now"),
        (65, "1m ago"),
        (3605, "1h ago"),
        (DAY + 5, "1d ago"),
        (8 * DAY + 5, "1w ago"),
        (29 * DAY + 5, "4w ago"),
        (35 * DAY + 5, "1mo ago"),
        (800 * DAY + 5, "26mo ago"),
    ] {
        let fixture = Fixture::new(&[("f", "1")]);
        age(&fixture.root().join("f"), seconds);
        assert_eq!(fixture.text("."), format!(".\n  - f  1B        {expected}"));
    }
}

#[test]
fn a_crowded_directory_keeps_the_newest_and_the_oldest() {
    let fixture = Fixture::new(&[]);
    for index in 0..15 {
        let name = format!("d/f{index:0>2}");
        fixture.file(&name, b"x");
        age(&fixture.root().join(&name), 3600 * (index + 1) + 5);
    }
    let outcome = fixture.read(".");
    let names: Vec<&str> =
        outcome.text.lines().take(15).map(|line| line.trim_start().split("  ").next().unwrap()).collect();
    assert_eq!((names[2], names[12], names[13], names[14]), ("- f00", "- f10", "- … 3 more", "- f14"));
    let path = fixture.root().display().to_string();
    check_facts(
        &outcome,
        "listing_truncated",
        json!({"lines": 15, "kib_ceil": 1, "retained": "first", "path": path}),
    );
    assert_eq!(fixture.text("d").lines().count(), 16, "the listed directory itself has no such limit");
}

#[test]
fn a_listing_is_paged_by_its_lines() {
    let fixture = Fixture::new(&[]);
    for index in 0..120 {
        fixture.file(&format!("f{index:0>3}"), b"");
    }
    let outcome = fixture.read(".");
    check_facts(
        &outcome,
        "listing_truncated",
        json!({"lines": 50, "start": 1, "end": 50, "total": 121, "next": 51}),
    );
    let page = fixture.read(".:51-53");
    assert_eq!(page.text.lines().take_while(|line| !line.is_empty()).count(), 3);
    check_facts(&page, "listing_truncated", json!({"start": 51, "end": 53, "total": 121, "next": 54}));
    let last = fixture.read(".:101-");
    assert_eq!(last.text.lines().count(), 21);
    check_facts(&fixture.read(".:200"), "beyond_end", json!({"entity": "listing", "total": 121}));
    assert_eq!(fixture.error(".:1-2,5-6").code(), "selector_unsupported");
}

#[cfg(unix)]
#[test]
fn only_files_and_directories_have_facts() {
    let fixture = Fixture::new(&[("x.txt", "1"), ("node_modules/m.js", "1"), (".git/HEAD", "1")]);
    let root = fixture.root();
    make_directories(&root.join("empty"));
    std::os::unix::fs::symlink("/", root.join("link")).unwrap();
    std::os::unix::fs::symlink("link", root.join("loop")).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, root.join("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let listing = fixture.text(".");
    assert!(listing.lines().any(|line| line == "  - link"), "{listing}");
    assert!(
        !listing.contains("pipe") && !listing.contains("node_modules") && !listing.contains(".git"),
        "{listing}"
    );
    assert_eq!(fixture.text("empty"), "(empty directory)");
    assert!(fixture.text("node_modules").contains("- m.js"));
}

#[test]
fn a_directory_of_left_out_entries_is_not_called_empty() {
    let fixture = Fixture::new(&[("d/node_modules/m/index.js", ""), ("d/.git/HEAD", "")]);
    let outcome = fixture.read("d");
    check_facts(&outcome, "entries_omitted", json!({"count": 2}));
    assert!(!outcome.text.contains("empty directory"), "{}", outcome.text);
}
