//! Searches of the same tree at the same time: each has the results that it has by itself.

use std::sync::Barrier;
use std::thread;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::{parse_arguments, search};
use serde_json::{Value, json};

use super::{bare, run, run_in};
use crate::tree::Tree;

/// Many directories with files of many kinds, among them some that are left out.
fn tree() -> Tree {
    let tree = Tree::new(&[(".gitignore", "ignored\n"), ("ignored/a", "needle\n")]).with(bare());
    for directory in 0..12 {
        for file in 0..25 {
            let text =
                format!("needle {file}\nother_{directory} é\n\tfn call_{file}() {{\n").repeat(1 + file % 3);
            tree.write(format!("d{directory}/f{file}"), text);
        }
        tree.write(format!("d{directory}/binary"), b"needle\0");
        tree.write(format!("d{directory}/latin"), b"caf\xE9 au lait, na\xEFve; needle\r".repeat(20));
    }
    tree
}

fn calls() -> Vec<Value> {
    let mut calls = vec![
        json!({"pattern": "needle"}),
        json!({"pattern": "NEEDLE 1\\d", "i": true}),
        json!({"pattern": "needle", "skip": 40}),
        json!({"pattern": r"\bcall_\w+\b"}),
        json!({"pattern": "nowhere_at_all"}),
        json!({"pattern": "café au"}),
        json!({"pattern": "needle", "gitignore": false}),
        json!({"pattern": "other_1 é\n\tfn"}),
        json!({"pattern": r"[a-z]\d"}),
        json!({"pattern": "needle", "paths": ["d3"]}),
        json!({"pattern": "needle", "paths": ["d4/f1", "d2/f2"]}),
        json!({"pattern": "needle", "paths": ["d*/f2"]}),
    ];
    calls.extend((0..8).map(|number| json!({"pattern": format!("other_{number}")})));
    calls
}

#[test]
fn each_search_finds_what_it_finds_alone() {
    let tree = tree();
    let alone: Vec<_> = calls().into_iter().map(|call| run(&tree, call)).collect();
    for _ in 0..6 {
        let start = Barrier::new(alone.len());
        thread::scope(|scope| {
            for (call, alone) in calls().into_iter().zip(&alone) {
                let (tree, start) = (&tree, &start);
                scope.spawn(move || {
                    start.wait();
                    let together = run(tree, call.clone());
                    assert_eq!(together.text, alone.text, "{call}");
                    assert_eq!(together.details, alone.details, "{call}");
                });
            }
        });
    }
}

#[test]
fn a_cancelled_search_ends_no_other() {
    let tree = tree();
    let expected = run(&tree, json!({"pattern": "needle"})).text;
    for round in 0..20 {
        let tokens: Vec<_> = (0..8).map(|_| CancelToken::new()).collect();
        thread::scope(|scope| {
            for (number, token) in tokens.iter().enumerate() {
                let (tree, expected) = (&tree, &expected);
                scope.spawn(move || {
                    let options = parse_arguments(&json!({"pattern": "needle"}).to_string()).unwrap();
                    match search::run(&options, &tree.context(), token) {
                        Ok(found) => assert_eq!(found.text, *expected),
                        Err(error) => {
                            assert!(number % 2 == 1 && error.code() == "aborted", "{number} {error}");
                        }
                    }
                });
            }
            if round % 2 == 0 {
                thread::yield_now();
            }
            tokens.iter().skip(1).step_by(2).for_each(CancelToken::cancel);
        });
    }
}

#[test]
fn a_search_sees_what_was_written_before_it_was_called() {
    let tree = tree();
    thread::scope(|scope| {
        let busy: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..10).for_each(|_| drop(run(&tree, json!({"pattern": "needle"}))))))
            .collect();
        for round in 0..20 {
            tree.write("d5/new", format!("written_in_round_{round}_\n"));
            let found = run(&tree, json!({"pattern": format!("written_in_round_{round}_")}));
            assert_eq!(found.details["fileCount"], 1, "{round}");
        }
        for thread in busy {
            thread.join().unwrap();
        }
    });
}

#[test]
fn a_pattern_that_proves_too_large_is_an_error_where_it_is_needed() {
    let tree = Tree::new(&[("f", "x\n")]).with(bare());
    let call = json!({"pattern": r"\w{900}"});
    assert_eq!(run(&tree, call.clone()).text, "No matches found");
    tree.write("g", "é".repeat(9000));
    assert_eq!(run_in(&tree.context(), call).unwrap_err().code(), "invalid_regex");
}
