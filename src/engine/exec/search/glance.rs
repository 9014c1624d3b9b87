//! A first look at a large file, piece by piece: most have nothing of what is sought, and need not be held as a whole.

use super::pattern::Pattern;
use crate::engine::cancel::CancelToken;
use crate::engine::files::{Look, Piece};
use crate::engine::text::BOM;

/// What is looked for, by one search or by several.
#[derive(Debug)]
pub(super) struct Glance {
    patterns: Vec<Pattern>,
    /// The longest text that is sought, where nothing but texts are.
    longest: Option<usize>,
}

impl Glance {
    /// Nothing if one of the patterns may need more than a piece of a file.
    pub(super) fn of<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Option<Self> {
        let patterns: Vec<_> = patterns.cloned().collect();
        let longest = patterns.iter().map(Pattern::literal_length).collect::<Option<Vec<_>>>();
        let suffices = patterns.iter().all(|pattern| pattern.is_ascii && !pattern.multi_line);
        suffices.then(|| Self { patterns, longest: longest.and_then(|lengths| lengths.into_iter().max()) })
    }

    /// Looks at a piece of a text in UTF-8, or in an encoding that has ASCII in common with it.
    pub(super) fn look(&self, piece: Piece<'_>, cancel: &CancelToken) -> Look {
        let bytes =
            if piece.is_first { piece.bytes.strip_prefix(BOM).unwrap_or(piece.bytes) } else { piece.bytes };
        let kept = match self.longest {
            Some(longest) => (longest - 1).min(bytes.len()),
            // A line is looked at as a whole.
            None => match memchr::memrchr(b'\n', bytes) {
                Some(at) => bytes.len() - at - 1,
                // Where there is no break at all, another character may be meant for one.
                None if piece.is_first || !piece.is_last => return Look::Whole,
                None => 0,
            },
        };
        let has_open_end = self.longest.is_none() && !piece.is_last;
        let looked_at = if has_open_end { &bytes[..bytes.len() - kept] } else { bytes };
        let may_match = self.patterns.iter().any(|pattern| pattern.may_match(looked_at, cancel));
        if may_match { Look::Whole } else { Look::Next(kept) }
    }
}
