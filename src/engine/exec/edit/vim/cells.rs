//! Characters of a line: where they start, what class they have, how many cells they take.

use unicode_normalization::char::is_combining_mark;
use unicode_width::UnicodeWidthChar;

/// Cells between tab stops, and cells of one step of indentation made of tabs.
pub const TAB: usize = 8;

/// The character at a byte column.
pub fn char_at(line: &str, col: usize) -> Option<char> {
    line.get(col..)?.chars().next()
}

/// The column behind the character at `col`, its combining marks counted with it.
pub fn next(line: &str, col: usize) -> usize {
    let mut characters = line[col..].char_indices();
    characters.next();
    characters.find(|(_, character)| !is_combining_mark(*character)).map_or(line.len(), |(at, _)| col + at)
}

/// The column of the character before `col`; 0 at the start.
pub fn prev(line: &str, col: usize) -> usize {
    let before = line[..col].char_indices().rev();
    before.into_iter().find(|(_, character)| !is_combining_mark(*character)).map_or(0, |(at, _)| at)
}

/// The column of the last character; 0 in an empty line.
pub fn last(line: &str) -> usize {
    prev(line, line.len())
}

/// The column at the start of the character that `col` is in.
pub fn align(line: &str, col: usize) -> usize {
    let mut col = col.min(line.len());
    while !line.is_char_boundary(col) || char_at(line, col).is_some_and(is_combining_mark) && col > 0 {
        col -= 1;
    }
    col
}

/// `count` characters after `col`, at most the end of the line; and how many there were.
pub fn forward(line: &str, col: usize, count: usize) -> (usize, usize) {
    let (mut at, mut moved) = (col, 0);
    while moved < count && at < line.len() {
        at = next(line, at);
        moved += 1;
    }
    (at, moved)
}

/// `count` characters before `col`.
pub fn backward(line: &str, col: usize, count: usize) -> usize {
    let mut at = col;
    for _ in 0..count {
        if at == 0 {
            break;
        }
        at = prev(line, at);
    }
    at
}

/// Space or tab, the only blanks that count for indentation.
pub fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// The column of the first character that is no blank; of the last character in a line of blanks.
pub fn first_nonblank(line: &str) -> usize {
    line.find(|character| !is_blank(character)).unwrap_or_else(|| last(line))
}

/// Bytes of blanks at the start of a line.
pub fn indent_bytes(line: &str) -> usize {
    line.find(|character| !is_blank(character)).unwrap_or(line.len())
}

/// The class of a character for word motions: 0 blank, 1 punctuation, 2 and more for words of a kind. With `big`
/// all that is not blank is one class.
pub fn class(character: Option<char>, big: bool) -> u32 {
    let Some(character) = character else { return 0 };
    let class = match character {
        ' ' | '\t' | '\u{A0}' => 0,
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | 'µ' | '\u{C0}'..='\u{FF}' => 2,
        '\0'..='\u{FF}' => 1,
        other => wide_class(other),
    };
    if big && class > 0 { 1 } else { class }
}

