//! Text of a result as a model may be given it: no terminal sequences, no control characters, well-formed Unicode.
//!
//! Invariants: only whole sequences go, so a broken one never swallows what follows it; U+FFFD stays what it is.

const ESCAPE: char = '\x1b';

/// Removes ANSI sequences, control characters but tab and newline, and lone surrogates. CR LF and lone CR become LF.
#[must_use]
pub fn sanitize(units: &[u16]) -> String {
    // Surrogates first: what stood apart must not become a pair by what is removed between.
    let chars: Vec<char> = char::decode_utf16(units.iter().copied()).filter_map(Result::ok).collect();
    let mut text = String::with_capacity(units.len());
    let mut rest = chars.as_slice();
    while let Some((&first, behind)) = rest.split_first() {
        rest = match first {
            ESCAPE => behind_sequence(behind).unwrap_or(behind),
            '\r' => line_end(behind, &mut text),
            _ => {
                if !first.is_control() || matches!(first, '\t' | '\n') {
                    text.push(first);
                }
                behind
            }
        };
    }
    text
}

/// What follows the sequence that an escape character opens; none if the sequence has no end.
fn behind_sequence(chars: &[char]) -> Option<&[char]> {
    let (&kind, behind) = chars.split_first()?;
    match kind {
        '[' => behind_final(behind, '0'..='?', '@'),
        ']' | 'P' | 'X' | '^' | '_' => behind_string(behind),
        ' '..='/' => behind_final(behind, ' '..='/', '0'),
        '0'..='~' => Some(behind),
        _ => None,
    }
}

/// Skips parameters, then intermediates, then the one character from `lowest` to `~` that ends the sequence.
fn behind_final(chars: &[char], parameters: std::ops::RangeInclusive<char>, lowest: char) -> Option<&[char]> {
    let is_parameter = |c: &char| parameters.contains(c);
    let chars = &chars[chars.iter().take_while(|c| is_parameter(c)).count()..];
    let chars = &chars[chars.iter().take_while(|c| (' '..='/').contains(*c)).count()..];
    let (last, behind) = chars.split_first()?;
    (lowest..='~').contains(last).then_some(behind)
}

/// Titles, links and device strings end with BEL or the string terminator, on the same line.
fn behind_string(chars: &[char]) -> Option<&[char]> {
    let end = chars.iter().position(|c| matches!(c, '\n' | '\r' | '\x07' | '\u{9c}' | &ESCAPE))?;
    match (chars[end], chars.get(end + 1)) {
        ('\x07' | '\u{9c}', _) => Some(&chars[end + 1..]),
        (ESCAPE, Some('\\')) => Some(&chars[end + 2..]),
        _ => None,
    }
}

/// Carriage returns in front of a newline belong to it; others are line ends of their own.
fn line_end<'a>(behind: &'a [char], text: &mut String) -> &'a [char] {
    let more = behind.iter().take_while(|c| **c == '\r').count();
    let behind = &behind[more..];
    if behind.first() != Some(&'\n') {
        text.extend(std::iter::repeat_n('\n', more + 1));
    }
    behind
}
