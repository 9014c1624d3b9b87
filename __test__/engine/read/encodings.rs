//! Texts that are no UTF-8: detected, decoded, named, and split into the same lines whatever the window.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
use serde_json::json;

use super::{Fixture, check_facts};

const JAPANESE: &str =
    "吾輩は猫である。名前はまだ無い。\nどこで生れたかとんと見当がつかぬ。\n何でも薄暗いじめじめした所で\n";
const KOREAN: &str = "나는 오늘 아침에 일찍 일어나서\n학교에 갔습니다. 그리고 친구를 만났습니다.\n끝\n";
const CHINESE: &str = "我们今天去学校学习中文。\n老师说明天不用上课，大家都很高兴。\n这是最后一行\n";
const TAIWANESE: &str = "我們今天去學校學習中文。\n老師說明天不用上課，大家都很高興。\n這是最後一行\n";
const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок\nда выпей чаю.\nКонец\n";
const GERMAN: &str = "Fünf große Bären müssen über die Straße.\nÄpfel und Öl\nEnde\n";

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

fn cases() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let mut cases = vec![
        ("utf-16le", KOREAN, utf16(&format!("\u{FEFF}{KOREAN}"), u16::to_le_bytes)),
        ("utf-16be", JAPANESE, utf16(&format!("\u{FEFF}{JAPANESE}"), u16::to_be_bytes)),
        ("utf-16le", GERMAN, utf16(GERMAN, u16::to_le_bytes)),
        ("utf-16be", GERMAN, utf16(GERMAN, u16::to_be_bytes)),
        ("utf-8-bom", GERMAN, format!("\u{FEFF}{GERMAN}").into_bytes()),
    ];
    for (encoding, text) in [
        (SHIFT_JIS, JAPANESE),
        (EUC_JP, JAPANESE),
        (EUC_KR, KOREAN),
        (GBK, CHINESE),
        (BIG5, TAIWANESE),
        (WINDOWS_1251, RUSSIAN),
        (WINDOWS_1252, GERMAN),
    ] {
        let name: &'static str = encoding.name();
        cases.push((name, text, encoding.encode(text).0.into_owned()));
    }
    cases
}

#[test]
fn every_encoding_is_decoded_and_named() {
    for (name, text, bytes) in cases() {
        let fixture = Fixture::plain(&[]);
        fixture.file("f", &bytes);
        for (path, expected) in [("f", text), ("f:raw", text), ("f:1-", text)] {
            let outcome = fixture.read(path);
            assert_eq!(outcome.text, expected, "{name} {path}");
            assert_eq!(outcome.details["encoding"], name.to_ascii_lowercase(), "{path}");
            assert!(!outcome.details.contains_key("lossy"), "{name} {path}");
        }
        for (number, line) in (1..).zip(text.split('\n')) {
            assert_eq!(fixture.text(&format!("f:raw:{number}-{number}")), line, "{name}");
        }
    }
}

/// Anchors are those of the decoded text: edit decodes before it compares.
#[test]
fn anchors_are_those_of_the_text() {
    let expected = Fixture::hashed(&[("f", GERMAN)]).text("f");
    for (_, text, bytes) in cases().into_iter().filter(|(_, text, _)| *text == GERMAN) {
        let fixture = Fixture::hashed(&[]);
        fixture.file("f", &bytes);
        assert_eq!(fixture.text("f"), expected, "{text}");
    }
}

/// Larger than what is held in memory, larger than what is looked at whole.
#[test]
fn windows_of_large_files_are_decoded_piece_by_piece() {
    for (name, text, one) in cases() {
        // Samples of a large file must not start inside a character.
        let is_sampled = ["Shift_JIS", "windows-1252"].contains(&name) || text == KOREAN && name != "EUC-KR";
        for size in if is_sampled { vec![300_000, 9_000_000] } else { vec![300_000] } {
            // The mark stands only at the start.
            let mark = if one.starts_with(b"\xFF\xFE") || one.starts_with(b"\xFE\xFF") { 2 } else { 0 };
            let mark = if one.starts_with(b"\xEF\xBB\xBF") { 3 } else { mark };
            let times = size / (one.len() - mark) + 1;
            let bytes = [&one[..mark], &one[mark..].repeat(times)].concat();
            let fixture = Fixture::new(&[]).set("read.receiptBudgetLines", json!(5));
            fixture.file("f", &bytes);
            let lines: Vec<&str> = text.lines().collect();
            let total = times * lines.len() + 1;
            let tail = fixture.read("f");
            check_facts(&tail, "footer_tail", json!({"total": total, "end": total}));
            assert!(
                tail.text.contains(&format!("{}|{}\n", total - 1, lines[lines.len() - 1])),
                "{name}: {}",
                tail.text
            );
            assert!(!tail.text.contains('\u{FFFD}'), "{name}: {}", tail.text);
            let number = total / 2;
            let line = lines[(number - 1) % lines.len()];
            assert_eq!(fixture.text(&format!("f:raw:{number}-{number}")), line, "{name} {size}");
            assert_eq!(tail.details["encoding"], name.to_ascii_lowercase());
        }
    }
}

