//! The pattern of a call as a matcher: Rust's regular expressions, forgiving about braces and lone parentheses.
//!
//! Linear in the text whatever the pattern, and bounded in size. A pattern that names a line break is matched
//! across lines, every other one line by line.

use std::ops::Range;
use std::sync::Arc;

use grep_matcher::{LineMatchKind, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use memchr::memmem::Finder;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind, LookSet};

use super::needs::Needs;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};

/// Bounds for the compiled pattern and for the cache that each thread builds from it.
const SIZE_LIMIT: usize = 16 << 20;
const CACHE_LIMIT: usize = 8 << 20;
pub(super) const NEST_LIMIT: u32 = 200;

/// Characters that mean something else than themselves, or end a line.
const SYNTAX: &[char] = &['\\', '.', '+', '*', '?', '(', ')', '|', '[', ']', '{', '}', '^', '$', '\n', '\r'];

/// Escapes that may mean characters outside of ASCII.
const ESCAPES: &[&str] = &["\\p", "\\P", "\\u", "\\U", "\\x"];

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) matcher: RegexMatcher,
    /// Matches that much and more: without its word boundaries, which make the engine slow beside characters outside of
    /// ASCII. Only where it has any.
    loose_matcher: Option<RegexMatcher>,
    /// Whether a match may span lines.
    pub(super) multi_line: bool,
    /// Whether it means nothing outside of ASCII in particular.
    pub(super) is_ascii: bool,
    /// What is sought, if it is plain text.
    literal: Option<Finder<'static>>,
    /// The expression as it was compiled, and whether case does not count.
    compiled: (Arc<str>, bool),
}

impl Pattern {
    /// Compiles what the caller wrote. Blanks count.
    pub(super) fn new(written: &str, ignore_case: bool) -> Result<Self> {
        if written.is_empty() {
            return Err(ToolError::EmptyPattern { field: "pattern".into() });
        }
        let text = braces_as_meant(written);
        let compiled = compile(&empty_groups_as_calls(&text), ignore_case).or_else(|reason| {
            let unbalanced = reason.contains("unclosed group") || reason.contains("unopened group");
            if unbalanced { compile(&escape_parentheses(&text), ignore_case) } else { Err(reason) }
        });
        let compiled =
            compiled.map_err(|reason| ToolError::InvalidRegex { pattern: written.to_owned(), reason })?;
        let is_plain = !ignore_case && !written.contains(SYNTAX);
        let is_ascii = means_ascii(written);
        Ok(Self { is_ascii, literal: is_plain.then(|| Finder::new(written).into_owned()), ..compiled })
    }

    /// Compiles an expression exactly as it is, or plain text.
    pub(super) fn exact(written: &str, literal: bool, ignore_case: bool) -> Result<Self> {
        if written.is_empty() {
            return Err(ToolError::EmptyPattern { field: "pattern".into() });
        }
        let text = if literal { regex::escape(written) } else { written.to_owned() };
        compile(&text, ignore_case)
            .map_err(|reason| ToolError::InvalidRegex { pattern: written.to_owned(), reason })
    }

    /// What a text must hold for anything in it to match.
    pub(super) fn needs(&self) -> Needs {
        Needs::of(&self.compiled.0, self.compiled.1)
    }

    /// Whether anything in a text can match; no once the call is cancelled. Far cheaper than a search, and most texts
    /// have nothing.
    pub(super) fn may_match(&self, text: &[u8], cancel: &CancelToken) -> bool {
        if let Some(literal) = &self.literal {
            return literal.find(text).is_some();
        }
        if self.multi_line {
            return self.matcher.is_match(text).unwrap_or(true);
        }
        let mut rest = text;
        while !rest.is_empty() && !cancel.is_cancelled() {
            let (piece, behind) = rest.split_at(whole_lines(rest));
            if self.has_match(piece) {
                return true;
            }
            rest = behind;
        }
        false
    }

    /// Whether anything in some whole lines matches. What only looks like a match is looked at line by line: to take
    /// it for one costs a look at the whole text.
    fn has_match(&self, lines: &[u8]) -> bool {
        match &self.loose_matcher {
            Some(loose) if !lines.is_ascii() => {
                any_line(loose, lines, |line| self.matcher.is_match(line).unwrap_or(true))
            }
            _ => any_line(&self.matcher, lines, |_| true),
        }
    }
}

