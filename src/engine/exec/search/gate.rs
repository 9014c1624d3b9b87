//! What is asked of a text before the pattern itself: something wider that is cheaper to compile and to look for.
//!
//! Classes of Unicode such as `\w` have hundreds of ranges and take milliseconds to compile, and word boundaries make the
//! engine slow beside characters outside of ASCII. Few texts get as far as to need either.

use grep_matcher::{LineMatchKind, Matcher};
use grep_regex::RegexMatcher;
use memchr::memmem::Finder;
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, Hir, HirKind, LookSet, Repetition,
};

use super::ascii::ascii_of;
use super::pattern::{builder, line_at, parse};

/// Classes with more ranges than this are worth widening.
const FEW_RANGES: usize = 8;

/// Whether a line may match. No is certain.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    /// What every match contains.
    literal: Option<Finder<'static>>,
    /// Matches wherever the pattern does, and elsewhere.
    loose: RegexMatcher,
}

impl Gate {
    /// The gate of an expression that is matched line by line; nothing where it would be no cheaper.
    pub(super) fn of(expression: &str, ignore_case: bool) -> Option<Self> {
        let tree = parse(expression, ignore_case)?;
        if !is_heavy(&tree) {
            return None;
        }
        let loose = builder(false).crlf(true).build(&loosened(&tree).to_string()).ok()?;
        let literal = longest_literal(&tree).map(|bytes| Finder::new(bytes).into_owned());
        Some(Self { literal, loose })
    }

    /// Whether any line passes and is confirmed.
    pub(super) fn any_line(&self, lines: &[u8], confirm: impl Fn(&[u8]) -> bool) -> bool {
        let may_be_there = |literal: &Finder| literal.find(lines).is_some();
        self.literal.as_ref().is_none_or(may_be_there) && any_line(&self.loose, lines, confirm)
    }
}

/// Whether a line matches and is confirmed.
pub(super) fn any_line(matcher: &impl Matcher, lines: &[u8], confirm: impl Fn(&[u8]) -> bool) -> bool {
    let mut rest = lines;
    while !rest.is_empty() {
        let (end, is_sure) = match matcher.find_candidate_line(rest) {
            Ok(None) => return false,
            Ok(Some(LineMatchKind::Candidate(end))) => (end, false),
            Ok(Some(LineMatchKind::Confirmed(end))) => (end, true),
            // It would be met again by the search itself.
            Err(_) => return true,
        };
        let line = line_at(rest, end);
        let text = &rest[line.clone()];
        if (is_sure || matcher.is_match(text).unwrap_or(true)) && confirm(text) {
            return true;
        }
        rest = &rest[line.end..];
    }
    false
}

/// Whether anything in an expression is worth widening.
fn is_heavy(tree: &Hir) -> bool {
    if tree.properties().look_set().contains_word_unicode() {
        return true;
    }
    match tree.kind() {
        HirKind::Class(Class::Unicode(class)) => is_heavy_class(class),
        HirKind::Repetition(repetition) => is_heavy(&repetition.sub),
        HirKind::Capture(group) => is_heavy(&group.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(is_heavy),
        _ => false,
    }
}

fn is_heavy_class(class: &ClassUnicode) -> bool {
    class.ranges().len() > FEW_RANGES && !class.is_ascii()
}

/// An expression without word boundaries and with wide classes, which matches wherever the given one does.
fn loosened(tree: &Hir) -> Hir {
    match tree.kind() {
        HirKind::Look(look) if LookSet::singleton(*look).contains_word() => Hir::empty(),
        HirKind::Class(Class::Unicode(class)) if is_heavy_class(class) => {
            // A character is either a byte of ASCII or some bytes beyond it.
            let (ascii, beyond) = (ascii_of(class), beyond_ascii());
            Hir::alternation(vec![Hir::class(Class::Bytes(ascii)), at_least(1, beyond)])
        }
        HirKind::Repetition(repetition) => match repetition.sub.kind() {
            // So many characters are as many bytes or more.
            HirKind::Class(Class::Unicode(class)) if is_heavy_class(class) => {
                let mut bytes = ascii_of(class);
                bytes.union(&beyond_ascii());
                at_least(repetition.min, bytes)
            }
            _ => Hir::repetition(repetition.with(loosened(&repetition.sub))),
        },
        HirKind::Capture(group) => loosened(&group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(loosened).collect()),
        HirKind::Alternation(branches) => Hir::alternation(branches.iter().map(loosened).collect()),
        _ => tree.clone(),
    }
}

fn at_least(min: u32, bytes: ClassBytes) -> Hir {
    let sub = Box::new(Hir::class(Class::Bytes(bytes)));
    Hir::repetition(Repetition { min, max: None, greedy: true, sub })
}

fn beyond_ascii() -> ClassBytes {
    ClassBytes::new([ClassBytesRange::new(0x80, 0xFF)])
}

/// The longest text that every match contains as it is. Line ends are not asked for: a lone CR is searched as an LF.
fn longest_literal(tree: &Hir) -> Option<&[u8]> {
    let found = match tree.kind() {
        HirKind::Literal(literal) => Some(&*literal.0),
        HirKind::Capture(group) => longest_literal(&group.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => longest_literal(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(longest_literal).max_by_key(|bytes| bytes.len()),
        _ => None,
    };
    found.filter(|bytes| memchr::memchr2(b'\r', b'\n', bytes).is_none())
}
