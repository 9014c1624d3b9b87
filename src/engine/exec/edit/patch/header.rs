//! The line that starts a hunk: `@@`, what it may say about lines, and the text to look for first.

use super::hunk::Hint;

/// What a header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Header<'p> {
    /// A text to look for.
    pub anchor: Option<&'p str>,
    /// Lines that are named.
    pub hint: Option<Hint>,
}

/// Reads a line that starts with `@@`; the error is the reason.
pub fn read(line: &str) -> Result<Header<'_>, String> {
    let rest = line.strip_prefix("@@").unwrap_or(line);
    if let Some(ranges) = ranges(rest.trim_start()) {
        let (old, new, name) = ranges?;
        return Ok(Header { anchor: filled(name), hint: Some(Hint { old, new: Some(new) }) });
    }
    let text = without_closing(rest);
    let plain = text.trim();
    if let Some(old) = named_line(plain) {
        return Ok(Header { anchor: None, hint: Some(Hint { old, new: None }) });
    }
    // The blanks in front, but for the one that divides, are the indentation of the line that is meant.
    let anchor = text.strip_prefix(' ').unwrap_or(text).trim_end();
    Ok(Header { anchor: filled(anchor), hint: None })
}

fn filled(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

fn without_closing(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix("@@").map_or(text, str::trim_end)
}

/// `-A[,B] +C[,D] [@@] [name]`. A line 0 is none, unless no line is counted from it.
fn ranges(text: &str) -> Option<Result<(usize, usize, &str), String>> {
    let (old, old_count, rest) = range(text.strip_prefix('-')?)?;
    let (new, new_count, rest) = range(rest.trim_start().strip_prefix('+')?)?;
    let name = match rest.trim_start().strip_prefix("@@") {
        Some(name) => without_closing(name.strip_prefix(' ').unwrap_or(name)),
        None if rest.trim().is_empty() => "",
        None => return None,
    };
    let is_none = |line: usize, count: usize| line == 0 && count > 0;
    if is_none(old, old_count) || is_none(new, new_count) {
        return Some(Err("lines are counted from 1".to_owned()));
    }
    Some(Ok((old, new, name)))
}

/// A number with or without a count, and what follows.
fn range(text: &str) -> Option<(usize, usize, &str)> {
    let (start, rest) = number(text)?;
    match rest.strip_prefix(',') {
        Some(count) => number(count).map(|(count, rest)| (start, count, rest)),
        None => Some((start, 1, rest)),
    }
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

/// `line N`, `lines N-M`, `top of file` and the like.
fn named_line(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "top of file" | "start of file" | "beginning of file") {
        return Some(1);
    }
    let named = lower.strip_prefix("lines ").or_else(|| lower.strip_prefix("line "))?;
    let (line, rest) = number(named.trim_start())?;
    let is_whole = match rest.strip_prefix('-') {
        Some(last) => number(last).is_some_and(|(_, rest)| rest.is_empty()),
        None => rest.is_empty(),
    };
    (is_whole && line > 0).then_some(line)
}