/// Whether a line matches and is confirmed.
fn any_line(matcher: &RegexMatcher, lines: &[u8], confirm: impl Fn(&[u8]) -> bool) -> bool {
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

/// Whether a pattern means nothing outside of ASCII in particular.
fn means_ascii(text: &str) -> bool {
    text.is_ascii() && !ESCAPES.iter().any(|escape| text.contains(escape))
}

/// An expression without its word boundaries, which matches wherever the whole of it does; nothing if it has none.
fn without_word_boundaries(text: &str, ignore_case: bool) -> Option<String> {
    let mut parser = ParserBuilder::new();
    parser.utf8(false).multi_line(true).crlf(true).case_insensitive(ignore_case).nest_limit(NEST_LIMIT);
    let tree = parser.build().parse(text).ok()?;
    tree.properties().look_set().contains_word_unicode().then(|| loosened(&tree).to_string())
}

fn loosened(tree: &Hir) -> Hir {
    match tree.kind() {
        HirKind::Look(look) if LookSet::singleton(*look).contains_word() => Hir::empty(),
        HirKind::Capture(group) => loosened(&group.sub),
        HirKind::Repetition(repetition) => Hir::repetition(repetition.with(loosened(&repetition.sub))),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(loosened).collect()),
        HirKind::Alternation(branches) => Hir::alternation(branches.iter().map(loosened).collect()),
        _ => tree.clone(),
    }
}

/// The length of a piece of whole lines. A word boundary beside a character outside of ASCII makes the regex engine
/// slow up to the end of what it was given, which therefore is not much at a time.
fn whole_lines(text: &[u8]) -> usize {
    const PIECE: usize = 16 << 10;
    match text.get(PIECE..).and_then(|behind| memchr::memchr(b'\n', behind)) {
        Some(at) => PIECE + at + 1,
        None => text.len(),
    }
}

/// The line, with its break, of something that ends at a byte and has no break in it.
fn line_at(text: &[u8], end: usize) -> Range<usize> {
    let (before, behind) = text.split_at(end);
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    start..memchr::memchr(b'\n', behind).map_or(text.len(), |at| end + at + 1)
}

fn compile(text: &str, ignore_case: bool) -> std::result::Result<Pattern, String> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .case_insensitive(ignore_case)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(CACHE_LIMIT)
        .nest_limit(NEST_LIMIT);
    // Neither CR nor LF is part of a line, so that a text matches the same whatever its line ends are. A pattern that
    // names one of them is matched across lines.
    let by_line = builder.clone().crlf(true).build(text);
    let across_lines = match &by_line {
        Ok(_) => dot_takes_line_breaks(text),
        Err(error) => matches!(error.kind(), grep_regex::ErrorKind::NotAllowed(_)),
    };
    let across = || format!("(?R){}", line_breaks_of_any_kind(text));
    let expression = if across_lines { across() } else { text.to_owned() };
    let matcher = if across_lines { builder.build(&expression) } else { by_line };
    let matcher = matcher.map_err(|error| reason_of(&error))?;
    let compiled = (expression.into(), ignore_case);
    let loose = if across_lines { None } else { without_word_boundaries(text, ignore_case) };
    let loose_matcher = loose.and_then(|loose| builder.crlf(true).case_insensitive(false).build(&loose).ok());
    Ok(Pattern { matcher, loose_matcher, multi_line: across_lines, is_ascii: true, literal: None, compiled })
}

/// Whether a pattern sets the flag `s`, as in `(?s)` and `(?is:…)`.
fn dot_takes_line_breaks(text: &str) -> bool {
    let mut rest = Reader::new(text);
    while let Some((piece, kind)) = rest.next_piece() {
        if kind == Kind::Plain && piece == "(" && rest.text.starts_with('?') {
            let flags = rest.text[1..].chars().take_while(char::is_ascii_alphabetic);
            if flags.into_iter().any(|flag| flag == 's') {
                return true;
            }
        }
    }
    false
}

/// The sentence of a compiler message, without the drawing around it, and the way out where there is one.
fn reason_of(error: &grep_regex::Error) -> String {
    let text = error.to_string();
    let sentence = text.lines().rev().find_map(|line| line.trim().strip_prefix("error: "));
    let sentence = sentence.unwrap_or(text.trim());
    let advice = if sentence.contains("look-around") {
        "; search for the part without it and sort out the hits"
    } else if sentence.contains("backreferences") {
        "; write the repeated part out"
    } else {
        ""
    };
    format!("{sentence}{advice}")
}

