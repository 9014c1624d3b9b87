//! Where lines that were shown stand in a text that somebody else changed since.

use std::collections::BTreeMap;

use gajae_tool_core::engine::exec::edit::hashline::{Memory, Seen, standing};
use proptest::prelude::*;

fn seen(lines: &[&str]) -> Seen {
    (1..).zip(lines.iter().map(|line| (*line).to_owned())).collect()
}

/// Where a line (from 1) of a text that was shown whole stands now.
#[track_caller]
fn check(shown: &[&str], now: &[&str], line: u64, expected: Option<u64>) {
    let seen = seen(shown);
    let places: BTreeMap<u64, u64> =
        standing(&now.join("\n"), &Memory { is_whole: true, ..Memory::of(&seen) }).into_iter().collect();
    assert_eq!(places.get(&line).copied(), expected, "{shown:?} -> {now:?}");
}

#[test]
fn a_block_like_it_before_a_line_does_not_take_its_place() {
    let block = ["start()", "  body()", "}"];
    check(&block, &["start()", "  x()", "}", "start()", "  body()", "}"], 3, Some(6));
    check(&["1", "2", "r"], &["r", "1", "r", "1", "2", "r"], 3, Some(6));
    check(&["3", "}", "}"], &["}", "}", "3", "}", "}"], 3, Some(5));
    check(&["3", "5", "r", "7"], &["r", "}", "r", "3", "r", "5", "r"], 3, Some(7));
}

#[test]
fn of_a_part_that_was_shown_nothing_is_taken_for_all() {
    // The line is gone; the one like it stood outside of what was shown.
    let seen: Seen = [(3, "save()".to_owned()), (4, "}".to_owned())].into();
    let places = standing("save()\na\nload()\n}\n", &Memory::of(&seen));
    assert!(!places.iter().any(|(line, _)| *line == 3), "{places:?}");
}

/// Whether some longest common subsequence has a line of one beside a line of the other.
fn is_reading(old: &[&str], new: &[&str], old_at: usize, new_at: usize) -> bool {
    old[old_at] == new[new_at]
        && common(&old[..old_at], &new[..new_at]) + common(&old[old_at + 1..], &new[new_at + 1..]) + 1
            == common(old, new)
}

fn common(old: &[&str], new: &[&str]) -> usize {
    let mut lengths = vec![0; new.len() + 1];
    for old in old {
        let mut diagonal = 0;
        for (at, new) in new.iter().enumerate() {
            let above = lengths[at + 1];
            lengths[at + 1] = if old == new { diagonal + 1 } else { above.max(lengths[at]) };
            diagonal = above;
        }
    }
    lengths[new.len()]
}

fn lines(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(prop_oneof![Just("a"), Just("b"), Just("}"), Just("u"), Just("w")], 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// A line is never taken for another one: where it is said to stand, a shortest reading of the change has it.
    #[test]
    fn a_line_stands_where_a_shortest_reading_has_it(shown in lines(9), now in lines(13), is_whole: bool) {
        let seen = seen(&shown);
        for (old, new) in standing(&now.join("\n"), &Memory { is_whole, ..Memory::of(&seen) }) {
            let (old, new) = (usize::try_from(old)? - 1, usize::try_from(new)? - 1);
            prop_assert!(is_reading(&shown, &now, old, new), "{old} -> {new}");
        }
    }

    /// A line that no other is like is found wherever others came.
    #[test]
    fn a_line_without_a_twin_is_found(shown in lines(9), before in lines(5), behind in lines(5)) {
        let shown = [shown.as_slice(), &["only"]].concat();
        let now = [before.as_slice(), &shown, &behind].concat();
        let (old, new) = (shown.len() as u64, (before.len() + shown.len()) as u64);
        let seen = seen(&shown);
        let places = standing(&now.join("\n"), &Memory { is_whole: true, ..Memory::of(&seen) });
        prop_assert!(places.contains(&(old, new)), "{places:?}");
    }
}
