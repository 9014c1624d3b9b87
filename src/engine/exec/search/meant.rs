//! What people mean by a pattern: braces that are text, calls in a piece of code, line breaks of any kind.

/// Escapes braces that are no counts and no part of a class or escape, so that code can be searched for as it is.
pub(super) fn braces_as_meant(written: &str) -> String {
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
pub(super) fn empty_groups_as_calls(text: &str) -> String {
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
pub(super) fn escape_parentheses(text: &str) -> String {
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
pub(super) fn line_breaks_of_any_kind(text: &str) -> String {
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
pub(super) enum Kind {
    /// A character that stands for itself or is syntax.
    Plain,
    /// A backslash and what belongs to it.
    Escape,
    /// Anything inside `[…]`.
    Class,
}

/// Takes a pattern apart just as far as braces and parentheses need it.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    at: usize,
    /// Depth of `[`.
    classes: usize,
    /// Whether `]` would be the first member of a class, which makes it literal.
    class_start: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, classes: 0, class_start: false }
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (piece, rest) = self.text.split_at(bytes);
        self.at += bytes;
        self.text = rest;
        piece
    }

    pub(super) fn next_piece(&mut self) -> Option<(&'a str, Kind)> {
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
