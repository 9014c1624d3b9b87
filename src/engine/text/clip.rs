//! The column cap of lines.

use unicode_segmentation::{GraphemeCursor, GraphemeIncomplete};

/// The start of a line that has more than `max` characters; absent where the line has no more. Counts Unicode
/// scalar values, and ends between two graphemes, so that no accent or emoji is taken apart.
#[must_use]
pub fn clip(line: &str, max: usize) -> Option<&str> {
    if line.len() <= max {
        return None;
    }
    let (end, _) = line.char_indices().nth(max)?;
    Some(&line[..grapheme_boundary(line, end)])
}

/// The last boundary that is not behind `at`; `at` itself where a single grapheme fills the line.
fn grapheme_boundary(line: &str, at: usize) -> usize {
    let before = |boundary: Result<Option<usize>, GraphemeIncomplete>| boundary.ok().flatten();
    let mut cursor = GraphemeCursor::new(at, line.len(), true);
    if cursor.is_boundary(line, 0).unwrap_or(true) {
        return at;
    }
    before(cursor.prev_boundary(line, 0)).filter(|boundary| *boundary > 0).unwrap_or(at)
}
