//! What holds for every file and every edit.

use gajae_tool_core::engine::text::{Document, Splice, apply_splices, numbered_diff, numbered_diff_of_texts};
use proptest::prelude::*;

use super::{arguments, call, content, tree};

/// Lines of all kinds: any ending, bytes that are not UTF-8, no final ending, a mark in front.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        Just(b"".to_vec()),
        Just(b"alpha".to_vec()),
        Just(b"beta gamma".to_vec()),
        Just("caf\u{e9}".as_bytes().to_vec()),
        Just(b"caf\xe9 \xff".to_vec()),
        Just(b"lone\rreturn".to_vec()),
        proptest::collection::vec(any::<u8>().prop_filter("no NUL", |byte| *byte != 0), 0..6),
    ];
    let ending = prop_oneof![Just(&b"\n"[..]), Just(&b"\r\n"[..]), Just(&b"\r"[..]), Just(&b""[..])];
    let lines = proptest::collection::vec((word, ending), 0..12);
    (any::<bool>(), lines).prop_map(|(mark, lines)| {
        let start = if mark { b"\xEF\xBB\xBF".to_vec() } else { Vec::new() };
        lines.into_iter().fold(start, |file, (word, ending)| [&file[..], &word, ending].concat())
    })
}

fn any_new_text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"".to_vec()),
        Just(b"new".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"one\ntwo\n".to_vec()),
        Just(b"alpha\nbeta gamma\nmore".to_vec()),
    ]
}

/// The bytes of the original for each byte of its LF form; written anew, so that it checks the one under test.
fn places(original: &[u8]) -> Vec<std::ops::Range<usize>> {
    let start = if original.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let has_lf = original.contains(&b'\n');
    let (mut places, mut at) = (Vec::new(), start);
    while at < original.len() {
        let is_pair = has_lf && original[at] == b'\r' && original.get(at + 1) == Some(&b'\n');
        let end = at + if is_pair { 2 } else { 1 };
        places.push(at..end);
        at = end;
    }
    places
}

fn as_lf(bytes: &[u8], has_lf: bool) -> Vec<u8> {
    let text = bytes.to_vec();
    let mut lf = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\r' if !has_lf => lf.push(b'\n'),
            b'\r' if text.get(at + 1) == Some(&b'\n') => {}
            other => lf.push(*other),
        }
    }
    lf
}

fn any_lines() -> impl Strategy<Value = String> {
    (proptest::collection::vec("[abc]", 0..8), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.join("\n");
        if ends && !text.is_empty() { text + "\n" } else { text }
    })
}

/// The text on one side of a diff that leaves nothing out: context and the lines of `sign`.
fn side(diff: &str, sign: char) -> Vec<&str> {
    let lines = diff.lines().filter(|line| line.starts_with([' ', sign]));
    lines.filter_map(|line| line.split_once('|')).map(|(_, text)| text).collect()
}