/// Escapes braces that are no counts and no part of a class or escape, so that code can be searched for as it is.
fn braces_as_meant(written: &str) -> String {
    let mut text = String::with_capacity(written.len() + 8);
    let mut rest = Reader::new(written);
    while let Some((piece, kind)) = rest.next_piece() {
        match (piece, kind) {
            ("$", Kind::Plain) if rest.text.starts_with('{') => text.push_str("\\$"),
            ("{", Kind::Plain) => match count_of(rest.text) {
                Some(count) if repeats_something(written, rest.at - 1) => {
                    text.push('{');
                    text.push_str(count);
                    rest.skip(count.len());
                }
                _ => text.push_str("\\{"),
            },
            ("}", Kind::Plain) => text.push_str("\\}"),
            (piece, _) => text.push_str(piece),
        }
    }
    text
}

/// `3}`, `3,}` or `3,5}` at the start of a text.
fn count_of(text: &str) -> Option<&str> {
    let inner = &text[..text.find('}')?];
    let (least, most) = inner.split_once(',').unwrap_or((inner, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (!least.is_empty() && is_digits(least) && is_digits(most)).then(|| &text[..=inner.len()])
}

/// Whether there is something before a count that it can repeat; `${1}` and a leading `{0}` are meant literally.
fn repeats_something(written: &str, at: usize) -> bool {
    let before = &written[..at];
    let escaped = |text: &str| text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    match before.chars().next_back() {
        None => false,
        Some(last @ ('(' | '|' | '$')) => escaped(&before[..at - last.len_utf8()]),
        Some(_) => true,
    }
}

/// An empty group is most often a call in a piece of code, as in `main() {`, so it may stand for its own characters.
fn empty_groups_as_calls(text: &str) -> String {
    let mut calls = String::with_capacity(text.len() + 8);
    let mut rest = Reader::new(text);
    while let Some((piece, kind)) = rest.next_piece() {
        if kind == Kind::Plain && piece == "(" && rest.text.starts_with(')') {
            rest.skip(1);
            calls.push_str(r"(?:\(\)|)");
        } else {
            calls.push_str(piece);
        }
    }
    calls
}

/// Escapes every parenthesis that is not escaped yet.
fn escape_parentheses(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut rest = Reader::new(text);
    while let Some((piece, kind)) = rest.next_piece() {
        if kind == Kind::Plain && matches!(piece, "(" | ")") {
            escaped.push('\\');
        }
        escaped.push_str(piece);
    }
    escaped
}

/// A line break in a pattern stands for LF and CRLF alike.
fn line_breaks_of_any_kind(text: &str) -> String {
    let mut any = String::with_capacity(text.len() + 16);
    let mut rest = Reader::new(text);
    let mut after_return = false;
    while let Some((piece, kind)) = rest.next_piece() {
        let is_break = kind != Kind::Class && matches!(piece, "\n" | "\\n");
        any.push_str(if is_break && !after_return { "(?:\\r?\\n)" } else { piece });
        after_return = matches!(piece, "\r" | "\\r");
    }
    any
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A character that stands for itself or is syntax.
    Plain,
    /// A backslash and what belongs to it.
    Escape,
    /// Anything inside `[…]`.
    Class,
}

/// Takes a pattern apart just as far as braces and parentheses need it.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Depth of `[`.
    classes: usize,
    /// Whether `]` would be the first member of a class, which makes it literal.
    class_start: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, classes: 0, class_start: false }
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (piece, rest) = self.text.split_at(bytes);
        self.at += bytes;
        self.text = rest;
        piece
    }

    fn next_piece(&mut self) -> Option<(&'a str, Kind)> {
        let first = self.text.chars().next()?;
        let piece = self.skip(if first == '\\' { escape_length(self.text) } else { first.len_utf8() });
        let inside = self.classes > 0;
        let at_start = std::mem::take(&mut self.class_start);
        match first {
            '[' => {
                self.classes += 1;
                self.class_start = true;
            }
            '^' if at_start => self.class_start = true,
            ']' if inside && !at_start => self.classes -= 1,
            _ => {}
        }
        Some(match first {
            _ if inside || self.classes > 0 => (piece, Kind::Class),
            '\\' => (piece, Kind::Escape),
            _ => (piece, Kind::Plain),
        })
    }
}

/// The length of the escape a text starts with, its braces included: `\n`, `\x{41}`, `\p{Greek}`, `\b{start}`.
fn escape_length(text: &str) -> usize {
    let Some(letter) = text[1..].chars().next() else { return 1 };
    let plain = 1 + letter.len_utf8();
    let takes_braces = matches!(letter, 'p' | 'P' | 'x' | 'u' | 'U' | 'b');
    let braced = takes_braces && text[plain..].starts_with('{');
    match text[plain..].find('}') {
        Some(end) if braced && !(letter == 'b' && count_of(&text[plain + 1..]).is_some()) => plain + end + 1,
        _ => plain,
    }
}
