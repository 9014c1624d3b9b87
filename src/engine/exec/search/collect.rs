//! The matching lines of one text and the lines around them, up to what a page has room for.

use std::borrow::Cow;
use std::io;

use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkMatch};

use super::line::{LINE_LIMIT, show};
use super::page::PAGE_BYTES;
use super::scan::{FoundLine, Hits, Plan, Scanned, Skip};
use crate::engine::error::ToolError;
use crate::engine::text::letters;

/// Takes lines from the searcher until there are enough.
pub(super) struct Collector<'a> {
    plan: &'a Plan,
    hits: Hits,
    /// Bytes of the lines so far.
    bytes: usize,
    binary: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        Self { plan, hits: Hits::default(), bytes: 0, binary: false }
    }

    pub(super) fn finish(self, searched: io::Result<()>) -> Scanned {
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
        // Asked first whether it is a text at all, which is far faster than looking for what is none.
        let line = std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
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
        let is_long = block.len() > LINE_LIMIT;
        let mut focus = if is_long { self.plan.pattern.first_match(block) } else { 0 };
        let (mut rest, mut number) = (block, number);
        while !rest.is_empty() {
            if self.is_full() {
                self.hits.more = true;
                break;
            }
            // A line may be as long as its file.
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (line, behind) = rest.split_at(length);
            self.push(number, line, true, focus);
            (rest, number, focus) = (behind, number + 1, focus.saturating_sub(length));
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
