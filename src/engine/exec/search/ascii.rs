//! What is left of an expression in a text of nothing but ASCII.
//!
//! Classes of Unicode such as `\w` have hundreds of ranges and take milliseconds to compile; the few of them that such a text
//! can meet take none, and most lines of most programs are such texts.

use std::sync::LazyLock;

use grep_matcher::{LineTerminator, Match, Matcher, NoCaptures, NoError};
use regex_automata::Input;
use regex_automata::meta::{Config, Regex};
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look,
};

use super::pattern::SIZE_LIMIT;

/// Matches a text of nothing but ASCII exactly where an expression does that is matched line by line.
#[derive(Debug)]
pub(super) struct AsciiMatcher(Regex);

impl AsciiMatcher {
    /// Nothing if even this is too large.
    pub(super) fn of(tree: &Hir) -> Option<Self> {
        let config = Config::new().utf8_empty(false).nfa_size_limit(Some(SIZE_LIMIT));
        Regex::builder().configure(config).build_from_hir(&of_ascii(tree)).ok().map(Self)
    }
}

impl Matcher for AsciiMatcher {
    type Captures = NoCaptures;
    type Error = NoError;

    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        let found = self.0.search(&Input::new(text).range(at..));
        Ok(found.map(|found| Match::new(found.start(), found.end())))
    }

    fn new_captures(&self) -> Result<NoCaptures, NoError> {
        Ok(NoCaptures::new())
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        Some(LineTerminator::crlf())
    }
}

fn of_ascii(tree: &Hir) -> Hir {
    match tree.kind() {
        HirKind::Class(class) => {
            let mut ascii = match class {
                Class::Unicode(class) => ascii_of(class),
                Class::Bytes(class) => class.clone(),
            };
            ascii.difference(&BREAKS);
            Hir::class(Class::Bytes(ascii))
        }
        HirKind::Look(look) => Hir::look(of_ascii_words(*look)),
        HirKind::Repetition(repetition) => Hir::repetition(repetition.with(of_ascii(&repetition.sub))),
        HirKind::Capture(group) => of_ascii(&group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(of_ascii).collect()),
        HirKind::Alternation(branches) => Hir::alternation(branches.iter().map(of_ascii).collect()),
        HirKind::Empty | HirKind::Literal(_) => tree.clone(),
    }
}

/// What ends a line is no part of one.
static BREAKS: LazyLock<ClassBytes> = LazyLock::new(|| {
    ClassBytes::new([ClassBytesRange::new(b'\n', b'\n'), ClassBytesRange::new(b'\r', b'\r')])
});

/// The members of a class that are ASCII.
pub(super) fn ascii_of(class: &ClassUnicode) -> ClassBytes {
    let mut ascii = class.clone();
    ascii.intersect(&ClassUnicode::new([ClassUnicodeRange::new('\0', '\x7F')]));
    ascii.to_byte_class().unwrap_or_else(ClassBytes::empty)
}

fn of_ascii_words(look: Look) -> Look {
    match look {
        Look::WordUnicode => Look::WordAscii,
        Look::WordUnicodeNegate => Look::WordAsciiNegate,
        Look::WordStartUnicode => Look::WordStartAscii,
        Look::WordEndUnicode => Look::WordEndAscii,
        Look::WordStartHalfUnicode => Look::WordStartHalfAscii,
        Look::WordEndHalfUnicode => Look::WordEndHalfAscii,
        other => other,
    }
}
