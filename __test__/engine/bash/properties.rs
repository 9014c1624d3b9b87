//! What holds for every output.

use gajae_tool_core::engine::exec::bash;
use gajae_tool_core::engine::outcome::OutputMeta;
use proptest::prelude::*;

use super::{EVERYTHING, shown};

proptest! {
    #[test]
    fn where_a_read_ends_never_matters(pieces in output()) {
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let (whole, parts) = (shown(&[&pieces.concat()], EVERYTHING), shown(&pieces, EVERYTHING));
        prop_assert_eq!(&whole.text, &parts.text);
        prop_assert!(!whole.text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        prop_assert_eq!(whole.meta, OutputMeta::default());
    }

    #[test]
    fn a_window_is_a_start_and_an_end_of_the_whole(pieces in output(), head in 0_usize..40, tail in 0_usize..40) {
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let whole = shown(&pieces, EVERYTHING).text;
        let limits = bash::Limits { head, tail, ..EVERYTHING };
        let part = shown(&pieces, limits);
        let Some(cut) = part.meta.truncation else {
            prop_assert_eq!(part.text, whole);
            return Ok(());
        };
        prop_assert_eq!(cut.total_bytes, whole.len() as u64);
        prop_assert_eq!(cut.total_lines, whole.matches('\n').count() as u64 + 1);
        let (start, end) = match &part.marker {
            Some(marker) => part.text.split_once(&marker.text).unwrap(),
            None => ("", part.text.as_str()),
        };
        let (start, end) = (start.trim_end_matches('\n'), end.strip_prefix('\n').unwrap_or(end));
        prop_assert!(whole.starts_with(start) && whole.ends_with(end), "{start:?} {end:?} {whole:?}");
        prop_assert!(start.len() <= head && end.len() <= tail);
        prop_assert!(tail - end.len() < 4 || part.marker.is_none());
    }

    #[test]
    fn text_without_control_characters_stays(text in "[ -~äé→😀\\n\\t]{0,300}") {
        prop_assert_eq!(shown(&[text.as_bytes()], EVERYTHING).text, text);
    }
}

/// Pieces of what programs write to terminals, cut anywhere.
fn output() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let atoms: &[&str] = &[
        "a",
        "plain text",
        "0123456789",
        "é",
        "→",
        "😀",
        "\u{a0}",
        "\u{85}",
        "\u{9b}1m",
        "\n",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\x08",
        "\0",
        "\x07",
        "\x7f",
        "\x1b[31m",
        "\x1b[K",
        "\x1b[1K",
        "\x1b[2K",
        "\x1b[3G",
        "\x1b]0;t\x07",
        "\x1b]8;;x\x1b\\",
        "\x1b(B",
        "\x1b",
        "\x1b[",
        "\x1bP",
        "\x18",
    ];
    let invalid = prop_oneof![Just(vec![0xFF]), Just(vec![0xE2, 0x86]), Just(vec![0xC2]), Just(vec![0x92])];
    let atom =
        prop_oneof![8 => prop::sample::select(atoms).prop_map(|atom| atom.as_bytes().to_vec()), 1 => invalid];
    let stream = prop::collection::vec(atom, 0..40).prop_map(|atoms| atoms.concat());
    (stream, prop::collection::vec(1_usize..7, 1..8)).prop_map(|(stream, sizes)| {
        let (mut rest, mut pieces) = (stream.as_slice(), Vec::new());
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, more) = rest.split_at((*size).min(rest.len()));
            pieces.push(piece.to_vec());
            rest = more;
        }
        pieces
    })
}
