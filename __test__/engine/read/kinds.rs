//! Files that are no ordinary text, and what a later version reads.

use serde_json::json;

use super::{Fixture, check_facts, notice};

#[test]
fn binary_files_are_named() {
    let fixture = Fixture::new(&[]);
    fixture.file("n.bin", b"ab\0cd\nef\n");
    fixture.file("elf", b"\x7fELF\0\0\0");
    let outcome = fixture.read("n.bin");
    assert_eq!(outcome.text, outcome.notices[0].text);
    check_facts(&outcome, "binary", json!({"path": "n.bin", "size": "9B"}));
    check_facts(&fixture.read("elf"), "binary", json!({"format": "ELF"}));
    assert_eq!(fixture.text("n.bin:raw"), "ab\0cd\nef\n");
    let ranged = fixture.read("n.bin:1-1");
    assert_eq!(ranged.text, format!("{}\n1|ab\\x00cd", notice(&ranged, "binary").text));
}

#[test]
fn lines_of_a_binary_file_stay_few() {
    let fixture = Fixture::hashed(&[]);
    let bytes: Vec<u8> = (0..=255u8).cycle().take(2_000_000).collect();
    fixture.file("x.bin", &bytes);
    for path in ["x.bin", "x.bin:1", "x.bin:1-2,5-6", "x.bin:3-4000"] {
        let outcome = fixture.read(path);
        assert!(outcome.text.len() <= 8 * 1024, "{path}: {}", outcome.text.len());
        assert!(outcome.text.contains("binary"), "{path}");
    }
}

#[test]
fn names_that_look_like_more_are_names() {
    let fixture = Fixture::new(&[("n.ipynb", "{}"), ("d.zip/inner.txt", "x\n")]);
    fixture.file("t.db", b"plain text\n");
    assert_eq!(fixture.error("artifact://3:5").code(), "unsupported", "no host resolved it");
    assert_eq!(fixture.text("n.ipynb:raw"), "{}");
    assert_eq!(fixture.text("d.zip/inner.txt"), "1|x\n2|");
    assert_eq!(fixture.text("t.db"), "1|plain text\n2|");
    for path in ["gone.zip", "gone.zip:a.txt", "gone.db:users", "t.db:users"] {
        let error = fixture.error(path);
        assert_eq!(error.code(), "path_not_found", "{path}");
        assert!(error.to_string().contains(path), "{error}");
    }
}
