//! One file: read it, leave it out for a reason, or collect its matching lines with the lines around them.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use grep_matcher::Matcher;
use grep_searcher::{
    BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkMatch,
};

use super::line::{LINE_LIMIT, Shown, show};
use super::page::PAGE_BYTES;
use super::pattern::Pattern;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{open_listed, open_regular};
use crate::engine::text::{BOM, letters};

/// Larger files are left out of a walk. A file that the caller named is searched whatever its size.
pub(super) const WALKED_LIMIT: u64 = 4 << 20;

/// Up to this size a named file is read whole, beyond it is streamed.
const WHOLE_LIMIT: u64 = 16 << 20;

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
}

/// A file to search.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// Whether the caller named it.
    pub(super) explicit: bool,
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
    /// The letters of the anchor; a cut line has none, as they would not speak of what is shown.
    pub(super) letters: Option<&'static str>,
}

/// Searches files one after the other, with buffers that are kept.
pub(super) struct Scanner<'a> {
    plan: &'a Plan,
    cancel: &'a CancelToken,
    searcher: Searcher,
    buffer: Vec<u8>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(plan: &'a Plan, cancel: &'a CancelToken) -> Self {
        let searcher = SearcherBuilder::new()
            .multi_line(plan.pattern.multi_line)
            .before_context(plan.before)
            .after_context(plan.after)
            .line_number(true)
            // Only streamed and decoded text gets there unchecked.
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(STREAM_MEMORY))
            .build();
        Self { plan, cancel, searcher, buffer: Vec::new() }
    }

    /// Searches one file; an error only if the call is cancelled.
    pub(super) fn scan(&mut self, candidate: &Candidate) -> Result<Scanned> {
        self.cancel.check()?;
        let shown = candidate.path.to_string_lossy();
        let opened = if candidate.explicit {
            open_regular(&candidate.path, &shown)
        } else {
            open_listed(&candidate.path, &shown)
        };
        let (file, size) = match opened {
            Ok((file, metadata)) => (file, metadata.len()),
            Err(error) => return Ok(Scanned::Skipped(Skip::Unreadable(error))),
        };
        let limit = if candidate.explicit { WHOLE_LIMIT } else { WALKED_LIMIT };
        if size > limit {
            return if candidate.explicit {
                self.stream(file)
            } else {
                Ok(Scanned::Skipped(Skip::Oversized))
            };
        }
        self.buffer.clear();
        let mut source = Cancellable { file, cancel: self.cancel };
        // Room for the final read that finds nothing, so that the buffer does not grow for it.
        self.buffer.reserve(usize::try_from(size).unwrap_or(0) + 64);
        let read = source.by_ref().take(limit + 1).read_to_end(&mut self.buffer);
        self.cancel.check()?;
        if let Err(error) = read {
            return Ok(Scanned::Skipped(Skip::Unreadable(ToolError::io(shown, &error))));
        }
        // It grew meanwhile, or it is one of those files that say they are empty.
        if self.buffer.len() as u64 > limit {
            return Ok(Scanned::Skipped(Skip::Oversized));
        }
        self.search_buffer()
    }

    fn search_buffer(&mut self) -> Result<Scanned> {
        let bytes = &mut self.buffer;
        let utf16 = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        if !utf16 {
            if memchr::memchr(0, bytes).is_some() {
                return Ok(Scanned::Skipped(Skip::Binary));
            }
            // A lone CR ends a line only in a text without any LF; then it may as well be one.
            if memchr::memchr(b'\n', bytes).is_none() {
                bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
            }
        }
        let text = self.buffer.strip_prefix(BOM).unwrap_or(&self.buffer);
        let mut collector = Collector::new(self.plan);
        let searched = self.searcher.search_slice(&self.plan.pattern.matcher, text, &mut collector);
        self.cancel.check()?;
        Ok(collector.finish(searched))
    }

    /// Searches a large file without holding it in memory.
    fn stream(&mut self, file: File) -> Result<Scanned> {
        let mut collector = Collector::new(self.plan);
        let source = Cancellable { file, cancel: self.cancel };
        let searched = self.searcher.search_reader(&self.plan.pattern.matcher, source, &mut collector);
        self.cancel.check()?;
        Ok(collector.finish(searched))
    }
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
        self.hits.lines.push(FoundLine { number, is_match, shown, letters });
    }

    /// Pushes the lines of a block that matched, from its first match on.
    fn push_block(&mut self, number: u64, block: &[u8]) {
        let long = block.len() > LINE_LIMIT;
        let first = if long { self.plan.pattern.matcher.find(block).ok().flatten() } else { None };
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
        let _ = self.plan.pattern.matcher.find_iter(block, |found| {
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
