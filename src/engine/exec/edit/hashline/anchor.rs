//! A line as an operation names it: its number and the two letters of its text.

use std::fmt;

/// An anchor as it stands in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor<'a> {
    /// 1-based.
    pub number: usize,
    /// The letters that `read` printed for the line.
    pub letters: &'a str,
}

impl<'a> Anchor<'a> {
    /// `12ab`, and the text behind it if it was copied with its line: `*12ab|text`.
    pub fn parse(operand: &'a str) -> Option<(Self, Option<&'a str>)> {
        let bare = operand.trim_start_matches(['>', '+', '-', '*', ' ']);
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = bare.split_at(digits);
        if number.starts_with('0') {
            return None;
        }
        let number = number.parse().ok()?;
        let letters = rest.get(..2).filter(|pair| pair.bytes().all(|byte| byte.is_ascii_lowercase()))?;
        let anchor = Self { number, letters };
        match &rest[2..] {
            behind if behind.trim().is_empty() => Some((anchor, None)),
            behind => behind.strip_prefix('|').map(|text| (anchor, Some(text))),
        }
    }
}

impl fmt::Display for Anchor<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.number, self.letters)
    }
}
