//! Text of results.

use gajae_tool_core::engine::calls::sanitize;

fn check(text: &str, expected: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    assert_eq!(sanitize(&units), expected, "{text:?}");
}

#[test]
fn terminal_sequences_go() {
    check("a\x1b[31mred\x1b[0m", "ared");
    check("\x1b[38;5;196;1mx\x1b[2 q\x1b[?25l", "x");
    check("\x1b]8;;https://host.example\x1b\\link\x1b]8;;\x07.", "link.");
    check("\x1b(Bplain\x1b7\x1bM", "plain");
    check("\x1bP1;2|data\x1b\\x", "x");
}

#[test]
fn a_broken_sequence_swallows_nothing_behind_it() {
    check("\x1b]0;title without an end\nnext", "]0;title without an end\nnext");
    check("\x1b[31", "[31");
    check("\x1b[12\nrest", "[12\nrest");
    check("end\x1b", "end");
    check("\x1b\x1b[1mbold", "bold");
    check("\x1bé", "é");
}

#[test]
fn control_characters_go_but_tab_and_newline() {
    check("a\0b\x07c\td\ne\x7ff\u{85}g\u{9b}h", "abc\td\nefgh");
}

#[test]
fn every_kind_of_line_end_stays_one() {
    check("a\r\nb\r\n", "a\nb\n");
    check("old\rmac\r\rlines\r", "old\nmac\n\nlines\n");
    check("twice\r\r\nconverted", "twice\nconverted");
}

#[test]
fn real_replacement_characters_stay_and_lone_surrogates_go() {
    check("a\u{fffd}b", "a\u{fffd}b");
    let units = [0xd83d, 0x61, 0xfffd, 0xd83d, 0xde00, 0xde00, 0x1b, 0x63];
    assert_eq!(sanitize(&units), "a\u{fffd}😀");
    // Two halves with a sequence between them are no pair.
    let apart = [0xd83d, 0x1b, 0x5b, 0x30, 0x6d, 0xde00];
    assert_eq!(sanitize(&apart), "");
}
