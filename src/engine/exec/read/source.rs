//! A text file as lines, read in pieces. Whatever its size, memory holds the piece at hand and what is kept of it.
//!
//! Line rules are those of `engine/text/lines.rs`: the byte-order mark belongs to no line, and a lone CR ends a line
//! only in a file without any LF. A CR before an LF stays with its line, so that nothing is lost on the way.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use super::counts;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{self, Identity};
use crate::engine::outcome::Outcome;
use crate::engine::text::{BOM, has_bom};

/// One read, and the distance between two looks at the token.
const CHUNK: usize = 64 * 1024;
/// Files of `/proc` name no size; this much of one is read.
const UNSIZED_CAP: u64 = 8 * 1024 * 1024;
/// How far the search for the first LF goes before LF is taken for granted.
const SEPARATOR_SEARCH: u64 = 64 * 1024 * 1024;
/// Counting less than this is no work.
const REMEMBERED_FROM: u64 = 256 * 1024;
/// A clock costs more than a chunk; it is read every so many.
const CHUNKS_BETWEEN_CLOCKS: u32 = 16;

trait SeekRead: Read + Seek {}
impl SeekRead for File {}
impl SeekRead for Cursor<Vec<u8>> {}

/// An open text file.
pub struct Source {
    reader: Box<dyn SeekRead>,
    shown: String,
    /// The first bytes, at most [`CHUNK`].
    head: Vec<u8>,
    /// Offset of the first line.
    start: u64,
    end: u64,
    separator: u8,
    capped: bool,
    /// Under which the number of lines is remembered, for files that are worth it.
    identity: Option<Identity>,
}

/// What is known of a file beside its bytes.
#[derive(Default)]
struct Facts {
    capped: bool,
    identity: Option<Identity>,
}

/// A stretch of a file, decoded, with LF between its lines.
#[derive(Debug)]
pub struct Piece {
    /// The text. Where the piece starts or ends inside a line, that line is incomplete.
    pub text: String,
    /// Its place in the file.
    pub from: u64,
    /// Its length in the file.
    pub bytes: u64,
    /// Some bytes were not valid UTF-8.
    pub lossy: bool,
}

/// The separators of a stretch.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    /// How many.
    pub separators: u64,
    /// Offset behind the last one.
    pub last_end: Option<u64>,
    /// The whole stretch was looked at.
    pub exact: bool,
}

/// One line; `bytes` may hold only its start.
#[derive(Debug)]
pub struct Row {
    /// 1-based.
    pub number: u64,
    /// What was kept.
    pub bytes: Vec<u8>,
    /// Bytes of the whole line.
    pub length: u64,
}

impl Source {
    /// Opens a file.
    pub fn open(path: &Path, shown: &str, cancel: &CancelToken) -> Result<Self> {
        let (file, metadata) = files::open_regular(path, shown)?;
        let is_large = metadata.len() > REMEMBERED_FROM;
        let identity = if is_large { Identity::settled(&metadata, SystemTime::now()) } else { None };
        let (reader, end, capped) = if metadata.len() <= CHUNK as u64 {
            let mut bytes = Vec::new();
            let limited = file.take(UNSIZED_CAP + 1).read_to_end(&mut bytes);
            limited.map_err(|error| ToolError::io(shown, &error))?;
            let capped = bytes.len() as u64 > UNSIZED_CAP;
            bytes.truncate(usize::try_from(UNSIZED_CAP).unwrap_or(usize::MAX));
            let end = bytes.len() as u64;
            (Box::new(Cursor::new(bytes)) as Box<dyn SeekRead>, end, capped)
        } else {
            (Box::new(file) as Box<dyn SeekRead>, metadata.len(), false)
        };
        Self::over(reader, end, shown, Facts { capped, identity }, cancel)
    }

    /// Text that lies in memory: the member of an archive, a converted document, a fetched page.
    pub fn from_memory(bytes: Vec<u8>, shown: &str, cancel: &CancelToken) -> Result<Self> {
        let end = bytes.len() as u64;
        Self::over(Box::new(Cursor::new(bytes)), end, shown, Facts::default(), cancel)
    }

