//! A walk over the lines of a source, forwards. A line is lent where it lies: most lines are copied once, into the result.

use std::borrow::Cow;

use super::{CHUNK, Source};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::text::encoding::Encoding;

/// How far the end of one line is looked for.
pub const LINE_LIMIT: u64 = 64 * 1024 * 1024;

/// One line; `bytes` may hold only its start.
#[derive(Debug)]
pub struct Row<'a> {
    /// 1-based.
    pub number: u64,
    /// What was kept.
    pub bytes: &'a [u8],
    /// Bytes of the whole line.
    pub length: u64,
    encoding: Encoding,
}

impl<'a> Row<'a> {
    /// Whether only the start of the line was kept.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        (self.bytes.len() as u64) < self.length
    }

    /// The text, and whether some bytes were not valid.
    #[must_use]
    pub fn decode(&self) -> (Cow<'a, str>, bool) {
        self.encoding.decode_in_place(self.bytes, self.is_cut())
    }
}

/// A walk over the lines of a [`Source`].
pub struct Lines<'a> {
    source: &'a mut Source,
    cancel: &'a CancelToken,
    buffer: Vec<u8>,
    /// What earlier buffers held of the line at hand.
    joined: Vec<u8>,
    at: usize,
    /// Offset behind the buffer.
    next: u64,
    /// The line that the buffer starts in.
    first: u64,
    /// The line at hand; behind the last line once `ended`.
    number: u64,
    ended: bool,
    /// The walk ended inside a line.
    gave_up: bool,
    line_limit: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(source: &'a mut Source, cancel: &'a CancelToken) -> Self {
        let next = source.start;
        Self {
            source,
            cancel,
            buffer: Vec::new(),
            joined: Vec::new(),
            at: 0,
            next,
            first: 1,
            number: 1,
            ended: false,
            gave_up: false,
            line_limit: LINE_LIMIT,
        }
    }

    /// Gives up once a line has more than `limit` bytes instead of [`LINE_LIMIT`].
    #[must_use]
    pub fn with_line_limit(mut self, limit: u64) -> Self {
        self.line_limit = limit;
        self
    }

    /// Whether the last line is passed.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.ended && !self.gave_up
    }

    /// Whether the walk ended in a line without end in sight.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Lines passed; all of them once [`Lines::ended`].
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.number - 1
    }

    /// Goes to the start of a line, or to the end where there is no such line.
    pub fn skip_to(&mut self, line: u64) -> Result<()> {
        self.jump(line);
        while self.number < line && !self.ended {
            self.pass_hole();
            if self.at == self.buffer.len() && !self.refill()? {
                self.end();
                break;
            }
            let separator = self.source.separator;
            let rest = &self.buffer[self.at..];
            let here = separator.count(rest);
            if self.number + here < line {
                self.number += here;
                self.at = self.buffer.len();
                continue;
            }
            let wanted = usize::try_from(line - self.number - 1).unwrap_or(usize::MAX);
            let at = separator.find_nth(rest, wanted).unwrap_or(rest.len().saturating_sub(separator.width()));
            self.at += at + separator.width();
            self.number = line;
        }
        Ok(())
    }

    /// Goes to the nearest known place before a line, if it lies ahead.
    fn jump(&mut self, line: u64) {
        let place = self.source.known.index.place_before(line);
        let offset = self.source.start + place.offset;
        if offset > self.next && !self.ended {
            self.learn();
            self.buffer.clear();
            (self.at, self.next) = (0, offset);
            (self.first, self.number) = (place.breaks + 1, place.breaks + 1);
        }
    }

    /// Goes on behind a hole, where the buffer is passed whole.
    fn pass_hole(&mut self) {
        if self.at < self.buffer.len() || self.ended {
            return;
        }
        self.learn();
        self.buffer.clear();
        (self.at, self.first) = (0, self.number);
        self.next = self.source.pass_hole(self.next);
    }

    /// The line at hand, of which at most `keep` bytes of text are kept.
    pub fn read(&mut self, keep: usize) -> Result<Option<Row<'_>>> {
        if self.ended {
            return Ok(None);
        }
        let (encoding, separator, number) = (self.source.encoding(), self.source.separator, self.number);
        let keep = keep.saturating_mul(encoding.most_bytes_per_decoded());
        let mut length = 0;
        self.joined.clear();
        let last = loop {
            if self.at == self.buffer.len() && !self.refill()? {
                self.end();
                break 0..0;
            }
            let rest = &self.buffer[self.at..];
            let found = separator.find(rest);
            let size = found.unwrap_or(rest.len());
            length += size as u64;
            let part = self.at..self.at + size.min(keep - self.joined.len());
            self.at += size + found.map_or(0, |_| separator.width());
            if found.is_some() {
                self.number += 1;
                break part;
            }
            self.joined.extend_from_slice(&self.buffer[part]);
            if length > self.line_limit {
                self.end();
                self.gave_up = true;
                break 0..0;
            }
        };
        let bytes = if self.joined.is_empty() {
            &self.buffer[last]
        } else {
            self.joined.extend_from_slice(&self.buffer[last]);
            &self.joined
        };
        Ok(Some(Row { number, bytes, length, encoding }))
    }

    /// The number of lines, and whether it is exact: the walk goes on for at most `budget` bytes.
    pub fn total(&mut self, budget: u64) -> Result<(u64, bool)> {
        if self.gave_up {
            return Ok((self.passed(), false));
        }
        if let Some(lines) = self.source.known_lines().filter(|lines| *lines >= self.passed()) {
            return Ok((lines, true));
        }
        let limit = self.next.saturating_add(budget);
        // What is known needs no second look.
        self.jump(u64::MAX);
        while !self.ended && (self.next < limit || self.next == self.source.end) {
            self.number += self.source.separator.count(&self.buffer[self.at..]);
            self.at = self.buffer.len();
            if !self.refill()? {
                self.end();
            }
        }
        Ok(if self.ended { (self.passed(), true) } else { (self.number, false) })
    }

    fn end(&mut self) {
        self.ended = true;
        self.number += 1;
    }

    fn refill(&mut self) -> Result<bool> {
        self.cancel.check()?;
        self.learn();
        let size = usize::try_from(self.source.end - self.next).unwrap_or(CHUNK).min(CHUNK);
        self.buffer.resize(size, 0);
        let size = self.source.fill(self.next, &mut self.buffer)?;
        self.buffer.truncate(size);
        self.next += size as u64;
        (self.at, self.first) = (0, self.number);
        Ok(!self.buffer.is_empty())
    }

    /// Hands the line breaks of a buffer that was passed whole to the index.
    fn learn(&mut self) {
        if self.at == self.buffer.len() && !self.ended {
            let length = self.buffer.len() as u64;
            let from = self.next - length - self.source.start;
            self.source.learn(from, length, self.number - self.first);
        }
    }
}

impl Drop for Lines<'_> {
    fn drop(&mut self) {
        self.learn();
    }
}
