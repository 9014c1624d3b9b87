//! Text in the columns of a terminal: East Asian characters and emoji take two, accents none.
//!
//! What comes out has no line breaks, no tabs and nothing that moves a cursor or turns the direction of writing.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What a tab becomes.
const TAB: &str = "    ";
const CUT: &str = "…";

/// The columns that a text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    plain(text).graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// The pieces of a line, together no wider than `width`; where they are cut stands `…`.
#[must_use]
pub fn fit(pieces: &[String], width: usize) -> Vec<String> {
    let pieces: Vec<_> = pieces.iter().map(|piece| plain(piece)).collect();
    let total: usize = pieces.iter().map(|piece| self::width(piece)).sum();
    if total <= width {
        return pieces.into_iter().map(Cow::into_owned).collect();
    }
    let mut left = width.saturating_sub(1);
    let mut is_cut = false;
    let mut cut = |piece: &Cow<'_, str>| {
        if is_cut {
            return String::new();
        }
        let kept = fitting_start(piece, left);
        left -= self::width(kept);
        is_cut = kept.len() < piece.len();
        let mark = if is_cut && width > 0 { CUT } else { "" };
        format!("{kept}{mark}")
    };
    pieces.iter().map(&mut cut).collect()
}

/// A line as the lines it takes; each holds at least one character, so none is lost where nothing fits.
#[must_use]
pub fn wrap(line: &str, width: usize) -> Vec<String> {
    let line = plain(line);
    let (mut lines, mut from, mut used) = (Vec::new(), 0, 0);
    for (at, cluster) in line.grapheme_indices(true) {
        let columns = UnicodeWidthStr::width(cluster);
        if used + columns > width && at > from {
            lines.push(line[from..at].to_owned());
            (from, used) = (at, 0);
        }
        used += columns;
    }
    lines.push(line[from..].to_owned());
    lines
}

/// As many characters of the start as fit, as they are.
#[must_use]
pub fn fitting_start(text: &str, width: usize) -> &str {
    let mut used = 0;
    for (at, cluster) in text.grapheme_indices(true) {
        used += UnicodeWidthStr::width(cluster);
        if used > width {
            return &text[..at];
        }
    }
    text
}

fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(|character: char| character.is_control() || turns(character)) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => plain.push_str(TAB),
            '\n' => plain.push(' '),
            _ if character.is_control() || turns(character) => {}
            _ => plain.push(character),
        }
    }
    plain.into()
}

/// Characters that turn the direction of what follows.
fn turns(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
