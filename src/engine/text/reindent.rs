//! New text for a place whose indentation is not the one it was written for.

use std::borrow::Cow;

use super::normalise::{indent, trim};

/// `new` as it takes the place of `actual`, where the caller meant `old` to stand: shifted, or with tabs as spaces,
/// where that is what tells the two apart throughout. Unchanged in every other case.
#[must_use]
pub fn reindent<'n>(old: &str, actual: &str, new: &'n str) -> Cow<'n, str> {
    if old == actual || is_pure_reindent(old, new) {
        return Cow::Borrowed(new);
    }
    let texts = [Indents::of(old), Indents::of(actual), Indents::of(new)];
    let [Some(old_indents), Some(actual_indents), Some(new_indents)] = &texts else {
        return Cow::Borrowed(new);
    };
    let changed = match (old_indents.character, actual_indents.character) {
        (Some(old_character), Some(actual_character)) if old_character != actual_character => {
            tabs_to_spaces(old_indents, actual_indents, new_indents, new)
        }
        _ => shifted(old_indents, actual_indents, new_indents, new),
    };
    changed.map_or(Cow::Borrowed(new), Cow::Owned)
}

/// The caller means to change nothing but the indentation.
fn is_pure_reindent(old: &str, new: &str) -> bool {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| trim(old) == trim(new))
}

/// The indentation of lines that all use one character for it.
struct Indents {
    /// Of the lines that are not blank, by their place.
    sizes: Vec<Option<usize>>,
    /// Absent: no line is indented.
    character: Option<char>,
}

impl Indents {
    /// `None` if there is no line to go by, or tabs and spaces are mixed.
    fn of(text: &str) -> Option<Self> {
        let mut character = None;
        let mut sizes = Vec::new();
        for line in text.split('\n') {
            if trim(line).is_empty() {
                sizes.push(None);
                continue;
            }
            let indent = indent(line);
            let first = indent.chars().next();
            let is_mixed = first.is_some_and(|first| indent.chars().any(|c| c != first));
            if is_mixed || (first.is_some() && character.is_some() && first != character) {
                return None;
            }
            character = character.or(first);
            sizes.push(Some(indent.len()));
        }
        sizes.iter().any(Option::is_some).then_some(Self { sizes, character })
    }

    /// The sizes of lines that are blank in neither text.
    fn pairs<'p>(&'p self, other: &'p Self) -> impl Iterator<Item = (usize, usize)> + 'p {
        self.sizes.iter().zip(&other.sizes).filter_map(|(one, other)| Some(((*one)?, (*other)?)))
    }
}

fn tabs_to_spaces(old: &Indents, actual: &Indents, new: &Indents, text: &str) -> Option<String> {
    if (old.character, actual.character, new.character) != (Some('\t'), Some(' '), Some('\t')) {
        return None;
    }
    let unit = actual.sizes.iter().flatten().copied().filter(|size| *size > 0).reduce(greatest_common)?;
    let fits = |(old, actual): (usize, usize)| old == 0 || actual == old * unit;
    if !old.pairs(actual).all(fits) {
        return None;
    }
    let convert = |line: &str| {
        let size = indent(line).len();
        if size == 0 || !line[..size].bytes().all(|byte| byte == b'\t') {
            return line.to_owned();
        }
        " ".repeat(size * unit) + &line[size..]
    };
    Some(text.split('\n').map(convert).collect::<Vec<_>>().join("\n"))
}

fn greatest_common(one: usize, other: usize) -> usize {
    if other == 0 { one } else { greatest_common(other, one % other) }
}

fn shifted(old: &Indents, actual: &Indents, new: &Indents, text: &str) -> Option<String> {
    let shifts: Vec<isize> =
        old.pairs(actual).map(|(old, actual)| actual.cast_signed() - old.cast_signed()).collect();
    let shift = shifts.first().copied().filter(|shift| *shift != 0)?;
    let has_other_character = new.character.is_some() && new.character != actual.character;
    if shifts.iter().any(|other| *other != shift) || (has_other_character && actual.character.is_some()) {
        return None;
    }
    let character = actual.character.or(old.character)?;
    let move_line = |line: &str| {
        if trim(line).is_empty() {
            return line.to_owned();
        }
        match usize::try_from(shift) {
            Ok(more) => String::from(character).repeat(more) + line,
            Err(_) => line[indent(line).len().min(shift.unsigned_abs())..].to_owned(),
        }
    };
    Some(text.split('\n').map(move_line).collect::<Vec<_>>().join("\n"))
}
