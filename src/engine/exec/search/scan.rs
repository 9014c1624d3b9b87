//! One file: read it, leave it out for a reason, or collect its matching lines with the lines around them.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Arc;

use grep_matcher::{LineTerminator, Matcher};
use grep_searcher::{
    BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkMatch,
};

use super::line::{LINE_LIMIT, Shown, show};
use super::page::PAGE_BYTES;
use super::pattern::Pattern;
use super::recall::{Before, Recall};
use crate::engine::cancel::CancelToken;
use crate::engine::error::ToolError;
use crate::engine::files::{Entry, ReadBuffer, ReadEnd};
use crate::engine::session::Session;
use crate::engine::text::{BOM, encoding, letters};

/// Larger files are left out of a walk. A file that the caller named is searched whatever its size.
pub(super) const WALKED_LIMIT: usize = 4 << 20;

/// Up to this size a named file is read whole, beyond it is streamed.
pub(super) const WHOLE_LIMIT: usize = 16 << 20;

/// A NUL in the first bytes makes a file binary, whatever it holds.
pub(super) const BINARY_HEAD: usize = 8 << 10;

/// Memory for one line of a streamed file, or for a streamed file whose matches may span lines.
const STREAM_MEMORY: usize = 256 << 20;

/// How files are searched.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) pattern: Pattern,
    pub(super) before: usize,
    pub(super) after: usize,
    /// Matches to collect of one file.
    pub(super) per_file: usize,
    /// Whether lines are shown with anchors.
    pub(super) anchors: bool,
    /// The session that knows files, where it may be asked.
    pub(super) session: Option<Arc<Session>>,
}

/// What a search of one file gave.
#[derive(Debug)]
pub(super) enum Scanned {
    Nothing,
    Hits(Hits),
    Skipped(Skip),
}

/// Why a file was left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Skip {
    Oversized,
    Binary,
    Unreadable(ToolError),
}

impl Skip {
    /// The reason as one word.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Self::Oversized => "oversized",
            Self::Binary => "binary",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

/// The matching lines of a file and the lines around them, in order.
#[derive(Debug, Default)]
pub(super) struct Hits {
    pub(super) lines: Vec<FoundLine>,
    pub(super) matches: usize,
    /// Whether the file has more matches than were to be collected.
    pub(super) more: bool,
}

#[derive(Debug)]
pub(super) struct FoundLine {
    pub(super) number: u64,
    pub(super) is_match: bool,
    pub(super) shown: Shown,
    /// Whether the line is shown to its last byte.
    pub(super) is_whole: bool,
    /// The letters of the anchor; a cut line has none, as they would not speak of what is shown.
    pub(super) letters: Option<&'static str>,
}

/// Searches files one after the other.
#[derive(Debug)]
pub(super) struct Scanner {
    pattern: Pattern,
    cancel: CancelToken,
    searcher: Searcher,
    /// The file at hand; empty between two files.
    buffer: ReadBuffer,
    /// Whether texts in other encodings than UTF-8 are told by their bytes, as `read` does.
    decodes: bool,
    /// The text at hand, where it is in such an encoding.
    decoded: Option<String>,
    /// What is known of files without opening them.
    recall: Option<Recall>,
}

/// A file that was opened.
#[derive(Debug)]
pub(super) enum Content {
    /// It is in the buffer, and something in it may match.
    Text,
    /// It is too large to be held.
    Stream(File),
}

/// Why there is nothing to search in a file: it was left out, or nothing in it matches.
#[derive(Debug)]
pub(super) enum Miss {
    Nothing,
    Skipped(Skip),
}

impl Scanner {
    /// A scanner for lines that match, with so many lines before and after.
    pub(super) fn new(pattern: Pattern, before: usize, after: usize, cancel: CancelToken) -> Self {
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .multi_line(pattern.multi_line)
            .before_context(before)
            .after_context(after)
            .line_number(true)
            // Only streamed and decoded text gets there unchecked.
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(STREAM_MEMORY))
            .build();
        let buffer = ReadBuffer::default();
        Self { pattern, cancel, searcher, buffer, decodes: false, decoded: None, recall: None }
    }

    /// Tells the encoding of texts by their bytes.
    #[must_use]
    pub(super) fn decoding(mut self) -> Self {
        self.decodes = true;
        self
    }

    /// Asks a session about files before they are opened, and tells it what they hold.
    #[must_use]
    pub(super) fn recalling(mut self, session: Option<Arc<Session>>) -> Self {
        let doubts_binary = self.decodes && !self.pattern.is_ascii;
        self.recall = session.map(|session| Recall::new(session, self.pattern.needs(), doubts_binary));
        self
    }

