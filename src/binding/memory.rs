//! Where large pieces of memory come from: the system itself, which has them back as soon as they are let go.
//!
//! The C library of most Linux systems keeps up to 64 MB of what was freed for each of up to eight heaps per processor,
//! one for each busy thread. Calls run on many threads, so that a few large pieces at a time would leave a host hundreds
//! of megabytes larger for good. What it keeps follows from the largest piece it has been given; it gets none of these.
//!
//! Smaller pieces stay with the C library, where they cost less than a mapping. Its settings are the host's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::{copy_nonoverlapping, null_mut};

#[global_allocator]
static MEMORY: Memory = Memory;

/// Texts of usual files stay below; of this or more, filling the pages costs far more than having them mapped.
const LARGE: usize = 4 << 20;
/// The smallest size of a page anywhere: all mappings begin at a multiple of it.
const PAGE: usize = 4096;

struct Memory;

// SAFETY: each piece goes back to where its layout says it came from, and a layout says the same whenever it is asked.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            map(layout.size())
        } else {
            // SAFETY: the caller's.
            unsafe { System.alloc(layout) }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            map(layout.size())
        } else {
            // SAFETY: the caller's.
            unsafe { System.alloc_zeroed(layout) }
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        if is_large(layout) {
            // SAFETY: a mapping of that size, of which nothing is used any more.
            unsafe { libc::munmap(piece.cast(), layout.size()) };
        } else {
            // SAFETY: the caller's.
            unsafe { System.dealloc(piece, layout) }
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller has seen to it that the size fits the alignment.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(layout), is_large(new)) {
            // SAFETY: the caller's.
            (false, false) => unsafe { System.realloc(piece, layout, size) },
            // The pages move, and nothing is copied.
            // SAFETY: a mapping of that size.
            (true, true) => {
                mapped(unsafe { libc::mremap(piece.cast(), layout.size(), size, libc::MREMAP_MAYMOVE) })
            }
            // SAFETY: the new piece is another one, both have room for what is copied, and the old one goes after it.
            _ => unsafe {
                let moved = self.alloc(new);
                if !moved.is_null() {
                    copy_nonoverlapping(piece, moved, layout.size().min(size));
                    self.dealloc(piece, layout);
                }
                moved
            },
        }
    }
}

fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE
}

/// Pages of their own, all zero; null if there are none.
fn map(size: usize) -> *mut u8 {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping touches nothing that is there.
    mapped(unsafe { libc::mmap(null_mut(), size, access, kind, -1, 0) })
}

fn mapped(pages: *mut libc::c_void) -> *mut u8 {
    if pages == libc::MAP_FAILED { null_mut() } else { pages.cast() }
}
