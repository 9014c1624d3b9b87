//! Cutting texts: budgets hold, what is kept is an end of the text, and what fits is never cut.

use gajae_tool_core::engine::text::{
    Middle, MiddleBudget, elision_marker, format_bytes, head, head_bytes, line_count, middle, tail,
};
use proptest::prelude::*;

/// Texts of few, short and repeated pieces, so that boundaries are hit.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "\n",
        "\n\n",
        "a",
        "bb",
        "\r\n",
        "é",
        "한글",
        "😀",
        "long line of text",
        "",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_head_is_whole_lines_within_both_budgets(text in texts(), lines in 0usize..12, bytes in 0usize..60) {
        let cut = head(&text, lines, bytes);
        prop_assert!(text.starts_with(cut.content));
        if cut.by.is_none() {
            prop_assert!(line_count(&text) <= lines && text.len() <= bytes);
            prop_assert_eq!(cut.content, &text);
            return Ok(());
        }
        prop_assert!(line_count(&text) > lines || text.len() > bytes);
        prop_assert!(cut.content.len() <= bytes && cut.lines <= lines);
        if cut.lines > 0 {
            prop_assert_eq!(line_count(cut.content), cut.lines);
            prop_assert!(text[cut.content.len()..].starts_with('\n'), "ends with a line");
        }
        // One line more would not have fitted.
        let rest = text[cut.content.len()..].strip_prefix('\n').filter(|_| cut.lines > 0).unwrap_or(&text);
        let next = rest.split('\n').next().unwrap_or("").len() + usize::from(cut.lines > 0);
        prop_assert!(cut.lines == lines || cut.content.len() + next > bytes);
    }

    #[test]
    fn a_tail_is_whole_lines_or_the_end_of_the_last_one(text in texts(), lines in 0usize..12, bytes in 0usize..60) {
        let cut = tail(&text, lines, bytes);
        prop_assert!(text.ends_with(cut.content));
        if cut.by.is_none() {
            prop_assert!(line_count(&text) <= lines && text.len() <= bytes);
            return Ok(());
        }
        prop_assert!(cut.content.len() <= bytes && cut.lines <= lines);
        let before = &text[..text.len() - cut.content.len()];
        if cut.last_line_partial {
            prop_assert!(!cut.content.contains('\n'));
            prop_assert!(bytes - cut.content.len() < 4, "as many characters as fit");
        } else if cut.lines > 0 {
            prop_assert_eq!(line_count(cut.content), cut.lines);
            prop_assert!(before.ends_with('\n'), "begins with a line");
        }
    }

    #[test]
    fn both_ends_are_ends_and_hold_their_budgets(
        text in texts(), lines in 0usize..12, bytes in 0usize..60,
        head_lines in prop::option::of(0usize..14), head_bytes in prop::option::of(0usize..70),
    ) {
        match middle(&text, MiddleBudget::new(lines, bytes, head_lines, head_bytes)) {
            // Two ends that meet have one newline more than the budgets.
            Middle::Whole => prop_assert!(line_count(&text) <= lines && text.len() <= bytes + 1),
            Middle::Head(cut) => prop_assert!(text.starts_with(cut.content) && cut.content.len() <= bytes && cut.lines <= lines),
            Middle::Tail(cut) => prop_assert!(text.ends_with(cut.content) && cut.content.len() <= bytes && cut.lines <= lines),
            Middle::Both { head, tail } => {
                prop_assert!(text.starts_with(head.content) && text.ends_with(tail.content));
                prop_assert!(head.content.len() + tail.content.len() <= bytes);
                prop_assert!(head.lines + tail.lines <= lines);
                prop_assert!(head.content.len() + 1 + tail.content.len() < text.len(), "something is left out");
            }
        }
    }

    #[test]
    fn what_fits_is_never_cut(text in texts()) {
        let (lines, bytes) = (line_count(&text), text.len());
        prop_assert!(head(&text, lines, bytes).by.is_none());
        prop_assert!(tail(&text, lines, bytes).by.is_none());
        prop_assert_eq!(middle(&text, MiddleBudget::new(lines, bytes, None, None)), Middle::Whole);
        prop_assert_eq!(head_bytes(text.as_bytes(), bytes), text.as_bytes());
    }

    #[test]
    fn first_bytes_split_no_character(text in texts(), max in 0usize..60) {
        let kept = head_bytes(text.as_bytes(), max);
        prop_assert!(kept.len() <= max && std::str::from_utf8(kept).is_ok());
        prop_assert!(kept.len() == text.len() || max - kept.len() < 4, "as many as fit");
    }

    #[test]
    fn any_bytes_can_be_cut(bytes in prop::collection::vec(any::<u8>(), 0..40), max in 0usize..50) {
        let kept = head_bytes(&bytes, max);
        prop_assert!(bytes.starts_with(kept) && kept.len() <= max && max.min(bytes.len()) - kept.len() < 4);
    }
}

#[test]
fn a_partial_last_line_does_not_cover_the_text() {
    let text = format!("start\nmid\n{}", "y".repeat(10_000));
    let cut = middle(&text, MiddleBudget::new(100, 40, None, None));
    let Middle::Both { head, tail } = cut else { panic!("{cut:?}") };
    assert_eq!((head.content, tail.content.len(), tail.last_line_partial), ("start\nmid", 20, true));
}

#[test]
fn markers_have_one_form() {
    #[track_caller]
    fn check(lines: u64, bytes: u64, expected: &str) {
        assert_eq!(elision_marker(lines, bytes), expected);
    }
    check(0, 41, "[… part of a line elided (41B) …]");
    check(1, 4, "[… 1 line elided (4B) …]");
    check(999, 2048, "[… 999 lines elided (2.0KB) …]");
    check(1_148, 55_105, "[… 1,148 lines elided (53.8KB) …]");
    check(1_000_000, 5_000_000, "[… 1,000,000 lines elided (4.8MB) …]");
}

#[test]
fn sizes_stay_below_the_next_unit() {
    for (bytes, expected) in [(1023, "1023B"), (1024, "1.0KB"), (1_048_575, "1023.9KB"), (1_048_576, "1.0MB")]
    {
        assert_eq!(format_bytes(bytes), expected);
    }
}
