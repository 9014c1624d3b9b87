//! What a file is, told from its name and its first bytes.

use std::path::Path;

use super::address::Target;
use crate::engine::error::Result;
use crate::engine::text::encoding::{SNIFFED, looks_binary};

const DOCUMENTS: &[&str] = &[".pdf", ".doc", ".docx", ".ppt", ".pptx", ".xls", ".xlsx", ".rtf", ".epub"];

/// First bytes and the format they mean, for the binary notice.
const FORMATS: &[(&[u8], &str)] = &[
    (b"\x7fELF", "ELF"),
    (b"MZ", "Windows executable"),
    (b"\xcf\xfa\xed\xfe", "Mach-O"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O"),
    (b"\0asm", "WebAssembly"),
    (b"SQLite format 3\0", "SQLite database"),
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
    /// As a notice; the format where it is known.
    Binary(Option<&'static str>),
}

/// An error for files that a later version opens, known by their name alone.
pub fn refuse_by_name(target: &Target) -> Result<()> {
    if ends_with(&target.path, DOCUMENTS) {
        return Err(target.unsupported("reading documents"));
    }
    Ok(())
}

/// What the first bytes say; an error for what a later version decodes.
pub fn sniff(target: &Target, head: &[u8]) -> Result<Content> {
    let head = &head[..head.len().min(SNIFFED)];
    if is_image(head) {
        return Err(target.unsupported("reading images"));
    }
    if looks_binary(head) {
        let format = FORMATS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name);
        return Ok(Content::Binary(format));
    }
    Ok(Content::Text)
}

/// Whether a file is a notebook, by its name.
#[must_use]
pub fn is_notebook(path: &Path) -> bool {
    ends_with(path, &[".ipynb"])
}

fn is_image(head: &[u8]) -> bool {
    head.starts_with(b"\x89PNG\r\n\x1a\n")
        || head.starts_with(b"\xFF\xD8\xFF")
        || head.starts_with(b"GIF87a")
        || head.starts_with(b"GIF89a")
        || (head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP"))
}

fn ends_with(path: &Path, suffixes: &[&str]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    suffixes.iter().any(|suffix| name.ends_with(suffix))
}
