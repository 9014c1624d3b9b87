//! What is kept of a file that was read, to tell later whether somebody else changed it.

use std::fs::Metadata;
use std::time::SystemTime;

/// Size, time and content of a file at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes of the file.
    pub size: u64,
    /// Time of its last change, where the system tells.
    pub modified: Option<SystemTime>,
    /// Hash of its bytes; absent where they were not all seen.
    pub hash: Option<u64>,
}

impl Stamp {
    /// The stamp of a file whose bytes are all at hand.
    #[must_use]
    pub fn of(bytes: &[u8], metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        Self { size: bytes.len() as u64, modified, hash: Some(content_hash(&[bytes])) }
    }

    /// The stamp of bytes that were written a moment ago.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self::of_pieces(&[bytes])
    }

    /// The same for bytes in pieces.
    #[must_use]
    pub fn of_pieces(pieces: &[&[u8]]) -> Self {
        let size = pieces.iter().map(|piece| piece.len() as u64).sum();
        Self { size, modified: None, hash: Some(content_hash(pieces)) }
    }

    /// Whether a file with these bytes may be the one that was stamped. Times do not count: a file that was written
    /// anew with the same content is the same.
    #[must_use]
    pub fn fits(&self, bytes: &[u8]) -> bool {
        self.size == bytes.len() as u64 && self.hash.is_none_or(|hash| hash == content_hash(&[bytes]))
    }
}

fn content_hash(pieces: &[&[u8]]) -> u64 {
    if let [whole] = pieces {
        return xxhash_rust::xxh3::xxh3_64(whole);
    }
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    for piece in pieces {
        hash.update(piece);
    }
    hash.digest()
}
