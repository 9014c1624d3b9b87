//! Archives in `read` and `write`: listings from headers, members within bounds, names that mean no harm.

use std::io::{Cursor, Read, Write};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::content::archive::{Format, set_member};
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::{parse_value, read, write};
use gajae_tool_core::engine::outcome::Outcome;
use proptest::prelude::*;
use serde_json::json;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::tree::Tree;

fn tree() -> Tree {
    Tree::new(&[]).with(json!({"readHashLines": false}))
}

fn read(tree: &Tree, path: &str) -> Result<Outcome> {
    read::run(&parse_value(&json!({"path": path}))?, &tree.context(), &CancelToken::new())
}

fn write(tree: &Tree, path: &str, content: &str) -> Result<Outcome> {
    let options = parse_value(&json!({"path": path, "content": content}))?;
    write::run(&options, &tree.context(), &CancelToken::new())
}

fn text(tree: &Tree, path: &str) -> String {
    read(tree, path).unwrap_or_else(|error| panic!("{path}: {error}")).text
}

#[track_caller]
fn check_code(tree: &Tree, path: &str, code: &str) {
    let error = read(tree, path).expect_err(path);
    assert_eq!(error.code(), code, "{path}: {error}");
}

/// A zip archive made by another program.
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn header(name: &str, size: u64, kind: u8) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(tar::EntryType::new(kind));
    header.set_mode(0o640);
    header.set_size(size);
    header.set_cksum();
    header
}