    /// Opens and reads a file, unless that is of no use.
    pub(super) fn open(&mut self, entry: &Entry, walked_limit: usize) -> std::result::Result<Content, Miss> {
        let unreadable = |error| Miss::Skipped(Skip::Unreadable(error));
        let before = self.recall.as_ref().map_or(Before::Unsure, |recall| recall.before(entry));
        if let Before::Miss(miss) = before {
            return Err(miss);
        }
        let mut file = match entry.open() {
            // It vanished meanwhile.
            Err(ToolError::PathNotFound { .. }) if !entry.explicit => return Err(Miss::Nothing),
            opened => opened.map_err(unreadable)?,
        };
        let recall = self.recall.as_mut().filter(|_| matches!(before, Before::New));
        let learned = recall.and_then(|recall| Some((recall.opened(&file)?, recall)));
        let limit = if entry.explicit { WHOLE_LIMIT } else { walked_limit };
        self.buffer = ReadBuffer::of_thread();
        match entry.read(&mut file, &mut self.buffer, limit, &self.cancel) {
            Ok(ReadEnd::Whole) => {
                if let Some((identity, recall)) = learned {
                    recall.learn(identity, self.buffer.filled());
                }
                self.prepare().map(|()| Content::Text)
            }
            Ok(ReadEnd::TooLarge) if walked_limit < WHOLE_LIMIT && !entry.explicit => {
                Err(Miss::Skipped(Skip::Oversized))
            }
            Ok(ReadEnd::TooLarge) => match file.rewind() {
                Ok(()) => Ok(Content::Stream(file)),
                Err(error) => Err(unreadable(ToolError::io(entry.path().to_string_lossy(), &error))),
            },
            Err(_) if self.cancel.is_cancelled() => Err(Miss::Nothing),
            Err(error) => Err(unreadable(ToolError::io(entry.path().to_string_lossy(), &error))),
        }
    }

    /// Makes a text of what was read, and looks whether anything in it can match at all.
    fn prepare(&mut self) -> std::result::Result<(), Miss> {
        self.decoded = None;
        let bytes = self.buffer.filled();
        if is_utf16(bytes) {
            return Ok(());
        }
        // Only there can the bytes of another encoding hide what is sought.
        if self.decodes && !self.pattern.is_ascii {
            self.decoded = decode(bytes);
        }
        if let Some(text) = &self.decoded {
            let may_match = self.pattern.may_match(text.as_bytes(), &self.cancel);
            return if may_match { Ok(()) } else { Err(Miss::Nothing) };
        }
        if memchr::memchr(0, &bytes[..bytes.len().min(BINARY_HEAD)]).is_some() {
            return Err(Miss::Skipped(Skip::Binary));
        }
        // A lone CR ends a line only in a text without any LF; then it may as well be one.
        if memchr::memchr(b'\n', bytes).is_none() {
            bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        if !self.pattern.may_match(without_mark(bytes), &self.cancel) {
            return Err(Miss::Nothing);
        }
        // What comes behind the head counts only where something would be left out for it.
        if memchr::memchr(0, bytes).is_some() {
            return Err(Miss::Skipped(Skip::Binary));
        }
        if self.decodes && self.pattern.is_ascii {
            self.decoded = decode(bytes);
        }
        Ok(())
    }

    /// Tells a sink of all matches in an opened file.
    pub(super) fn search<S: Sink<Error = io::Error>>(&mut self, content: Content, sink: S) -> io::Result<()> {
        let Some(matcher) = self.pattern.matcher() else { return Ok(()) };
        match content {
            Content::Text => {
                let text = match &self.decoded {
                    Some(text) => text.as_bytes(),
                    None => without_mark(self.buffer.filled()),
                };
                self.searcher.search_slice(matcher, text, sink)
            }
            Content::Stream(file) => {
                let source = Cancellable { file, cancel: &self.cancel };
                self.searcher.search_reader(matcher, source, sink)
            }
        }
    }

    /// Searches one file for the tool. Of a call that is cancelled nothing is found.
    pub(super) fn scan(&mut self, plan: &Plan, entry: &Entry) -> Scanned {
        let opened = self.open(entry, WALKED_LIMIT);
        self.collect(plan, opened)
    }

    /// Searches bytes as if they were a file.
    pub(super) fn scan_bytes(&mut self, plan: &Plan, bytes: Vec<u8>) -> Scanned {
        self.buffer = ReadBuffer::holding(bytes);
        let opened = self.prepare().map(|()| Content::Text);
        self.collect(plan, opened)
    }

    fn collect(&mut self, plan: &Plan, opened: std::result::Result<Content, Miss>) -> Scanned {
        let scanned = match opened {
            Ok(content) => {
                let mut collector = Collector::new(plan);
                let searched = self.search(content, &mut collector);
                collector.finish(searched)
            }
            Err(Miss::Nothing) => Scanned::Nothing,
            Err(Miss::Skipped(skip)) => Scanned::Skipped(skip),
        };
        self.close();
        scanned
    }

    /// Gives the memory back. A call that waits for its turn holds none.
    pub(super) fn close(&mut self) {
        self.decoded = None;
        self.buffer = ReadBuffer::default();
    }
}

/// A text without the byte order mark of UTF-8, which is no part of its first line.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// The text of bytes that are not UTF-8 and that all tell of one other encoding.
fn decode(bytes: &[u8]) -> Option<String> {
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let encoding = encoding::detect(bytes)?.encoding;
    (!encoding.is_utf8()).then(|| encoding.decode(bytes.to_vec()).text)
}

pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// A file that ends with an error once the call is cancelled, asked at every read.
struct Cancellable<'a> {
    file: File,
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

/// Takes lines from the searcher until there are enough.
struct Collector<'a> {
    plan: &'a Plan,
    hits: Hits,
    /// Bytes of the lines so far.
    bytes: usize,
    binary: bool,
}

