//! What the targets share: how an input is taken apart, and what must hold of every plan.
//!
//! An input of several parts has a NUL between them, so that a seed can be written by hand: `printf 'a\nb\n\0…'`.

use gajae_tool_core::engine::exec::edit::Plan;
use gajae_tool_core::engine::text::{Document, Splice};

/// The parts of an input, as texts; what is no UTF-8 is no part. At most `most`.
#[must_use]
pub fn texts(bytes: &[u8], most: usize) -> Vec<&str> {
    bytes.split(|byte| *byte == 0).take(most).filter_map(|part| std::str::from_utf8(part).ok()).collect()
}

/// The first part, a file of any bytes, and the rest.
#[must_use]
pub fn file_and_rest(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// A plan changes its spans and nothing else. Gives the file after it; none where its encoding has no room for what is
/// new.
///
/// # Panics
/// If that does not hold.
#[must_use]
pub fn applied(original: &[u8], document: &Document, plan: &Plan) -> Option<Vec<u8>> {
    let text = document.text();
    assert_in_order(text, &plan.splices);
    let changed = document.apply(&plan.splices).ok()?;
    if std::str::from_utf8(original).is_ok() {
        assert_outside_is_same(original, &changed, &document.place(&plan.splices));
    }
    if std::str::from_utf8(original).is_ok() && !original.contains(&b'\r') {
        let mark = if original.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
        assert_eq!(String::from_utf8_lossy(&changed[mark..]), spliced(text, &plan.splices));
    }
    Some(changed)
}

/// The text after splices.
#[must_use]
pub fn spliced(text: &str, splices: &[Splice]) -> String {
    let (mut new, mut at) = (String::new(), 0);
    for splice in splices {
        new.push_str(&text[at..splice.range.start]);
        new.push_str(&String::from_utf8_lossy(&splice.new));
        at = splice.range.end;
    }
    new + &text[at..]
}

fn assert_in_order(text: &str, splices: &[Splice]) {
    let mut at = 0;
    for splice in splices {
        assert!(at <= splice.range.start && splice.range.start <= splice.range.end, "{splices:?}");
        assert!(text.get(splice.range.clone()).is_some(), "not on characters: {splices:?}");
        at = splice.range.end;
    }
}

/// Every piece between two spans stands in the changed file, in order, and nothing but new text between them.
fn assert_outside_is_same(original: &[u8], changed: &[u8], placed: &[Splice]) {
    let (Some(first), Some(last)) = (placed.first(), placed.last()) else {
        assert_eq!(original, changed);
        return;
    };
    assert!(changed.starts_with(&original[..first.range.start]), "before the first span");
    assert!(changed.ends_with(&original[last.range.end..]), "behind the last span");
    let mut rest = &changed[first.range.start..];
    for pair in placed.windows(2) {
        let between = &original[pair[0].range.end..pair[1].range.start];
        rest = rest.strip_prefix(&*pair[0].new).expect("the new text of a span");
        rest = rest.strip_prefix(between).expect("what stands between two spans");
    }
}