/// A tar archive of raw entries: name, type, content.
pub fn tar(entries: &[(&str, u8, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, kind, content) in entries {
        bytes.extend_from_slice(header(name, content.len() as u64, *kind).as_bytes());
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_format_is_listed_and_read() {
    let tree = tree();
    let members: &[(&str, &[u8])] = &[("a/b.txt", b"one\ntwo\n"), ("Top.txt", b"top"), ("empty", b"")];
    let entries: Vec<_> = members.iter().map(|(name, content)| (*name, b'0', *content)).collect();
    tree.write("x.zip", zip(members));
    tree.write("x.tar", tar(&entries));
    tree.write("x.tgz", gz(&tar(&entries)));
    tree.write("X.TAR.GZ", gz(&tar(&entries)));
    for archive in ["x.zip", "x.tar", "x.tgz", "X.TAR.GZ"] {
        assert_eq!(text(&tree, archive), "a/\nempty\nTop.txt (3B)", "{archive}");
        assert_eq!(text(&tree, &format!("{archive}:a")), "b.txt (8B)");
        assert_eq!(text(&tree, &format!("{archive}:a/b.txt")), "one\ntwo\n");
        assert_eq!(text(&tree, &format!("{archive}:/a//b.txt:raw:2-2")), "two");
        assert_eq!(text(&tree, &format!("{archive}:empty")), "");
        check_code(&tree, &format!("{archive}:gone"), "archive_member_not_found");
        check_code(&tree, &format!("{archive}:../etc/passwd"), "archive_member_not_found");
        check_code(&tree, &format!("{archive}:a:1-2,4-5"), "selector_unsupported");
        check_code(&tree, &format!("{archive}:raw"), "selector_unsupported");
    }
}

#[test]
fn a_listing_is_paged() {
    let tree = tree();
    let names: Vec<String> = (0..1200).map(|index| format!("f{index:04}")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"" as &[u8])).collect();
    tree.write("x.zip", zip(&entries));
    let first = read(&tree, "x.zip").unwrap();
    assert!(first.text.starts_with("f0000\n") && first.text.contains("\nf0499\n\n["), "{}", first.text);
    assert_eq!(first.notices[0].facts["next"], 501);
    let next = text(&tree, "x.zip:501-1000");
    assert!(next.starts_with("f0500\n"), "{next}");
    assert_eq!(text(&tree, "x.zip:1199-").lines().count(), 2);
    assert!(text(&tree, "x.zip:5000-").contains("beyond the end"));
}

#[test]
fn names_that_lead_out_are_shown_without_that_and_hide_nothing() {
    let tree = tree();
    let entries: &[(&str, u8, &[u8])] = &[
        ("top.txt", b'0', b"honest"),
        ("../top.txt", b'0', b"evil"),
        ("/abs/x", b'0', b"1"),
        ("C:\\win\\y", b'0', b"2"),
        ("line\nbreak", b'0', b"3"),
        ("d/../../z", b'0', b"4"),
    ];
    tree.write("x.tar", tar(entries));
    let outcome = read(&tree, "x.tar").unwrap();
    assert!(
        outcome.text.starts_with("abs/\nd/\nline\\nbreak (1B)\ntop.txt (4B)\nwin/\n\n["),
        "{}",
        outcome.text
    );
    let notice = &outcome.notices[0];
    assert_eq!(notice.kind, "unsafe_names");
    assert_eq!(notice.facts["count"], 4);
    assert_eq!(text(&tree, "x.tar:top.txt"), "honest");
    assert_eq!(text(&tree, "x.tar:line\\nbreak"), "3");
    assert!(text(&tree, "x.tar:win/y").starts_with("2\n["));
    check_code(&tree, "x.tar:../top.txt", "archive_member_not_found");
}

#[test]
fn of_several_members_of_one_name_the_last_counts() {
    let tree = tree();
    let entries: &[(&str, u8, &[u8])] = &[("a", b'0', b"old"), ("b", b'0', b"b"), ("a", b'0', b"new")];
    tree.write("x.tar", tar(entries));
    tree.write("x.tgz", gz(&tar(entries)));
    for archive in ["x.tar", "x.tgz"] {
        assert_eq!(text(&tree, archive), "a (3B)\nb (1B)");
        assert_eq!(text(&tree, &format!("{archive}:a")), "new");
    }
}

#[test]
fn links_devices_and_holes_are_told_and_never_followed() {
    let tree = tree();
    let mut link = header("up", 0, b'2');
    link.set_link_name_literal("../../etc/passwd").unwrap();
    link.set_cksum();
    let mut itself = header("loop", 0, b'1');
    itself.set_link_name_literal("loop").unwrap();
    itself.set_cksum();
    let mut sparse = header("holes", 0, b'S');
    sparse.as_gnu_mut().unwrap().set_real_size(10 << 30);
    sparse.set_cksum();
    let mut bytes = Vec::new();
    for one in [link, itself, sparse, header("pipe", 0, b'6'), header("dev", 0, b'3')] {
        bytes.extend_from_slice(one.as_bytes());
    }
    bytes.resize(bytes.len() + 1024, 0);
    tree.write("x.tar", bytes);
    let listing = text(&tree, "x.tar");
    assert_eq!(listing, "dev\nholes (10.0GB)\nloop -> loop\npipe\nup -> ../../etc/passwd");
    for (member, kind) in [
        ("up", "archive_link"),
        ("loop", "archive_link"),
        ("holes", "binary_entry"),
        ("pipe", "binary_entry"),
    ] {
        let outcome = read(&tree, &format!("x.tar:{member}")).unwrap();
        assert_eq!(outcome.notices[0].kind, kind);
    }
}

#[test]
fn long_names_are_read() {
    let tree = tree();
    let name = "deep/".repeat(60) + "end.txt";
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_data(&mut header("", 3, b'0'), &name, b"abc" as &[u8]).unwrap();
    let pax = format!("{:3} path={name}\n", name.len() + 10);
    let mut bytes = builder.into_inner().unwrap();
    bytes.truncate(bytes.len() - 1024);
    bytes.extend(&tar(&[("x", b'x', pax.replace("deep", "pax_").as_bytes()), ("short", b'0', b"pax")]));
    tree.write("x.tar", bytes);
    assert_eq!(text(&tree, &format!("x.tar:{name}")), "abc");
    assert_eq!(text(&tree, &format!("x.tar:{}", name.replace("deep", "pax_"))), "pax");
}

#[test]
fn what_grows_too_much_is_refused_quickly() {
    let tree = tree();
    let zeros = vec![0; 66 << 20];
    let bomb = zip(&[("bomb", &zeros), ("small", b"fine"), ("dense", &zeros[..6 << 20])]);
    tree.write("x.zip", &bomb);
    // A header that says less than there is.
    let mut liar = bomb;
    let at = memchr::memmem::rfind(&liar, b"PK\x01\x02").unwrap();
    liar[at + 24..at + 28].copy_from_slice(&5u32.to_le_bytes());
    tree.write("liar.zip", liar);
    let started = Instant::now();
    assert!(text(&tree, "x.zip").starts_with("bomb (66.0MB)\n"));
    check_code(&tree, "x.zip:bomb", "archive_too_large");
    check_code(&tree, "x.zip:dense", "archive_too_large");
    check_code(&tree, "liar.zip:dense", "archive_too_large");
    assert_eq!(text(&tree, "x.zip:small"), "fine");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_packed_stream_is_looked_through_within_a_budget() {
    let tree = tree();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&tar(&[("first", b'0', b"1")])[..1024]).unwrap();
    encoder.write_all(header("zeros", 400 << 20, b'0').as_bytes()).unwrap();
    let zeros = vec![0; 1 << 20];
    (0..400).for_each(|_| encoder.write_all(&zeros).unwrap());
    encoder.write_all(&tar(&[("last", b'0', b"2")])).unwrap();
    tree.write("x.tgz", encoder.finish().unwrap());
    let started = Instant::now();
    let outcome = read(&tree, "x.tgz").unwrap();
    assert_eq!(outcome.notices[0].kind, "archive_incomplete");
    assert!(outcome.text.starts_with("first (1B)\nzeros (400.0MB)\n"), "{}", outcome.text);
    assert_eq!(text(&tree, "x.tgz:first"), "1");
    check_code(&tree, "x.tgz:zeros", "archive_too_large");
    // A fast machine gets that far; on others absence is not claimed of what was not looked at.
    match read(&tree, "x.tgz:last") {
        Ok(outcome) => assert_eq!(outcome.text, "2"),
        Err(error) => assert!(error.to_string().contains("first part"), "{error}"),
    }
    assert!(started.elapsed() < Duration::from_secs(90));
}

#[test]
fn a_size_beyond_all_files_is_damage() {
    let tree = tree();
    for size in [u64::MAX, u64::MAX - 511, u64::MAX / 2 + 1] {
        let mut bytes = tar(&[("a", b'0', b"1")]);
        bytes.truncate(1024);
        bytes.extend_from_slice(header("b", size, b'0').as_bytes());
        bytes.resize(bytes.len() + 2048, 0);
        tree.write("x.tar", &bytes);
        tree.write("x.tgz", gz(&bytes));
        for archive in ["x.tar", "x.tgz"] {
            let listing = read(&tree, archive).unwrap();
            assert_eq!(listing.notices[0].kind, "archive_incomplete", "{archive} {size}");
            assert_eq!(text(&tree, &format!("{archive}:a")), "1");
            check_code(&tree, &format!("{archive}:b"), "archive_too_large");
        }
    }
}

#[test]
fn a_million_entries_are_listed_in_little_time() {
    let tree = tree();
    // Written by hand: records without bodies, all at one place.
    let (mut directory, count) = (Vec::with_capacity(60_000_000), 1_000_000u64);
    for index in 0..count {
        let name = format!("n{index:07}");
        let mut record = [0u8; 46];
        record[..4].copy_from_slice(b"PK\x01\x02");
        record[28] = 8;
        directory.extend_from_slice(&record);
        directory.extend_from_slice(name.as_bytes());
    }
    let length = directory.len() as u64;
    let mut end = b"PK\x06\x06".to_vec();
    end.extend(44u64.to_le_bytes());
    end.extend([0; 12]);
    for field in [count, count, length, 0] {
        end.extend(field.to_le_bytes());
    }
    end.extend(b"PK\x06\x07\0\0\0\0");
    end.extend(length.to_le_bytes());
    end.extend(1u32.to_le_bytes());
    end.extend(b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0");
    directory.extend(end);
    tree.write("x.zip", directory);
    let started = Instant::now();
    let listing = text(&tree, "x.zip");
    assert!(listing.starts_with("n0000000\n") && listing.contains("\nn0000499\n\n["), "{}", &listing[..200]);
    check_code(&tree, "x.zip:gone", "archive_member_not_found");
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn what_cannot_be_read_is_named() {
    let tree = tree();
    let whole = zip(&[("a.txt", b"hello hello hello hello")]);
    let changed = |offset: usize, value: u8| {
        let mut bytes = whole.clone();
        let record = memchr::memmem::rfind(&bytes, b"PK\x01\x02").unwrap();
        bytes[record + offset] = value;
        bytes
    };
    tree.write("locked.zip", changed(8, 1));
    tree.write("lzma.zip", changed(10, 14));
    tree.write("crc.zip", changed(16, 0x55));
    tree.write("away.zip", changed(44, 9));
    tree.write("cut.zip", &whole[..whole.len() - 30]);
    tree.write("none.zip", "not a zip");
    tree.write("none.tar", "not a tar".repeat(100));
    tree.write("none.tgz", "not a tgz".repeat(10));
    for (path, said) in [
        ("locked.zip:a.txt", "encrypted"),
        ("lzma.zip:a.txt", "LZMA"),
        ("crc.zip:a.txt", "checksum"),
        ("away.zip:a.txt", "outside"),
        ("cut.zip", "end record"),
        ("none.zip", "zip"),
        ("none.zip:a", "zip"),
        ("none.tar", "tar header"),
        ("none.tgz", "gzip"),
    ] {
        let error = read(&tree, path).expect_err(path);
        assert_eq!(error.code(), "archive_invalid", "{path}: {error}");
        assert!(error.to_string().contains(said), "{path}: {error}");
    }
    let damaged = tar(&[("a", b'0', b"fine"), ("b", b'0', &[7; 2000])]);
    tree.write("cut.tar", &damaged[..2000]);
    let outcome = read(&tree, "cut.tar").unwrap();
    assert!(outcome.text.starts_with("a (4B)\nb (2.0KB)\n"), "{}", outcome.text);
    assert_eq!(outcome.notices[0].kind, "archive_incomplete");
    assert_eq!(text(&tree, "cut.tar:a"), "fine");
    check_code(&tree, "cut.tar:b", "archive_invalid");
}

#[test]
fn what_is_no_archive_file_is_none() {
    let tree = tree();
    tree.write("d.zip/inner.txt", "x");
    tree.write("x.zip:odd", "a file of its own");
    tree.write("x.zip", zip(&[("odd", b"a member")]));
    assert_eq!(text(&tree, "d.zip/inner.txt"), "x");
    assert_eq!(text(&tree, "x.zip:odd"), "a file of its own");
    check_code(&tree, "d.zip:inner.txt", "path_not_found");
}

#[test]
fn a_member_is_set_and_every_other_byte_stays() {
    let tree = tree();
    let mut old = b"#!stub\n".to_vec();
    old.extend(zip(&[("a.txt", b"aaaaaaaaaaaaaaaa"), ("b/c.txt", b"old"), ("z.txt", b"zzz")]));
    tree.write("x.zip", &old);
    write(&tree, "x.zip:b/c.txt", "new content").unwrap();
    write(&tree, "x.zip:new/\u{ac00}.txt", "added\n").unwrap();
    let new = std::fs::read(tree.path("x.zip")).unwrap();
    assert!(new.starts_with(b"#!stub\nPK"));
    let mut archive = ZipArchive::new(Cursor::new(&new)).unwrap();
    let year = archive.by_index(3).unwrap().last_modified().unwrap().year();
    assert!((2024..2107).contains(&year), "{year}");
    let expected: &[(&str, &str)] = &[
        ("a.txt", "aaaaaaaaaaaaaaaa"),
        ("b/c.txt", "new content"),
        ("z.txt", "zzz"),
        ("new/\u{ac00}.txt", "added\n"),
    ];
    assert_eq!(archive.len(), expected.len());
    for (index, (name, content)) in expected.iter().enumerate() {
        let mut file = archive.by_index(index).unwrap();
        let mut found = String::new();
        file.read_to_string(&mut found).unwrap();
        assert_eq!((file.name().unwrap().as_ref(), found.as_str()), (*name, *content));
        assert_eq!(text(&tree, &format!("x.zip:{name}:raw")), *content);
    }
}

#[test]
fn tar_archives_are_changed_too() {
    let tree = tree();
    let entries: &[(&str, u8, &[u8])] =
        &[("a", b'0', b"first"), ("b", b'0', b"old"), ("link", b'2', b""), ("b", b'0', b"older")];
    tree.write("x.tar", tar(entries));
    tree.write("x.tar.gz", gz(&tar(entries)));
    for archive in ["x.tar", "x.tar.gz", "new.tar", "new.tgz", "n.zip"] {
        write(&tree, &format!("{archive}:b"), "new").unwrap();
        write(&tree, &format!("{archive}:dir/deep.txt"), "deep\n").unwrap();
        assert_eq!(text(&tree, &format!("{archive}:b")), "new", "{archive}");
        assert_eq!(text(&tree, &format!("{archive}:dir/deep.txt:raw")), "deep\n");
    }
    let bytes = std::fs::read(tree.path("x.tar")).unwrap();
    assert_eq!(bytes[..1024], tar(&entries[..1])[..1024]);
    let mut archive = tar::Archive::new(bytes.as_slice());
    let names: Vec<_> =
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().into_owned()).collect();
    assert_eq!(names, ["a", "b", "link", "dir/deep.txt"].map(std::path::PathBuf::from));
}

#[test]
fn a_target_that_is_no_member_changes_nothing() {
    let tree = tree();
    tree.write("bad.zip", "no archive");
    for (path, code) in [
        ("n.zip:../x", "archive_bad_path"),
        ("n.zip:/x", "archive_bad_path"),
        ("n.zip:C:x", "archive_bad_path"),
        ("n.zip:a\\..\\b", "archive_bad_path"),
        ("n.zip:a\nb", "archive_bad_path"),
        ("n.zip:a/", "archive_bad_target"),
        ("n.zip:", "archive_bad_target"),
        ("n.zip:.", "archive_bad_target"),
        ("bad.zip:a", "archive_invalid"),
        ("bad.tar.gz/x.zip:../a", "archive_bad_path"),
    ] {
        let error = write(&tree, path, "x").expect_err(path);
        assert_eq!(error.code(), code, "{path}: {error}");
    }
    assert_eq!(std::fs::read_dir(tree.root()).unwrap().count(), 1);
    assert_eq!(std::fs::read(tree.path("bad.zip")).unwrap(), b"no archive");
}

#[test]
fn a_member_is_no_file_and_directory_at_once() {
    let tree = tree();
    tree.write("x.zip", zip(&[("d/", b""), ("d/e", b"1"), ("top", b"2"), ("implied/f", b"3")]));
    let entries: &[(&str, u8, &[u8])] =
        &[("d/", b'5', b""), ("d/e", b'0', b"1"), ("top", b'0', b"2"), ("implied/f", b'0', b"3")];
    tree.write("x.tar", tar(entries));
    tree.write("x.tgz", gz(&tar(entries)));
    for archive in ["x.zip", "x.tar", "x.tgz"] {
        let before = std::fs::read(tree.path(archive)).unwrap();
        for (member, said) in [
            ("d", "is a directory"),
            ("implied", "is a directory"),
            ("top/new", "`top`"),
            ("d/e/f/g", "`d/e`"),
        ] {
            let error = write(&tree, &format!("{archive}:{member}"), "x").expect_err(member);
            assert_eq!(error.code(), "archive_bad_target", "{archive}:{member}: {error}");
            assert!(error.to_string().contains(said), "{archive}:{member}: {error}");
        }
        assert_eq!(std::fs::read(tree.path(archive)).unwrap(), before);
        write(&tree, &format!("{archive}:d/e"), "new").unwrap();
        write(&tree, &format!("{archive}:d/deep/f"), "new").unwrap();
        assert_eq!(text(&tree, &format!("{archive}:d/e")), "new");
    }
}

#[test]
fn a_member_of_an_archive_without_a_writer_is_no_new_file() {
    let tree = tree();
    for archive in ["x.7z", "x.tar.bz2", "X.RAR"] {
        tree.write(archive, "whatever it holds");
        let error = write(&tree, &format!("{archive}:a.txt"), "x").unwrap_err();
        assert_eq!(error.code(), "unsupported", "{error}");
    }
    assert_eq!(std::fs::read_dir(tree.root()).unwrap().count(), 3);
    write(&tree, "none.7z:a.txt", "x").unwrap();
}

#[cfg(unix)]
#[test]
fn a_pipe_named_like_an_archive_is_not_waited_for() {
    let tree = tree();
    tree.pipe("x.zip");
    check_code(&tree, "x.zip", "io_error");
    assert!(read(&tree, "x.zip:a").is_err());
    assert!(write(&tree, "x.zip:a", "x").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Whatever the bytes, the answer is an outcome or an error of ours.
    #[test]
    fn any_bytes_are_an_answer(
        bytes in proptest::collection::vec(any::<u8>(), 0..3000),
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let tree = tree();
        let broken = |mut bytes: Vec<u8>| {
            for (at, value) in &flips {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            bytes
        };
        let zipped = broken(zip(&[("a/b.txt", b"hello"), ("c", &[0; 600])]));
        let tarred = broken(tar(&[("a", b'0', b"hello"), ("l", b'L', b"name"), ("b", b'0', &[1; 600])]));
        let shortened = zipped[cut.index(zipped.len())..].to_vec();
        for (name, format, content) in [
            ("x.zip", Format::Zip, &bytes),
            ("x.tar", Format::Tar, &bytes),
            ("x.tgz", Format::TarGz, &bytes),
            ("y.zip", Format::Zip, &zipped),
            ("z.zip", Format::Zip, &shortened),
            ("y.tar", Format::Tar, &tarred),
            ("y.tgz", Format::TarGz, &gz(&tarred)),
            ("z.tgz", Format::TarGz, &broken(gz(&tarred))),
        ] {
            tree.write(name, content);
            for member in ["", ":a/b.txt", ":a", ":c:raw", ":a:1-2"] {
                let _ = read(&tree, &format!("{name}{member}"));
            }
            // What is made of a damaged archive can at least be listed.
            if let Ok(new) = set_member(format, content, "new/x", b"content", &CancelToken::new()) {
                tree.write(name, new);
                prop_assert_eq!(text(&tree, &format!("{name}:new/x")), "content");
            }
        }
    }
}
