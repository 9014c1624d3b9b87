//! Forms of a line in which differences that nobody means disappear: typographic marks, blanks, comment marks. White
//! space is that of ECMAScript throughout.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// White space as ECMAScript has it.
#[must_use]
pub fn is_white(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r'
            | ' '
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
            | '\u{FEFF}'
    )
}

/// A line without white space around it.
#[must_use]
pub fn trim(line: &str) -> &str {
    let trimmed = line.trim_ascii();
    // What Rust counts as ASCII white space lacks the vertical tab.
    let is_plain = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii() && *byte != b'\x0B');
    let bytes = trimmed.as_bytes();
    if is_plain(bytes.first()) && is_plain(bytes.last()) { trimmed } else { line.trim_matches(is_white) }
}

/// Spaces and tabs a line starts with.
#[must_use]
pub fn indent(line: &str) -> &str {
    let size = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &line[..size]
}

/// The fuzzy form: trimmed, plain quotes and dashes, one space for each run of blanks.
#[must_use]
pub fn fuzzy_form(line: &str) -> Cow<'_, str> {
    let line = trim(line);
    if is_in_form(line.as_bytes()) {
        return Cow::Borrowed(line);
    }
    let mut form = String::with_capacity(line.len());
    let mut is_after_blank = false;
    for c in line.chars() {
        let is_blank = matches!(c, ' ' | '\t');
        if !(is_blank && is_after_blank) {
            form.push(if is_blank { ' ' } else { plain_mark(c) });
        }
        is_after_blank = is_blank;
    }
    Cow::Owned(form)
}

/// Looks at every byte instead of ending at the first other one: that way many are looked at in one step.
fn is_in_form(line: &[u8]) -> bool {
    let is = |byte: u8, mark: u8| u8::from(byte == mark);
    let other = |found: u8, byte: &u8| found | (byte & 0x80) | is(*byte, b'\t') | is(*byte, b'`');
    let blanks = |found: u8, (one, next): (&u8, &u8)| found | (is(*one, b' ') & is(*next, b' '));
    line.iter().zip(line.iter().skip(1)).fold(line.iter().fold(0, other), blanks) == 0
}

fn plain_mark(c: char) -> char {
    match c {
        '\u{201C}'..='\u{201F}' | '\u{AB}' | '\u{BB}' => '"',
        '\u{2018}'..='\u{201B}' | '`' | '\u{B4}' => '\'',
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        c => c,
    }
}

/// The Unicode form: trimmed, look-alikes in ASCII, invisible characters dropped, composed.
#[must_use]
pub fn unicode_form(line: &str) -> Cow<'_, str> {
    let line = trim(line);
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let mut form = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => form.push('-'),
            '\u{2018}'..='\u{201B}' => form.push('\''),
            '\u{201C}'..='\u{201F}' => form.push('"'),
            '\u{A0}' | '\u{2002}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => form.push(' '),
            '\u{2260}' => form.push_str("!="),
            '\u{BD}' => form.push_str("1/2"),
            '\u{200B}'..='\u{200D}' | '\u{FEFF}' => {}
            c => form.push(c),
        }
    }
    Cow::Owned(form.nfc().collect())
}

/// The line without its first comment mark and what is blank around that.
#[must_use]
pub fn without_comment(line: &str) -> &str {
    let line = line.trim_start_matches(is_white);
    let marks = ["/*", "*/", "//", "*", "#", ";"];
    let rest = marks.iter().find_map(|mark| line.strip_prefix(mark));
    let rest = rest.or_else(|| line.strip_prefix('/').filter(|rest| rest.starts_with(' ')));
    rest.unwrap_or(line).trim_start_matches(is_white)
}
