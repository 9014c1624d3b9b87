//! Line numbers that were copied along with the lines of a listing.

use std::borrow::Cow;

use super::hunk::Line;

/// Digits of a line number.
const MOST_DIGITS: usize = 6;

/// The lines without their numbers, if enough of them have one to take it for a listing: three in five, at least
/// two, and rising one by one.
pub fn without<'p>(lines: &[Line<'p>]) -> Option<Vec<Line<'p>>> {
    let filled = lines.iter().filter(|(_, text)| !text.trim().is_empty()).count();
    let numbered: Vec<Numbered> = lines.iter().filter_map(|(_, text)| numbered(text)).collect();
    let needed = (filled * 3).div_ceil(5).max(2);
    if numbered.len() < needed || !rises(&numbered) {
        return None;
    }
    // More blanks than every line has belong to the text.
    let blanks = numbered.iter().filter_map(|number| number.blanks).min().unwrap_or_default();
    let strip = |(sign, text): &Line<'p>| {
        let text = match numbered_end(text, blanks) {
            Some(end) => Cow::Owned(text[end..].to_owned()),
            None => text.clone(),
        };
        (*sign, text)
    };
    Some(lines.iter().map(strip).collect())
}

struct Numbered {
    number: u32,
    /// Blanks behind the number; `None` if a bar divides it from the text.
    blanks: Option<usize>,
}

/// `12 text`, `12<tab>text`, `12|text` or `12ab|text`, with blanks in front.
fn numbered(text: &str) -> Option<Numbered> {
    let (digits, rest) = number_and_rest(text)?;
    let number = digits.parse().ok()?;
    if bar(rest).is_some() {
        return Some(Numbered { number, blanks: None });
    }
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (blanks > 0 && blanks < rest.len()).then_some(Numbered { number, blanks: Some(blanks) })
}

/// Where the text behind the number starts.
fn numbered_end(text: &str, blanks: usize) -> Option<usize> {
    let known = numbered(text)?;
    let (_, rest) = number_and_rest(text)?;
    Some(text.len() - rest.len() + known.blanks.map_or_else(|| bar(rest).unwrap_or_default(), |_| blanks))
}

fn number_and_rest(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches([' ', '\t']);
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    (1..=MOST_DIGITS).contains(&end).then(|| text.split_at(end))
}

/// Length of `|` or of `ab|`, the anchor of a listing.
fn bar(rest: &str) -> Option<usize> {
    match rest.as_bytes() {
        [b'|', ..] => Some(1),
        [b'a'..=b'z', b'a'..=b'z', b'|', ..] => Some(3),
        _ => None,
    }
}

fn rises(numbered: &[Numbered]) -> bool {
    let steps = numbered.windows(2).filter(|pair| pair[1].number == pair[0].number + 1).count();
    numbered.len() < 3 || steps >= (numbered.len() - 2).max(1)
}
