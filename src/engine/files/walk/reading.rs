//! Files read one after the other into memory that the thread keeps, large ones piece by piece where that is enough.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek};

use crate::engine::cancel::CancelToken;

/// Bytes asked for at once; the call may be cancelled between two reads.
const PORTION: usize = 64 << 10;

/// Larger files are looked at in pieces of this size, which stay in the memory that is nearest to the processor.
const PIECE: usize = 256 << 10;

/// How reading a file ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadEnd {
    /// The buffer holds all of it.
    Whole,
    /// It has more bytes than allowed; the buffer holds some of them.
    TooLarge,
    /// A look at its pieces was enough; the buffer holds some of it.
    PassedBy,
}

/// What a thread keeps for the next file, whatever call that belongs to. Large files are few.
const KEPT: usize = 1 << 20;

thread_local! {
    static KEPT_MEMORY: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Memory for whole files, one after the other. It is the thread's: calls that take turns on a thread share it.
#[derive(Debug, Default)]
pub struct ReadBuffer {
    bytes: Vec<u8>,
    filled: usize,
}

impl Drop for ReadBuffer {
    fn drop(&mut self) {
        if (1..=KEPT).contains(&self.bytes.len()) {
            KEPT_MEMORY.set(std::mem::take(&mut self.bytes));
        }
    }
}

impl ReadBuffer {
    /// An empty buffer with the memory of this thread.
    #[must_use]
    pub fn of_thread() -> Self {
        Self { bytes: KEPT_MEMORY.take(), filled: 0 }
    }

    /// A buffer that holds what was read elsewhere.
    #[must_use]
    pub fn holding(bytes: Vec<u8>) -> Self {
        Self { filled: bytes.len(), bytes }
    }

    /// What was read last.
    #[must_use]
    pub fn filled(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// What was read last, to be changed.
    pub fn filled_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.filled]
    }

    /// Where the next portion goes.
    fn room(&mut self) -> &mut [u8] {
        let end = self.filled + PORTION;
        if self.bytes.len() < end {
            self.bytes.resize(end.max(2 * self.bytes.len()), 0);
        }
        &mut self.bytes[self.filled..end]
    }

    /// Makes room for a file of this size, and for the read that finds its end.
    fn expect(&mut self, size: usize) {
        if self.bytes.len() < size + PORTION {
            self.bytes.resize(size + PORTION, 0);
        }
    }

    /// Keeps the end of what was read, and drops the rest.
    fn keep_end(&mut self, length: usize) {
        self.bytes.copy_within(self.filled - length..self.filled, 0);
        self.filled = length;
    }
}

/// A piece of a large file.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// What was kept of the piece before, and what follows it.
    pub bytes: &'a [u8],
    /// Whether the file begins here.
    pub is_first: bool,
    /// Whether it ends here.
    pub is_last: bool,
}

/// What a look at a piece asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The next piece, with so many bytes of the end of this one before it.
    Next(usize),
    /// The whole file.
    Whole,
    /// Nothing more.
    Enough,
}

/// How a file is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) limit: usize,
    /// Whether a read of less than was asked for is the last one.
    pub(super) short_read_ends: bool,
    pub(super) cancel: &'a CancelToken,
}

impl Reading<'_> {
    pub(super) fn read(
        self,
        file: &mut File,
        into: &mut ReadBuffer,
        mut look: Option<&mut dyn FnMut(Piece<'_>) -> Look>,
    ) -> io::Result<ReadEnd> {
        into.filled = 0;
        loop {
            let is_end = self.portion(file, into)?;
            if into.filled > self.limit {
                return Ok(ReadEnd::TooLarge);
            }
            if is_end {
                return Ok(ReadEnd::Whole);
            }
            // Most files fit the first portion, and nobody asks for their size.
            if into.filled == PORTION {
                let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
                if size > self.limit {
                    return Ok(ReadEnd::TooLarge);
                }
                if let Some(look) = look.take_if(|_| size > PIECE)
                    && let Some(end) = self.pieces(file, into, look)?
                {
                    return Ok(end);
                }
                into.expect(size);
            }
        }
    }

    /// Reads once. Whether the file has ended.
    fn portion(self, file: &mut File, into: &mut ReadBuffer) -> io::Result<bool> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        loop {
            let room = into.room();
            let asked = room.len();
            match file.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    let read = read?;
                    into.filled += read;
                    return Ok(read == 0 || self.short_read_ends && read < asked);
                }
            }
        }
    }

    /// Goes on piece by piece. Nothing if all of the file is needed; then the buffer holds it from its start on.
    fn pieces(
        self,
        file: &mut File,
        into: &mut ReadBuffer,
        look: &mut dyn FnMut(Piece<'_>) -> Look,
    ) -> io::Result<Option<ReadEnd>> {
        into.expect(PIECE);
        let (mut is_first, mut is_last, mut dropped) = (true, false, 0);
        loop {
            while !is_last && into.filled < PIECE {
                is_last = self.portion(file, into)?;
            }
            if dropped + into.filled > self.limit {
                return Ok(Some(ReadEnd::TooLarge));
            }
            match look(Piece { bytes: into.filled(), is_first, is_last }) {
                Look::Next(kept) if !is_last => {
                    dropped += into.filled - kept;
                    into.keep_end(kept);
                }
                Look::Next(_) | Look::Enough => return Ok(Some(ReadEnd::PassedBy)),
                Look::Whole => {
                    if !is_first {
                        file.rewind()?;
                        into.filled = 0;
                    }
                    return Ok(None);
                }
            }
            is_first = false;
        }
    }
}
