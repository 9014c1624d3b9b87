//! The documented tokenizer. Its steps, done here in one pass: NFKD, marks away, words split at case changes,
//! everything but letters and numbers separates, lower case.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

/// What a character is to the tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Category Lu.
    Upper,
    /// Category Ll.
    Lower,
    /// Any other letter.
    Letter,
    /// Category N.
    Number,
    /// Category M.
    Mark,
    /// Everything else.
    Separator,
}

/// The tokens of a text, in order, with repetitions.
#[must_use]
pub fn tokenize(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for_each_token(text, |token| tokens.push(token.to_owned()));
    tokens
}

/// Calls `take` with every token of a text.
pub(super) fn for_each_token(text: &str, take: impl FnMut(&str)) {
    let mut splitter = Splitter::new(take);
    if text.is_ascii() {
        text.bytes().for_each(|byte| splitter.ascii(byte));
    } else {
        let normalizer = const { DecomposingNormalizerBorrowed::new_nfkd() };
        for character in normalizer.normalize_iter(text.chars()) {
            match class_of(character) {
                Class::Mark => {}
                class => splitter.push(character, class),
            }
        }
    }
    splitter.finish();
}

/// The class of a character.
pub(super) fn class_of(character: char) -> Class {
    use GeneralCategory as Category;
    if character.is_ascii() {
        return class_of_ascii(character as u8);
    }
    match const { CodePointMapData::<Category>::new() }.get(character) {
        Category::UppercaseLetter => Class::Upper,
        Category::LowercaseLetter => Class::Lower,
        Category::TitlecaseLetter | Category::ModifierLetter | Category::OtherLetter => Class::Letter,
        Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Class::Number,
        Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => Class::Mark,
        _ => Class::Separator,
    }
}

fn class_of_ascii(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Number,
        _ => Class::Separator,
    }
}

/// Collects the characters of a token and hands it over in lower case.
pub(super) struct Splitter<F> {
    take: F,
    token: String,
    ascii: bool,
    before: Class,
    /// Length of the run of upper-case letters at the end of `token`.
    upper_run: usize,
}

impl<F: FnMut(&str)> Splitter<F> {
    pub(super) fn new(take: F) -> Self {
        Self { take, token: String::new(), ascii: true, before: Class::Separator, upper_run: 0 }
    }

    fn ascii(&mut self, byte: u8) {
        match class_of_ascii(byte) {
            Class::Lower if self.upper_run == 0 => {
                self.token.push(char::from(byte));
                self.before = Class::Lower;
            }
            class => self.push(char::from(byte), class),
        }
    }

    /// Takes the next character, which is no mark.
    pub(super) fn push(&mut self, character: char, class: Class) {
        match class {
            Class::Separator | Class::Mark => self.end(),
            // fooBar, v2Beta
            Class::Upper if matches!(self.before, Class::Lower | Class::Number) => self.end(),
            // HTTPServer: the last upper-case letter begins the word
            Class::Lower if self.upper_run >= 2 => {
                if let Some(first) = self.token.pop() {
                    self.end();
                    self.add(first);
                }
            }
            _ => {}
        }
        self.upper_run = if class == Class::Upper { self.upper_run + 1 } else { 0 };
        self.before = class;
        if class != Class::Separator {
            self.add(character);
        }
    }

    /// The text is over.
    pub(super) fn finish(mut self) {
        self.end();
    }

    fn add(&mut self, character: char) {
        self.ascii &= character.is_ascii();
        self.token.push(character);
    }

    fn end(&mut self) {
        if self.token.is_empty() {
            return;
        }
        if self.ascii {
            self.token.make_ascii_lowercase();
            (self.take)(&self.token);
        } else {
            // The whole token at once: a final sigma depends on what stands before it.
            (self.take)(&self.token.to_lowercase());
        }
        self.token.clear();
        self.ascii = true;
    }
}
