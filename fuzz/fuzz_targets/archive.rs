//! Any bytes as an archive of each format: listed, read and written, without a panic and within bounds.

#![no_main]

use std::io::Write;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::content::archive::{Archive, Format, Wanted, set_member};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let cancel = CancelToken::new();
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("room for it");
    for format in [Format::Zip, Format::Tar, Format::TarGz] {
        let Ok(mut archive) = Archive::open(file.path(), "x", format) else { continue };
        let wanted = ["", "a", "a/b"].map(|name| Wanted { name: name.to_owned(), most: 10 });
        if let Ok((looked, _)) = archive.look(&wanted, &cancel) {
            for entry in looked.iter().filter_map(|looked| looked.member.as_ref()) {
                let _ = archive.read(entry, "x", &cancel);
            }
        }
        let _ = set_member(format, bytes, "a", b"content", &cancel);
    }
});
