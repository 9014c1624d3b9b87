//! The memory of a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gajae_tool_core::engine::session::{Reader, Reads, Shown};

fn shown(lines: &[(u64, &str)]) -> Shown {
    let mut shown = Shown::default();
    for (number, line) in lines {
        shown.push(*number, line);
    }
    shown
}

fn lines(reads: &Reads, path: &str) -> Option<Vec<(u64, String)>> {
    reads
        .recall(Path::new(path), None)
        .map(|recorded| Arc::unwrap_or_clone(recorded.lines).into_iter().collect())
}

#[test]
fn lines_join_until_one_contradicts() {
    let reads = Reads::default();
    let path = Path::new("/f");
    reads.record(path, shown(&[(1, "a"), (2, "")]), None, Reader::default());
    reads.record(path, shown(&[(2, ""), (9, "i")]), None, Reader::default());
    let joined = [(1, "a"), (2, ""), (9, "i")].map(|(number, line)| (number, line.to_owned()));
    assert_eq!(lines(&reads, "/f").unwrap(), joined);
    reads.record(path, shown(&[(2, "b")]), None, Reader::default());
    assert_eq!(lines(&reads, "/f").unwrap(), [(2, "b".to_owned())]);
    reads.record(path, Shown::default(), None, Reader::default());
    assert_eq!(lines(&reads, "/f").unwrap().len(), 1, "nothing shown is nothing new");
    reads.replace(path, Arc::new(b"x\n".to_vec().into()), None);
    assert_eq!(lines(&reads, "/f").unwrap(), [(1, "x".to_owned()), (2, String::new())]);
    reads.forget(path);
    assert_eq!(lines(&reads, "/f"), None);
}

#[test]
fn the_thirty_paths_used_last_are_kept() {
    let reads = Reads::default();
    let path = |number: usize| PathBuf::from(format!("/{number}"));
    for number in 0..30 {
        reads.record(&path(number), shown(&[(1, "a")]), None, Reader::default());
    }
    assert!(reads.recall(&path(0), None).is_some(), "asking is using");
    reads.record(&path(30), shown(&[(1, "a")]), None, Reader::default());
    let kept: Vec<usize> = (0..=30).filter(|number| reads.recall(&path(*number), None).is_some()).collect();
    assert_eq!(kept, [0].into_iter().chain(2..=30).collect::<Vec<_>>());
}

#[test]
fn memory_is_bounded() {
    let reads = Reads::default();
    let path = Path::new("/f");
    let long = "x".repeat(1024 * 1024);
    for number in 1..=20 {
        reads.record(path, shown(&[(number, &long)]), None, Reader::default());
        let size: usize = reads.recall(path, None).unwrap().lines.values().map(String::len).sum();
        assert!(size <= 4 * 1024 * 1024);
    }
    for file in 0..30 {
        reads.record(Path::new(&format!("/{file}")), shown(&[(1, &long)]), None, Reader::default());
    }
    let kept = (0..30).filter(|file| reads.recall(Path::new(&format!("/{file}")), None).is_some()).count();
    assert!((8..=16).contains(&kept), "the newest of them: {kept}");
    // Many small calls are joined, not piled up.
    for number in 1..=1000 {
        reads.record(Path::new("/g"), shown(&[(number, "line")]), None, Reader::default());
    }
    assert_eq!(lines(&reads, "/g").unwrap().len(), 1000);
}
