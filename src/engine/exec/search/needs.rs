//! What a text must hold for a pattern to match in it, as far as trigrams tell: read off the expression's syntax tree.
//!
//! The way is that of Russ Cox, "Regular Expression Matching with a Trigram Index" (2012), without the sets of exact
//! strings: runs of bytes that every match contains, one after the other, or one of several alternatives.

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::engine::text::{Trigram, TrigramFilter, trigrams};

/// A condition on the trigrams of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Needs {
    /// Any text will do.
    Nothing,
    /// All of them.
    Trigrams(Vec<Trigram>),
    /// Each of the conditions.
    All(Vec<Needs>),
    /// One of the conditions.
    Any(Vec<Needs>),
}

impl Needs {
    /// What the matches of an expression need.
    pub(super) fn of(tree: &Hir) -> Self {
        let mut run = Run::default();
        run.take(tree);
        run.end()
    }

    /// Whether a text with such trigrams may have a match. No is certain.
    pub(super) fn may_be_met(&self, filter: &TrigramFilter) -> bool {
        match self {
            Self::Nothing => true,
            Self::Trigrams(trigrams) => trigrams.iter().all(|trigram| filter.may_hold(*trigram)),
            Self::All(needs) => needs.iter().all(|needs| needs.may_be_met(filter)),
            Self::Any(needs) => needs.iter().any(|needs| needs.may_be_met(filter)),
        }
    }
}

/// Bytes that follow each other in every match, and what is needed besides.
#[derive(Debug, Default)]
struct Run {
    bytes: Vec<u8>,
    needs: Vec<Needs>,
}

impl Run {
    fn take(&mut self, tree: &Hir) {
        match tree.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => literal.0.iter().for_each(|byte| self.push(*byte)),
            HirKind::Class(class) => match letter(class) {
                Some(letter) => self.push(letter),
                None => self.cut(),
            },
            HirKind::Capture(group) => self.take(&group.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.take(part)),
            HirKind::Repetition(repetition) if repetition.min > 0 => {
                self.add(Needs::of(&repetition.sub));
            }
            HirKind::Repetition(_) => self.cut(),
            HirKind::Alternation(branches) => {
                let branches: Vec<Needs> = branches.iter().map(Needs::of).collect();
                self.add(if branches.contains(&Needs::Nothing) {
                    Needs::Nothing
                } else {
                    Needs::Any(branches)
                });
            }
        }
    }

    /// One more byte. Line ends are not asked for: a lone CR is searched as an LF.
    fn push(&mut self, byte: u8) {
        if matches!(byte, b'\n' | b'\r') { self.cut() } else { self.bytes.push(byte) }
    }

    /// Something else stands between what came and what comes.
    fn add(&mut self, needs: Needs) {
        self.cut();
        if needs != Needs::Nothing {
            self.needs.push(needs);
        }
    }

    fn cut(&mut self) {
        let found: Vec<Trigram> = trigrams(&self.bytes).collect();
        if !found.is_empty() {
            self.needs.push(Needs::Trigrams(found));
        }
        self.bytes.clear();
    }

    fn end(mut self) -> Needs {
        self.cut();
        match self.needs.len() {
            0 => Needs::Nothing,
            1 => self.needs.remove(0),
            _ => Needs::All(self.needs),
        }
    }
}

/// The letter of ASCII that a class is in both its cases, as it is where case does not count. `k` and `s` have a third
/// form outside of ASCII.
fn letter(class: &Class) -> Option<u8> {
    let (first, second) = match class {
        Class::Unicode(class) => match class.ranges() {
            [upper, lower] if upper.len() == 1 && lower.len() == 1 => {
                (u8::try_from(upper.start()).ok()?, u8::try_from(lower.start()).ok()?)
            }
            _ => return None,
        },
        Class::Bytes(class) => match class.ranges() {
            [upper, lower] if upper.len() == 1 && lower.len() == 1 => (upper.start(), lower.start()),
            _ => return None,
        },
    };
    (first.is_ascii_uppercase() && first.to_ascii_lowercase() == second).then_some(second)
}
