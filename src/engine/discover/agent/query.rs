//! What a query asks for: concepts, each with the terms that may stand for it.

use rustc_hash::FxHashMap;

use super::dictionary::Dictionary;
use super::thesaurus;
use super::tuning::{
    GENERIC, HALF, JOINED, NEIGHBOUR, OTHER_TRANSLATION, PHRASE, REPEATED, SYNONYM, TRANSLATION, TYPO,
    VERB_ALONE,
};
use super::vocabulary::{TermId, Vocabulary};
use super::words::{Part, is_unspaced, pairs, parts, stem, words};

/// One thing asked for.
#[derive(Debug, Clone)]
pub(super) struct Concept {
    /// Terms and how well each stands for the concept; a tool is judged by the best it has.
    pub alternatives: Vec<(TermId, f64)>,
    /// What the concept counts in the query.
    pub weight: f64,
}

/// A query, read against a vocabulary.
pub(super) struct Query {
    /// Every word, in order, function words too.
    pub words: Vec<String>,
    pub concepts: Vec<Concept>,
}

impl Query {
    pub(super) fn read(text: &str, vocabulary: &Vocabulary, memory: &mut Memory) -> Self {
        let words = words(text);
        let mut reader = Reader { vocabulary, memory, dictionary: Dictionary::get(), concepts: Vec::new() };
        reader.read(&words);
        Self { words, concepts: reader.concepts }
    }
}

/// What words have meant so far, until the vocabulary changes.
#[derive(Default)]
pub(super) struct Memory(FxHashMap<Box<str>, Alternatives>);

impl Memory {
    /// The vocabulary has changed.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    fn keep(&mut self, word: &str, alternatives: &Alternatives) {
        /// Words kept; queries have fewer in common than that.
        const MOST: usize = 4096;
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(word.into(), alternatives.clone());
    }
}

struct Reader<'a> {
    vocabulary: &'a Vocabulary,
    memory: &'a mut Memory,
    dictionary: &'static Dictionary,
    concepts: Vec<Concept>,
}

