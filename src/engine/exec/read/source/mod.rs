//! A text as lines, read in pieces. Whatever its size, memory holds the piece at hand and what is kept of it.
//!
//! Line rules are those of `engine/text/lines.rs`: the byte-order mark belongs to no line, and a lone CR ends a line
//! only in a file without any LF. A CR before an LF stays with its line, so that nothing is lost on the way.
//! Offsets are bytes of the file whatever its encoding; only what leaves this folder is decoded.

mod index;
mod known;
mod lines;
mod study;

use std::fs::{File, Metadata};
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

pub use lines::{LINE_LIMIT, Lines, Row};

use known::Known;

use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{self, Identity, Stamp};
use crate::engine::outcome::Outcome;
use crate::engine::text::encoding::{Decoded, Encoding, Unit};

/// One read, and the distance between two looks at the token.
const CHUNK: usize = 64 * 1024;
/// Files up to this size are read whole.
const HELD: u64 = 256 * 1024;
/// Files of `/proc` name no size; this much of one is read.
const UNSIZED_CAP: u64 = 8 * 1024 * 1024;
/// A clock costs more than a chunk; it is read every so many.
const CHUNKS_BETWEEN_CLOCKS: u32 = 16;

trait SeekRead: Read + Seek {
    /// Where the first bytes from `offset` on are that were ever written, the largest number where none are; absent: nobody
    /// knows.
    fn next_data(&self, offset: u64) -> Option<u64>;
}

impl SeekRead for File {
    #[cfg(target_os = "linux")]
    fn next_data(&self, offset: u64) -> Option<u64> {
        match rustix::fs::seek(self, rustix::fs::SeekFrom::Data(offset)) {
            Err(rustix::io::Errno::NXIO) => Some(u64::MAX),
            place => place.ok(),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn next_data(&self, _: u64) -> Option<u64> {
        None
    }
}

impl SeekRead for Cursor<Vec<u8>> {
    fn next_data(&self, _: u64) -> Option<u64> {
        None
    }
}

/// An open text.
pub struct Source {
    reader: Box<dyn SeekRead>,
    shown: String,
    /// The first bytes, at most [`CHUNK`].
    head: Vec<u8>,
    /// Offset of the first line.
    start: u64,
    end: u64,
    separator: Unit,
    /// Parts of the file were never written.
    has_holes: bool,
    capped: bool,
    modified: Option<SystemTime>,
    /// Under which it is remembered what the text is like, for files that are worth it.
    identity: Option<Identity>,
    known: Arc<Known>,
    /// More is known than is remembered.
    learnt: bool,
}

/// A stretch of a text, decoded, with LF between its lines.
#[derive(Debug)]
pub struct Piece {
    /// The text. Where the piece starts or ends inside a line, that line is incomplete.
    pub text: String,
    /// Its place in the file.
    pub from: u64,
    /// Its length in the file.
    pub bytes: u64,
    /// Some bytes were not valid.
    pub lossy: bool,
}

impl Source {
    /// Opens a file.
    pub fn open(path: &Path, shown: &str, cancel: &CancelToken) -> Result<Self> {
        let (file, metadata) = files::open_regular(path, shown)?;
        let (reader, end, capped) = reader(file, &metadata).map_err(|error| ToolError::io(shown, &error))?;
        let identity =
            (metadata.len() > HELD).then(|| Identity::settled(&metadata, SystemTime::now())).flatten();
        let mut source = Self::new(reader, end, shown);
        source.has_holes = has_holes(&metadata);
        (source.capped, source.identity, source.modified) = (capped, identity, metadata.modified().ok());
        source.looked_at(cancel)
    }

    /// Text that lies in memory: the member of an archive, a converted document, a fetched page.
    pub fn from_memory(bytes: Vec<u8>, shown: &str, cancel: &CancelToken) -> Result<Self> {
        let end = bytes.len() as u64;
        Self::new(Box::new(Cursor::new(bytes)), end, shown).looked_at(cancel)
    }

    fn new(reader: Box<dyn SeekRead>, end: u64, shown: &str) -> Self {
        let known = Known::nothing();
        Self {
            reader,
            shown: shown.to_owned(),
            head: Vec::new(),
            start: 0,
            end,
            separator: known.separator,
            has_holes: false,
            capped: false,
            modified: None,
            identity: None,
            known: Arc::new(known),
            learnt: false,
        }
    }

    /// Finds out how the text is to be read, or remembers it.
    fn looked_at(mut self, cancel: &CancelToken) -> Result<Self> {
        self.head = self.bytes(0, self.end.min(CHUNK as u64))?;
        self.start = Encoding::from_mark(&self.head).map_or(0, |encoding| encoding.mark().len() as u64);
        self.known = match self.identity.and_then(known::recall) {
            Some(known) => known,
            None => Arc::new(self.study(cancel)?),
        };
        self.separator = self.known.separator;
        Ok(self)
    }

    /// The first bytes.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Bytes of the text, without the byte-order mark.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.end - self.start
    }

    /// How the text is decoded; what is no text is taken for UTF-8.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.known.encoding.unwrap_or(Encoding::UTF_8)
    }

