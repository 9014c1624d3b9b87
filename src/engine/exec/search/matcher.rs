//! The cheapest matcher that is exact for a text.

use grep_matcher::{ByteSet, LineMatchKind, LineTerminator, Match, Matcher, NoCaptures, NoError};
use grep_regex::RegexMatcher;

use super::ascii::AsciiMatcher;

/// One of the two that an expression has.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextMatcher<'a> {
    /// For any text.
    Any(&'a RegexMatcher),
    /// For a text of nothing but ASCII.
    Ascii(&'a AsciiMatcher),
}

impl Matcher for TextMatcher<'_> {
    type Captures = NoCaptures;
    type Error = NoError;

    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        match self {
            Self::Any(matcher) => matcher.find_at(text, at),
            Self::Ascii(matcher) => matcher.find_at(text, at),
        }
    }

    fn shortest_match_at(&self, text: &[u8], at: usize) -> Result<Option<usize>, NoError> {
        match self {
            Self::Any(matcher) => matcher.shortest_match_at(text, at),
            Self::Ascii(matcher) => matcher.shortest_match_at(text, at),
        }
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, NoError> {
        match self {
            Self::Any(matcher) => matcher.find_candidate_line(text),
            Self::Ascii(matcher) => matcher.find_candidate_line(text),
        }
    }

    fn new_captures(&self) -> Result<NoCaptures, NoError> {
        Ok(NoCaptures::new())
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        match self {
            Self::Any(matcher) => matcher.non_matching_bytes(),
            Self::Ascii(_) => None,
        }
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        match self {
            Self::Any(matcher) => matcher.line_terminator(),
            Self::Ascii(matcher) => matcher.line_terminator(),
        }
    }
}
