//! The file at hand, opened and read once for all patterns that are looked for in it.

use std::cell::OnceCell;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::time::SystemTime;

use super::glance::Glance;
use super::scan::{Miss, Skip, WALKED_LIMIT, WHOLE_LIMIT};
use crate::engine::cancel::CancelToken;
use crate::engine::error::ToolError;
use crate::engine::files::{Entry, Look, Piece, ReadBuffer, ReadEnd};
use crate::engine::text::{BOM, encoding};

/// A NUL in the first bytes makes a file binary, whatever it holds.
const BINARY_HEAD: usize = 8 << 10;

/// What one thread has open.
#[derive(Debug)]
pub(super) struct Opened {
    how: How,
    /// What is asked of the pieces of a large file first.
    glance: Option<Glance>,
    cancel: CancelToken,
    state: State,
    buffer: ReadBuffer,
    /// The text, where it is in another encoding than UTF-8; looked for when it is asked for.
    decoded: OnceCell<Option<String>>,
    /// How the file looked before it was read, and when that was.
    facts: Option<(Metadata, SystemTime)>,
}

/// How files are opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// Larger files of a walk are left out.
    pub(super) walked_limit: usize,
    /// Whether texts in other encodings than UTF-8 are told by their bytes, as `read` does.
    pub(super) decodes: bool,
    /// Whether it is to be known how a file looked before it was read.
    pub(super) keeps_facts: bool,
}

impl How {
    /// Whether a text is UTF-16, by its mark or, where that is looked at, by its zero bytes.
    fn is_utf16(self, bytes: &[u8]) -> bool {
        is_marked(bytes) || self.decodes && looks_binary(bytes) && !encoding::looks_binary(bytes)
    }
}

/// As the tool does it.
pub(super) const AS_READ: How = How { walked_limit: WALKED_LIMIT, decodes: true, keeps_facts: false };

#[derive(Debug)]
enum State {
    Closed,
    /// All of it is in the buffer.
    Whole,
    /// It is too large to be held.
    Stream(File),
    Missed(Miss),
}

impl Opened {
    /// Nothing yet.
    pub(super) fn new(how: How, glance: Option<Glance>, cancel: CancelToken) -> Self {
        let (decoded, facts) = (OnceCell::new(), None);
        Self { how, glance, cancel, state: State::Closed, buffer: ReadBuffer::default(), decoded, facts }
    }

    /// Bytes as if they were a file.
    pub(super) fn holding(bytes: Vec<u8>) -> Self {
        let empty = Self::new(AS_READ, None, CancelToken::new());
        let mut file = Self { state: State::Whole, buffer: ReadBuffer::holding(bytes), ..empty };
        file.make_breaks();
        file
    }

    /// Opens and reads a file, unless that was done since the last one was closed.
    pub(super) fn open(&mut self, entry: &Entry) -> std::result::Result<(), Miss> {
        if matches!(self.state, State::Closed) {
            self.state = self.read(entry).unwrap_or_else(State::Missed);
        }
        match &self.state {
            State::Missed(miss) => Err(miss.clone()),
            _ => Ok(()),
        }
    }

