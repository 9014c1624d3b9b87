//! What a tool is to this ranking: its weighted terms, the terms of its name, its server.

use rustc_hash::FxHashMap;

use super::super::corpus::{Corpus, Field};
use super::tuning::{FIELDS, FieldTuning, LABEL_WEIGHT, STEPS};
use super::words::{Part, for_each_word, pairs, parts, stem};

/// Weighted terms of one document.
#[derive(Default)]
pub(super) struct Profile {
    /// Terms in order of first appearance, with frequencies as they stand in the index.
    pub terms: Vec<(String, u32)>,
    /// The terms of the name, in order, with repetitions.
    pub name: Vec<String>,
}

/// Makes profiles; remembers the terms of words it has seen.
#[derive(Default)]
pub(super) struct Profiler {
    terms_of_word: FxHashMap<String, Vec<String>>,
    field: Vec<String>,
}

impl Profiler {
    pub(super) fn profile(&mut self, corpus: &Corpus, document: u32) -> Profile {
        let mut profile = Profile::default();
        let mut places = FxHashMap::default();
        for tuning in FIELDS {
            self.read(field_text(corpus, document, tuning.field));
            let steps = steps(&tuning, self.field.len());
            profile.add(&self.field, steps, &mut places);
            if tuning.field == Field::Name {
                profile.name.clone_from(&self.field);
                // What the label repeats of the server and the name says nothing new.
                self.read(corpus.field(document, Field::Server));
                let server = std::mem::take(&mut self.field);
                self.read(corpus.field(document, Field::Label));
                self.field.retain(|term| !profile.name.contains(term) && !server.contains(term));
                profile.add(&self.field, to_steps(LABEL_WEIGHT), &mut places);
            }
        }
        profile
    }

    /// Replaces the terms at hand by those of a text.
    fn read(&mut self, text: &str) {
        self.field.clear();
        let Self { terms_of_word, field } = self;
        for_each_word(text, |word| {
            let terms = match terms_of_word.get(word) {
                Some(terms) => terms,
                None => terms_of_word.entry(word.to_owned()).or_insert_with(|| terms_of(word)),
            };
            field.extend_from_slice(terms);
        });
    }
}

impl Profile {
    fn add(&mut self, terms: &[String], steps: u32, places: &mut FxHashMap<String, usize>) {
        for term in terms {
            if let Some(&place) = places.get(term) {
                self.terms[place].1 += steps;
            } else {
                places.insert(term.clone(), self.terms.len());
                self.terms.push((term.clone(), steps));
            }
        }
    }
}

/// On its server a tool has a shorter name; the long one repeats the server.
fn field_text(corpus: &Corpus, document: u32, field: Field) -> &str {
    match (field, corpus.field(document, Field::ServerTool)) {
        (Field::Name, short) if !short.is_empty() => short,
        _ => corpus.field(document, field),
    }
}

/// The terms under which a word is indexed.
fn terms_of(word: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for part in parts(word) {
        match part {
            Part::Unspaced(run) => terms.extend(pairs(run).map(str::to_owned)),
            Part::Spaced(rest) => terms.push(stem(rest).into_owned()),
        }
    }
    terms
}

/// The frequency of one word in a field of so many words.
#[expect(clippy::cast_precision_loss, reason = "a count of words")]
fn steps(tuning: &FieldTuning, words: usize) -> u32 {
    let length = 1.0 - tuning.length + tuning.length * (words as f64 / tuning.usual);
    to_steps(tuning.weight / length)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number, at least 1")]
fn to_steps(weight: f64) -> u32 {
    (weight * STEPS).round().max(1.0) as u32
}
