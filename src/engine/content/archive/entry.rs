//! One entry of an archive, as its headers describe it.

use super::name::Name;

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name, made harmless.
    pub name: Name,
    /// Bytes of its content, as the archive says.
    pub size: u64,
    /// What it is.
    pub kind: Kind,
    pub(super) place: Place,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A file whose bytes lie in the archive.
    File,
    /// A directory.
    Directory,
    /// A link, with the name it leads to.
    Link(String),
    /// A file with holes, of which only the parts between them are stored.
    Sparse,
    /// A device or pipe.
    Special,
}

/// Where the bytes of an entry lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind a local header.
    Zip { header: u64, stored: u64, method: u16, encrypted: bool, checksum: u32 },
    /// At an offset of the tar stream.
    Tar { offset: u64 },
}
