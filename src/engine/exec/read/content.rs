//! What a file is, told from its name and its first bytes.

use std::path::Path;

use super::image;
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
    /// As a picture of a type.
    Image(&'static str),
    /// As a notice; the format where it is known.
    Binary(Option<&'static str>),
}

/// What the first bytes say.
#[must_use]
pub fn sniff(head: &[u8]) -> Content {
    let head = &head[..head.len().min(SNIFFED)];
    if let Some(mime) = image::mime_type(head) {
        return Content::Image(mime);
    }
    if looks_binary(head) {
        let format = FORMATS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name);
        return Content::Binary(format);
    }
    Content::Text
}

/// The extension of a document that is converted before it is shown, with its dot.
#[must_use]
pub fn document(path: &Path) -> Option<&'static str> {
    DOCUMENTS.iter().copied().find(|suffix| ends_with(path, &[suffix]))
}

/// Whether a file is a notebook, by its name.
#[must_use]
pub fn is_notebook(path: &Path) -> bool {
    ends_with(path, &[".ipynb"])
}

fn ends_with(path: &Path, suffixes: &[&str]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    suffixes.iter().any(|suffix| name.ends_with(suffix))
}
