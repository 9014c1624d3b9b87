//! Every number of the ranking. Set by what they do to recall over all query sets together, never by one query.

use super::super::corpus::Field;

/// How a field counts.
pub(super) struct FieldTuning {
    pub field: Field,
    /// What a word of the field counts.
    pub weight: f64,
    /// How much the length of the field takes away, 0 to 1.
    pub length: f64,
    /// Usual number of words. Fixed, not an average, so that one tool's statistics never depend on the others.
    pub usual: f64,
}

/// The fields that are searched. Label and name on the server need rules of their own: see `profile`.
pub(super) const FIELDS: [FieldTuning; 5] = [
    FieldTuning { field: Field::Name, weight: 5.0, length: 0.5, usual: 3.0 },
    FieldTuning { field: Field::Server, weight: 1.0, length: 0.0, usual: 1.0 },
    FieldTuning { field: Field::Summary, weight: 2.0, length: 0.6, usual: 12.0 },
    FieldTuning { field: Field::Tail, weight: 0.5, length: 0.4, usual: 25.0 },
    FieldTuning { field: Field::Keys, weight: 1.3, length: 0.4, usual: 4.0 },
];

/// Words of a label that the name does not have.
pub(super) const LABEL_WEIGHT: f64 = 2.0;

/// Frequencies in the index are weights times this, rounded.
pub(super) const STEPS: f64 = 16.0;

/// Saturation of a word's weight in a tool.
pub(super) const K1: f64 = 3.0;
/// What any occurrence is worth beyond that.
pub(super) const DELTA: f64 = 0.35;

/// A word that says little, see `Dictionary::is_generic`.
pub(super) const GENERIC: f64 = 0.7;
/// What each repetition of a word adds to its weight.
pub(super) const REPEATED: f64 = 0.42;
/// Our own synonyms, times their weight in the dictionary.
pub(super) const SYNONYM: f64 = 0.95;
/// Neighbours of the thesaurus, times their similarity.
pub(super) const NEIGHBOUR: f64 = 0.62;
/// What an abbreviation stands for.
pub(super) const PHRASE: f64 = 0.92;
/// The verb of a phrase of two words, taken by itself.
pub(super) const VERB_ALONE: f64 = 0.6;
/// English words of a Korean one.
pub(super) const TRANSLATION: f64 = 0.9;
/// The second and further translations.
pub(super) const OTHER_TRANSLATION: f64 = 0.85;
/// Two words of the query written as one.
pub(super) const JOINED: f64 = 0.8;
/// The halves of a compound.
pub(super) const HALF: f64 = 0.8;
/// A known word at a distance of one typing mistake.
pub(super) const TYPO: f64 = 0.6;
/// The same at a distance of two, relative to one.
pub(super) const SECOND_TYPO: f64 = 0.8;
/// Known words that a mistyped one is taken for.
pub(super) const TYPO_CANDIDATES: usize = 4;

/// Words of the query side by side in the name, for each such pair.
pub(super) const NAME_PAIR: f64 = 0.45;
/// The query names the server.
pub(super) const SERVER_NAMED: f64 = 1.0;
/// The server's tools together answer the query best.
pub(super) const SERVER_FIT: f64 = 1.0;
/// How much a server's size counts against it, as an exponent.
pub(super) const SERVER_SIZE: f64 = 0.35;
/// The query covers the whole name.
pub(super) const NAME_COVERED: f64 = 0.7;
/// What coverage of the query leaves to a tool that covers nothing.
pub(super) const COVERAGE_FLOOR: f64 = 0.05;