impl<'a> Collector<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, hits: Hits::default(), bytes: 0, binary: false }
    }

    fn finish(self, searched: io::Result<()>) -> Scanned {
        match searched {
            _ if self.binary => Scanned::Skipped(Skip::Binary),
            // The searcher's own memory is the only thing that can fail besides reading.
            Err(error) if error.kind() == io::ErrorKind::Other => Scanned::Skipped(Skip::Oversized),
            Err(error) => Scanned::Skipped(Skip::Unreadable(ToolError::io("", &error))),
            Ok(()) if self.hits.matches == 0 => Scanned::Nothing,
            Ok(()) => Scanned::Hits(self.hits),
        }
    }

    fn push(&mut self, number: u64, bytes: &[u8], is_match: bool, focus: usize) {
        let ending = usize::from(bytes.ends_with(b"\n")) + usize::from(bytes.ends_with(b"\r\n"));
        let bytes = &bytes[..bytes.len() - ending];
        let line = String::from_utf8_lossy(bytes);
        // Where bytes were replaced, the place moved.
        let focus = if line.len() == bytes.len() {
            focus
        } else {
            String::from_utf8_lossy(&bytes[..focus.min(bytes.len())]).len()
        };
        let shown = show(&line, focus);
        self.bytes += shown.text.len() + 1;
        let letters = (self.plan.anchors && !shown.cut).then(|| letters(&line));
        let is_whole = shown.text.len() == line.len();
        self.hits.lines.push(FoundLine { number, is_match, shown, is_whole, letters });
    }

    /// Pushes the lines of a block that matched, from its first match on.
    fn push_block(&mut self, number: u64, block: &[u8]) {
        let long = block.len() > LINE_LIMIT;
        let matcher = self.plan.pattern.matcher().filter(|_| long);
        let first = matcher.and_then(|matcher| matcher.find(block).ok().flatten());
        let mut focus = first.map_or(0, |found| found.start());
        for (number, line) in (number..).zip(block.split_inclusive(|byte| *byte == b'\n')) {
            if self.is_full() {
                self.hits.more = true;
                break;
            }
            self.push(number, line, true, focus);
            focus = focus.saturating_sub(line.len());
        }
    }

    /// How many of a block's matches are still wanted, and the lines that hold them. Only where matches span lines
    /// may a block have several.
    fn wanted<'b>(&mut self, block: &'b [u8]) -> (usize, &'b [u8]) {
        if !self.plan.pattern.multi_line {
            return (1, block);
        }
        let most = self.plan.per_file - self.hits.matches;
        let (mut count, mut end, mut more) = (0, 0, false);
        self.plan.pattern.each_match(block, |found| {
            more = count == most;
            if !more {
                (count, end) = (count + 1, found.end());
            }
            !more
        });
        if !more {
            return (count.max(1), block);
        }
        self.hits.more = true;
        // A match that ends behind a line break ends with that line.
        let last = end.saturating_sub(1);
        let end = memchr::memchr(b'\n', &block[last..]).map_or(block.len(), |at| last + at + 1);
        (count, &block[..end])
    }

    /// No page has room for more than this, and one match may be as long as its file.
    fn is_full(&self) -> bool {
        self.bytes > 2 * PAGE_BYTES
    }
}

impl Sink for &mut Collector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        if self.hits.matches >= self.plan.per_file || self.is_full() {
            self.hits.more = true;
            return Ok(false);
        }
        let (count, block) = self.wanted(found.bytes());
        self.push_block(found.line_number().unwrap_or(1), block);
        self.hits.matches += count;
        Ok(!self.hits.more)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        // Lines before a match that is one too many come last, and only they.
        if self.hits.matches < self.plan.per_file || *context.kind() == SinkContextKind::After {
            self.push(context.line_number().unwrap_or(1), context.bytes(), false, 0);
        }
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.binary = true;
        Ok(false)
    }
}