    fn over(
        reader: Box<dyn SeekRead>,
        end: u64,
        shown: &str,
        facts: Facts,
        cancel: &CancelToken,
    ) -> Result<Self> {
        let shown = shown.to_owned();
        let Facts { capped, identity } = facts;
        let mut source =
            Self { reader, shown, head: Vec::new(), start: 0, end, separator: b'\n', capped, identity };
        source.head = source.bytes(0, end.min(CHUNK as u64))?;
        source.start = if has_bom(&source.head) { BOM.len() as u64 } else { 0 };
        source.separator = source.find_separator(cancel)?;
        Ok(source)
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

    /// What ends a line.
    #[must_use]
    pub fn separator(&self) -> char {
        char::from(self.separator)
    }

    /// Says what the text does not show: the byte-order mark, and a size nobody knows.
    #[must_use]
    pub fn describe(&self, outcome: Outcome) -> Outcome {
        outcome
            .detail("encoding", (self.start > 0).then_some("utf-8-bom"))
            .detail("sizeUnknown", self.capped.then_some(true))
    }

    /// The lines from the first one on.
    #[must_use]
    pub fn lines<'a>(&'a mut self, cancel: &'a CancelToken) -> Lines<'a> {
        let next = self.start;
        let line_limit = u64::MAX;
        Lines { source: self, cancel, buffer: Vec::new(), at: 0, next, number: 1, ended: false, line_limit }
    }

    /// The start of the text: more than `max_lines` lines or more than `max_bytes` bytes, or all of it.
    pub fn prefix(&mut self, max_lines: usize, max_bytes: usize, cancel: &CancelToken) -> Result<Piece> {
        let mut bytes = Vec::new();
        let mut separators = 0;
        let mut next = self.start;
        while next < self.end && separators <= max_lines && bytes.len() <= max_bytes + char::MAX.len_utf8() {
            cancel.check()?;
            let chunk = self.bytes(next, CHUNK as u64)?;
            if chunk.is_empty() {
                break;
            }
            next += chunk.len() as u64;
            separators += memchr::memchr_iter(self.separator, &chunk).count();
            bytes.extend_from_slice(&chunk);
        }
        Ok(self.piece(self.start, bytes))
    }

    /// The end of the text: more than `max_lines` lines or more than `max_bytes` bytes, or all of it.
    pub fn suffix(&mut self, max_lines: usize, max_bytes: usize, cancel: &CancelToken) -> Result<Piece> {
        let mut chunks: Vec<Vec<u8>> = Vec::new();
        let (mut separators, mut length, mut from) = (0, 0, self.end);
        while from > self.start && separators <= max_lines && length <= max_bytes + char::MAX.len_utf8() {
            cancel.check()?;
            let size = (from - self.start).min(CHUNK as u64);
            let chunk = self.bytes(from - size, size)?;
            from -= size;
            separators += memchr::memchr_iter(self.separator, &chunk).count();
            length += chunk.len();
            chunks.push(chunk);
        }
        chunks.reverse();
        Ok(self.piece(from, chunks.concat()))
    }

    /// Offset of the first line, behind the byte-order mark.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Offset behind the last line.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The number of lines, where an earlier call counted them.
    #[must_use]
    pub fn known_lines(&self) -> Option<u64> {
        self.identity.and_then(counts::recall)
    }

    /// Remembers the number of lines.
    pub fn learn_lines(&self, lines: u64) {
        if let Some(identity) = self.identity {
            counts::remember(identity, lines);
        }
    }

    /// Counts the separators between two offsets, for at most `time`.
    pub fn count(&mut self, from: u64, end: u64, time: Duration, cancel: &CancelToken) -> Result<Count> {
        let started = Instant::now();
        let mut count = Count { separators: 0, last_end: None, exact: true };
        let (mut next, mut chunks) = (from, 0);
        let mut buffer = vec![0; if from < end { CHUNK } else { 0 }];
        while next < end {
            cancel.check()?;
            if chunks % CHUNKS_BETWEEN_CLOCKS == 0 && started.elapsed() >= time {
                count.exact = false;
                break;
            }
            chunks += 1;
            let size = usize::try_from(end - next).unwrap_or(CHUNK).min(CHUNK);
            let size = self.fill(next, &mut buffer[..size])?;
            if size == 0 {
                break;
            }
            count.separators += memchr::memchr_iter(self.separator, &buffer[..size]).count() as u64;
            if let Some(at) = memchr::memrchr(self.separator, &buffer[..size]) {
                count.last_end = Some(next + at as u64 + 1);
            }
            next += size as u64;
        }
        Ok(count)
    }

    /// Decodes a stretch as it is, byte for byte where it is valid.
    pub fn decode(&mut self, max_bytes: usize) -> Result<(String, bool)> {
        let bytes = self.bytes(self.start, (max_bytes as u64).min(self.size()))?;
        let cut = (bytes.len() as u64) < self.size();
        Ok(decode(bytes, cut))
    }

    fn piece(&self, from: u64, mut bytes: Vec<u8>) -> Piece {
        if self.separator == b'\r' {
            bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        let length = bytes.len() as u64;
        let (text, lossy) = decode(bytes, from + length < self.end);
        Piece { text, from, bytes: length, lossy }
    }

    fn find_separator(&mut self, cancel: &CancelToken) -> Result<u8> {
        if memchr::memchr(b'\n', &self.head).is_some() {
            return Ok(b'\n');
        }
        let mut has_cr = memchr::memchr(b'\r', &self.head).is_some();
        let mut next = self.head.len() as u64;
        let mut buffer = vec![0; if next < self.end { CHUNK } else { 0 }];
        while next < self.end {
            cancel.check()?;
            let size = self.fill(next, &mut buffer)?;
            if size == 0 {
                break;
            }
            if next > SEPARATOR_SEARCH || memchr::memchr(b'\n', &buffer[..size]).is_some() {
                return Ok(b'\n');
            }
            has_cr |= memchr::memchr(b'\r', &buffer[..size]).is_some();
            next += size as u64;
        }
        Ok(if has_cr { b'\r' } else { b'\n' })
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

/// A walk over the lines of a [`Source`], forwards.
pub struct Lines<'a> {
    source: &'a mut Source,
    cancel: &'a CancelToken,
    buffer: Vec<u8>,
    at: usize,
    /// Offset behind the buffer.
    next: u64,
    /// The line at hand; behind the last line once `ended`.
    number: u64,
    ended: bool,
    line_limit: u64,
}

impl Lines<'_> {
    /// Gives up, as if the file ended, once a line has more than `limit` bytes.
    #[must_use]
    pub fn with_line_limit(mut self, limit: u64) -> Self {
        self.line_limit = limit;
        self
    }

    /// Whether the last line is passed.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Lines passed; all of them once [`Lines::ended`].
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.number - 1
    }

    /// Goes to the start of a line, or to the end where there is no such line.
    pub fn skip_to(&mut self, line: u64) -> Result<()> {
        while self.number < line && !self.ended {
            if self.at == self.buffer.len() && !self.refill()? {
                self.end();
                break;
            }
            let rest = &self.buffer[self.at..];
            let here = memchr::memchr_iter(self.source.separator, rest).count() as u64;
            if self.number + here < line {
                self.number += here;
                self.at = self.buffer.len();
                continue;
            }
            let wanted = usize::try_from(line - self.number - 1).unwrap_or(usize::MAX);
            let at = memchr::memchr_iter(self.source.separator, rest).nth(wanted).unwrap_or(rest.len() - 1);
            self.at += at + 1;
            self.number = line;
        }
        Ok(())
    }

    /// The line at hand, of which at most `keep` bytes are kept.
    pub fn read(&mut self, keep: usize) -> Result<Option<Row>> {
        if self.ended {
            return Ok(None);
        }
        let mut row = Row { number: self.number, bytes: Vec::new(), length: 0 };
        loop {
            if self.at == self.buffer.len() && !self.refill()? {
                self.end();
                return Ok(Some(row));
            }
            let rest = &self.buffer[self.at..];
            let found = memchr::memchr(self.source.separator, rest);
            let part = &rest[..found.unwrap_or(rest.len())];
            row.length += part.len() as u64;
            row.bytes.extend_from_slice(&part[..part.len().min(keep - row.bytes.len())]);
            self.at += part.len() + usize::from(found.is_some());
            if found.is_some() {
                self.number += 1;
                return Ok(Some(row));
            }
            if row.length > self.line_limit {
                self.end();
                return Ok(Some(row));
            }
        }
    }

    /// The number of lines, and whether it is exact: the walk goes on for at most `budget` bytes.
    pub fn total(&mut self, budget: u64) -> Result<(u64, bool)> {
        if let Some(lines) = self.source.known_lines().filter(|lines| *lines >= self.passed()) {
            return Ok((lines, true));
        }
        let limit = self.next.saturating_add(budget);
        while !self.ended && self.next < limit {
            self.skip_to_refill()?;
        }
        if self.ended {
            self.source.learn_lines(self.passed());
            return Ok((self.passed(), true));
        }
        Ok((self.number, false))
    }

    fn skip_to_refill(&mut self) -> Result<()> {
        self.number += memchr::memchr_iter(self.source.separator, &self.buffer[self.at..]).count() as u64;
        self.at = self.buffer.len();
        if !self.refill()? {
            self.end();
        }
        Ok(())
    }

    fn end(&mut self) {
        self.ended = true;
        self.number += 1;
    }

    fn refill(&mut self) -> Result<bool> {
        self.cancel.check()?;
        let size = usize::try_from(self.source.end - self.next).unwrap_or(CHUNK).min(CHUNK);
        self.buffer.resize(size, 0);
        let size = self.source.fill(self.next, &mut self.buffer)?;
        self.buffer.truncate(size);
        self.next += size as u64;
        self.at = 0;
        Ok(!self.buffer.is_empty())
    }
}

impl Row {
    /// Whether only the start of the line was kept.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        (self.bytes.len() as u64) < self.length
    }

    /// The text, and whether some bytes were not valid UTF-8.
    #[must_use]
    pub fn decode(self) -> (String, bool) {
        let cut = self.is_cut();
        decode(self.bytes, cut)
    }
}

/// Decodes UTF-8; what is invalid becomes U+FFFD. A character that a cut divides is dropped.
fn decode(mut bytes: Vec<u8>, cut: bool) -> (String, bool) {
    if cut
        && let Some(last) = bytes.utf8_chunks().last()
        && (1..4).contains(&last.invalid().len())
        && std::str::from_utf8(last.invalid()).is_err_and(|error| error.error_len().is_none())
    {
        bytes.truncate(bytes.len() - last.invalid().len());
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    }
}
