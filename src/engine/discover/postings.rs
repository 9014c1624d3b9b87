//! Postings that stay true: a segment, and beside it the documents that came later.

use std::collections::HashMap;

use super::segment::{Segment, Tokens, term_of};
use crate::engine::error::Result;

/// A document and the frequency of a term in it.
pub(super) type Posting = (u32, u32);

/// Term → postings over all documents ever added; who is alive is not known here.
pub(super) struct Postings {
    segment: Segment,
    later: HashMap<Box<str>, Vec<Posting>>,
}

impl Postings {
    /// Indexes `documents` documents; `fill` hands over the weighted tokens of one.
    pub(super) fn build(documents: u32, mut fill: impl FnMut(u32, &mut dyn FnMut(&str, u32))) -> Result<Self> {
        let mut next = 0;
        let segment = Segment::build(|tokens: &mut Tokens| {
            if next == documents {
                return false;
            }
            fill(next, &mut |token, weight| tokens.push(token, weight));
            next += 1;
            true
        })?;
        Ok(Self { segment, later: HashMap::new() })
    }

    /// Adds a document behind all others.
    pub(super) fn add(&mut self, document: u32, fill: impl FnOnce(&mut dyn FnMut(&str, u32))) {
        fill(&mut |token, weight| {
            let term = term_of(token);
            let postings = match self.later.get_mut(&*term) {
                Some(postings) => postings,
                None => self.later.entry(term.into()).or_default(),
            };
            match postings.last_mut() {
                Some((last, frequency)) if *last == document => *frequency += weight,
                _ => postings.push((document, weight)),
            }
        });
    }

    /// Calls `take` with each document that has a token, in order, and the frequency.
    pub(super) fn read(&self, token: &str, mut take: impl FnMut(u32, u32)) -> Result<()> {
        if let Some(place) = self.segment.find(token)? {
            self.segment.read(&place, &mut take)?;
        }
        if let Some(postings) = self.later_of(token) {
            postings.iter().for_each(|&(document, frequency)| take(document, frequency));
        }
        Ok(())
    }

    fn later_of(&self, token: &str) -> Option<&Vec<Posting>> {
        if self.later.is_empty() { None } else { self.later.get(&*term_of(token)) }
    }
}
