//! What takes the place of lines that are like the text that was searched.

use gajae_tool_core::engine::exec::edit::fitted;

#[track_caller]
fn check(old: &str, actual: &str, new: &str, expected: &str) {
    assert_eq!(fitted(old, actual, new), expected, "{old:?} {actual:?} {new:?}");
}

#[test]
fn new_lines_take_the_indentation_of_their_place() {
    check("a\n  b", "  a\n    b", "a\n  c\nd", "  a\n    c\n  d");
    check("    a", "a", "    x\n      y", "x\n  y");
    check("\ta", "    a", "\tb\n\t\tc", "    b\n        c");
    check("  a", "\ta", "  b\n    c", "\tb\n\t\tc");
    check("a", " \ta", "b", " \tb");
    // Each line goes by the one it replaces.
    check("a\n b", "  a\n b", "x", "  x");
    // Nothing but the indentation is to change.
    check("a", "  a", "  a", "  a");
}

#[test]
fn lines_that_were_not_meant_stay_as_they_are() {
    check(
        "if x:\n    foo(1)\n    bar(2)",
        "if x:\n        foo(1)\n        bar(2)",
        "if x:\n    foo(9)\n    bar(2)",
        "if x:\n        foo(9)\n        bar(2)",
    );
    check("foo\nbar\nz", "foo  \nbar\t\nz", "foo\nBAR\nz", "foo  \nBAR\nz");
    check("    foo(1)\n    bar(2)", "\tfoo(1)\n\tbar(2)", "    foo(9)\n    bar(2)", "\tfoo(9)\n\tbar(2)");
    check("say(\"a\")\nb", "say(\u{201e}a\u{201f})\nb", "say(\"a\")\nc", "say(\u{201e}a\u{201f})\nc");
}
