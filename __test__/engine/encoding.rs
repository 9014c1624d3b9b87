//! Encodings: what is found out, what is refused, and the way back from text to bytes.

use gajae_tool_core::engine::text::encoding::{Encoding, Spans, detect};
use proptest::prelude::*;

fn name(bytes: &[u8]) -> (String, bool) {
    detect(bytes).map_or(("binary".into(), true), |detected| (detected.encoding.name(), detected.certain))
}

#[test]
fn certainty_comes_from_marks_and_valid_bytes() {
    for (bytes, expected, certain) in [
        (&b""[..], "utf-8", true),
        (b"plain", "utf-8", true),
        ("é".as_bytes(), "utf-8", true),
        (b"\xEF\xBB\xBFa", "utf-8-bom", true),
        (b"\xFF\xFEa\0", "utf-16le", true),
        (b"\xFE\xFF\0a", "utf-16be", true),
        (b"a\0\n\0", "utf-16le", true),
        (b"\0a\0\n", "utf-16be", true),
        (b"caf\xe9\n", "windows-1252", false),
        (b"a\0b", "binary", true),
        (b"\x96\xbc\x93\x92l\n", "shift_jis", false),
    ] {
        assert_eq!(name(bytes), (expected.to_owned(), certain), "{bytes:?}");
    }
}

#[test]
fn a_text_is_encoded_whole_or_not_at_all() {
    let latin = detect(b"caf\xe9\n").unwrap().encoding;
    assert_eq!(latin.encode("é€").unwrap(), b"\xe9\x80");
    let error = latin.encode("a → b").unwrap_err();
    assert_eq!(error.character, '→');
    assert!(error.to_string().contains("windows-1252"));
    assert!(latin.round_trips(b"caf\xe9\n"));
    assert!(!Encoding::UTF_8.round_trips(b"caf\xe9\n"));
    let wide = Encoding::from_mark(b"\xFF\xFE").unwrap();
    assert_eq!(wide.encode("a😀").unwrap(), b"a\0\x3D\xD8\0\xDE");
    assert!(wide.round_trips(b"\xFF\xFEa\0") && !wide.round_trips(b"a\0"));
    // Two byte sequences of Shift_JIS stand for one character; only one of them comes back.
    let japanese = detect(b"\x96\xbc\x93\x92l\n").unwrap().encoding;
    assert!(!japanese.round_trips(b"\x87\x90"), "≒ has another code as well");
}

fn encoded() -> impl Strategy<Value = (Encoding, Vec<u8>)> {
    let marks = prop::sample::select(vec![&b"\xFF\xFE"[..], b"\xFE\xFF", b"\xEF\xBB\xBF"]);
    let part = prop::sample::select(vec!["a", "\n", "\r\n", "é", "한", "😀", " "]);
    let marked = (marks, prop::collection::vec(part, 0..30)).prop_map(|(mark, parts)| {
        let encoding = Encoding::from_mark(mark).unwrap();
        (encoding, [mark, &encoding.encode(&parts.concat()).unwrap()].concat())
    });
    let legacy = prop::sample::select(vec![&b"caf\xe9\n"[..], b"\x96\xbc\x93\x92l\n", b"a"]);
    let bytes = prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'a'), Just(0x81)], 0..40);
    let any = (legacy, bytes).prop_map(|(sample, bytes)| (detect(sample).unwrap().encoding, bytes));
    prop_oneof![marked, any]
}

proptest! {
    /// The bytes between two characters decode to the text between them.
    #[test]
    fn every_character_has_its_bytes((encoding, bytes) in encoded()) {
        let spans = Spans::new(&bytes, encoding);
        let offsets: Vec<(usize, usize)> = (0..=spans.text().len())
            .filter(|at| spans.text().is_char_boundary(*at))
            .map(|at| (at, spans.byte_offset(at)))
            .collect();
        prop_assert_eq!(offsets[0].1, if bytes.starts_with(encoding.mark()) { encoding.mark().len() } else { 0 });
        prop_assert_eq!(offsets[offsets.len() - 1].1, bytes.len());
        for pair in offsets.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].1);
            if !spans.lossy() {
                let text = &spans.text()[pair[0].0..pair[1].0];
                prop_assert_eq!(&encoding.decode(bytes[pair[0].1..pair[1].1].to_vec()).text, text);
            }
        }
    }

    /// What is decoded without loss comes back, but for the codes that have a twin.
    #[test]
    fn length_is_that_of_the_bytes(text in "[a-zé한\n]{0,20}") {
        for mark in [&b"\xFF\xFE"[..], b"\xFE\xFF", b"\xEF\xBB\xBF"] {
            let encoding = Encoding::from_mark(mark).unwrap();
            let bytes = encoding.encode(&text).unwrap();
            prop_assert_eq!(encoding.length_of(&text), bytes.len() as u64);
            prop_assert_eq!(encoding.decode(bytes).text, text.clone());
        }
    }
}