    /// What ends a line.
    #[must_use]
    pub fn separator(&self) -> char {
        char::from(self.separator.character())
    }

    /// Bytes of what ends a line.
    #[must_use]
    pub fn break_width(&self) -> u64 {
        self.separator.width() as u64
    }

    /// What tells later whether the file is still the one that was read.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        Stamp { size: self.end, modified: self.modified, hash: self.known.hash }
    }

    /// Says what the text does not show: its encoding, unless it is plain UTF-8, and a size nobody knows.
    #[must_use]
    pub fn describe(&self, outcome: Outcome) -> Outcome {
        let encoding = self.known.encoding.filter(|encoding| *encoding != Encoding::UTF_8);
        outcome
            .detail("encoding", encoding.map(Encoding::name))
            .detail("sizeUnknown", self.capped.then_some(true))
    }

    /// The lines from the first one on.
    #[must_use]
    pub fn lines<'a>(&'a mut self, cancel: &'a CancelToken) -> Lines<'a> {
        Lines::new(self, cancel)
    }

    /// The start of the text: more than `max_lines` lines or more than `max_bytes` bytes, or all of it.
    pub fn prefix(&mut self, max_lines: usize, max_bytes: usize, cancel: &CancelToken) -> Result<Piece> {
        let (max_lines, enough) = (max_lines as u64, self.enough(max_bytes));
        let (mut bytes, mut separators, mut next) = (Vec::new(), 0, self.start);
        while next < self.end && separators <= max_lines && bytes.len() <= enough {
            cancel.check()?;
            let chunk = self.bytes(next, CHUNK as u64)?;
            if chunk.is_empty() {
                break;
            }
            next += chunk.len() as u64;
            separators += self.separator.count(&chunk);
            bytes.extend_from_slice(&chunk);
        }
        Ok(self.piece(self.start, bytes))
    }

    /// The end of the text: more than `max_lines` lines or more than `max_bytes` bytes, or all of it.
    pub fn suffix(&mut self, max_lines: usize, max_bytes: usize, cancel: &CancelToken) -> Result<Piece> {
        let (max_lines, enough) = (max_lines as u64, self.enough(max_bytes));
        let mut chunks: Vec<Vec<u8>> = Vec::new();
        let (mut separators, mut length, mut from) = (0, 0, self.end);
        while from > self.start && separators <= max_lines && length <= enough {
            cancel.check()?;
            let chunk = self.chunk_before(from)?;
            from = self.chunk_start(from);
            separators += self.separator.count(&chunk);
            length += chunk.len();
            chunks.push(chunk);
        }
        chunks.reverse();
        let mut bytes = chunks.concat();
        if from > self.start {
            let skipped = self.encoding().resync(&bytes);
            bytes.drain(..skipped);
            from += skipped as u64;
        }
        Ok(self.piece(from, bytes))
    }

    /// Bytes that decode to more than `max` bytes of text, a divided character at either end left out.
    fn enough(&self, max: usize) -> usize {
        max.saturating_add(128).saturating_mul(self.encoding().most_bytes_per_decoded())
    }

    /// Where the line that holds an offset starts, looked for in `limit` bytes; and whether it was found.
    pub fn line_start(&mut self, offset: u64, limit: u64, cancel: &CancelToken) -> Result<(u64, bool)> {
        let mut from = offset;
        while from > self.start && offset - from < limit {
            cancel.check()?;
            let chunk = self.chunk_before(from)?;
            from = self.chunk_start(from);
            if let Some(at) = self.separator.find_last(&chunk) {
                return Ok((from + (at + self.separator.width()) as u64, true));
            }
        }
        Ok((from, from == self.start))
    }

    /// Chunks start at even distances from the first line: there the index knows the lines, and no unit is divided.
    fn chunk_start(&self, end: u64) -> u64 {
        let whole = (end - self.start - 1) / CHUNK as u64;
        self.start + whole * CHUNK as u64
    }

    fn chunk_before(&mut self, end: u64) -> Result<Vec<u8>> {
        let from = self.chunk_start(end);
        self.bytes(from, end - from)
    }

    /// The number of lines, where it is known already.
    #[must_use]
    pub fn known_lines(&self) -> Option<u64> {
        let covered = self.known.index.covered();
        (covered.offset == self.size()).then_some(covered.breaks + 1)
    }

    /// Line breaks before an offset as far as they are known, which may be less far.
    #[must_use]
    pub fn known_breaks(&self, offset: u64) -> u64 {
        let covered = self.known.index.covered();
        if self.start + covered.offset <= offset { covered.breaks } else { 0 }
    }

    /// Counts the lines for at most `time`; whether all of them were counted.
    pub fn count_lines(&mut self, time: Duration, cancel: &CancelToken) -> Result<bool> {
        let (started, mut chunks) = (Instant::now(), 0);
        let mut buffer = Vec::new();
        loop {
            cancel.check()?;
            let from = self.known.index.covered().offset;
            if from >= self.size() {
                return Ok(true);
            }
            if chunks % CHUNKS_BETWEEN_CLOCKS == 0 && started.elapsed() >= time {
                return Ok(false);
            }
            chunks += 1;
            if self.pass_hole(self.start + from) > self.start + from {
                continue;
            }
            buffer.resize(CHUNK, 0);
            let wanted = usize::try_from(self.size() - from).unwrap_or(CHUNK).min(CHUNK);
            let size = self.fill(self.start + from, &mut buffer[..wanted])?;
            if size == 0 {
                // The file shrank: this is all there is now.
                self.end = self.start + from;
                return Ok(true);
            }
            let breaks = self.separator.count(&buffer[..size]);
            self.learn(from, size as u64, breaks);
        }
    }

    /// The end of the hole that `offset` lies in, as far as whole chunks go: zeros, none of which ends a line. What is passed
    /// so is learnt.
    fn pass_hole(&mut self, offset: u64) -> u64 {
        if !self.has_holes {
            return offset;
        }
        let data = self.reader.next_data(offset).unwrap_or(offset).min(self.end);
        let chunks = data.saturating_sub(offset) / CHUNK as u64;
        for chunk in 0..chunks {
            self.learn(offset - self.start + chunk * CHUNK as u64, CHUNK as u64, 0);
        }
        offset + chunks * CHUNK as u64
    }

    /// Takes in the line breaks of a stretch; `from` counts from the first line.
    fn learn(&mut self, from: u64, length: u64, breaks: u64) {
        if self.known.index.covered().offset == from && length > 0 {
            Arc::make_mut(&mut self.known).index.advance(from, length, breaks);
            self.learnt = true;
        }
    }

    /// Decodes the start of the text as it is, its own line breaks included.
    pub fn decode(&mut self, max_bytes: usize) -> Result<(String, bool)> {
        let bytes = self.bytes(self.start, (max_bytes as u64).min(self.size()))?;
        let cut = (bytes.len() as u64) < self.size();
        let Decoded { text, lossy } = self.encoding().decode_part(bytes, cut);
        Ok((text, lossy))
    }

    fn piece(&self, from: u64, bytes: Vec<u8>) -> Piece {
        let length = bytes.len() as u64;
        let Decoded { mut text, lossy } = self.encoding().decode_part(bytes, from + length < self.end);
        if self.separator() == '\r' {
            text = text.replace('\r', "\n");
        }
        Piece { text, from, bytes: length, lossy }
    }

    fn bytes(&mut self, offset: u64, length: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length.min(self.end.saturating_sub(offset))).unwrap_or(0)];
        let size = self.fill(offset, &mut bytes)?;
        bytes.truncate(size);
        Ok(bytes)
    }

    /// Fills as much of the buffer as there is; a file that shrank meanwhile ends early.
    fn fill(&mut self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        let error = |error| ToolError::io(self.shown.clone(), &error);
        self.reader.seek(SeekFrom::Start(offset)).map_err(error)?;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(size) => filled += size,
                Err(failure) if failure.kind() == std::io::ErrorKind::Interrupted => {}
                Err(failure) => return Err(error(failure)),
            }
        }
        Ok(filled)
    }
}

impl Drop for Source {
    /// What was learnt stays, even by a call that was cancelled.
    fn drop(&mut self) {
        if let Some(identity) = self.identity.filter(|_| self.learnt) {
            known::remember(identity, Arc::clone(&self.known));
        }
    }
}

#[cfg(unix)]
fn has_holes(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::blocks(metadata) * 512 < metadata.len()
}

#[cfg(not(unix))]
fn has_holes(_: &Metadata) -> bool {
    false
}

/// A small file is read here and now, so that nothing can change it during the call.
fn reader(file: File, metadata: &Metadata) -> std::io::Result<(Box<dyn SeekRead>, u64, bool)> {
    if metadata.len() > HELD {
        return Ok((Box::new(file), metadata.len(), false));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len() + 1).unwrap_or(0));
    file.take(UNSIZED_CAP + 1).read_to_end(&mut bytes)?;
    let capped = bytes.len() as u64 > UNSIZED_CAP;
    bytes.truncate(usize::try_from(UNSIZED_CAP).unwrap_or(usize::MAX));
    let end = bytes.len() as u64;
    Ok((Box::new(Cursor::new(bytes)), end, capped))
}
