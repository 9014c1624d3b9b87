//! Postings that stay true: a segment, and beside it the documents that came later.

use super::segment::{Lists, Segment};
use crate::engine::error::Result;

/// Term → postings over all documents ever added; who is alive is not known here.
pub(super) struct Postings {
    segment: Segment,
    later: Lists,
}

impl Postings {
    /// Writes the postings of the documents at hand.
    pub(super) fn build(lists: Lists) -> Result<Self> {
        Ok(Self { segment: Segment::write(lists)?, later: Lists::default() })
    }

    /// Adds to the frequency of a term in a document behind all of the segment.
    pub(super) fn add(&mut self, document: u32, term: &str, frequency: u32) {
        self.later.add(document, term, frequency);
    }

    /// Calls `take` with each document that has a term, in order, and the frequency.
    pub(super) fn read(&self, term: &str, mut take: impl FnMut(u32, u32)) -> Result<()> {
        if let Some(place) = self.segment.find(term)? {
            self.segment.read(&place, &mut take)?;
        }
        self.later.get(term).iter().for_each(|&(document, frequency)| take(document, frequency));
        Ok(())
    }
}
