//! The glob rule, below the tools that use it.

use std::path::Path;

use gajae_tool_core::engine::files::{
    Glob, glob_below_base, has_bare_comma, is_glob, mentions, split_glob, unescape,
};

#[test]
fn an_entry_is_split_before_its_first_glob_part() {
    for (entry, base, glob) in [
        ("src", "src", None),
        ("src/", "src/", None),
        (".", ".", None),
        ("*.ts", ".", Some("*.ts")),
        ("src/**/*.ts", "src", Some("**/*.ts")),
        ("a/{b,c}/d", "a", Some("{b,c}/d")),
        ("/abs/x/*.rs", "/abs/x", Some("*.rs")),
        ("/*", "/", Some("*")),
        ("{a,b}", ".", Some("{a,b}")),
        ("./*.ts", ".", Some("*.ts")),
        ("a\\*b/c", "a\\*b/c", None),
        ("a\\*b/?", "a\\*b", Some("?")),
    ] {
        assert_eq!(split_glob(entry), (base, glob), "{entry}");
    }
}

#[test]
fn only_globs_without_a_slash_recurse() {
    for (entry, glob) in [
        ("src", "**/*"),
        ("", "**/*"),
        ("*.ts", "**/*.ts"),
        ("src/*.ts", "*.ts"),
        ("src/**/*.ts", "**/*.ts"),
        ("**/*.ts", "**/*.ts"),
        ("a*/b*", "a*/b*"),
        ("/abs/*.rs", "*.rs"),
        ("[ab].c", "**/[ab].c"),
        ("src/app/**", "**"),
        ("./*.ts", "*.ts"),
    ] {
        assert_eq!(glob_below_base(entry), glob, "{entry}");
    }
}

#[test]
fn escapes_commas_and_names() {
    assert!(is_glob("a[b") && is_glob("{") && !is_glob("a]b}") && !is_glob("\\*\\?"));
    assert_eq!(unescape("a\\*b\\\\c\\"), "a*b\\c");
    assert!(
        has_bare_comma("a,b")
            && has_bare_comma("{a,b},c")
            && !has_bare_comma("{a,b}")
            && !has_bare_comma("a\\,b")
    );
    assert!(mentions("a/.git/b", ".git") && mentions(".git", ".git") && !mentions(".github", ".git"));
    assert!(mentions("{node_modules,src}/*", "node_modules") && !mentions("my-node_modules", "node_modules"));
}

#[test]
fn one_character_is_one_whatever_its_bytes() {
    let matches = |glob: &str, path: &str| Glob::new(glob).expect("a glob").matches(Path::new(path));
    for (glob, path) in [
        ("?.ts", "é.ts"),
        ("[é].ts", "é.ts"),
        ("[!a].ts", "é.ts"),
        ("[à-ü].ts", "é.ts"),
        ("?", "語"),
        ("{é?,b}", "éà"),
    ] {
        assert!(matches(glob, path), "{glob} {path}");
    }
    for (glob, path) in
        [("??.ts", "é.ts"), ("[à-ü].ts", "z.ts"), ("[!é].ts", "é.ts"), ("?", "/"), ("[é]x", "é/x")]
    {
        assert!(!matches(glob, path), "{glob} {path}");
    }
}

#[test]
fn short_cuts_say_what_the_expression_would() {
    // The same glob in a form that has no short cut.
    let long = |glob: &str| glob.replacen("**/", "{**/,}", 1);
    for glob in ["**/*", "**/*.rs", "**/.rs", "**/a", "**/*a", "**/*.tar.gz", "**/*.{rs,ts}", "**/*.r[s]"] {
        let (short, whole) = (Glob::new(glob).unwrap(), Glob::new(&long(glob)).unwrap());
        for path in
            ["a", "a/a", ".rs", "x.rs", "a/x.rs", "x.rs/y", "a/.rs", "b/x.tar.gz", "x.ts", "ba", "a.", "x"]
        {
            assert_eq!(short.matches(Path::new(path)), whole.matches(Path::new(path)), "{glob} {path}");
        }
    }
}

#[test]
fn the_depth_of_a_glob_bounds_every_match() {
    for (glob, depth) in [("*", Some(1)), ("a/*.rs", Some(2)), ("**/*.rs", None), ("{a,b/c}/*", None)] {
        assert_eq!(Glob::new(glob).unwrap().depth(), depth, "{glob}");
    }
}
