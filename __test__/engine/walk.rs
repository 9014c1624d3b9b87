//! The walk below the tools that use it: what is met, on however many threads, and how it ends.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::files::{
    Course, Done, Entry, EntryKind, Root, Survey, WalkReport, WalkRules, walk,
};

use super::tree::Tree;

/// Notes every path, directories with a slash.
struct Names;

impl Survey for Names {
    type Worker = Vec<String>;

    fn worker(&self) -> Vec<String> {
        Vec::new()
    }

    fn visit(&self, names: &mut Vec<String>, entry: &Entry<'_>) {
        let slash = if entry.kind == EntryKind::Directory { "/" } else { "" };
        names.push(format!("{}{slash}", entry.relative.display()));
    }
}

fn everything() -> WalkRules {
    WalkRules {
        hidden: true,
        gitignore: true,
        git_directory: true,
        node_modules: true,
        ..WalkRules::default()
    }
}

fn root(path: impl Into<PathBuf>, rules: WalkRules) -> Root {
    Root { path: path.into(), is_file: false, rules, glob: None, order: 0 }
}

fn run<S: Survey>(survey: S, path: impl Into<PathBuf>, course: Course) -> Result<Done<S>> {
    walk(Arc::new(survey), vec![root(path, everything())], course, None)
}

fn names_in(tree: &Tree, rules: WalkRules) -> (Vec<String>, WalkReport) {
    let done = walk(Arc::new(Names), vec![root(tree.root(), rules)], Course::default(), None).unwrap();
    let mut names: Vec<String> = done.workers.into_iter().flatten().collect();
    names.sort();
    (names, done.report)
}

#[test]
fn everything_is_met_once() {
    let tree = Tree::new(&[("a/z", ""), ("a.txt", ""), (".h/c", ""), (".git/x", ""), ("node_modules/y", "")]);
    let (names, report) = names_in(&tree, everything());
    let all = [".git/", ".git/x", ".h/", ".h/c", "a.txt", "a/", "a/z", "node_modules/", "node_modules/y"];
    assert_eq!(names, all);
    assert!(report.unreadable.is_empty() && !report.timed_out);
    assert_eq!(names_in(&tree, WalkRules::default()).0, ["a.txt", "a/", "a/z"]);
}

#[test]
fn large_trees_and_large_directories_are_met_once_by_all_threads() {
    let tree = Tree::new(&[]);
    let mut expected = Vec::new();
    for directory in 0..40 {
        expected.push(format!("d{directory}/"));
        for file in 0..(if directory == 7 { 3000 } else { 70 }) {
            let path = format!("d{directory}/f{file}");
            tree.write(&path, "");
            expected.push(path);
        }
    }
    expected.sort();
    let walks: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| names_in(&tree, everything()).0)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for names in walks {
        assert_eq!(names, expected);
    }
}

#[test]
fn the_users_own_rules_count_inside_of_a_work_tree_and_after_its_own() {
    let tree = Tree::new(&[
        ("repo/.git/info/exclude", "!kept.log\n"),
        ("repo/a.log", ""),
        ("repo/kept.log", ""),
        ("repo/sub/b.log", ""),
        ("repo/sub/.gitignore", "!b.log\n"),
        ("plain/a.log", ""),
    ]);
    let rules =
        WalkRules { gitignore: true, global_excludes: Some("*.log\n".into()), ..WalkRules::default() };
    let files: Vec<String> =
        names_in(&tree, rules).0.into_iter().filter(|name| !name.ends_with('/')).collect();
    assert_eq!(files, ["plain/a.log", "repo/kept.log", "repo/sub/b.log"]);
}

#[test]
fn a_walk_ends_with_its_deadline_or_its_call() {
    let tree = Tree::new(&[("a", ""), ("c/d", "")]);
    let course = Course { deadline: Some(Instant::now()), ..Course::default() };
    let done = run(Names, tree.root(), course).unwrap();
    assert!(done.report.timed_out && done.workers.concat().is_empty());
    let cancel = CancelToken::new();
    cancel.cancel();
    let outcome = run(Names, tree.root(), Course { cancel, deadline: None });
    assert_eq!(outcome.err().unwrap().code(), "aborted");
}

#[test]
fn a_directory_that_is_not_there_is_reported() {
    let tree = Tree::new(&[]);
    let gone = tree.path("gone");
    assert_eq!(run(Names, &gone, Course::default()).unwrap().report.unreadable, [gone]);
}

struct Faulty;

impl Survey for Faulty {
    type Worker = ();

    fn worker(&self) {}

    fn visit(&self, (): &mut (), _: &Entry<'_>) {
        panic!("a fault");
    }
}

#[test]
fn a_fault_is_an_error_of_its_call_and_of_no_other() {
    let tree = Tree::new(&[("a", ""), ("b", "")]);
    for _ in 0..20 {
        let error = run(Faulty, tree.root(), Course::default()).err().unwrap();
        assert_eq!((error.code(), error.to_string().contains("a fault")), ("internal", true));
        assert_eq!(names_in(&tree, everything()).0, ["a", "b"]);
    }
}

/// Stays at each entry until the walk has told of itself.
#[derive(Default)]
struct Patient {
    seen: AtomicUsize,
    told: AtomicBool,
}

impl Survey for Patient {
    type Worker = ();

    fn worker(&self) {}

    fn visit(&self, (): &mut (), _: &Entry<'_>) {
        self.seen.fetch_add(1, Ordering::Relaxed);
        let arrived = Instant::now();
        while !self.told.load(Ordering::Relaxed) && arrived.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn a_walk_tells_of_itself_and_ends_between_two_entries() {
    let tree = Tree::new(&[]);
    for file in 0..400 {
        tree.write(format!("f{file}"), "");
    }
    let cancel = CancelToken::new();
    let course = Course { cancel: cancel.clone(), deadline: None };
    let survey = Arc::new(Patient::default());
    let mut tell = |survey: &Patient| {
        if survey.seen.load(Ordering::Relaxed) > 0 {
            cancel.cancel();
            survey.told.store(true, Ordering::Relaxed);
        }
    };
    let progress = Some((Duration::from_millis(20), &mut tell as &mut dyn FnMut(&Patient)));
    let roots = vec![root(tree.root(), everything())];
    let outcome = walk(Arc::clone(&survey), roots, course, progress);
    assert_eq!(outcome.err().unwrap().code(), "aborted");
    assert!(survey.told.load(Ordering::Relaxed) && survey.seen.load(Ordering::Relaxed) < 390);
}

#[cfg(unix)]
#[test]
fn a_very_deep_tree_needs_no_stack_and_no_handles() {
    let tree = Tree::new(&[]);
    let mut path = PathBuf::from(tree.root());
    // As deep as a path may be long.
    while path.as_os_str().len() < 3900 {
        path.push("d");
    }
    tree.directory(&path);
    let (names, report) = names_in(&tree, everything());
    assert!(names.len() > 1800 && report.unreadable.is_empty(), "{}", names.len());
}

#[cfg(unix)]
#[test]
fn many_directories_waiting_at_every_level_take_few_handles() {
    let tree = Tree::new(&[]);
    let mut path = String::new();
    let mut count = 0;
    for _ in 0..600 {
        tree.directory(format!("{path}z"));
        path.push_str("a/");
        tree.directory(&path);
        count += 2;
    }
    let (names, report) = names_in(&tree, everything());
    assert!(report.unreadable.is_empty(), "{:?}", report.unreadable.len());
    assert_eq!(names.len(), count);
}
