//! What reads leave in the memory of the session, for edit.

use std::collections::BTreeMap;

use gajae_tool_core::engine::session::Recorded;
use serde_json::json;

use super::Fixture;

impl Fixture {
    #[track_caller]
    fn recorded(&self, name: &str) -> Recorded {
        self.session.reads.recall(&self.root().join(name), None).expect("a record")
    }
}

fn numbered(lines: &[(u64, &str)]) -> BTreeMap<u64, String> {
    lines.iter().map(|(number, line)| (*number, (*line).to_owned())).collect()
}

#[test]
fn exactly_the_shown_lines_are_recorded() {
    let text = "a\r\nb\nc\nd\ne\nf\ng\nh\n";
    for (selector, expected) in [
        (":2-2", vec![(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]),
        (":1,7", vec![(1, "a"), (7, "g")]),
        (":raw:3-4", vec![(3, "c"), (4, "d")]),
        (":8", vec![(7, "g"), (8, "h"), (9, "")]),
    ] {
        let fixture = Fixture::hashed(&[("f", text)]);
        fixture.read(&format!("f{selector}"));
        assert_eq!(*fixture.recorded("f").lines, numbered(&expected), "{selector}");
    }
    let fixture = Fixture::hashed(&[("f", text)]).set("read.receiptBudgetLines", json!(2));
    fixture.read("f");
    assert_eq!(*fixture.recorded("f").lines, numbered(&[(8, "h"), (9, "")]));
}

/// An anchor vouches for a whole line; parts of lines, decoded bytes of no text and whole raw texts have none.
#[test]
fn what_has_no_anchor_is_not_recorded() {
    let fixture = Fixture::hashed(&[("long", &format!("{}\nb", "x".repeat(1000))), ("raw", "a\nb")]);
    fixture.file("bin", b"a\n\0b\n");
    fixture.read("long");
    assert_eq!(*fixture.recorded("long").lines, numbered(&[(2, "b")]));
    fixture.read("raw:raw");
    fixture.read("bin:1-2");
    for name in ["raw", "bin"] {
        assert_eq!(fixture.session.reads.recall(&fixture.root().join(name), None), None, "{name}");
    }
}

#[test]
fn a_changed_line_forgets_the_others() {
    let fixture = Fixture::hashed(&[("f", "a\nb\nc\nd\ne\nf\n")]);
    fixture.read("f:raw:1-2");
    fixture.read("f:raw:6-7");
    assert_eq!(*fixture.recorded("f").lines, numbered(&[(1, "a"), (2, "b"), (6, "f"), (7, "")]));
    fixture.file("f", b"a\nB\nc\nd\ne\nf\n");
    fixture.read("f:raw:2-3");
    assert_eq!(*fixture.recorded("f").lines, numbered(&[(2, "B"), (3, "c")]));
}

#[test]
fn the_stamp_tells_of_a_change_from_outside() {
    for size in [10, 100_000, 300_000] {
        let content = "0123456789".repeat(size / 10);
        let fixture = Fixture::hashed(&[("f", &format!("a\n{content}"))]);
        fixture.read("f:1,1");
        let stamp = fixture.recorded("f").stamp.expect("a stamp");
        assert!(stamp.fits(format!("a\n{content}").as_bytes()));
        assert!(!stamp.fits(format!("b\n{content}").as_bytes()), "same size, other bytes");
        assert_eq!(stamp.modified, fixture.root().join("f").metadata().unwrap().modified().ok());
    }
}
