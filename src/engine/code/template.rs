//! What takes the place of a match: a text with captures in it, moved to where the match stands.

use super::matches::Found;

/// A text with captures in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A capture, and the white space that its line of the template starts with.
    Capture {
        name: String,
        indent: String,
    },
}

impl Template {
    /// Takes a text apart. `$NAME` and `$$$NAME` are captures, anything else is text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = text.replace("\r\n", "\n");
        let (mut parts, mut copied, mut from) = (Vec::new(), 0, 0);
        while let Some(at) = text[from..].find('$').map(|at| from + at) {
            let sigils = text[at..].bytes().take_while(|byte| *byte == b'$').count();
            let start = at + sigils;
            let name = name_at(&text[start..]);
            from = start + name.len();
            if name.is_empty() {
                continue;
            }
            // Of more signs than belong to a capture the first ones are text.
            let own = match sigils {
                1 | 3 => sigils,
                0 | 2 => 1,
                _ => 3,
            };
            parts.push(Part::Text(text[copied..start - own].to_owned()));
            parts.push(Part::Capture { name: name.to_owned(), indent: indent_at(&text, at).to_owned() });
            copied = from;
        }
        parts.push(Part::Text(text[copied..].to_owned()));
        Self { parts }
    }

    /// The text for a match in `source`, whose lines end with LF. A capture without value is nothing.
    ///
    /// Lines of the template are moved to the indentation of the match. Lines of a capture keep theirs relative to the
    /// line it starts in; one that is indented less is left as it is, as it may belong to a text of many lines.
    #[must_use]
    pub fn expand(&self, found: &Found<'_>, source: &str) -> String {
        let base = indent_at(source, found.range().start);
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(part) => push_lines(&mut text, part, |line| {
                    if line.is_empty() { (String::new(), line) } else { (base.to_owned(), line) }
                }),
                Part::Capture { name, indent } => {
                    let Some(range) = found.capture(name) else { continue };
                    let old = indent_at(source, range.start);
                    push_lines(&mut text, &source[range], |line| match line.strip_prefix(old) {
                        Some(rest) if !line.is_empty() => (format!("{base}{indent}"), rest),
                        _ => (String::new(), line),
                    });
                }
            }
        }
        text
    }
}

/// Adds a text; every line but the first is moved.
fn push_lines<'a>(to: &mut String, text: &'a str, moved: impl Fn(&'a str) -> (String, &'a str)) {
    for (index, line) in text.split('\n').enumerate() {
        if index == 0 {
            to.push_str(line);
            continue;
        }
        let (indent, rest) = moved(line);
        to.push('\n');
        to.push_str(&indent);
        to.push_str(rest);
    }
}

/// The name of a capture that a text starts with.
fn name_at(text: &str) -> &str {
    let is_first = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    if !text.bytes().next().is_some_and(is_first) {
        return "";
    }
    let end = text.bytes().position(|byte| !is_first(byte) && !byte.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

/// The white space that the line of a place starts with.
fn indent_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[start..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
