//! From concepts to scores.

use super::super::scores::{Scores, least_of_best, slice_end};
use super::query::{Concept, Query};
use super::tuning::{COVERAGE_FLOOR, DELTA, K1, NAME_COVERED, NAME_PAIR, SERVER_FIT, SERVER_NAMED, STEPS};
use super::vocabulary::TermId;
use super::words::stem;
use super::{Agent, Tool};
use crate::engine::error::Result;

/// Arrays that live from query to query, all zero in between.
#[derive(Default)]
pub(super) struct Workspace {
    /// Frequency → what it is worth; longer than any frequency usually is.
    saturation: Vec<f64>,
    /// Rarity of each term under the current documents; empty when they have changed.
    rarity: Vec<f64>,
    /// Rarity of all terms of each tool's name together.
    name_rarity: Vec<f64>,
    /// Best alternative of the concept at hand, by document.
    best: Vec<f64>,
    /// Documents that have one.
    matched: Vec<u32>,
    /// How much of the query each document covers.
    coverage: Vec<f64>,
    /// Best document of the concept at hand, and sum over all concepts, by server.
    server_best: Vec<f64>,
    server_sum: Vec<f64>,
    /// What a server's sum is divided by.
    handicap: Vec<f64>,
    /// The term that follows a term in the query, [`NONE`] for most.
    follower: Vec<TermId>,
    /// How well a term of the vocabulary stands for something in the query.
    asked: Vec<f64>,
}

impl Workspace {
    /// The documents have changed.
    pub(super) fn forget_statistics(&mut self) {
        self.rarity.clear();
    }
}

impl Agent {
    pub(super) fn rank(
        &mut self,
        query: &Query,
        limit: f64,
        alive: &[bool],
        scores: &mut Scores,
    ) -> Result<()> {
        self.prepare();
        let mut total = 0.0;
        for concept in &query.concepts {
            total += self.score_concept(concept, alive, scores)?;
        }
        self.weigh_documents(query, total, limit, scores);
        self.clean(query, scores);
        Ok(())
    }

    /// Makes the statistics of the current documents and room for all of them.
    fn prepare(&mut self) {
        let work = &mut self.workspace;
        if !work.rarity.is_empty() {
            return;
        }
        let documents = f64::from(self.living);
        let rarity = |term: TermId| {
            let matches = f64::from(self.vocabulary.documents(term));
            (1.0 + (documents - matches + 0.5) / (matches + 0.5)).ln()
        };
        #[expect(clippy::cast_possible_truncation, reason = "terms are numbered in 32 bits")]
        let terms = self.vocabulary.len() as TermId;
        work.rarity = (0..terms).map(rarity).collect();
        let of_name = |tool: &Tool| tool.name.iter().map(|&term| work.rarity[term as usize]).sum();
        work.name_rarity = self.tools.iter().map(of_name).collect();
        work.saturation = (0..USUAL_FREQUENCIES).map(saturation).collect();
        work.best.resize(self.tools.len(), 0.0);
        work.coverage.resize(self.tools.len(), 0.0);
        work.server_best.resize(self.servers.len(), 0.0);
        work.server_sum.resize(self.servers.len(), 0.0);
        work.handicap = (0..).take(self.servers.len()).map(|server| self.servers.handicap(server)).collect();
        work.asked.resize(work.rarity.len(), 0.0);
        work.follower.resize(work.rarity.len(), NONE);
    }

    /// Adds a concept to the scores; answers what covering it is worth.
    fn score_concept(&mut self, concept: &Concept, alive: &[bool], scores: &mut Scores) -> Result<f64> {
        let work = &mut self.workspace;
        let mut worth: f64 = 0.0;
        for &(term, weight) in &concept.alternatives {
            let factor = weight * concept.weight * work.rarity[term as usize];
            worth = worth.max(factor);
            let asked = &mut work.asked[term as usize];
            *asked = asked.max(weight);
            let Workspace { best, matched, saturation: table, .. } = work;
            self.vocabulary.read(term, |document, frequency| {
                if !alive[document as usize] {
                    return;
                }
                let worth = table.get(frequency as usize).copied().unwrap_or_else(|| saturation(frequency));
                let best = &mut best[document as usize];
                if *best == 0.0 {
                    matched.push(document);
                }
                *best = best.max(factor * worth);
            })?;
        }
        for document in work.matched.drain(..) {
            let score = std::mem::take(&mut work.best[document as usize]);
            scores.add(document, score);
            work.coverage[document as usize] += worth.min(score / (K1 + 1.0 + DELTA));
            if let Some(server) = self.tools[document as usize].server {
                let best = &mut work.server_best[server as usize];
                *best = best.max(score);
            }
        }
        for (sum, best) in work.server_sum.iter_mut().zip(&mut work.server_best) {
            *sum += std::mem::take(best);
        }
        Ok(worth)
    }

