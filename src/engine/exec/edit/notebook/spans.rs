//! Where the values of a JSON text stand. The text is known to be valid: it was parsed before.

use std::ops::Range;

/// Members of the object that starts at `at`: the name as it is written, and where the value stands.
pub(super) fn members(text: &str, at: usize) -> Vec<(&str, Range<usize>)> {
    let mut members = Vec::new();
    let mut next = skip_blanks(text, at + 1);
    while text.as_bytes().get(next) == Some(&b'"') {
        let name_end = string_end(text, next);
        let value_start = skip_blanks(text, skip_blanks(text, name_end) + 1);
        let value = value_start..value_end(text, value_start);
        members.push((&text[next + 1..name_end - 1], value.clone()));
        next = behind_comma(text, value.end);
    }
    members
}

/// Items of the list that starts at `at`.
pub(super) fn items(text: &str, at: usize) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut next = skip_blanks(text, at + 1);
    while text.as_bytes().get(next).is_some_and(|byte| *byte != b']') {
        let item = next..value_end(text, next);
        next = behind_comma(text, item.end);
        items.push(item);
    }
    items
}

/// The first place from `at` on that is no white space.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    at + text.as_bytes()[at.min(text.len())..].iter().take_while(|byte| is_blank(byte)).count()
}

fn behind_comma(text: &str, at: usize) -> usize {
    let at = skip_blanks(text, at);
    if text.as_bytes().get(at) == Some(&b',') { skip_blanks(text, at + 1) } else { at }
}

fn value_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 1 { at + 1 } else { at },
            b'}' | b']' => depth -= 1,
            b',' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Behind the closing quote of the string that starts at `start`.
fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}
