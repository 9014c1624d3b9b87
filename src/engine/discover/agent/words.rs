//! Words as this ranking sees them: composed, without accents, stemmed where they are English; runs of Chinese,
//! Japanese and Korean characters as pairs of characters.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use rust_stemmers::{Algorithm, Stemmer};

use super::super::tokenize::{Class, Splitter, class_of};

/// The words of a text in lower case, unstemmed.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each_word(text, |word| found.push(word.to_owned()));
    found
}

/// Calls `take` with every word of a text.
pub(super) fn for_each_word(text: &str, take: impl FnMut(&str)) {
    let mut splitter = Splitter::new(take);
    let plain = if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(without_accents(text)) };
    for character in plain.chars() {
        match class_of(character) {
            // Vowel signs and voicing marks of other scripts are part of the word.
            Class::Mark => splitter.push(character, Class::Letter),
            class => splitter.push(character, class),
        }
    }
    splitter.finish();
}

/// Compatibility forms resolved and accents removed where letters can do without: Latin, Greek and Cyrillic.
fn without_accents(text: &str) -> String {
    let decomposed = const { DecomposingNormalizerBorrowed::new_nfkd() }.normalize(text);
    let mut bare = false;
    let kept = decomposed.chars().filter(|&character| {
        if class_of(character) == Class::Mark {
            return !bare;
        }
        bare = matches!(script_of(character), Script::Latin | Script::Greek | Script::Cyrillic);
        true
    });
    let kept: String = kept.collect();
    const { ComposingNormalizerBorrowed::new_nfc() }.normalize(&kept).into_owned()
}

fn script_of(character: char) -> Script {
    if character.is_ascii_alphabetic() {
        return Script::Latin;
    }
    const { CodePointMapData::<Script>::new() }.get(character)
}

/// Whether a character belongs to a script that writes words without spaces between all of them.
pub(super) fn is_unspaced(character: char) -> bool {
    !character.is_ascii()
        && matches!(script_of(character), Script::Hangul | Script::Han | Script::Hiragana | Script::Katakana)
}

/// A part of a word: a run of unspaced script, or what stands between two of them.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Unspaced(&'a str),
    Spaced(&'a str),
}

/// The parts of a word, in order.
pub(super) fn parts(word: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let unspaced = is_unspaced(rest.chars().next()?);
        let end = rest.find(|character| is_unspaced(character) != unspaced).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(if unspaced { Part::Unspaced(part) } else { Part::Spaced(part) })
    })
}

/// The pairs of neighbouring characters of a run; the character itself where it is alone.
pub(super) fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    let width = if starts.len() == 2 { 1 } else { 2 };
    (width..starts.len()).map(move |end| &run[starts[end - width]..starts[end]])
}

/// The stem of an English word; other words as they are.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    thread_local! {
        static PORTER: Stemmer = Stemmer::create(Algorithm::English);
    }
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        PORTER.with(|porter| porter.stem(word))
    } else {
        word.into()
    }
}

/// A word without the plural ending, and nothing else.
pub(super) fn singular(word: &str) -> Option<String> {
    if word.len() <= 3 || word.ends_with("ss") {
        return None;
    }
    match word.strip_suffix("ies") {
        Some(start) => Some(format!("{start}y")),
        None => word.strip_suffix('s').map(str::to_owned),
    }
}
