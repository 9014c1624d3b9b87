//! Adds scores up and picks the best.

use std::cmp::Ordering;

/// One score for each document, empty between two queries.
#[derive(Default)]
pub(super) struct Scores {
    scores: Vec<f64>,
    /// Documents with a score, each once.
    touched: Vec<u32>,
}

impl Scores {
    /// Makes room for the documents below `documents`.
    pub(super) fn grow(&mut self, documents: usize) {
        self.scores.resize(documents, 0.0);
    }

    /// Adds to a document's score; `score` is above zero.
    pub(super) fn add(&mut self, document: u32, score: f64) {
        let sum = &mut self.scores[document as usize];
        if *sum == 0.0 {
            self.touched.push(document);
        }
        *sum += score;
    }

    /// The score of a document.
    pub(super) fn get(&self, document: u32) -> f64 {
        self.scores[document as usize]
    }

    /// Changes the score of a document that has one.
    pub(super) fn set(&mut self, document: u32, score: f64) {
        self.scores[document as usize] = score;
    }

    /// The documents with a score.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Forgets everything and answers the best documents, best first. `limit` cuts like a slice of all of them;
    /// `tie` orders documents of equal score.
    pub(super) fn take_best(&mut self, limit: f64, tie: impl Fn(u32, u32) -> Ordering) -> Vec<(u32, f64)> {
        let scores = &self.scores;
        let mut best: Vec<(u32, f64)> = Vec::new();
        let kept = slice_end(limit, self.touched.len());
        if kept > 0 {
            let least = least_of_best(self.touched.iter().map(|&document| scores[document as usize]), kept);
            let all = self.touched.iter().map(|&document| (document, scores[document as usize]));
            best.extend(all.filter(|&(_, score)| score > 0.0 && score >= least));
            best.sort_unstable_by(|left, right| {
                right.1.total_cmp(&left.1).then_with(|| tie(left.0, right.0))
            });
            best.truncate(kept);
        }
        for document in self.touched.drain(..) {
            self.scores[document as usize] = 0.0;
        }
        best
    }
}

/// The lowest among the `kept` best of some scores above zero; zero if there are not more of them, infinite if none
/// is kept.
pub(super) fn least_of_best(scores: impl ExactSizeIterator<Item = f64>, kept: usize) -> f64 {
    /// Up to here the best are kept in order while looking through all.
    const FEW: usize = 64;
    if kept >= scores.len() {
        return 0.0;
    }
    if kept == 0 {
        return f64::INFINITY;
    }
    if kept > FEW {
        let mut scores: Vec<f64> = scores.collect();
        return *scores.select_nth_unstable_by(kept - 1, |left, right| right.total_cmp(left)).1;
    }
    let mut best = [0.0; FEW];
    let best = &mut best[..kept];
    for score in scores {
        if score > best[kept - 1] {
            let at = best.partition_point(|&other| other >= score);
            best.copy_within(at..kept - 1, at + 1);
            best[at] = score;
        }
    }
    best[kept - 1]
}

/// The end of `slice(0, limit)` over `count` items, as JavaScript has it.
pub(super) fn slice_end(limit: f64, count: usize) -> usize {
    #[expect(clippy::cast_precision_loss, reason = "a count of tools")]
    let count = count as f64;
    let limit = if limit.is_nan() { 0.0 } else { limit.trunc() };
    let end = if limit < 0.0 { count + limit } else { limit };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=count")]
    let end = end.clamp(0.0, count) as usize;
    end
}
