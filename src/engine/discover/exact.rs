//! Ranking `bm25`: BM25+ over a weighted concatenation of fields, to the digit.
//!
//! All sums run in the documented order, term after term, so that equal documents score equal bit by bit.

use std::collections::HashMap;

use super::corpus::{Corpus, Field};
use super::postings::Postings;
use super::scores::Scores;
use super::segment::{Lists, Posting};
use super::tokenize::for_each_token;
use crate::engine::error::Result;

const K1: f64 = 1.2;
const B: f64 = 0.75;
const DELTA: f64 = 1.0;

/// How often a token of a field counts.
const WEIGHTS: [(Field, u32); 6] = [
    (Field::Name, 6),
    (Field::Label, 4),
    (Field::Server, 2),
    (Field::ServerTool, 4),
    (Field::Summary, 2),
    (Field::Keys, 1),
];

/// Postings, lengths and the statistics over the living.
pub(super) struct Exact {
    postings: Postings,
    lengths: Vec<u32>,
    total_length: u64,
    documents: usize,
    /// Length normalization of each document under the current average; empty when that has changed.
    norms: Vec<f64>,
    scratch: Vec<Posting>,
}

impl Exact {
    pub(super) fn build(corpus: &Corpus) -> Result<Self> {
        let mut lists = Lists::default();
        let weigh = |document| weigh(corpus, document, |term, weight| lists.add(document, term, weight));
        #[expect(clippy::cast_possible_truncation, reason = "documents are numbered in 32 bits")]
        let lengths: Vec<u32> = (0..corpus.len() as u32).map(weigh).collect();
        let postings = Postings::build(lists)?;
        let total_length = lengths.iter().copied().map(u64::from).sum();
        let documents = lengths.len();
        Ok(Self { postings, lengths, total_length, documents, norms: Vec::new(), scratch: Vec::new() })
    }

    /// Takes the last document of the corpus in.
    pub(super) fn add(&mut self, corpus: &Corpus, document: u32) {
        let length = weigh(corpus, document, |term, weight| self.postings.add(document, term, weight));
        self.lengths.push(length);
        self.total_length += u64::from(length);
        self.documents += 1;
        self.norms.clear();
    }

    /// A document is no longer alive.
    pub(super) fn remove(&mut self, document: u32) {
        self.total_length -= u64::from(self.lengths[document as usize]);
        self.documents -= 1;
        self.norms.clear();
    }

    /// Average length of the living, 1 where there is none.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub(super) fn average_length(&self) -> f64 {
        let average = self.total_length as f64 / self.documents as f64;
        if average > 0.0 { average } else { 1.0 }
    }

    /// Scores the living documents for a query of tokens.
    pub(super) fn score(&mut self, tokens: &[String], alive: &[bool], scores: &mut Scores) -> Result<()> {
        self.prepare_norms();
        let mut counts: HashMap<&str, usize> = HashMap::with_capacity(tokens.len());
        for token in tokens {
            *counts.entry(token).or_default() += 1;
        }
        // In order of first appearance, which decides how the sum is rounded.
        for token in tokens {
            let Some(count) = counts.remove(token.as_str()) else { continue };
            self.scratch.clear();
            let scratch = &mut self.scratch;
            self.postings.read(token, |document, frequency| {
                if alive[document as usize] {
                    scratch.push((document, frequency));
                }
            })?;
            #[expect(clippy::cast_precision_loss, reason = "counts of tools and words")]
            let (count, matches, documents) =
                (count as f64, self.scratch.len() as f64, self.documents as f64);
            let idf = (1.0 + (documents - matches + 0.5) / (matches + 0.5)).ln();
            for &(document, frequency) in &self.scratch {
                let frequency = f64::from(frequency);
                let saturation = (frequency * (K1 + 1.0)) / (frequency + self.norms[document as usize]);
                scores.add(document, count * idf * (saturation + DELTA));
            }
        }
        Ok(())
    }

    fn prepare_norms(&mut self) {
        if self.norms.is_empty() {
            let average = self.average_length();
            let norm = |&length: &u32| K1 * (1.0 - B + B * (f64::from(length) / average));
            self.norms = self.lengths.iter().map(norm).collect();
        }
    }
}

/// Hands over the weighted tokens of a document and answers its length.
pub(super) fn weigh(corpus: &Corpus, document: u32, mut take: impl FnMut(&str, u32)) -> u32 {
    let mut length = 0;
    for (field, weight) in WEIGHTS {
        for_each_token(corpus.field(document, field), |token| {
            length += weight;
            take(token, weight);
        });
    }
    length
}
