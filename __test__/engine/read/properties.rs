//! What holds for every text.

use gajae_tool_core::engine::text::encoding::{Encoding, detect};
use gajae_tool_core::engine::text::{Ending, has_bom, split_lines};
use proptest::prelude::*;
use serde_json::json;

use super::Fixture;

/// Bytes of the kinds that matter for lines.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(b"a".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just("é".as_bytes().to_vec()),
        Just(b"\xff".to_vec()),
        Just(b"\xf0\x9f".to_vec()),
    ];
    (any::<bool>(), prop::collection::vec(part, 0..60)).prop_map(|(bom, parts)| {
        let start = if bom { b"\xEF\xBB\xBF".to_vec() } else { Vec::new() };
        parts.into_iter().fold(start, |mut bytes, part| {
            bytes.extend(part);
            bytes
        })
    })
}

proptest! {
    /// Raw text is the file; windows and ranges count lines as `split_lines` does.
    #[test]
    fn every_view_agrees_on_the_lines(content in bytes(), budget in 1usize..20) {
        let fixture = Fixture::plain(&[]).set("read.receiptBudgetLines", json!(budget));
        fixture.file("f", &content);
        let text = if has_bom(&content) { &content[3..] } else { &content[..] };
        let encoding = detect(&content).map_or(Encoding::UTF_8, |detected| detected.encoding);
        let decoded = |bytes: &[u8]| encoding.decode(bytes.to_vec()).text;
        prop_assert_eq!(fixture.text("f:raw"), decoded(text));
        let lines: Vec<String> = split_lines(&content)
            .map(|line| {
                let cr = if line.ending == Ending::CrLf { "\r" } else { "" };
                decoded(line.text) + cr
            })
            .collect();
        for (index, line) in lines.iter().enumerate() {
            let raw = fixture.text(&format!("f:raw:{0}-{0}", index + 1));
            prop_assert_eq!(&raw, line);
        }
        let outcome = fixture.read("f");
        let shown: Vec<&str> = outcome.details["displayContent"]["text"].as_str().unwrap().split('\n').collect();
        prop_assert_eq!(shown.len(), lines.len().min(budget));
        for (shown, line) in shown.iter().rev().zip(lines.iter().rev()) {
            prop_assert_eq!(shown, line);
        }
        if let Some(cut) = outcome.meta.truncation {
            prop_assert_eq!(cut.total_lines, lines.len() as u64);
        }
        let beyond = fixture.read("f:1000");
        prop_assert_eq!(&beyond.notices[0].facts["total"], &json!(lines.len()));
    }
}
