//! Calls that were written before an earlier call moved their lines.

use std::sync::Arc;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::{Context, edit, parse_value};
use gajae_tool_core::engine::files::Stamp;
use gajae_tool_core::engine::session::{Reader, Session, Shown, Turn};
use gajae_tool_core::engine::text::anchor;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::{content, context, tree};

/// A line that is itself, whatever it looks like.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    id: usize,
    text: String,
}

fn text_of(lines: &[Line]) -> String {
    lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect()
}

fn any_text() -> impl Strategy<Value = &'static str> {
    select(vec!["}", "}", "", "x", "end"])
}

/// Whether the turn begins with it, the line, whether the line goes, and what comes behind it else.
fn any_step() -> impl Strategy<Value = (bool, usize, bool, String)> {
    (any::<bool>(), 0..100_usize, any::<bool>(), "[a-z]{8}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever moved, a call changes the line that it was written for, or nothing.
    #[test]
    fn no_call_hits_a_line_that_looks_the_same(
        first in proptest::collection::vec(any_text(), 12),
        steps in proptest::collection::vec(any_step(), 1..12),
    ) {
        let mut lines: Vec<Line> =
            first.iter().enumerate().map(|(id, text)| Line { id, text: (*text).to_owned() }).collect();
        let tree = tree(text_of(&lines).as_bytes());
        let path = tree.path().join("f.txt");
        let session = Arc::new(Session::default());
        let base = Context { session: Some(session.clone()), has_edit_tool: true, ..context(tree.path(), json!({"write.durable": false})) };
        let reader = Reader { turn: None, sees_anchors: true };
        let text = text_of(&lines);
        session.reads.record(&path, Shown::all(&text), Some(Stamp::of_bytes(text.as_bytes())), reader);
        let (mut written_for, mut number) = (lines.clone(), 0);
        for (step, (begins, at, goes, new)) in steps.into_iter().enumerate() {
            if begins {
                (written_for, number) = (lines.clone(), step);
            }
            let at = at % written_for.len();
            let named = anchor(at as u64 + 1, &written_for[at].text);
            let input = if goes { format!("§f.txt\n≔{named}\n") } else { format!("§f.txt\n»{named}\n{new}\n") };
            let turn = Turn { id: number.to_string(), is_whole: true, also: Vec::new() };
            let context = Context { turn: Some(turn), ..base.clone() };
            let options = parse_value(&json!({"input": input})).expect("arguments");
            let before = lines.clone();
            match (edit::run(&options, &context, &CancelToken::new()), lines.iter().position(|line| line.id == written_for[at].id)) {
                (Ok(_), Some(place)) if goes => {
                    lines.remove(place);
                }
                (Ok(_), Some(place)) => lines.insert(place + 1, Line { id: 100 + step, text: new }),
                (Ok(_), None) => prop_assert!(false, "the line is gone"),
                (Err(error), _) => {
                    prop_assert!(matches!(error.code(), "stale_anchor" | "anchor_out_of_range"), "{}", error);
                    lines = before;
                }
            }
            let now = content(&tree);
            prop_assert_eq!(String::from_utf8_lossy(&now), text_of(&lines));
            if lines.is_empty() {
                break;
            }
        }
    }
}
