//! The index as callers see it: documents come and go, queries are ranked.

use std::collections::{HashMap, HashSet};

use super::agent::Agent;
use super::collate::compare_names;
use super::corpus::{Corpus, Field};
use super::exact::{self, Exact};
use super::scores::Scores;
use super::tokenize::tokenize;
use crate::engine::error::{Result, ToolError};

/// How documents are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// What finds the tool a model means.
    #[default]
    Agent,
    /// The documented BM25+.
    Exact,
}

/// A result: the tool's slot and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The place the tool had when it was added, counted over all tools ever added.
    pub slot: u32,
    /// Above zero; comparable within one query only.
    pub score: f64,
}

/// The statistics of one document under the exact ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// See [`Hit::slot`].
    pub slot: u32,
    /// Sum of all frequencies.
    pub length: u32,
    /// Token → weighted frequency, in the order of first appearance.
    pub frequencies: Vec<(String, u32)>,
}

/// An inverted index over tools, true while tools come and go.
pub struct DiscoveryIndex {
    corpus: Corpus,
    /// Document → slot.
    slots: Vec<u32>,
    alive: Vec<bool>,
    living: usize,
    /// Documents whose postings stand in the segments.
    indexed: usize,
    next_slot: u32,
    exact: Exact,
    /// Built with the first query that asks for it.
    agent: Option<Agent>,
    scores: Scores,
}

impl DiscoveryIndex {
    /// Indexes all documents of a corpus; their slots are their numbers.
    pub fn build(corpus: Corpus) -> Result<Self> {
        let documents =
            u32::try_from(corpus.len()).map_err(|_| ToolError::argument("tools", "too many tools"))?;
        Self::with_slots(corpus, (0..documents).collect(), documents)
    }

    fn with_slots(corpus: Corpus, slots: Vec<u32>, next_slot: u32) -> Result<Self> {
        let exact = Exact::build(&corpus)?;
        let count = slots.len();
        let mut scores = Scores::default();
        scores.grow(count);
        let alive = vec![true; count];
        Ok(Self {
            corpus,
            slots,
            alive,
            living: count,
            indexed: count,
            next_slot,
            exact,
            agent: None,
            scores,
        })
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.living
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.living == 0
    }

    /// Average length under the exact ranking.
    #[must_use]
    pub fn average_length(&self) -> f64 {
        self.exact.average_length()
    }

    /// Adds tools behind all others; their slots count on. A tool of the same name leaves, also one added by the
    /// same call. Answers the slots that are free now.
    pub fn add(&mut self, tools: &Corpus) -> Result<Vec<u32>> {
        let count = u32::try_from(tools.len()).unwrap_or(u32::MAX);
        let last: HashMap<&str, u32> =
            (0..count).map(|tool| (tools.field(tool, Field::Name), tool)).collect();
        let mut left = self.bury(|name| last.contains_key(name));
        for tool in 0..count {
            if last.get(tools.field(tool, Field::Name)) == Some(&tool) {
                self.append(tools, tool);
            } else {
                left.push(self.next_slot);
            }
            self.next_slot += 1;
        }
        self.rebuild_if_stale()?;
        Ok(left)
    }

    /// Removes every tool that has one of the names. Answers their slots.
    pub fn remove(&mut self, names: &[&str]) -> Result<Vec<u32>> {
        let names: HashSet<&str> = names.iter().copied().collect();
        let left = self.bury(|name| names.contains(name));
        self.rebuild_if_stale()?;
        Ok(left)
    }

    /// The slots of the living tools, in order.
    pub fn living_slots(&self) -> impl Iterator<Item = u32> {
        self.living_documents().map(|document| self.slots[document as usize])
    }

    /// The best tools for a query, best first; `limit` cuts like a slice. A query without words is an error.
    pub fn search(&mut self, query: &str, ranking: Ranking, limit: f64) -> Result<Vec<Hit>> {
        let tokens = tokenize(query);
        if tokens.is_empty() {
            return Err(ToolError::argument("query", "expected at least one letter or number"));
        }
        if self.is_empty() {
            return Ok(Vec::new());
        }
        match ranking {
            Ranking::Exact => self.exact.score(&tokens, &self.alive, &mut self.scores)?,
            Ranking::Agent => {
                let agent = match &mut self.agent {
                    Some(agent) => agent,
                    empty => empty.insert(Agent::build(&self.corpus, &self.alive)?),
                };
                agent.score(query, limit, &self.alive, &mut self.scores)?;
            }
        }
        let name = |document| self.corpus.field(document, Field::Name);
        let tie = |left, right| compare_names(name(left), name(right)).then(left.cmp(&right));
        let best = self.scores.take_best(limit, tie);
        Ok(best
            .into_iter()
            .map(|(document, score)| Hit { slot: self.slots[document as usize], score })
            .collect())
    }

    /// The statistics of the living documents, in order.
    #[must_use]
    pub fn documents(&self) -> Vec<Document> {
        self.living_documents().map(|document| self.document(document)).collect()
    }

    fn document(&self, document: u32) -> Document {
        let mut frequencies: Vec<(String, u32)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let length = exact::weigh(&self.corpus, document, |token, weight| {
            let place = *places.entry(token.to_owned()).or_insert_with(|| {
                frequencies.push((token.to_owned(), 0));
                frequencies.len() - 1
            });
            frequencies[place].1 += weight;
        });
        Document { slot: self.slots[document as usize], length, frequencies }
    }

    fn living_documents(&self) -> impl Iterator<Item = u32> {
        let numbered = (0..).zip(&self.alive);
        numbered.filter(|&(_, &alive)| alive).map(|(document, _)| document)
    }

    fn append(&mut self, tools: &Corpus, tool: u32) {
        #[expect(clippy::cast_possible_truncation, reason = "slots are counted in 32 bits and reach further")]
        let document = self.slots.len() as u32;
        self.corpus.copy(tools, tool);
        self.slots.push(self.next_slot);
        self.alive.push(true);
        self.living += 1;
        self.scores.grow(self.slots.len());
        self.exact.add(&self.corpus, document);
        if let Some(agent) = &mut self.agent {
            agent.add(&self.corpus, document);
        }
    }

    fn bury(&mut self, leaves: impl Fn(&str) -> bool) -> Vec<u32> {
        let living: Vec<u32> = self.living_documents().collect();
        let mut left = Vec::new();
        for document in living {
            if leaves(self.corpus.field(document, Field::Name)) {
                self.alive[document as usize] = false;
                self.living -= 1;
                self.exact.remove(document);
                if let Some(agent) = &mut self.agent {
                    agent.remove(&self.corpus, document);
                }
                left.push(self.slots[document as usize]);
            }
        }
        left
    }

    /// Indexes anew once more than a fifth of the documents is dead or stands outside the segments.
    fn rebuild_if_stale(&mut self) -> Result<()> {
        let dead = self.slots.len() - self.living;
        let later = self.slots.len() - self.indexed;
        if (dead + later) * 5 <= self.slots.len() {
            return Ok(());
        }
        let mut corpus = Corpus::default();
        self.living_documents().for_each(|document| corpus.copy(&self.corpus, document));
        let slots = self.living_slots().collect();
        let had_agent = self.agent.is_some();
        *self = Self::with_slots(corpus, slots, self.next_slot)?;
        if had_agent {
            self.agent = Some(Agent::build(&self.corpus, &self.alive)?);
        }
        Ok(())
    }
}
