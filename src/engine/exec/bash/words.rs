//! Words as a shell reads and writes them.

use crate::engine::error::{Result, ToolError};

/// Splits a text into words. Quotes and backslashes hold a word together; nothing is expanded.
pub fn split(text: &str, field: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let into = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => match characters.next() {
                            Some(escaped @ ('"' | '\\' | '$' | '`')) => into.push(escaped),
                            Some(other) => into.extend(['\\', other]),
                            None => into.push('\\'),
                        },
                        Some(inside) => into.push(inside),
                        None => {
                            return Err(ToolError::argument(field, format!("has a {c} that is not closed")));
                        }
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(characters.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// The words of a command that means exactly what it says: no expansion, substitution, operator, redirection, escape
/// or comment; otherwise the character that means more.
pub fn literal(command: &str) -> std::result::Result<Vec<String>, char> {
    const SPECIAL: &str = "$`\\;&|<>(){}*?[]~#!\n\r";
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, c) if SPECIAL.contains(c) || (c.is_control() && c != '\t') => return Err(c),
            (Some('"'), c @ ('$' | '`' | '\\' | '!')) => return Err(c),
            _ => {}
        }
    }
    split(command, "command").map_err(|_| quote.unwrap_or('"'))
}

/// A word that a shell takes as it stands.
#[must_use]
pub fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A part of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// As written.
    pub text: &'a str,
    /// Byte offset.
    pub start: usize,
    /// A control or redirection operator, with the number before a redirection.
    pub is_operator: bool,
}

/// The words and operators of a simple command line: pipelines of plain commands. Absent for whatever is more than
/// that (several lines, compounds, here-documents) and for what does not parse.
pub fn tokens(line: &str) -> Option<Vec<Token<'_>>> {
    const COMPOUNDS: &[&str] =
        &["if", "for", "while", "until", "case", "select", "function", "time", "[[", "{", "!", "coproc"];
    let bytes = line.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b' ' | b'\t' => {
                at += 1;
                continue;
            }
            b'\n' | b'\r' | b'(' | b')' | b'#' => return None,
            b';' | b'&' | b'|' | b'<' | b'>' => at = operator_end(bytes, at)?,
            _ => at = word_end(line, at)?,
        }
        let is_number = bytes[start..at].iter().all(u8::is_ascii_digit);
        if is_number && matches!(bytes.get(at), Some(b'<' | b'>')) {
            at = operator_end(bytes, at)?;
        }
        let text = &line[start..at];
        if COMPOUNDS.contains(&text) {
            return None;
        }
        tokens.push(Token {
            text,
            start,
            is_operator: matches!(bytes[at - 1], b';' | b'&' | b'|' | b'<' | b'>')
                || text.contains(">&") && !text.starts_with(['"', '\'']),
        });
    }
    Some(tokens)
}

/// Behind an operator; a duplication (`2>&1`) is one with its target. Absent for here-documents and `;;`.
fn operator_end(bytes: &[u8], at: usize) -> Option<usize> {
    let operator = ["&>>", "&>", ">>", ">&", "<&", ">|", "<>", "&&", "||", "|&", ">", "<", ";", "&", "|"];
    if bytes[at..].starts_with(b"<<") || bytes[at..].starts_with(b";;") {
        return None;
    }
    let found = operator.iter().find(|operator| bytes[at..].starts_with(operator.as_bytes()))?;
    let end = at + found.len();
    let target = bytes[end..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'-').count();
    Some(if found.ends_with('&') && found.len() == 2 && found.starts_with(['>', '<']) {
        end + target
    } else {
        end
    })
}

/// Behind a word, with the quotes and substitutions in it.
fn word_end(line: &str, mut at: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\t' | b';' | b'&' | b'|' | b'<' | b'>' => break,
            b'(' | b')' | b'\n' | b'\r' | b'`' => return None,
            b'\\' => at += 2,
            b'\'' => at += memchr::memchr(b'\'', &bytes[at + 1..])? + 2,
            b'"' => at = double_quote_end(bytes, at + 1)?,
            b'$' if bytes.get(at + 1) == Some(&b'(') => at = substitution_end(bytes, at + 2)?,
            _ => at += 1,
        }
    }
    line.is_char_boundary(at).then_some(at).filter(|at| *at <= bytes.len())
}

fn double_quote_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            b'`' => return None,
            b'$' if bytes.get(at + 1) == Some(&b'(') => at = substitution_end(bytes, at + 2)?,
            _ => at += 1,
        }
    }
}

fn substitution_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 1;
    loop {
        match bytes.get(at)? {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            b'\\' => at += 1,
            b'\'' => at += memchr::memchr(b'\'', &bytes[at + 1..])? + 1,
            b'"' => {
                at = double_quote_end(bytes, at + 1)?;
                continue;
            }
            b'`' | b'#' => return None,
            _ => {}
        }
        at += 1;
    }
}
