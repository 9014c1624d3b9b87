//! The bytes of one member, within bounds: a member that grows beyond them is refused, not cut, since half a file would
//! pass for the whole.

use std::io::{self, Read};

use flate2::Crc;

use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};

/// Bytes of a member that are read.
pub const MAX_MEMBER: u64 = 64 << 20;
/// Up to this size a member may be packed as tightly as it likes.
const FREE: u64 = 4 << 20;
/// Beyond it, the bytes that one stored byte may become. Text comes to a tenth of this.
const MAX_RATIO: u64 = 250;
const CHUNK: usize = 64 << 10;

/// What is known of a member before it is read.
pub(super) struct Claim<'a> {
    /// For errors.
    pub shown: &'a str,
    /// Bytes of its content.
    pub size: u64,
    /// Bytes it takes in the archive, where it is packed by itself.
    pub stored: Option<u64>,
    /// CRC-32 of its content.
    pub checksum: Option<u32>,
}

impl Claim<'_> {
    /// Reads a member to its end.
    pub(super) fn read(&self, mut reader: impl Read, cancel: &CancelToken) -> Result<Vec<u8>> {
        self.check_size(self.size)?;
        let mut bytes = Vec::with_capacity(usize::try_from(self.size.min(FREE)).unwrap_or(0));
        let mut crc = Crc::new();
        let mut buffer = vec![0; CHUNK];
        loop {
            cancel.check()?;
            let size = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(size) => size,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.invalid(&error.to_string())),
            };
            self.check_size((bytes.len() + size) as u64)?;
            crc.update(&buffer[..size]);
            bytes.extend_from_slice(&buffer[..size]);
        }
        if bytes.len() as u64 != self.size {
            return Err(self.invalid(&format!(
                "it holds {} bytes, not {} as it says",
                bytes.len(),
                self.size
            )));
        }
        if self.checksum.is_some_and(|checksum| checksum != crc.sum()) {
            return Err(self.invalid("its checksum is wrong"));
        }
        Ok(bytes)
    }

    fn check_size(&self, size: u64) -> Result<()> {
        let packed = self.stored.map(|stored| stored.saturating_mul(MAX_RATIO).max(FREE));
        let limit = packed.map_or(MAX_MEMBER, |packed| packed.min(MAX_MEMBER));
        if size > limit {
            return Err(ToolError::ArchiveTooLarge {
                path: self.shown.to_owned(),
                size: size.max(self.size),
                limit,
            });
        }
        Ok(())
    }

    pub(super) fn invalid(&self, reason: &str) -> ToolError {
        ToolError::ArchiveInvalid { path: self.shown.to_owned(), reason: reason.to_owned() }
    }
}