    fn read(&mut self, entry: &Entry) -> std::result::Result<State, Miss> {
        let unreadable = |error| Miss::Skipped(Skip::Unreadable(error));
        let mut file = match entry.open() {
            // It vanished meanwhile.
            Err(ToolError::PathNotFound { .. }) if !entry.explicit => return Err(Miss::Nothing),
            opened => opened.map_err(unreadable)?,
        };
        if self.how.keeps_facts {
            self.facts = file.metadata().ok().map(|metadata| (metadata, SystemTime::now()));
        }
        let limit = if entry.explicit { WHOLE_LIMIT } else { self.how.walked_limit };
        self.buffer = ReadBuffer::of_thread();
        let mut is_binary = false;
        let read = match self.glance.as_ref().filter(|_| !entry.explicit) {
            None => entry.read(&mut file, &mut self.buffer, limit, &self.cancel),
            Some(glance) => {
                let mut look = |piece: Piece<'_>| {
                    let is_utf16 = piece.is_first && self.how.is_utf16(piece.bytes);
                    is_binary = piece.is_first && !is_utf16 && looks_binary(piece.bytes);
                    match piece {
                        _ if is_binary => Look::Enough,
                        _ if is_utf16 => Look::Whole,
                        piece => glance.look(piece, &self.cancel),
                    }
                };
                entry.read_as_needed(&mut file, &mut self.buffer, limit, &self.cancel, &mut look)
            }
        };
        match read {
            Ok(ReadEnd::Whole) => {
                self.make_breaks();
                Ok(State::Whole)
            }
            Ok(ReadEnd::PassedBy) if is_binary => Err(Miss::Skipped(Skip::Binary)),
            Ok(ReadEnd::PassedBy) => Err(Miss::Nothing),
            Ok(ReadEnd::TooLarge) if limit < WHOLE_LIMIT => Err(Miss::Skipped(Skip::Oversized)),
            Ok(ReadEnd::TooLarge) => Ok(State::Stream(file)),
            Err(_) if self.cancel.is_cancelled() => Err(Miss::Nothing),
            Err(error) => Err(unreadable(ToolError::io(entry.path().to_string_lossy(), &error))),
        }
    }

    /// A lone CR ends a line only in a text without any LF; then it may as well be one.
    fn make_breaks(&mut self) {
        let bytes = self.buffer.filled_mut();
        if !self.how.is_utf16(bytes) && memchr::memchr(b'\n', bytes).is_none() {
            bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
    }

    /// Gives the memory back. A call that waits for its turn holds none.
    pub(super) fn close(&mut self) {
        self.state = State::Closed;
        self.buffer = ReadBuffer::default();
        self.decoded.take();
        self.facts = None;
    }

    /// How the file looked before it was read, if it was read to its end and that is kept.
    pub(super) fn facts(&self) -> Option<&(Metadata, SystemTime)> {
        self.facts.as_ref().filter(|_| matches!(self.state, State::Whole))
    }

    /// Whether it is not in memory.
    pub(super) fn is_stream(&self) -> bool {
        matches!(self.state, State::Stream(_))
    }

    /// The file from its start, if it is not in memory.
    pub(super) fn stream<'a>(&'a self, cancel: &'a CancelToken) -> io::Result<Option<impl Read + 'a>> {
        let State::Stream(file) = &self.state else { return Ok(None) };
        let mut file = file;
        file.rewind()?;
        Ok(Some(Cancellable { file, cancel }))
    }

    /// What was read, without the byte order mark of UTF-8, which is no part of the first line.
    pub(super) fn bytes(&self) -> &[u8] {
        let bytes = self.buffer.filled();
        bytes.strip_prefix(BOM).unwrap_or(bytes)
    }

    /// The text, in UTF-8 if its encoding is known.
    pub(super) fn text(&self) -> &[u8] {
        if is_marked(self.buffer.filled()) {
            return self.buffer.filled();
        }
        self.decoded().map_or(self.bytes(), str::as_bytes)
    }

    /// The text of bytes that are not UTF-8 and that all tell of one other encoding.
    pub(super) fn decoded(&self) -> Option<&str> {
        let decode = || if self.how.decodes { decode(self.buffer.filled()) } else { None };
        self.decoded.get_or_init(decode).as_deref()
    }

    /// Whether it is UTF-16.
    pub(super) fn is_utf16(&self) -> bool {
        self.how.is_utf16(self.buffer.filled())
    }

    /// Whether a mark says that it is UTF-16.
    pub(super) fn is_marked(&self) -> bool {
        is_marked(self.buffer.filled())
    }

    /// Whether the head says that it is no text.
    pub(super) fn looks_binary(&self) -> bool {
        looks_binary(self.buffer.filled())
    }

    /// Whether there is a NUL anywhere.
    pub(super) fn has_nul(&self) -> bool {
        memchr::memchr(0, self.buffer.filled()).is_some()
    }
}

fn decode(bytes: &[u8]) -> Option<String> {
    if std::str::from_utf8(bytes).is_ok() && !looks_binary(bytes) {
        return None;
    }
    let encoding = encoding::detect(bytes)?.encoding;
    (!encoding.is_utf8()).then(|| encoding.decode(bytes.to_vec()).text)
}

fn looks_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(BINARY_HEAD)]).is_some()
}

fn is_marked(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// A file that ends with an error once the call is cancelled, asked at every read.
struct Cancellable<'a> {
    file: &'a File,
    cancel: &'a CancelToken,
}

impl Read for Cancellable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        let most = buffer.len().min(64 << 10);
        self.file.read(&mut buffer[..most])
    }
}
