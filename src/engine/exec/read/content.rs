//! What a file is, told from its name and its first bytes.

use std::io::Read;
use std::path::Path;

use super::address::Target;
use super::image;
use super::selector::Selector;
use crate::engine::error::Result;
use crate::engine::files;

/// How many bytes are looked at.
pub const SNIFFED: usize = 8 * 1024;

const ARCHIVES: &[&str] = &[".tar", ".tar.gz", ".tgz", ".zip"];
const DATABASES: &[&str] = &[".sqlite", ".sqlite3", ".db", ".db3"];
const DOCUMENTS: &[&str] = &[".pdf", ".doc", ".docx", ".ppt", ".pptx", ".xls", ".xlsx", ".rtf", ".epub"];
const DATABASE_MAGIC: &[u8] = b"SQLite format 3\0";

/// First bytes and the format they mean, for the binary notice.
const FORMATS: &[(&[u8], &str)] = &[
    (b"\x7fELF", "ELF"),
    (b"MZ", "Windows executable"),
    (b"\xcf\xfa\xed\xfe", "Mach-O"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O"),
    (b"\0asm", "WebAssembly"),
    (DATABASE_MAGIC, "SQLite database"),
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
];

/// How a file is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// As lines.
    Text,
    /// As a picture of a type.
    Image(&'static str),
    /// As a notice; the format where it is known.
    Binary(Option<&'static str>),
}

/// An error for files that a later version opens, known by their name alone.
pub fn refuse_by_name(target: &Target) -> Result<()> {
    let raw = target.selector.as_ref().is_some_and(Selector::is_raw);
    if ends_with(&target.path, ARCHIVES) {
        return Err(target.unsupported("reading archives"));
    }
    if ends_with(&target.path, &[".ipynb"]) && !raw {
        return Err(target.unsupported("reading notebooks (`:raw` shows the JSON)"));
    }
    Ok(())
}

/// What the first bytes say; an error for what a later version decodes.
pub fn sniff(target: &Target, head: &[u8]) -> Result<Content> {
    let head = &head[..head.len().min(SNIFFED)];
    if let Some(mime) = image::mime_type(head) {
        return Ok(Content::Image(mime));
    }
    if head.starts_with(DATABASE_MAGIC) && ends_with(&target.path, DATABASES) {
        return Err(target.unsupported("reading SQLite databases"));
    }
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        return Err(target.unsupported("reading UTF-16 text"));
    }
    if memchr::memchr(0, head).is_some() {
        let format = FORMATS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name);
        return Ok(Content::Binary(format));
    }
    Ok(Content::Text)
}

/// The extension of a document that is converted before it is shown, with its dot.
#[must_use]
pub fn document(path: &Path) -> Option<&'static str> {
    DOCUMENTS.iter().copied().find(|suffix| ends_with(path, &[suffix]))
}

/// The feature that would look into this file, if it is an archive or a database.
#[must_use]
pub fn container(path: &Path) -> Option<&'static str> {
    if ends_with(path, ARCHIVES) && path.is_file() {
        return Some("reading archives");
    }
    if !ends_with(path, DATABASES) {
        return None;
    }
    let mut magic = Vec::new();
    let (file, _) = files::open_regular(path, "").ok()?;
    file.take(DATABASE_MAGIC.len() as u64).read_to_end(&mut magic).ok()?;
    (magic == DATABASE_MAGIC).then_some("reading SQLite databases")
}

fn ends_with(path: &Path, suffixes: &[&str]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    suffixes.iter().any(|suffix| name.ends_with(suffix))
}
