//! Neighbours of English words by meaning, distilled offline from word vectors. Read in place, never parsed.
//!
//! The file is written by scripts/pack-thesaurus.mjs, which describes it.

use std::ops::Range;

static BYTES: &[u8] = include_bytes!("thesaurus.bin");

const INTEGER: usize = 4;
const LINK: usize = 3;

/// The neighbours of a word with their similarity, 0 to 1; none for an unknown word.
pub(super) fn neighbours(word: &str) -> impl Iterator<Item = (&'static str, f64)> {
    let links = find(word).map_or(0..0, |number| between(1 + count() + 1, number, LINK));
    BYTES[links].chunks_exact(LINK).filter_map(|link| {
        let number = usize::from(u16::from_le_bytes([link[0], link[1]]));
        Some((text(number)?, f64::from(link[2]) / 255.0))
    })
}

fn find(word: &str) -> Option<usize> {
    let (mut low, mut high) = (0, count());
    while low < high {
        let middle = usize::midpoint(low, high);
        match text(middle)?.cmp(word) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}

fn count() -> usize {
    integer(0)
}

fn text(number: usize) -> Option<&'static str> {
    std::str::from_utf8(&BYTES[between(1, number, 1)]).ok()
}

/// The bytes of item `number` of the table whose starts begin at integer `table`.
fn between(table: usize, number: usize, unit: usize) -> Range<usize> {
    let texts = INTEGER * (1 + 2 * (count() + 1));
    let base = if table == 1 { texts } else { texts + integer(1 + count()) };
    base + unit * integer(table + number)..base + unit * integer(table + number + 1)
}

fn integer(place: usize) -> usize {
    let bytes = &BYTES[place * INTEGER..];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}