/// The fewest lines that must go or come, by the textbook's table.
fn distance(old: &[&str], new: &[&str]) -> usize {
    let mut row: Vec<usize> = (0..=new.len()).collect();
    for (at, old_line) in old.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, new_line) in new.iter().enumerate() {
            let best = if old_line == new_line { diagonal } else { 1 + row[column].min(row[column + 1]) };
            diagonal = std::mem::replace(&mut row[column + 1], best);
        }
    }
    row[new.len()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the file is like: outside the replaced spans every byte is as it was, and inside stands the new
    /// text, its line endings aside.
    #[test]
    fn bytes_outside_the_spans_are_identical(
        original in any_file(),
        cuts in proptest::collection::vec((any::<proptest::sample::Index>(), any_new_text()), 1..8),
    ) {
        let original = String::from_utf8_lossy(&original).into_owned().into_bytes();
        let document = Document::new(&original);
        prop_assume!(document.is_ok());
        let document = document.expect("a text");
        let places = places(&original);
        let length = places.len();
        let boundary = |at: usize| (0..=at).rev().find(|at| document.text().is_char_boundary(*at)).unwrap_or(0);
        let mut offsets: Vec<usize> = cuts.iter().map(|(index, _)| boundary(index.index(length + 1))).collect();
        offsets.sort_unstable();
        // Two offsets make a span.
        let spans: Vec<_> = offsets.chunks_exact(2).zip(&cuts).map(|(pair, (_, new))| (pair[0]..pair[1], new)).collect();
        let splices: Vec<Splice> =
            spans.iter().map(|(range, new)| Splice { range: range.clone(), new: (&new[..]).into() }).collect();

        prop_assert_eq!(document.text().len(), length);
        let changed = document.apply(&splices).expect("UTF-8 takes every text");

        let byte_at = |offset: usize| places.get(offset).map_or(original.len(), |place| place.start);
        let has_lf = original.contains(&b'\n');
        let (mut before, mut after) = (0, 0);
        for (range, new) in &spans {
            let kept = &original[before..byte_at(range.start)];
            prop_assert!(changed[after..].starts_with(kept), "bytes before a span changed");
            after += kept.len();
            // The new text goes in with some line endings; find how long it became.
            let written = (after..=changed.len()).find(|end| {
                let lone = !has_lf && original.contains(&b'\r');
                as_lf(&changed[after..*end], !lone) == **new && !changed[after..*end].ends_with(b"\r")
                    || (lone && as_lf(&changed[after..*end], false) == **new)
            });
            prop_assert!(written.is_some(), "the new text is not there");
            after = written.unwrap_or(after);
            before = byte_at(range.end);
        }
        prop_assert_eq!(&changed[after..], &original[before..], "bytes behind the last span changed");
    }

    /// In whatever encoding and with whatever line endings: outside the replaced text every byte is as it was, and the
    /// new text stands in the encoding of the file.
    #[test]
    fn every_encoding_is_edited_in_its_own_bytes(
        form in prop_oneof![
            Just(encoding_rs::UTF_8), Just(encoding_rs::UTF_16LE), Just(encoding_rs::UTF_16BE), Just(encoding_rs::SHIFT_JIS),
            Just(encoding_rs::GBK), Just(encoding_rs::EUC_KR), Just(encoding_rs::WINDOWS_1252), Just(encoding_rs::WINDOWS_1251),
        ],
        lines in proptest::collection::vec(("[a-z ]{0,12}", prop_oneof![Just("\n"), Just("\r\n")]), 1..10),
        at in any::<proptest::sample::Index>(),
        new in "[A-Z]{1,4}(\n[A-Z]{1,4}){0,2}",
    ) {
        let sample = match form.name() {
            "Shift_JIS" => "\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{8868}\u{793a}\u{3067}\u{3059}\u{3002}\u{3053}\u{308c}\u{306f}\u{6587}\u{5b57}\u{3060}",
            "GBK" => "\u{8fd9}\u{662f}\u{4e2d}\u{6587}\u{6587}\u{672c}\u{ff0c}\u{7528}\u{6765}\u{6d4b}\u{8bd5}\u{7f16}\u{7801}\u{3002}",
            "EUC-KR" => "\u{c774}\u{ac83}\u{c740}\u{d55c}\u{ad6d}\u{c5b4}\u{bb38}\u{c790}\u{c5f4}\u{c785}\u{b2c8}\u{b2e4}",
            "windows-1251" => "\u{42d}\u{442}\u{43e} \u{440}\u{443}\u{441}\u{441}\u{43a}\u{438}\u{439} \u{442}\u{435}\u{43a}\u{441}\u{442} \u{434}\u{43b}\u{44f} \u{43f}\u{440}\u{43e}\u{432}\u{435}\u{440}\u{43a}\u{438}",
            _ => "d\u{e9}j\u{e0} vu, \u{e0} c\u{f4}t\u{e9} de la for\u{ea}t, \u{e9}t\u{e9} comme hiver, gar\u{e7}on",
        };
        let encode = |text: &str| -> Vec<u8> {
            match form.name() {
                "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
                _ => form.encode(text).0.into_owned(),
            }
        };
        let mark: &[u8] = match form.name() { "UTF-16LE" => b"\xFF\xFE", "UTF-16BE" => b"\xFE\xFF", _ => b"" };
        let cut = at.index(lines.len() + 1);
        let part = |lines: &[(String, &str)]| lines.iter().map(|(line, end)| [line, " ", sample, end].concat()).collect::<String>();
        let (head, tail) = (format!("{sample}\n{}", part(&lines[..cut])), part(&lines[cut..]));
        let before = [mark, &encode(&head), &encode("<unique piece>"), &encode(&tail)].concat();
        let tree = tree(&before);
        call(tree.path(), &arguments(&[("<unique piece>", &new)])).expect("the edit");
        let after = content(&tree);
        let (head, tail) = ([mark, &encode(&head)].concat(), encode(&tail));
        prop_assert!(after.starts_with(&head) && after.ends_with(&tail));
        let middle = &after[head.len()..after.len() - tail.len()];
        let expected: Vec<Vec<u8>> = [new.clone(), new.replace('\n', "\r\n")].iter().map(|text| encode(text)).collect();
        prop_assert!(expected.iter().any(|expected| expected == middle), "{middle:?}");
    }

    /// The whole way through the executor: a unique piece of the file is replaced, the rest stays.
    #[test]
    fn a_unique_text_is_replaced_and_nothing_else(head in any_file(), tail in any_file(), new in "[a-z]{1,5}(\n[a-z]{0,5}){0,2}") {
        let tail = tail.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&tail);
        let original = [&head[..], b"=<unique piece>", tail].concat();
        let tree = tree(&original);
        let new = format!("={new}");
        let outcome = call(tree.path(), &arguments(&[("=<unique piece>", &new)]));
        let changed = content(&tree);
        if let Err(error) = outcome {
            // Control characters, or a lead byte of some encoding right before the piece.
            prop_assert!(std::str::from_utf8(&original).is_err(), "{error}");
            prop_assert!(["not_text", "no_match"].contains(&error.code()), "{error}");
            prop_assert!(changed == original);
            return Ok(());
        }
        prop_assert!(changed.starts_with(&head));
        prop_assert!(changed.ends_with(tail));
        let middle = &changed[head.len()..changed.len() - tail.len()];
        prop_assert_eq!(String::from_utf8_lossy(middle).replace("\r\n", "\n").replace('\r', "\n"), new);
    }

    /// A diff has both texts in it, with the right numbers, and no line more than needed.
    #[test]
    fn a_diff_is_complete_and_short(old in any_lines(), new in any_lines()) {
        let diff = numbered_diff_of_texts(old.as_bytes(), new.as_bytes());
        prop_assume!(!diff.text.contains('\u{2026}'));
        if old == new {
            prop_assert_eq!(diff.text, "");
            return Ok(());
        }
        for (text, sign) in [(&old, '-'), (&new, '+')] {
            // Unchanged lines far from any change are not shown.
            let shown = side(&diff.text, sign);
            prop_assert!(text.lines().collect::<Vec<_>>() == shown, "{}", diff.text);
            let signed = diff.text.lines().filter(|line| line.starts_with(sign));
            for (number, line) in signed.filter_map(|line| line[1..].split_once('|')) {
                let at: usize = number.parse().expect("a number");
                prop_assert_eq!(text.lines().nth(at - 1), Some(line));
            }
        }
        let lines: Vec<Vec<&str>> = [&old, &new].map(|text| text.split_inclusive('\n').collect()).into();
        let changed = diff.text.lines().filter(|line| !line.starts_with(' ')).count();
        prop_assert_eq!(changed, distance(&lines[0], &lines[1]));
    }

    /// Several splices at once, in lines of their own, in one line or side by side.
    #[test]
    fn a_diff_of_several_splices_is_complete(
        old in any_lines(),
        cuts in proptest::collection::vec((any::<proptest::sample::Index>(), "[abx\n]{0,3}"), 1..8),
    ) {
        let mut offsets: Vec<usize> = cuts.iter().map(|(index, _)| index.index(old.len() + 1)).collect();
        offsets.sort_unstable();
        let splices: Vec<Splice> = offsets
            .chunks_exact(2)
            .zip(&cuts)
            .map(|(pair, (_, new))| Splice { range: pair[0]..pair[1], new: new.as_bytes().into() })
            .collect();
        let new = apply_splices(old.as_bytes(), &splices);
        let new = String::from_utf8(new).expect("text");
        let diff = numbered_diff(old.as_bytes(), &splices);
        prop_assume!(!diff.text.contains('\u{2026}'));
        if old == new {
            prop_assert_eq!(diff.text, "");
        } else {
            prop_assert!(old.lines().collect::<Vec<_>>() == side(&diff.text, '-'), "{}", diff.text);
            prop_assert!(new.lines().collect::<Vec<_>>() == side(&diff.text, '+'), "{}", diff.text);
        }
    }
}
