//! Where lines stand after an edit.

use gajae_tool_core::engine::text::{Splice, apply_splices, surviving_lines};
use proptest::collection::{SizeRange, vec};
use proptest::prelude::*;
use proptest::sample::select;

#[track_caller]
fn check(old: &str, splices: &[(std::ops::Range<usize>, &str)], expected: &[Option<usize>]) {
    let splices: Vec<Splice> = splices
        .iter()
        .map(|(range, new)| Splice { range: range.clone(), new: new.as_bytes().into() })
        .collect();
    assert_eq!(surviving_lines(old.as_bytes(), &splices), expected);
}

#[test]
fn a_line_beside_an_equal_one_is_itself() {
    let braces = "}\n}\n}\n";
    check(braces, &[(0..0, "}\n")], &[Some(1), Some(2), Some(3), Some(4)]);
    check(braces, &[(2..2, "}\n")], &[Some(0), Some(2), Some(3), Some(4)]);
    check(braces, &[(5..5, "\n}")], &[Some(0), Some(1), Some(2), Some(4)]);
    check(braces, &[(2..4, "")], &[Some(0), None, Some(1), Some(2)]);
    check("\n\n\n", &[(1..2, "")], &[Some(0), None, Some(1), Some(2)]);
    check("\n\n", &[(1..1, "\n\n")], &[Some(0), Some(3), Some(4)]);
}

#[test]
fn a_line_that_is_written_anew_is_the_old_one() {
    check("a\nb\nc\n", &[(0..5, "a\nB\nc")], &[Some(0), None, Some(2), Some(3)]);
    check("a\nb\nc\n", &[(2..3, "x\nb\ny")], &[Some(0), Some(2), Some(4), Some(5)]);
}

#[test]
fn parts_of_lines_are_no_lines() {
    check("ab\ncd\n", &[(1..1, "\n")], &[None, Some(2), Some(3)]);
    check("ab\ncd\n", &[(2..3, "")], &[None, None, Some(1)]);
    check("ab\ncd", &[(0..0, "x")], &[None, Some(1)]);
    check("ab\ncd", &[(5..5, "x")], &[Some(0), None]);
    check("", &[(0..0, "x\n")], &[Some(1)]);
    check("a", &[], &[Some(0)]);
}

fn lines(count: impl Into<SizeRange>) -> impl Strategy<Value = Vec<&'static str>> {
    vec(select(vec!["}", "", "x", "\u{e9}t\u{e9}"]), count)
}

proptest! {
    /// What lies before and behind whole lines that change has moved by as many lines as came and went.
    #[test]
    fn whole_lines_move_the_others(old in lines(8), new in lines(0..4), from in 0..5_usize, count in 0..3_usize) {
        let text = old.join("\n");
        let start = |line: usize| old[..line].iter().map(|line| line.len() + 1).sum();
        let brought: String = new.iter().flat_map(|line| [*line, "\n"]).collect();
        let splice = Splice { range: start(from)..start(from + count), new: brought.into_bytes().into() };
        let places = surviving_lines(text.as_bytes(), &[splice]);
        let expected = |line: usize| if line < from { line } else { line + new.len() - count };
        for line in (0..from).chain(from + count..old.len()) {
            prop_assert_eq!(places[line], Some(expected(line)));
        }
    }

    /// Whatever is spliced, what survives is the same text in the same order.
    #[test]
    fn text_and_order_stay(old in lines(8), new in lines(0..4), cuts in [0..24_usize, 0..24]) {
        let text = old.join("\n");
        let cuts = cuts.map(|at| text.floor_char_boundary(at));
        let range = cuts[0].min(cuts[1])..cuts[0].max(cuts[1]);
        let splice = Splice { range, new: new.join("\n").into_bytes().into() };
        let places = surviving_lines(text.as_bytes(), std::slice::from_ref(&splice));
        let after = String::from_utf8(apply_splices(text.as_bytes(), &[splice])).expect("a text");
        let after: Vec<&str> = after.split('\n').collect();
        let kept: Vec<usize> = places.iter().flatten().copied().collect();
        prop_assert!(kept.is_sorted_by(|one, next| one < next));
        for (line, place) in old.iter().zip(&places) {
            prop_assert!(place.is_none_or(|place| after[place] == *line));
        }
    }
}
