//! Text in columns of a terminal.

use gajae_tool_core::engine::text::{fit, width, wrap};

#[test]
fn wide_and_joined_characters_are_counted_as_they_are_drawn() {
    for (text, columns) in
        [("abc", 3), ("한글", 4), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("a\tb", 6), ("\u{202e}a\u{7}", 1), ("", 0)]
    {
        assert_eq!(width(text), columns, "{text:?}");
    }
}

fn check_fit(pieces: &[&str], columns: usize, expected: &[&str]) {
    let pieces: Vec<_> = pieces.iter().map(ToString::to_string).collect();
    let fitted = fit(&pieces, columns);
    assert_eq!(fitted, expected, "{columns}");
    assert!(fitted.iter().map(|piece| width(piece)).sum::<usize>() <= columns);
}

#[test]
fn a_line_is_cut_where_it_does_not_fit() {
    check_fit(&["ab", "cd"], 4, &["ab", "cd"]);
    check_fit(&["ab", "cd"], 3, &["ab", "…"]);
    check_fit(&["ab", "cdef", "g"], 5, &["ab", "cd…", ""]);
    check_fit(&["한글"], 3, &["한…"]);
    check_fit(&["한글"], 2, &["…"]);
    check_fit(&["한글"], 0, &[""]);
    check_fit(&["a\nb"], 5, &["a b"]);
}

#[test]
fn wrapping_loses_nothing() {
    assert_eq!(wrap("abcdef", 4), ["abcd", "ef"]);
    assert_eq!(wrap("a한글", 3), ["a한", "글"]);
    assert_eq!(wrap("한글", 1), ["한", "글"]);
    assert_eq!(wrap("", 10), [""]);
    assert_eq!(wrap("ab", 0), ["a", "b"]);
}
