//! Special, huge, uncounted and changing files: bounded time, bounded memory, no wrong answer.

use std::fs;
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use serde_json::json;

use super::{Fixture, check_facts, lines, write};

#[cfg(unix)]
#[test]
fn special_files_never_wait() {
    let fixture = Fixture::new(&[("f", "x\n")]);
    let root = fixture.root();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, root.join("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
    std::os::unix::fs::symlink("gone", root.join("dangling")).unwrap();
    let started = Instant::now();
    for (path, code, word) in [
        ("pipe", "io_error", "named pipe"),
        ("pipe:1-2", "io_error", "named pipe"),
        ("/dev/zero", "io_error", "character device"),
        ("/dev/zero:raw", "io_error", "character device"),
        ("loop", "io_error", "loop"),
        ("dangling", "path_not_found", "dangling"),
        ("f/below", "path_not_found", "f/below"),
        (&"n".repeat(300), "io_error", "nnn"),
        ("nul\0byte", "io_error", "nul"),
    ] {
        let error = fixture.error(path);
        assert_eq!(error.code(), code, "{path}: {error}");
        assert!(error.to_string().contains(word), "{path}: {error}");
    }
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[cfg(target_os = "linux")]
#[test]
fn files_of_proc_have_a_text() {
    let fixture = Fixture::new(&[]);
    assert!(fixture.text("/proc/self/status:1-2").starts_with("1|Name:"));
    assert_eq!(fixture.error("/proc/self/mem").code(), "io_error");
    assert!(fixture.text("/proc/self/status:raw").contains("VmSize"));
}

#[test]
fn a_huge_file_is_ordinary() {
    let fixture = Fixture::new(&[("huge", &lines(3000))]);
    let path = fixture.root().join("huge");
    fs::File::options().write(true).open(&path).unwrap().set_len(3 << 30).unwrap();
    let started = Instant::now();
    let outcome = fixture.read("huge:1-2");
    assert!(outcome.text.starts_with("1|line 1\n2|line 2\n"));
    assert_eq!(outcome.meta.truncation.unwrap().total_lines_exact, Some(false));
    assert!(fixture.text("huge:2990,3000").starts_with("2990|line 2990\n\n…\n\n3000|line 3000"));
    assert_eq!(fixture.text("huge:raw:7-7"), "line 7");
    let read = |path: &str| {
        fixture
            .try_read_with(&json!({"path": path}), &CancelToken::new(), Duration::from_millis(100))
            .unwrap()
    };
    let tail = read("huge");
    check_facts(&tail, "footer_partial", json!({"bytes": 10240}));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// What was never written has no lines, and is not read to find that out.
#[cfg(target_os = "linux")]
#[test]
fn holes_of_a_sparse_file_are_passed_over() {
    use std::os::unix::fs::FileExt;
    let fixture = Fixture::new(&[("sparse", &lines(3000))]);
    let file = fs::File::options().write(true).open(fixture.root().join("sparse")).unwrap();
    file.write_all_at(b"\nlast but one\nlast", 1 << 40).unwrap();
    assert_eq!(fixture.text("sparse:raw:3002-3003"), "last but one\nlast");
    assert!(fixture.text("sparse:raw:3004-3005").contains("3003"));
    let tail = fixture.read("sparse");
    assert!(tail.text.contains("3003|last"), "{}", tail.text);
    assert_eq!(tail.meta.truncation.unwrap().total_lines, 3003);
    file.set_len(2 << 40).unwrap();
    assert_eq!(fixture.text("sparse:raw:3002-3002"), "last but one");
}

/// A number of lines is remembered only while the file cannot have changed.
#[cfg(unix)]
#[test]
fn a_file_that_changed_is_counted_again() {
    let fixture = Fixture::new(&[("f", &lines(800_000))]);
    let total = |expected: u64| {
        let outcome = fixture.read("f");
        assert_eq!(outcome.meta.truncation.unwrap().total_lines, expected);
    };
    // The first look is too early to remember, the second one remembers, the third one recalls.
    total(800_001);
    std::thread::sleep(Duration::from_millis(3200));
    total(800_001);
    let arguments = json!({"path": "f"});
    let recalled = fixture.try_read_with(&arguments, &CancelToken::new(), Duration::ZERO).unwrap();
    assert!(recalled.text.contains("800000|line 800000"), "no time to count, and none needed");
    let modified = fixture.root().join("f").metadata().unwrap().modified().unwrap();
    // Same size, same time of modification, fewer lines.
    let path = fixture.root().join("f");
    write(&path, lines(800_000).replacen("\nline", " line", 10).as_bytes());
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    total(799_991);
}

#[test]
fn a_huge_line_is_not_followed_to_its_end() {
    let fixture = Fixture::new(&[("zeros", "first line\n"), ("text", &"x".repeat(70_000))]);
    for name in ["zeros", "text"] {
        let file = fs::File::options().write(true).open(fixture.root().join(name)).unwrap();
        file.set_len(8 << 30).unwrap();
    }
    let started = Instant::now();
    assert!(fixture.text("zeros:1-1").contains("1|first line"));
    assert!(fixture.text("zeros:1-2").len() < 8192);
    for direction in ["head", "last", "both"] {
        let arguments = json!({"path": "text", "truncation": direction});
        let outcome =
            fixture.try_read_with(&arguments, &CancelToken::new(), Duration::from_millis(50)).unwrap();
        assert_eq!(outcome.notices[0].kind, "footer_partial", "{direction}");
    }
    for selector in [":1-1", ":1,3", ":raw:1-1", ":1-"] {
        let outcome = fixture.read(&format!("text{selector}"));
        assert!(outcome.text.contains("xxxx") && outcome.text.len() < 3 << 20, "{selector}");
        let beyond = outcome.notices.iter().find(|notice| notice.kind == "range_skipped");
        assert!(
            beyond.is_none_or(|notice| notice.facts["reason"] == "limit"),
            "{selector}: nobody knows its lines"
        );
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// Without a count of its lines, the end of a file has text but no numbers.
#[test]
fn an_uncounted_end_has_no_numbers() {
    let fixture = Fixture::hashed(&[("f", &lines(800_000))]);
    let read = |direction: &str| {
        let arguments = json!({"path": "f", "truncation": direction});
        fixture.try_read_with(&arguments, &CancelToken::new(), Duration::ZERO).unwrap()
    };
    let tail = read("last");
    assert!(tail.text.starts_with("line 799952\n"), "{}", &tail.text[..40]);
    assert_eq!(tail.details["truncation"]["totalLinesExact"], false);
    check_facts(&tail, "footer_tail", json!({"shown": 50, "totalLinesExact": false}));
    let both = read("both");
    assert!(both.text.starts_with('1') && both.text[..11].ends_with("|line 1\n"), "{}", &both.text[..40]);
    assert!(both.text.contains("\nline 799977\n"));
    let head = read("head");
    check_facts(&head, "footer_head", json!({"shown": 50, "next": 51}));
}

#[test]
fn a_cancelled_call_stops() {
    let fixture = Fixture::new(&[("f", "x\n")]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let error = fixture.try_read_with(&json!({"path": "f"}), &cancel, Duration::ZERO).unwrap_err();
    assert_eq!(error.code(), "aborted");
}

#[test]
fn ten_sparse_gigabytes_are_ordinary() {
    let fixture = Fixture::new(&[("log", &lines(20_000)), ("zeros", "first line\n")]);
    for name in ["log", "zeros"] {
        let file = fs::File::options().write(true).open(fixture.root().join(name)).unwrap();
        file.set_len(10 << 30).unwrap();
    }
    let started = Instant::now();
    for path in ["log:1-1", "log:19999,20000", "log:raw:5-6", "log:raw", "zeros", "zeros:1-1", "zeros:raw"] {
        let outcome = fixture.read(path);
        assert!(outcome.text.len() < 3 << 20, "{path}");
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// What a file was like when the call opened it no longer holds; every answer is still made of its lines.
#[test]
fn a_file_may_grow_and_shrink_while_it_is_read() {
    let line = "0123456789 0123456789 0123456789\n";
    let fixture = Fixture::new(&[("f", &line.repeat(40_000))]);
    let path = fixture.root().join("f");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let file = fs::File::options().read(true).append(true).open(&path).unwrap();
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                file.set_len(line.len() as u64 * 20_000).unwrap();
                let more = line.repeat(10_000);
                for _ in 0..3 {
                    std::io::Write::write_all(&mut &file, more.as_bytes()).unwrap();
                }
            }
        });
        let _stop = Stop(&stop);
        let started = Instant::now();
        for round in 0.. {
            for target in ["f", "f:15000-15010", "f:39990-", "f:raw:30000-30002", "f:1,45000", "f:raw"] {
                let outcome = fixture.read(target);
                let shown = outcome.details.get("displayContent").map(|display| display["text"].clone());
                for shown in shown.iter().flat_map(|text| text.as_str().unwrap().split('\n')) {
                    // A page that is being cut off may be read as zeros, which the system sees to and not we.
                    let whole = line.starts_with(shown) || ["", "…"].contains(&shown) || shown.contains('\0');
                    assert!(whole, "{target}: {:?}", &shown[..shown.len().min(200)]);
                }
            }
            for truncation in ["head", "both"] {
                let arguments = json!({"path": "f", "truncation": truncation});
                fixture.try_read_with(&arguments, &CancelToken::new(), Duration::from_secs(5)).unwrap();
            }
            if round >= 5 && started.elapsed() > Duration::from_millis(500) {
                break;
            }
        }
    });
}

/// Ends the other thread, also when this one panics: a scope waits for both.
struct Stop<'a>(&'a std::sync::atomic::AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Whichever way the index was learnt, it leads to the lines that are there.
#[cfg(unix)]
#[test]
fn a_second_look_finds_the_same_lines() {
    let fixture = Fixture::new(&[("f", &lines(900_000))]);
    std::thread::sleep(Duration::from_millis(3200));
    for line in [1, 2, 450_000, 449_999, 899_999, 10, 700_000, 900_000, 123_456, 900_001] {
        let text = if line == 900_001 { String::new() } else { format!("line {line}") };
        for _ in 0..2 {
            assert_eq!(fixture.text(&format!("f:raw:{line}-{line}")), text);
        }
        if line == 700_000 {
            check_facts(&fixture.read("f"), "footer_tail", json!({"total": 900_001, "end": 900_001}));
        }
    }
    check_facts(&fixture.read("f:2000000"), "beyond_end", json!({"total": 900_001}));
}