impl Reader<'_> {
    fn read(&mut self, words: &[String]) {
        let all = self.read_phrasal(words);
        let mut kept = all.clone();
        kept.retain(|word| !self.dictionary.is_stop(word));
        if kept.is_empty() {
            kept = all;
        }
        self.read_joined(&kept);
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for word in &kept {
            *counts.entry(word).or_default() += 1;
        }
        for word in &kept {
            if word.chars().any(is_unspaced) {
                self.read_unspaced(word);
            } else if let Some(count) = counts.remove(word) {
                self.read_spaced(word, count - 1);
            }
        }
        self.read_korean(&kept);
    }

    fn push(&mut self, alternatives: Alternatives, weight: f64) {
        if !alternatives.0.is_empty() {
            self.concepts.push(Concept { alternatives: alternatives.0, weight });
        }
    }

    /// `turn off` finds `disable`. Answers the other words.
    fn read_phrasal<'w>(&mut self, words: &'w [String]) -> Vec<&'w str> {
        let mut others = Vec::with_capacity(words.len());
        let mut rest = words;
        while let [first, after @ ..] = rest {
            rest = after;
            let meaning = after.first().and_then(|second| self.dictionary.phrasal(first, second));
            let Some(meaning) = meaning else {
                others.push(first.as_str());
                continue;
            };
            rest = &after[1..];
            let mut alternatives = self.alternatives(meaning, PHRASE);
            if !self.dictionary.is_stop(first) {
                alternatives.merge(&self.alternatives(first, VERB_ALONE));
            }
            self.push(alternatives, 1.0);
        }
        others
    }

    /// `data base` finds `database`.
    fn read_joined(&mut self, words: &[&str]) {
        for pair in words.windows(2) {
            let joined = pair.concat();
            let mut alternatives = Alternatives::default();
            alternatives.put(self.vocabulary.find(&stem(&joined)), JOINED);
            self.push(alternatives, 1.0);
        }
    }

    fn read_unspaced(&mut self, word: &str) {
        for part in parts(word) {
            match part {
                Part::Spaced(rest) => {
                    let alternatives = self.alternatives(rest, 1.0);
                    self.push(alternatives, 1.0);
                }
                Part::Unspaced(run) => {
                    let pairs: Vec<&str> = pairs(self.dictionary.without_particle(run)).collect();
                    #[expect(clippy::cast_precision_loss, reason = "a count of characters")]
                    let weight = 1.0 / (pairs.len() as f64).sqrt();
                    for pair in pairs {
                        let mut alternatives = Alternatives::default();
                        alternatives.put(self.vocabulary.find(pair), 1.0);
                        self.push(alternatives, weight);
                    }
                }
            }
        }
    }

    fn read_spaced(&mut self, word: &str, repetitions: usize) {
        let own = self.alternatives(word, 1.0);
        #[expect(clippy::cast_precision_loss, reason = "a count of words")]
        let emphasis = REPEATED * repetitions as f64;
        let Some(phrase) = self.dictionary.phrase(word) else {
            let weight = if self.dictionary.is_generic(word) { GENERIC } else { 1.0 };
            return self.push(own, weight + emphasis);
        };
        let meant: Vec<Alternatives> =
            phrase.split(' ').map(|word| self.alternatives(word, PHRASE)).collect();
        let itself = self.vocabulary.find(&stem(word));
        if let [single] = meant.as_slice() {
            let mut both = own;
            both.merge(single);
            return self.push(both, 1.0 + emphasis);
        }
        for mut alternatives in meant {
            // A tool may use the abbreviation, and then stands for every word of what it means.
            if itself.is_some() && !own.0.is_empty() {
                alternatives.put(itself, 1.0);
            }
            self.push(alternatives, 1.0 + emphasis);
        }
    }

    /// The dictionary's longest words, over everything Korean with the spaces away: people space as they like.
    fn read_korean(&mut self, words: &[&str]) {
        /// Characters of the longest Korean word looked up.
        const LONGEST: usize = 14;
        let unspaced = words.iter().filter(|word| word.chars().any(is_unspaced));
        let mut letters: Vec<(char, bool)> = Vec::new();
        for word in unspaced {
            letters.extend(word.chars().enumerate().map(|(at, letter)| (letter, at == 0)));
        }
        let mut at = 0;
        while at < letters.len() {
            let window = &letters[at..letters.len().min(at + LONGEST)];
            let found = (1..=window.len()).rev().find_map(|length| {
                let korean: String = window[..length].iter().map(|&(letter, _)| letter).collect();
                // A single letter is a word only where one begins.
                let stands = length > 1 || window[0].1;
                self.dictionary.translate(&korean).filter(|_| stands).map(|translation| (length, translation))
            });
            let Some((length, translation)) = found else {
                at += 1;
                continue;
            };
            at += length;
            let mut any = Alternatives::default();
            for (place, word) in translation.words.iter().enumerate() {
                let other = place > 0 && !translation.together;
                let base = TRANSLATION * if other { OTHER_TRANSLATION } else { 1.0 };
                let alternatives = self.alternatives(word, base);
                if translation.together {
                    self.push(alternatives, 1.0);
                } else {
                    any.merge(&alternatives);
                }
            }
            self.push(any, 1.0);
        }
    }

    /// The terms that may stand for a word, the word itself being worth `base`.
    fn alternatives(&mut self, word: &str, base: f64) -> Alternatives {
        let mut known = self.memory.0.get(word).cloned().unwrap_or_else(|| {
            let found = self.look_up(word);
            self.memory.keep(word, &found);
            found
        });
        known.0.iter_mut().for_each(|(_, weight)| *weight *= base);
        known
    }

    fn look_up(&self, word: &str) -> Alternatives {
        let mut found = Alternatives::default();
        let own = self.vocabulary.find(&stem(word));
        found.put(own, 1.0);
        let mut taken_for = None;
        if own.is_none() && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.split(word, &mut found);
            if found.0.is_empty() && !self.dictionary.knows(word) {
                let near = self.vocabulary.near(word);
                taken_for = near.first().map(|&(term, _)| self.vocabulary.text(term));
                for &(term, weight) in &near {
                    found.put(Some(term), TYPO * weight);
                }
            }
        }
        for root in [Some(word), taken_for].into_iter().flatten() {
            for (synonym, weight) in self.dictionary.synonyms(root).into_iter().flatten() {
                found.put(self.vocabulary.find(&stem(synonym)), SYNONYM * weight);
            }
        }
        for (neighbour, similarity) in thesaurus::neighbours(word) {
            found.put(self.vocabulary.find(&stem(neighbour)), NEIGHBOUR * similarity);
        }
        found
    }

    /// `webpage` finds `web` and `page`.
    fn split(&self, word: &str, found: &mut Alternatives) {
        /// Letters of the shortest half.
        const HALF_LENGTH: usize = 3;
        /// Letters of the longest compound; the work grows with the square.
        const LONGEST: usize = 32;
        if word.len() > LONGEST {
            return;
        }
        for at in HALF_LENGTH..(word.len() + 1).saturating_sub(HALF_LENGTH) {
            let (first, second) = word.split_at(at);
            let halves = [first, second].map(|half| self.vocabulary.find(&stem(half)));
            if halves.iter().all(Option::is_some) {
                for half in halves {
                    found.put(half, HALF);
                }
            }
        }
    }
}

/// Terms with the best weight each was given.
#[derive(Debug, Clone, Default)]
struct Alternatives(Vec<(TermId, f64)>);

impl Alternatives {
    fn put(&mut self, term: Option<TermId>, weight: f64) {
        let Some(term) = term else { return };
        match self.0.iter_mut().find(|(known, _)| *known == term) {
            Some((_, best)) => *best = best.max(weight),
            None => self.0.push((term, weight)),
        }
    }

    fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|&(term, weight)| self.put(Some(term), weight));
    }
}