/// First, last, class. What stands in none is a word character.
const CLASSES: &[(u32, u32, u32)] = &[
    (0x37E, 0x37E, 1),
    (0x387, 0x387, 1),
    (0x55A, 0x55F, 1),
    (0x589, 0x589, 1),
    (0x5BE, 0x5BE, 1),
    (0x5C0, 0x5C0, 1),
    (0x5C3, 0x5C3, 1),
    (0x5F3, 0x5F4, 1),
    (0x60C, 0x60C, 1),
    (0x61B, 0x61B, 1),
    (0x61F, 0x61F, 1),
    (0x66A, 0x66D, 1),
    (0x6D4, 0x6D4, 1),
    (0x700, 0x70D, 1),
    (0x964, 0x965, 1),
    (0x970, 0x970, 1),
    (0xDF4, 0xDF4, 1),
    (0xE4F, 0xE4F, 1),
    (0xE5A, 0xE5B, 1),
    (0xF04, 0xF12, 1),
    (0xF3A, 0xF3D, 1),
    (0xF85, 0xF85, 1),
    (0x104A, 0x104F, 1),
    (0x10FB, 0x10FB, 1),
    (0x1361, 0x1368, 1),
    (0x166D, 0x166E, 1),
    (0x1680, 0x1680, 0),
    (0x169B, 0x169C, 1),
    (0x16EB, 0x16ED, 1),
    (0x1735, 0x1736, 1),
    (0x17D4, 0x17DC, 1),
    (0x1800, 0x180A, 1),
    (0x2000, 0x200B, 0),
    (0x200C, 0x2027, 1),
    (0x2028, 0x2029, 0),
    (0x202A, 0x202E, 1),
    (0x202F, 0x202F, 0),
    (0x2030, 0x205E, 1),
    (0x205F, 0x205F, 0),
    (0x2060, 0x206F, 1),
    (0x2070, 0x207F, 0x2070),
    (0x2080, 0x2094, 0x2080),
    (0x20A0, 0x27FF, 1),
    (0x2800, 0x28FF, 0x2800),
    (0x2900, 0x2998, 1),
    (0x29D8, 0x29DB, 1),
    (0x29FC, 0x29FD, 1),
    (0x2E00, 0x2E7F, 1),
    (0x3000, 0x3000, 0),
    (0x3001, 0x3020, 1),
    (0x3030, 0x3030, 1),
    (0x303D, 0x303D, 1),
    (0x3040, 0x309F, 0x3040),
    (0x30A0, 0x30FF, 0x30A0),
    (0x3300, 0x9FFF, 0x4E00),
    (0xAC00, 0xD7A3, 0xAC00),
    (0xF900, 0xFAFF, 0x4E00),
    (0xFD3E, 0xFD3F, 1),
    (0xFE30, 0xFE6B, 1),
    (0xFF00, 0xFF0F, 1),
    (0xFF1A, 0xFF20, 1),
    (0xFF3B, 0xFF40, 1),
    (0xFF5B, 0xFF65, 1),
    (0x1D000, 0x1D24F, 1),
    (0x1D400, 0x1D7FF, 1),
    (0x1F000, 0x1F2FF, 1),
    (0x1F300, 0x1F9FF, 1),
    (0x20000, 0x2A6DF, 0x4E00),
    (0x2A700, 0x2B73F, 0x4E00),
    (0x2B740, 0x2B81F, 0x4E00),
    (0x2F800, 0x2FA1F, 0x4E00),
];

fn wide_class(character: char) -> u32 {
    let code = u32::from(character);
    // Pictographs form words of their own.
    if is_pictograph(code) {
        return 3;
    }
    let at = CLASSES.partition_point(|(_, last, _)| *last < code);
    CLASSES.get(at).filter(|(first, _, _)| *first <= code).map_or(2, |(_, _, class)| *class)
}

fn is_pictograph(code: u32) -> bool {
    matches!(code, 0x1F170..=0x1F251 | 0x1F300..=0x1F64F | 0x1F680..=0x1F6FF | 0x1F900..=0x1F9FF | 0x2600..=0x27BF)
}

/// Cells of a character that stands at cell `at`.
pub fn width(character: char, at: usize) -> usize {
    match character {
        '\t' => TAB - at % TAB,
        '\0'..='\x1F' | '\x7F' => 2,
        '\u{80}'..='\u{9F}' => 4,
        other => other.width().unwrap_or(1),
    }
}

/// The cells before a column.
pub fn cells_before(line: &str, col: usize) -> usize {
    line[..col].chars().fold(0, |cells, character| cells + width(character, cells))
}

/// The column of the character that covers a cell; the last character of a shorter line.
pub fn col_at_cell(line: &str, cell: usize) -> usize {
    let mut cells = 0;
    let mut at = 0;
    while at < line.len() {
        let end = next(line, at);
        let taken: usize = line[at..end].chars().map(|character| width(character, cells)).sum();
        if cells + taken > cell {
            return at;
        }
        (cells, at) = (cells + taken, end);
    }
    last(line)
}

/// A column as the caller counts: UTF-16 units.
pub fn units(line: &str, col: usize) -> usize {
    line[..col].encode_utf16().count()
}
