//! Every term of the index with its number and how many living tools have it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::segment::{Place, Segment, Tokens, term_of};
use super::tuning::{SECOND_TYPO, TYPO_CANDIDATES};
use super::typo::{allowance, distance, starts_alike};
use crate::engine::error::Result;

/// Number of a term.
pub(super) type TermId = u32;

struct Term {
    text: Arc<str>,
    place: Option<Place>,
    /// Documents added after the segment was built, with frequencies.
    later: Vec<(u32, u32)>,
    /// Living documents that have the term.
    documents: u32,
}

/// The terms and their postings.
pub(super) struct Vocabulary {
    segment: Segment,
    terms: Vec<Term>,
    numbers: FxHashMap<Arc<str>, TermId>,
    /// English words by length, for repair.
    by_length: Vec<Vec<TermId>>,
}

impl Vocabulary {
    /// Indexes documents; see [`Segment::build`].
    pub(super) fn build(fill: impl FnMut(&mut Tokens) -> bool) -> Result<Self> {
        let segment = Segment::build(fill)?;
        let mut found = Vec::new();
        segment.for_each_term(|text, place| found.push((Arc::<str>::from(text), place.clone())))?;
        let mut vocabulary =
            Self { segment, terms: Vec::with_capacity(found.len()), numbers: FxHashMap::default(), by_length: Vec::new() };
        vocabulary.numbers.reserve(found.len());
        for (text, place) in found {
            let documents = place.doc_freq;
            vocabulary.insert(Term { text, place: Some(place), later: Vec::new(), documents });
        }
        Ok(vocabulary)
    }

    /// The number of a term that a living document has.
    pub(super) fn find(&self, text: &str) -> Option<TermId> {
        self.number(text).filter(|&term| self.documents(term) > 0)
    }

    /// The number of a term that any document ever had.
    pub(super) fn number(&self, text: &str) -> Option<TermId> {
        self.numbers.get(&*term_of(text)).copied()
    }

    /// Living documents that have a term.
    pub(super) fn documents(&self, term: TermId) -> u32 {
        self.terms[term as usize].documents
    }

    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Takes the terms of a later document in.
    pub(super) fn add(&mut self, document: u32, terms: &[(String, u32)]) {
        for (text, frequency) in terms {
            let term = self.number(text).unwrap_or_else(|| {
                let text = Arc::from(&*term_of(text));
                self.insert(Term { text, place: None, later: Vec::new(), documents: 0 })
            });
            let term = &mut self.terms[term as usize];
            term.later.push((document, *frequency));
            term.documents += 1;
        }
    }

    /// A document with these terms is no longer alive.
    pub(super) fn remove(&mut self, terms: &[(String, u32)]) {
        for (text, _) in terms {
            if let Some(term) = self.number(text) {
                self.terms[term as usize].documents -= 1;
            }
        }
    }

    /// Calls `take` with each document that has a term, living or not, and the frequency.
    pub(super) fn read(&self, term: TermId, mut take: impl FnMut(u32, u32)) -> Result<()> {
        let term = &self.terms[term as usize];
        if let Some(place) = &term.place {
            self.segment.read(place, &mut take)?;
        }
        term.later.iter().for_each(|&(document, frequency)| take(document, frequency));
        Ok(())
    }

    /// The nearest terms to a mistyped English word, common ones first, and what they are worth.
    pub(super) fn near(&self, word: &str) -> Vec<(TermId, f64)> {
        let most = allowance(word.len());
        let mut nearest: Vec<TermId> = Vec::new();
        let mut least = most;
        for length in word.len() - most..=word.len() + most {
            if most == 0 {
                break;
            }
            for &term in self.by_length.get(length).into_iter().flatten() {
                let known = self.terms[term as usize].text.as_bytes();
                if self.documents(term) == 0 || !starts_alike(word.as_bytes(), known) {
                    continue;
                }
                if let Some(found) = distance(word.as_bytes(), known, least) {
                    if found < least {
                        nearest.clear();
                        least = found;
                    }
                    nearest.push(term);
                }
            }
        }
        let text = |term: TermId| &self.terms[term as usize].text;
        nearest.sort_unstable_by(|&left, &right| {
            self.documents(right).cmp(&self.documents(left)).then_with(|| text(left).cmp(text(right)))
        });
        nearest.truncate(TYPO_CANDIDATES);
        nearest.into_iter().map(|term| (term, if least > 1 { SECOND_TYPO } else { 1.0 })).collect()
    }

    /// The text of a term.
    pub(super) fn text(&self, term: TermId) -> &str {
        &self.terms[term as usize].text
    }

    fn insert(&mut self, term: Term) -> TermId {
        #[expect(clippy::cast_possible_truncation, reason = "terms are fewer than the bytes of all texts")]
        let number = self.terms.len() as TermId;
        let text = &term.text;
        if text.len() >= 3 && text.bytes().all(|byte| byte.is_ascii_lowercase()) {
            if self.by_length.len() <= text.len() {
                self.by_length.resize(text.len() + 1, Vec::new());
            }
            self.by_length[text.len()].push(number);
        }
        self.numbers.insert(Arc::clone(text), number);
        self.terms.push(term);
        number
    }
}
