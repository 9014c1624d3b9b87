//! Where large pieces of memory come from: pages of the system, which has them back when they are let go, but for a few
//! that wait for the next call.
//!
//! The C library of most Linux systems keeps up to 64 MB of what was freed for each of up to eight heaps per processor,
//! one for each busy thread. Calls run on many threads, so that a few large pieces at a time would leave a host hundreds
//! of megabytes larger for good. What it keeps follows from the largest piece it has been given; it gets none of these.
//!
//! Smaller pieces stay with the C library. Its settings are the host's and stay as they are.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::{copy_nonoverlapping, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static MEMORY: Memory = Memory;
static SPARE: Mutex<Spare> = Mutex::new(Spare { pieces: [Piece::NONE; MOST_SPARE], count: 0, bytes: 0 });

/// From here on it is worth a look at what is spare.
const LARGE: usize = 1 << 20;
/// The smallest size of a page anywhere: all pieces begin at a multiple of it.
const PAGE: usize = 4096;
/// What waits for the next call: new pages cost more than most of what is done with them.
const MOST_SPARE_BYTES: usize = 8 << 20;
const MOST_SPARE: usize = 16;

struct Memory;

// SAFETY: each piece goes back to where its layout says it came from, and a layout says the same whenever it is asked.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            let length = length_for(layout.size());
            let spare = spare().take(length);
            spare.unwrap_or_else(|| Piece::new(length)).address
        } else {
            // SAFETY: the caller's.
            unsafe { System.alloc(layout) }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            Piece::new(length_for(layout.size())).address
        } else {
            // SAFETY: the caller's.
            unsafe { System.alloc_zeroed(layout) }
        }
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        if is_large(layout) {
            Piece { address, length: length_for(layout.size()) }.let_go();
        } else {
            // SAFETY: the caller's.
            unsafe { System.dealloc(address, layout) }
        }
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller has seen to it that the size fits the alignment.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(layout), is_large(new)) {
            // SAFETY: the caller's.
            (false, false) => unsafe { System.realloc(address, layout, size) },
            (true, true) => Piece { address, length: length_for(layout.size()) }.resized(length_for(size)),
            // SAFETY: the new piece is another one, both have room for what is copied, and the old one goes after it.
            _ => unsafe {
                let moved = self.alloc(new);
                if !moved.is_null() {
                    copy_nonoverlapping(address, moved, layout.size().min(size));
                    self.dealloc(address, layout);
                }
                moved
            },
        }
    }
}

fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE
}

/// The length of the piece for a size. There are few lengths, so that a spare piece is often one that fits; pages that
/// nobody touches cost nothing.
fn length_for(size: usize) -> usize {
    size.next_multiple_of(size.next_power_of_two() / 8)
}

/// Pages of their own.
#[derive(Clone, Copy)]
struct Piece {
    address: *mut u8,
    length: usize,
}

// SAFETY: who holds a piece is the only one who knows it.
unsafe impl Send for Piece {}

impl Piece {
    const NONE: Self = Self { address: null_mut(), length: 0 };

    /// All zero; without an address if there is no memory.
    fn new(length: usize) -> Self {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping touches nothing that is there.
        let pages = unsafe { libc::mmap(null_mut(), length, access, kind, -1, 0) };
        Self { address: address_of(pages), length }
    }

    /// The address of the same pages in a piece of another length: they move, and nothing is copied.
    fn resized(self, length: usize) -> *mut u8 {
        if length == self.length {
            return self.address;
        }
        // SAFETY: a mapping of that length.
        let pages = unsafe { libc::mremap(self.address.cast(), self.length, length, libc::MREMAP_MAYMOVE) };
        address_of(pages)
    }

    /// Keeps it for later, in place of older ones, or gives it back.
    fn let_go(self) {
        if self.length > MOST_SPARE_BYTES / 2 {
            return self.give_back();
        }
        loop {
            // Nobody has to wait for the lock while the system works.
            let older = spare().keep(self);
            match older {
                Some(older) => older.give_back(),
                None => break,
            }
        }
    }

    fn give_back(self) {
        // SAFETY: a mapping of that length, of which nothing is used any more.
        unsafe { libc::munmap(self.address.cast(), self.length) };
    }
}

fn address_of(pages: *mut libc::c_void) -> *mut u8 {
    if pages == libc::MAP_FAILED { null_mut() } else { pages.cast() }
}

fn spare() -> MutexGuard<'static, Spare> {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pieces that nobody uses now, the oldest first.
struct Spare {
    pieces: [Piece; MOST_SPARE],
    count: usize,
    bytes: usize,
}

impl Spare {
    fn take(&mut self, length: usize) -> Option<Piece> {
        let at = self.pieces[..self.count].iter().rposition(|piece| piece.length == length)?;
        Some(self.remove(at))
    }

    /// Keeps a piece, or else gives one that has to go first.
    fn keep(&mut self, piece: Piece) -> Option<Piece> {
        if self.count == MOST_SPARE || self.bytes + piece.length > MOST_SPARE_BYTES {
            return Some(self.remove(0));
        }
        self.pieces[self.count] = piece;
        self.count += 1;
        self.bytes += piece.length;
        None
    }

    fn remove(&mut self, at: usize) -> Piece {
        let piece = self.pieces[at];
        self.pieces.copy_within(at + 1..self.count, at);
        self.count -= 1;
        self.bytes -= piece.length;
        piece
    }
}
