//! Names that look alike.

use super::{Fixture, write};

#[test]
fn the_exact_name_comes_first() {
    let fixture = Fixture::plain(&[
        ("shot\u{A0}1.txt", "hard"),
        ("shot 1.txt", "plain"),
        ("~/x", "here"),
        ("home/y", "home"),
    ]);
    assert_eq!(fixture.text("shot\u{A0}1.txt"), "hard");
    assert_eq!(fixture.text("shot 1.txt"), "plain");
    // Two look like it: the folded one is taken, and the other is named.
    assert!(fixture.text("shot\u{2003}1.txt").ends_with("\nplain"));
    assert_eq!(fixture.text("~/x"), "here");
    assert_eq!(fixture.text("~/y"), "home");
}

#[test]
fn a_name_that_only_looks_different_is_found() {
    let fixture = Fixture::plain(&[
        ("Shot 1.02\u{202F}PM.txt", "narrow"),
        ("cafe\u{301}/r\u{E9}sum\u{E9}.txt", "composed"),
        ("it\u{2019}s \u{201C}x\u{201D}.txt", "curly"),
        ("two\u{A0}x", "1"),
        ("two\u{2003}x", "2"),
        ("d/my file.txt", "escaped"),
    ]);
    assert_eq!(fixture.text("Shot 1.02 PM.txt"), "narrow");
    assert_eq!(fixture.text("caf\u{E9}/re\u{301}sume\u{301}.txt"), "composed");
    assert_eq!(fixture.text("it's \"x\".txt:1"), "curly");
    assert_eq!(fixture.text("d/my\\ file.txt"), "escaped");
    assert_eq!(fixture.error("two x").code(), "path_not_found", "two names look like it");
}

#[cfg(unix)]
#[test]
fn names_are_read_as_they_are_listed() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::plain(&[("a\nb.txt", "newline"), ("\\odd.txt", "backslash")]);
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    write(&fixture.root().join(odd), b"latin");
    let listing = fixture.text(".");
    for (name, content) in [("a\\nb.txt", "newline"), ("caf\\xe9.txt", "latin"), ("\\odd.txt", "backslash")] {
        assert!(listing.contains(&format!("- {name} ")), "{listing}");
        assert_eq!(fixture.text(name), content);
    }
    assert_eq!(
        fixture.read("caf\\xe9.txt").details["resolvedPath"],
        format!("{}/caf\\xe9.txt", fixture.root().display())
    );
}
