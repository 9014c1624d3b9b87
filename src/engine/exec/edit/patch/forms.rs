//! The forms in which lines are compared, each more forgiving than the one before.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// How a pattern was found, the strictest way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// Every character.
    Exact,
    /// Blanks at the end aside.
    TrimEnd,
    /// Blanks around aside.
    Trim,
    /// A comment marker aside.
    Comment,
    /// Quotes, dashes and spaces of the same kind are equal.
    Unicode,
    /// Context lines are the start of the file's lines.
    Prefix,
    /// Context lines are a part of the file's lines.
    Substring,
    /// The lines are much alike.
    Similar,
}

impl Strategy {
    /// The forms in which lines are equal or not, in this order.
    pub const EQUAL: [Self; 5] = [Self::Exact, Self::TrimEnd, Self::Trim, Self::Comment, Self::Unicode];

    /// The name in the facts of errors and warnings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TrimEnd => "trim_end",
            Self::Trim => "trim",
            Self::Comment => "comment",
            Self::Unicode => "unicode",
            Self::Prefix => "prefix",
            Self::Substring => "substring",
            Self::Similar => "fuzzy",
        }
    }

    /// A line as this way compares it; the last three take the folded form.
    pub fn form(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(line),
            Self::TrimEnd => Cow::Borrowed(line.trim_end_matches(is_space)),
            Self::Trim => Cow::Borrowed(trim(line)),
            Self::Comment => Cow::Borrowed(without_comment_marker(line)),
            Self::Unicode => plain(line),
            Self::Prefix | Self::Substring | Self::Similar => folded(line),
        }
    }
}

/// White space as the language of the callers has it.
pub fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{FEFF}'
}

/// Without white space around.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Spaces and tabs at the start.
pub fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn without_comment_marker(line: &str) -> &str {
    let line = line.trim_start_matches(is_space);
    let marked = ["/*", "*/", "//", "*", "#", ";"].iter().find_map(|marker| line.strip_prefix(marker));
    let slash = || line.strip_prefix('/').filter(|rest| rest.starts_with(' '));
    marked.or_else(slash).map_or(line, |rest| rest.trim_start_matches(is_space))
}

/// Typographic characters as plain ones, composed.
fn plain(line: &str) -> Cow<'_, str> {
    let line = trim(line);
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let mut text = String::with_capacity(line.len());
    for character in line.chars() {
        match character {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => text.push('-'),
            '\u{2018}'..='\u{201B}' => text.push('\''),
            '\u{201C}'..='\u{201F}' => text.push('"'),
            '\u{A0}' | '\u{2002}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => text.push(' '),
            '\u{2260}' => text.push_str("!="),
            '\u{BD}' => text.push_str("1/2"),
            '\u{200B}'..='\u{200D}' | '\u{FEFF}' => {}
            other => text.push(other),
        }
    }
    Cow::Owned(text.nfc().collect())
}

/// Quotes and dashes of all kinds as one, runs of blanks as one.
fn folded(line: &str) -> Cow<'_, str> {
    let line = trim(line);
    let bytes = line.as_bytes();
    let has_run = bytes.contains(&b'\t') || bytes.windows(2).any(|pair| pair == b"  ");
    if line.is_ascii() && !has_run && !bytes.contains(&b'`') {
        return Cow::Borrowed(line);
    }
    let mut text = String::with_capacity(line.len());
    for character in line.chars() {
        match character {
            ' ' | '\t' if text.ends_with(' ') => {}
            ' ' | '\t' => text.push(' '),
            '„' | '‟' | '«' | '»' | '“' | '”' => text.push('"'),
            '‚' | '‛' | '`' | '´' | '‘' | '’' => text.push('\''),
            '‐' | '‑' | '‒' | '–' | '—' | '−' => text.push('-'),
            other => text.push(other),
        }
    }
    Cow::Owned(text)
}
