//! Known words near a mistyped one.

/// How many typing mistakes a word of this length may hold.
pub(super) fn allowance(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    }
}

/// Insertions, deletions, replacements and swaps of neighbours between two ASCII words; none if above `most`.
pub(super) fn distance(left: &[u8], right: &[u8], most: usize) -> Option<usize> {
    /// Longer words are not repaired.
    const LONGEST: usize = 32;
    if left.len().abs_diff(right.len()) > most || left.len() > LONGEST || right.len() > LONGEST {
        return None;
    }
    let mut before_last = [0; LONGEST + 1];
    let mut last: [usize; LONGEST + 1] = std::array::from_fn(|column| column);
    for row in 1..=left.len() {
        let mut current = [row; LONGEST + 1];
        let mut best = row;
        for column in 1..=right.len() {
            let replaced = last[column - 1] + usize::from(left[row - 1] != right[column - 1]);
            let mut cost = replaced.min(last[column] + 1).min(current[column - 1] + 1);
            let swapped = row > 1
                && column > 1
                && left[row - 1] == right[column - 2]
                && left[row - 2] == right[column - 1];
            if swapped {
                cost = cost.min(before_last[column - 2] + 1);
            }
            current[column] = cost;
            best = best.min(cost);
        }
        if best > most {
            return None;
        }
        (before_last, last) = (last, current);
    }
    Some(last[right.len()]).filter(|&distance| distance <= most)
}

/// Whether two words may be worth comparing: people mistype the beginning last.
pub(super) fn starts_alike(left: &[u8], right: &[u8]) -> bool {
    left[0] == right[0] || left.get(1) == Some(&right[0]) || right.get(1) == Some(&left[0])
}