    /// Multiplies what speaks for a tool as a whole. A tool that all of it could not bring among the best is skipped.
    fn weigh_documents(&mut self, query: &Query, total: f64, limit: f64, scores: &mut Scores) {
        let best_fit = self.weigh_servers(scores);
        let named = self.servers.named(&query.words);
        let pairs = self.pairs(query);
        for &(first, second) in &pairs {
            self.workspace.follower[first as usize] = second;
        }
        let covered = self.covered(total, scores);
        let least = least_of_best(covered.iter().copied(), slice_end(limit, covered.len()));
        let most_pairs = (1.0 + NAME_PAIR).powi(i32::try_from(pairs.len()).unwrap_or(i32::MAX));
        let most_named = if named.is_empty() { 1.0 } else { 1.0 + SERVER_NAMED };
        let most = (1.0 + SERVER_FIT) * (1.0 + NAME_COVERED) * most_pairs * most_named;
        for (at, mut score) in covered.into_iter().enumerate() {
            let document = scores.touched()[at];
            if score * most >= least {
                let tool = &self.tools[document as usize];
                let sum = tool.server.map(|server| self.workspace.server_sum[server as usize]);
                score *= 1.0 + SERVER_FIT * sum.unwrap_or(scores.get(document)) / best_fit;
                score *= 1.0 + NAME_COVERED * self.name_coverage(document);
                if tool.server.is_some_and(|server| named.contains(&server)) {
                    score *= 1.0 + SERVER_NAMED;
                }
                let follows = |pair: &&[TermId]| self.workspace.follower[pair[0] as usize] == pair[1];
                for _ in tool.name.windows(2).filter(follows).take(pairs.len()) {
                    score *= 1.0 + NAME_PAIR;
                }
            }
            scores.set(document, score);
        }
        for (first, _) in pairs {
            self.workspace.follower[first as usize] = NONE;
        }
    }

    /// Each score times how much of the query the tool covers, in the order of the documents touched.
    fn covered(&self, total: f64, scores: &Scores) -> Vec<f64> {
        let covered = |&document: &u32| {
            let share = self.workspace.coverage[document as usize] / total;
            scores.get(document) * (COVERAGE_FLOOR + share).sqrt()
        };
        scores.touched().iter().map(covered).collect()
    }

    /// Makes the sums of servers of different size comparable; answers the best of all servers and lone tools.
    fn weigh_servers(&mut self, scores: &Scores) -> f64 {
        let Workspace { server_sum, handicap, .. } = &mut self.workspace;
        let mut best: f64 = 0.0;
        for (sum, handicap) in server_sum.iter_mut().zip(handicap) {
            *sum /= *handicap;
            best = best.max(*sum);
        }
        let alone =
            scores.touched().iter().filter(|&&document| self.tools[document as usize].server.is_none());
        alone.map(|&document| scores.get(document)).fold(best, f64::max)
    }

    /// How much of a tool's name the query asks for, 0 to 1, rare terms counting more.
    fn name_coverage(&self, document: u32) -> f64 {
        let work = &self.workspace;
        let all = work.name_rarity[document as usize];
        if all == 0.0 {
            return 0.0;
        }
        let asked = |&term: &TermId| work.rarity[term as usize] * work.asked[term as usize].min(1.0);
        self.tools[document as usize].name.iter().map(asked).sum::<f64>() / all
    }

    /// Terms that stand side by side in the query.
    fn pairs(&self, query: &Query) -> Vec<(TermId, TermId)> {
        let terms: Vec<Option<TermId>> =
            query.words.iter().map(|word| self.vocabulary.find(&stem(word))).collect();
        terms.windows(2).filter_map(|pair| Some((pair[0]?, pair[1]?))).collect()
    }

    fn clean(&mut self, query: &Query, scores: &Scores) {
        let work = &mut self.workspace;
        for &document in scores.touched() {
            work.coverage[document as usize] = 0.0;
        }
        for concept in &query.concepts {
            concept.alternatives.iter().for_each(|&(term, _)| work.asked[term as usize] = 0.0);
        }
        work.server_sum.fill(0.0);
    }
}

/// No term.
const NONE: TermId = TermId::MAX;

/// Frequencies whose worth is kept in a table.
const USUAL_FREQUENCIES: u32 = 1 << 12;

fn saturation(frequency: u32) -> f64 {
    let weight = f64::from(frequency) / STEPS;
    weight * (K1 + 1.0) / (weight + K1) + DELTA
}
