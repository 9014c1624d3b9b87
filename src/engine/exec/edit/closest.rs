//! Where a text that was not found nearly stands: a hint for the error, never a place to edit.

use std::collections::HashMap;

use crate::engine::error::Closest;

/// Characters of a line that the hint shows.
const SHOWN_CHARACTERS: usize = 200;

/// The place at which most lines of `searched` stand in `text`, blanks around them aside. Takes one pass over the
/// text: each of its lines that occurs once in `searched` votes for the place it would give.
pub fn closest(text: &[u8], searched: &str) -> Option<Closest> {
    let searched: Vec<&[u8]> = searched.as_bytes().split(|byte| *byte == b'\n').collect();
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let start = best_start(&lines, &searched)?;
    let (index, expected) = searched.iter().enumerate().find(|(index, expected)| {
        let actual = lines.get(start + index).copied().unwrap_or_default();
        let is_first = *index == 0;
        let is_last = index + 1 == searched.len();
        // The searched text may start and end within a line.
        !match (is_first, is_last) {
            (true, false) => actual.ends_with(expected),
            (false, true) => actual.starts_with(expected),
            _ => actual == **expected,
        }
    })?;
    Some(Closest {
        line: start + 1,
        differs_at: start + index + 1,
        expected: shown(expected),
        actual: lines.get(start + index).map_or_else(|| "(end of file)".to_owned(), |line| shown(line)),
    })
}

fn best_start(lines: &[&[u8]], searched: &[&[u8]]) -> Option<usize> {
    let mut place_of: HashMap<&[u8], Option<usize>> = HashMap::new();
    for (index, line) in
        searched.iter().map(|line| line.trim_ascii()).enumerate().filter(|(_, line)| !line.is_empty())
    {
        place_of.entry(line).and_modify(|place| *place = None).or_insert(Some(index));
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        let place = place_of.get(line.trim_ascii()).copied().flatten();
        if let Some(start) = place.and_then(|place| number.checked_sub(place)) {
            *votes.entry(start).or_default() += 1;
        }
    }
    votes.into_iter().max_by_key(|(start, count)| (*count, std::cmp::Reverse(*start))).map(|(start, _)| start)
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(SHOWN_CHARACTERS).collect()
}
