//! The session's memory of contents: it changes what is opened and never what is found.

#![expect(clippy::disallowed_methods, reason = "tests change files behind the back of the tool")]

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use gajae_tool_core::engine::exec::Context;
use gajae_tool_core::engine::session::{Contents, Session};
use gajae_tool_core::engine::text::{TrigramFilter, trigrams};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::run_in;
use crate::tree::Tree;

/// Longer than a tick of any file system's clock, short enough to wait for.
const SETTLED: Duration = Duration::from_millis(60);

fn settle() {
    sleep(SETTLED + Duration::from_millis(20));
}

/// A session that learns from files left alone for [`SETTLED`], and one that learns nothing.
fn contexts(tree: &Tree) -> (Context, Context) {
    let session = Session { contents: Contents::settled_after(SETTLED), ..Session::default() };
    let mut context = tree.context();
    context.session = Some(Arc::new(session));
    (context, tree.context())
}

fn spared(context: &Context) -> usize {
    context.session.as_ref().unwrap().contents.spared()
}

#[track_caller]
fn check_same(context: &Context, plain: &Context, arguments: &Value) {
    let [with, without] = [context, plain].map(|context| run_in(context, arguments.clone()).unwrap());
    assert_eq!(with.text, without.text, "{arguments}");
    assert_eq!(with.details, without.details, "{arguments}");
}

fn cached() -> Value {
    json!({"search.cache": true, "readHashLines": false})
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_cannot_match_are_not_opened_again() {
    let tree = Tree::new(&[("a", "one needle\n"), ("b", "two\n"), ("c", "three\n")]).with(cached());
    tree.write("d", b"\0needle");
    let (context, plain) = contexts(&tree);
    settle();
    check_same(&context, &plain, &json!({"pattern": "needle"}));
    assert_eq!(spared(&context), 0);
    check_same(&context, &plain, &json!({"pattern": "needle"}));
    assert_eq!(spared(&context), 3);
    for pattern in ["NEEDLE", "nee(dle|t)", "tw?o|thr.e", ".", "(?i)NEEdle", "x*", "two\\nthree"] {
        check_same(&context, &plain, &json!({"pattern": pattern}));
    }
}

#[test]
fn a_session_that_is_not_asked_to_learns_nothing() {
    let tree = Tree::new(&[("a", "one\n")]);
    let (context, plain) = contexts(&tree);
    settle();
    check_same(&context, &plain, &json!({"pattern": "two"}));
    check_same(&context, &plain, &json!({"pattern": "two"}));
    assert_eq!((spared(&context), context.session.unwrap().contents.size()), (0, 0));
}

/// Puts times back to what they were, as archivers and build tools do.
fn with_times_kept(path: &Path, change: impl FnOnce()) {
    let modified =
        fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap_or_else(|_| SystemTime::now());
    change();
    if let Ok(file) = File::options().write(true).open(path) {
        file.set_modified(modified).unwrap();
    }
}

#[derive(Debug, Clone)]
enum Step {
    Write(usize, usize),
    WriteWithTimesKept(usize, usize),
    RenameOver(usize, usize),
    Append(usize, usize),
    Remove(usize),
    HideFromAll(usize),
    Settle,
    Search(usize),
}

const FILES: [&str; 4] = ["a.txt", "b.txt", "d/c.txt", "d/e.txt"];
/// Of the same size for the most part.
const TEXTS: [&str; 6] =
    ["red apple\n", "tan apple\n", "red grape\n", "\0ed apple\n", "r\u{e9}d appl\n", "x\ry\rapple"];
const PATTERNS: [&str; 8] = ["red", "apple", "RED|grape", "(?i)TAN", "r.d a", "é", "^y$", "apple\\s*$"];

fn step() -> impl Strategy<Value = Step> {
    let (file, text) = (0..FILES.len(), 0..TEXTS.len());
    prop_oneof![
        2 => (file.clone(), text.clone()).prop_map(|(file, text)| Step::Write(file, text)),
        3 => (file.clone(), text.clone()).prop_map(|(file, text)| Step::WriteWithTimesKept(file, text)),
        1 => (file.clone(), file.clone()).prop_map(|(from, to)| Step::RenameOver(from, to)),
        1 => (file.clone(), text.clone()).prop_map(|(file, text)| Step::Append(file, text)),
        1 => file.clone().prop_map(Step::Remove),
        1 => file.prop_map(Step::HideFromAll),
        2 => Just(Step::Settle),
        8 => (0..PATTERNS.len()).prop_map(Step::Search),
    ]
}

fn carry_out(tree: &Tree, step: &Step) {
    match *step {
        Step::Write(file, text) => tree.write(FILES[file], TEXTS[text]),
        Step::WriteWithTimesKept(file, text) => {
            with_times_kept(&tree.path(FILES[file]), || tree.write(FILES[file], TEXTS[text]));
        }
        Step::RenameOver(from, to) => drop(fs::rename(tree.path(FILES[from]), tree.path(FILES[to]))),
        Step::Append(file, text) => {
            let old = fs::read(tree.path(FILES[file])).unwrap_or_default();
            tree.write(FILES[file], [&old, TEXTS[text].as_bytes()].concat());
        }
        Step::Remove(file) => drop(fs::remove_file(tree.path(FILES[file]))),
        Step::HideFromAll(file) => {
            if let Ok(metadata) = fs::metadata(tree.path(FILES[file])) {
                let mut permissions = metadata.permissions();
                permissions.set_readonly(!permissions.readonly());
                // Root writes it all the same.
                let _ = fs::set_permissions(tree.path(FILES[file]), permissions.clone());
                #[expect(
                    clippy::permissions_set_readonly_false,
                    reason = "the next step must be able to write"
                )]
                permissions.set_readonly(false);
                let _ = fs::set_permissions(tree.path(FILES[file]), permissions);
            }
        }
        Step::Settle => settle(),
        Step::Search(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens to files between two searches, also within one tick of the clock and with their times put
    /// back, the answer is that of a search that knows nothing.
    #[test]
    fn no_answer_is_stale(steps in prop::collection::vec(step(), 1..40)) {
        let tree = Tree::new(&[]).with(cached());
        for (name, text) in FILES.iter().zip(TEXTS) {
            tree.write(name, text);
        }
        let (context, plain) = contexts(&tree);
        settle();
        check_same(&context, &plain, &json!({"pattern": "apple"}));
        for step in &steps {
            carry_out(&tree, step);
            if let Step::Search(pattern) = step {
                check_same(&context, &plain, &json!({"pattern": PATTERNS[*pattern]}));
            }
        }
    }

    /// What a filter says is not there is not there, and for texts of little variety it says so.
    #[test]
    fn a_filter_misses_nothing(text in prop::collection::vec(any::<u8>(), 0..3000), part in any::<prop::sample::Index>()) {
        let filter = TrigramFilter::of(&text, &mut vec![u64::MAX; 9]);
        prop_assert!(trigrams(&text).all(|trigram| filter.may_hold(trigram)));
        if text.len() >= 3 {
            let at = part.index(text.len() - 2);
            let upper = text[at..at + 3].to_ascii_uppercase();
            prop_assert!(trigrams(&upper).all(|trigram| filter.may_hold(trigram)));
        }
        let few = TrigramFilter::of(&b"ab".repeat(2000), &mut Vec::new());
        prop_assert!(few.size() <= 16);
        prop_assert!(trigrams(b"xyzzy").filter(|trigram| few.may_hold(*trigram)).count() <= 1);
    }
}