/// A window that starts inside a line starts at a character.
#[test]
fn the_end_of_a_long_line_is_whole_characters() {
    for (name, text, one) in cases() {
        let line: Vec<u8> = one.iter().copied().filter(|byte| *byte != b'\n').collect();
        if text == KOREAN || !name.starts_with("utf-16") {
            continue;
        }
        // In UTF-16 a line break leaves a zero byte behind, so the line is made anew.
        let form = if name == "utf-16le" { u16::to_le_bytes } else { u16::to_be_bytes };
        let long = text.replace('\n', "").repeat(20_000);
        let fixture = Fixture::plain(&[]);
        fixture.file("f", &utf16(&format!("\u{FEFF}{long}"), form));
        let outcome = fixture.read("f");
        let shown = outcome.details["displayContent"]["text"].as_str().unwrap();
        assert!(long.ends_with(shown) && shown.len() > 10_000, "{name} {}", line.len());
        check_facts(&outcome, "footer_partial", json!({"line": 1}));
    }
}

#[test]
fn a_carriage_return_ends_lines_in_utf16_too() {
    let fixture = Fixture::new(&[]);
    fixture.file("mac", &utf16("\u{FEFF}a\rb\r", u16::to_le_bytes));
    fixture.file("dos", &utf16("\u{FEFF}a\r\nb\r\n", u16::to_be_bytes));
    // These hold the bytes of a line feed in other characters.
    fixture.file("odd", &utf16("\u{FEFF}ਅ\u{010A}\u{0A0D}x\nb", u16::to_le_bytes));
    assert_eq!(fixture.text("mac"), "1|a\n2|b\n3|");
    assert_eq!(fixture.text("dos:1-1"), "1|a\r\n2|b\r\n3|");
    assert_eq!(fixture.text("odd"), "1|ਅ\u{010A}\u{0A0D}x\n2|b");
}

/// A few stray bytes do not make another encoding of a text that is UTF-8 nearly everywhere.
#[test]
fn utf8_with_stray_bytes_stays_utf8() {
    let fixture = Fixture::plain(&[("ok", "caf\u{FFFD}\n")]);
    let mut bytes = "é".repeat(20).into_bytes();
    bytes.extend(b"\ncaf\xe9\nb\n");
    fixture.file("l.txt", &bytes);
    for path in ["l.txt", "l.txt:raw", "l.txt:2-2", "l.txt:1,2"] {
        let outcome = fixture.read(path);
        assert!(outcome.text.contains("caf\u{FFFD}"), "{path}");
        assert_eq!(outcome.details["lossy"], true, "{path}");
        assert!(!outcome.details.contains_key("encoding"), "{path}");
    }
    assert!(!fixture.read("l.txt:raw:3-3").details.contains_key("lossy"));
    assert!(!fixture.read("ok").details.contains_key("lossy"), "the character itself is no fault");
}

#[test]
fn bytes_that_are_no_text_are_binary() {
    let fixture = Fixture::plain(&[]);
    for (name, bytes) in [
        ("counting", (0..=255).collect::<Vec<u8>>()),
        ("utf-32", b"\xFF\xFE\0\0a\0\0\0".to_vec()),
        ("no zero", (1..=255).cycle().step_by(37).take(4000).collect()),
        ("terminated", b"name\0other\0".to_vec()),
        ("numbers", (0..500u16).flat_map(u16::to_le_bytes).collect()),
        ("half a surrogate", utf16("abc", u16::to_le_bytes).into_iter().chain([0, 0xD8, b'a', 0]).collect()),
    ] {
        fixture.file(name, &bytes);
        let outcome = fixture.read(name);
        assert_eq!(outcome.details.get("binary"), Some(&json!(true)), "{name}: {}", outcome.text);
        assert!(!outcome.details.contains_key("encoding"), "{name}");
    }
}

#[test]
fn zero_bytes_between_words_are_not_utf16() {
    let fixture = Fixture::new(&[]);
    // Two letters together are also one ideograph of UTF-16: lists of arguments, of variables, of names.
    for list in ["node\0a3.mjs\0", "cat\0-n\0a b\0", "abc\0def\0ghi\0", "PATH=/bin\0HOME=/\0"] {
        fixture.file("f", list.as_bytes());
        assert_eq!(fixture.read("f").details["binary"], true, "{list:?}");
    }
    for text in ["hello there\nworld\n", "well… yes", "a\n", "ペン 1 本です\n"] {
        fixture.file("f", &utf16(text, u16::to_le_bytes));
        assert_eq!(fixture.text("f:raw"), text);
    }
}
