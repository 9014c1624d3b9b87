//! The pattern of a call as a matcher: Rust's regular expressions, forgiving about braces and lone parentheses.
//!
//! Linear in the text whatever the pattern, and bounded in size. A pattern that names a line break is matched
//! across lines, every other one line by line.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use grep_matcher::{Match, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use memchr::memmem::Finder;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;

use super::ascii::AsciiMatcher;
use super::gate::{Gate, any_line};
use super::matcher::TextMatcher;
use super::meant::{
    Kind, Reader, braces_as_meant, empty_groups_as_calls, escape_parentheses, line_breaks_of_any_kind,
};
use super::needs::Needs;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};

/// Bounds for the compiled pattern and for the cache that each thread builds from it.
pub(super) const SIZE_LIMIT: usize = 16 << 20;
const CACHE_LIMIT: usize = 8 << 20;
const NEST_LIMIT: u32 = 200;

/// Characters that mean something else than themselves, or end a line.
const SYNTAX: &[char] = &['\\', '.', '+', '*', '?', '(', ')', '|', '[', ']', '{', '}', '^', '$', '\n', '\r'];

/// Escapes that may mean characters outside of ASCII.
const ESCAPES: &[&str] = &["\\p", "\\P", "\\u", "\\U", "\\x"];

/// A pattern, compiled as far as it was needed.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    exact: Arc<Exact>,
    /// What is asked of a text first, where that is cheaper.
    gate: Option<Gate>,
    /// Whether a match may span lines.
    pub(super) multi_line: bool,
    /// Whether it means nothing outside of ASCII in particular.
    pub(super) is_ascii: bool,
    /// What is sought, if it is plain text.
    literal: Option<Finder<'static>>,
}

/// The expression itself.
#[derive(Debug)]
struct Exact {
    expression: String,
    ignore_case: bool,
    /// Behind a gate it is compiled when something passes, with a reason if it cannot be.
    matcher: OnceLock<std::result::Result<RegexMatcher, String>>,
    /// What is left of it in a text of nothing but ASCII, which is compiled in no time.
    of_ascii: OnceLock<Option<AsciiMatcher>>,
}

impl Pattern {
    fn of(expression: String, ignore_case: bool, matcher: Option<RegexMatcher>, gate: Option<Gate>) -> Self {
        let matcher = matcher.map_or_else(OnceLock::new, |matcher| OnceLock::from(Ok(matcher)));
        let exact = Arc::new(Exact { expression, ignore_case, matcher, of_ascii: OnceLock::new() });
        Self { exact, gate, multi_line: false, is_ascii: true, literal: None }
    }

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
        let compiled = compiled.map_err(|reason| invalid(written, reason))?;
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
        compile(&text, ignore_case).map_err(|reason| invalid(written, reason))
    }

    /// The length of what is sought, if it is plain text.
    pub(super) fn literal_length(&self) -> Option<usize> {
        self.literal.as_ref().map(|literal| literal.needle().len())
    }

    /// The matcher for any text; nothing if the expression proves too large, which [`Pattern::check`] tells of.
    pub(super) fn matcher(&self) -> Option<TextMatcher<'_>> {
        self.exact.matcher().as_ref().ok().map(TextMatcher::Any)
    }

    /// The matcher for a text.
    pub(super) fn matcher_of(&self, text: &[u8]) -> Option<TextMatcher<'_>> {
        let is_cheap = self.gate.is_some() && text.is_ascii();
        let of_ascii = if is_cheap { self.exact.of_ascii() } else { None };
        of_ascii.map(TextMatcher::Ascii).or_else(|| self.matcher())
    }

    /// An error if the expression was needed and could not be compiled.
    pub(super) fn check(&self, written: &str) -> Result<()> {
        match self.exact.matcher.get() {
            Some(Err(reason)) => Err(invalid(written, reason.clone())),
            _ => Ok(()),
        }
    }

    /// Where the first match in a text begins; at the start if nowhere.
    pub(super) fn first_match(&self, text: &[u8]) -> usize {
        let first = self.matcher_of(text).and_then(|matcher| matcher.find(text).ok().flatten());
        first.map_or(0, |found| found.start())
    }

    /// Tells of each match in a text, until told to stop.
    pub(super) fn each_match(&self, text: &[u8], tell: impl FnMut(Match) -> bool) {
        if let Some(matcher) = self.matcher_of(text) {
            // A matcher of regular expressions never fails.
            let _ = matcher.find_iter(text, tell);
        }
    }

    /// What a text must hold for anything in it to match.
    pub(super) fn needs(&self) -> Needs {
        parse(&self.exact.expression, self.exact.ignore_case).map_or(Needs::Nothing, |tree| Needs::of(&tree))
    }

    /// Whether anything in a text can match; no once the call is cancelled. Far cheaper than a search, and most texts
    /// have nothing.
    pub(super) fn may_match(&self, text: &[u8], cancel: &CancelToken) -> bool {
        if let Some(literal) = &self.literal {
            return literal.find(text).is_some();
        }
        if self.multi_line {
            return self.is_match(text);
        }
        let mut rest = text;
        while !rest.is_empty() && !cancel.is_cancelled() {
            let (piece, behind) = rest.split_at(whole_lines(rest));
            let passes = match &self.gate {
                Some(gate) => gate.any_line(piece, |line| self.is_match(line)),
                None => self.matcher().is_some_and(|matcher| any_line(&matcher, piece, |_| true)),
            };
            if passes {
                return true;
            }
            rest = behind;
        }
        false
    }

    fn is_match(&self, text: &[u8]) -> bool {
        self.matcher_of(text).is_some_and(|matcher| matcher.is_match(text).unwrap_or(true))
    }
}

