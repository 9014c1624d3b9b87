//! The edit distance of texts. A column of its table is held as two sets of bits, where it grows and where it shrinks by
//! one from row to row, and the next column follows from them in a few operations on whole words (Myers 1999, in the
//! form of Hyyrö 2003).

use rapidfuzz::distance::levenshtein::{self, Args, BatchComparator};

use super::forms::Form;

/// 1 − distance / length of the longer one; 1 for two empty texts.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let (one, other): (Vec<u16>, Vec<u16>) = (one.encode_utf16().collect(), other.encode_utf16().collect());
    let distance = levenshtein::distance(one.iter().copied(), other.iter().copied());
    1.0 - loss(distance, one.len().max(other.len()))
}

/// What a distance takes from the similarity of texts, the longer of which has `length` units.
#[expect(clippy::cast_precision_loss, reason = "lengths of texts in memory")]
pub(super) fn loss(distance: usize, length: usize) -> f64 {
    if length == 0 { 0.0 } else { distance as f64 / length as f64 }
}

/// A text that is compared with many.
pub(super) struct Pattern {
    text: String,
    /// Its length.
    pub units: usize,
    way: Way,
}

enum Way {
    OneWord(Box<Masks<1>>),
    TwoWords(Box<Masks<2>>),
    /// For long texts, and for those that are not all ASCII.
    Any(BatchComparator<u16>),
}

impl Pattern {
    pub fn new(text: String) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        let way = match units.len() {
            1..=64 if text.is_ascii() => Way::OneWord(Box::new(Masks::new(&text))),
            65..=128 if text.is_ascii() => Way::TwoWords(Box::new(Masks::new(&text))),
            _ => Way::Any(BatchComparator::new(units.iter().copied())),
        };
        Self { text, units: units.len(), way }
    }

    /// The similarity to a line behind its prefix; absent if it is below `needed`.
    pub fn similarity(&self, prefix: &str, form: &Form, needed: f64) -> Option<f64> {
        if self.text.strip_prefix(prefix) == Some(form.text.as_ref()) {
            return Some(1.0);
        }
        let length = self.units.max(prefix.len() + form.units);
        let most = most_distance(needed, length)?;
        let distance = match &self.way {
            Way::OneWord(masks) if form.is_ascii() => masks.distance(prefix, &form.text),
            Way::TwoWords(masks) if form.is_ascii() => masks.distance(prefix, &form.text),
            way => way.distance_in_units(&self.text, prefix, form, most)?,
        };
        (distance <= most).then(|| 1.0 - loss(distance, length))
    }
}

impl Way {
    #[cold]
    fn distance_in_units(&self, pattern: &str, prefix: &str, form: &Form, most: usize) -> Option<usize> {
        let args = Args::default().score_cutoff(most);
        let text: Vec<u16> = prefix.encode_utf16().chain(form.text.encode_utf16()).collect();
        match self {
            Self::Any(comparator) => comparator.distance_with_args(text.iter().copied(), &args),
            Self::OneWord(_) | Self::TwoWords(_) => {
                let pattern: Vec<u16> = pattern.bytes().map(u16::from).collect();
                levenshtein::distance_with_args(pattern.iter().copied(), text.iter().copied(), &args)
            }
        }
    }
}

/// The distance at which texts, the longer of which has `length` units, are still as similar as that; absent if no two
/// different ones are.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the length of a line"
)]
pub(super) fn most_distance(needed: f64, length: usize) -> Option<usize> {
    let most = ((1.0 - needed) * length as f64 + 1e-6).floor();
    (most >= 1.0).then(|| most.min(length as f64) as usize)
}

/// Where each character occurs in an ASCII text of at most 64 characters a word.
struct Masks<const WORDS: usize> {
    of: [[u64; WORDS]; 128],
    length: usize,
}

impl<const WORDS: usize> Masks<WORDS> {
    fn new(text: &str) -> Self {
        let mut of = [[0; WORDS]; 128];
        for (at, byte) in text.bytes().enumerate() {
            of[usize::from(byte & 127)][at / 64] |= 1 << (at % 64);
        }
        Self { of, length: text.len() }
    }

    /// The distance to an ASCII text in two parts.
    fn distance(&self, prefix: &str, text: &str) -> usize {
        let (mut grows, mut shrinks) = ([u64::MAX; WORDS], [0; WORDS]);
        prefix.bytes().chain(text.bytes()).for_each(|byte| {
            let equal = &self.of[usize::from(byte & 127)];
            // The row above the first grows by one from column to column.
            let (mut grown, mut shrunk) = (1, 0);
            for word in 0..WORDS {
                let (down_grows, down_shrinks) = (grows[word], shrinks[word]);
                let stays = equal[word] | down_shrinks;
                let equal = equal[word] | shrunk;
                let diagonal = ((equal & down_grows).wrapping_add(down_grows) ^ down_grows) | equal;
                let across_grows = down_shrinks | !(diagonal | down_grows);
                let across_shrinks = down_grows & diagonal;
                let (above_grows, above_shrinks) =
                    ((across_grows << 1) | grown, (across_shrinks << 1) | shrunk);
                (grown, shrunk) = (across_grows >> 63, across_shrinks >> 63);
                grows[word] = above_shrinks | !(stays | above_grows);
                shrinks[word] = above_grows & stays;
            }
        });
        // The last column starts at the length of the text and ends at the distance.
        let (mut up, mut down) = (prefix.len() + text.len(), 0);
        for word in 0..WORDS {
            let rows = u64::MAX >> (64 - (self.length - 64 * word).min(64));
            up += (grows[word] & rows).count_ones() as usize;
            down += (shrinks[word] & rows).count_ones() as usize;
        }
        up - down
    }
}
