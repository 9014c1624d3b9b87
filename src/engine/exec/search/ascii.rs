//! What is left of an expression in a text of nothing but ASCII.
//!
//! Classes of Unicode such as `\w` have hundreds of ranges and take milliseconds to compile; the few of them that such a text
//! can meet take none, and most lines of most programs are such texts.

use regex_syntax::hir::{Class, ClassBytes, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};

/// The expression that matches a text of nothing but ASCII exactly where the given one does.
pub(super) fn of_ascii(tree: &Hir) -> Hir {
    match tree.kind() {
        HirKind::Class(Class::Unicode(class)) => Hir::class(Class::Bytes(ascii_of(class))),
        HirKind::Look(look) => Hir::look(of_ascii_words(*look)),
        HirKind::Repetition(repetition) => Hir::repetition(repetition.with(of_ascii(&repetition.sub))),
        HirKind::Capture(group) => of_ascii(&group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(of_ascii).collect()),
        HirKind::Alternation(branches) => Hir::alternation(branches.iter().map(of_ascii).collect()),
        _ => tree.clone(),
    }
}

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