impl Exact {
    fn matcher(&self) -> &std::result::Result<RegexMatcher, String> {
        self.matcher.get_or_init(|| {
            let mut builder = builder(self.ignore_case);
            builder.crlf(true).build(&self.expression).map_err(|error| reason_of(&error))
        })
    }

    fn of_ascii(&self) -> Option<&AsciiMatcher> {
        let compile = || AsciiMatcher::of(&parse(&self.expression, self.ignore_case)?);
        self.of_ascii.get_or_init(compile).as_ref()
    }
}

fn invalid(written: &str, reason: String) -> ToolError {
    ToolError::InvalidRegex { pattern: written.to_owned(), reason }
}

/// Whether a pattern means nothing outside of ASCII in particular.
fn means_ascii(text: &str) -> bool {
    text.is_ascii() && !ESCAPES.iter().any(|escape| text.contains(escape))
}

/// The length of a piece of whole lines: between two pieces the call may be cancelled.
fn whole_lines(text: &[u8]) -> usize {
    const PIECE: usize = 64 << 10;
    match text.get(PIECE..).and_then(|behind| memchr::memchr(b'\n', behind)) {
        Some(at) => PIECE + at + 1,
        None => text.len(),
    }
}

/// The line, with its break, of something that ends at a byte and has no break in it.
pub(super) fn line_at(text: &[u8], end: usize) -> Range<usize> {
    let (before, behind) = text.split_at(end);
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    start..memchr::memchr(b'\n', behind).map_or(text.len(), |at| end + at + 1)
}

/// What compiles every expression, within bounds.
pub(super) fn builder(ignore_case: bool) -> RegexMatcherBuilder {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .case_insensitive(ignore_case)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(CACHE_LIMIT)
        .nest_limit(NEST_LIMIT);
    builder
}

/// The syntax tree of an expression, as the compiler sees it.
pub(super) fn parse(expression: &str, ignore_case: bool) -> Option<Hir> {
    let mut parser = ParserBuilder::new();
    parser.utf8(false).multi_line(true).crlf(true).case_insensitive(ignore_case).nest_limit(NEST_LIMIT);
    parser.build().parse(expression).ok()
}

/// Neither CR nor LF is part of a line, so that a text matches the same whatever its line ends are. A pattern that names
/// one of them is matched across lines.
fn compile(text: &str, ignore_case: bool) -> std::result::Result<Pattern, String> {
    let spans_lines = dot_takes_line_breaks(text);
    if let Some(gate) = Gate::of(text, ignore_case).filter(|_| !spans_lines) {
        return Ok(Pattern::of(text.to_owned(), ignore_case, None, Some(gate)));
    }
    let by_line = builder(ignore_case).crlf(true).build(text);
    let names_break =
        by_line.as_ref().is_err_and(|error| matches!(error.kind(), grep_regex::ErrorKind::NotAllowed(_)));
    if !spans_lines && !names_break {
        let matcher = by_line.map_err(|error| reason_of(&error))?;
        return Ok(Pattern::of(text.to_owned(), ignore_case, Some(matcher), None));
    }
    let expression = format!("(?R){}", line_breaks_of_any_kind(text));
    let matcher = builder(ignore_case).build(&expression).map_err(|error| reason_of(&error))?;
    Ok(Pattern { multi_line: true, ..Pattern::of(expression, ignore_case, Some(matcher), None) })
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
