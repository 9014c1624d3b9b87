//! Our own word lists: function words, synonyms, abbreviations, Korean.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::words::{singular, stem};

/// Words and what they are worth in place of another.
pub(super) type Weighted = FxHashMap<String, f64>;

/// The lists, as the file holds them.
#[derive(Deserialize, Default)]
pub(super) struct Dictionary {
    stop: FxHashSet<String>,
    /// Words that many requests have whatever they are about.
    generic: FxHashSet<String>,
    synonyms: FxHashMap<String, Weighted>,
    phrases: FxHashMap<String, String>,
    /// Two words that mean something else together.
    phrasal: FxHashMap<String, String>,
    ko_en: FxHashMap<String, Vec<String>>,
    /// Korean words whose translations belong together instead of being alternatives.
    ko_en_pairs: FxHashSet<String>,
    /// Longest first.
    particles: Vec<String>,
    /// Stem → head of `synonyms`; filled after reading.
    #[serde(skip)]
    heads: FxHashMap<String, String>,
}

/// What a Korean word means.
pub(super) struct Translation<'a> {
    pub words: &'a [String],
    /// All of the words are meant, not one of them.
    pub together: bool,
}

impl Dictionary {
    /// The dictionary, read on first use.
    pub(super) fn get() -> &'static Self {
        static DICTIONARY: OnceLock<Dictionary> = OnceLock::new();
        DICTIONARY.get_or_init(|| {
            let mut read: Self = serde_json::from_str(include_str!("dictionary.json")).unwrap_or_default();
            let mut heads: Vec<&String> = read.synonyms.keys().collect();
            // Several heads of one stem: the first in order, whatever the map's order is.
            heads.sort_unstable_by(|left, right| right.cmp(left));
            read.heads = heads.into_iter().map(|head| (stem(head).into_owned(), head.clone())).collect();
            read
        })
    }

    /// Whether a word says how, not what.
    pub(super) fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// Whether many requests have the word, whatever they are about.
    pub(super) fn is_generic(&self, word: &str) -> bool {
        self.generic.contains(word)
    }

    /// Words that may stand for a word.
    pub(super) fn synonyms(&self, word: &str) -> Option<&Weighted> {
        let exact = self.synonyms.get(word);
        let exact = exact.or_else(|| self.synonyms.get(&singular(word)?));
        exact.or_else(|| self.synonyms.get(self.heads.get(&*stem(word))?))
    }

    /// Whether the word itself has synonyms, in exactly this form.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.synonyms.contains_key(word)
    }

    /// What an abbreviation stands for.
    pub(super) fn phrase(&self, word: &str) -> Option<&str> {
        self.phrases.get(word).map(String::as_str)
    }

    /// What two words mean together.
    pub(super) fn phrasal(&self, first: &str, second: &str) -> Option<&str> {
        self.phrasal.get(&format!("{first} {second}")).map(String::as_str)
    }

    /// What a Korean word means.
    pub(super) fn translate(&self, korean: &str) -> Option<Translation<'_>> {
        let words = self.ko_en.get(korean)?;
        Some(Translation { words, together: self.ko_en_pairs.contains(korean) })
    }

    /// A run without the particle at its end, if two characters remain.
    pub(super) fn without_particle<'a>(&self, run: &'a str) -> &'a str {
        let shorter = self.particles.iter().find_map(|particle| run.strip_suffix(particle.as_str()));
        shorter.filter(|noun| noun.chars().nth(1).is_some()).unwrap_or(run)
    }
}
