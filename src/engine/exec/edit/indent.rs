//! The indentation of new lines, where the lines around them stand deeper or less deep in the file than in the
//! patch, or are indented with other characters.

use std::borrow::Cow;

use super::patch::{Line, Sign};
use crate::engine::text::normalise::{indent, trim};

/// The lines of a hunk as they belong into the file, where its old lines matched the lines `actual`.
pub fn adjust<'a>(lines: &'a [Line<'a>], actual: &[&str]) -> Vec<Line<'a>> {
    let old = || lines.iter().filter(|(sign, _)| *sign != Sign::Add).map(|(_, text)| text.as_ref());
    if old().eq(actual.iter().copied()) || is_reindent(lines) {
        return lines.to_vec();
    }
    let pairs: Vec<(&str, &str)> = old()
        .zip(actual.iter().copied())
        .map(|(old, actual)| if trim(old).is_empty() { ("", "") } else { (indent(old), indent(actual)) })
        .collect();
    let new = || lines.iter().filter(|(sign, _)| *sign == Sign::Add).map(|(_, text)| text.as_ref());
    let converted =
        Conversion::of(&pairs, new()).map(|conversion| map_added(lines, |line, _| conversion.apply(line)));
    converted.unwrap_or_else(|| shift(lines, &pairs))
}

/// Only the indentation changes, so it is what is wanted.
fn is_reindent(lines: &[Line]) -> bool {
    let of = |skip: Sign| lines.iter().filter(move |(sign, _)| *sign != skip).map(|(_, text)| trim(text));
    of(Sign::Add).eq(of(Sign::Remove))
}

/// Replaces each added line that is not blank. The callback is given the line, and the old line nearest to it: the
/// one it takes the place of, else the one above, else the one below.
fn map_added<'a>(
    lines: &'a [Line<'a>],
    mut replace: impl FnMut(&str, Option<usize>) -> Option<String>,
) -> Vec<Line<'a>> {
    let filled = |line: &Line| !trim(&line.1).is_empty();
    let mut mapped = Vec::with_capacity(lines.len());
    let (mut old_at, mut removed) = (0, Vec::new());
    let (mut above, mut added) = (None, 0);
    for (at, line) in lines.iter().enumerate() {
        if line.0 != Sign::Add {
            if line.0 == Sign::Keep || added > 0 {
                removed.clear();
            }
            if filled(line) {
                above = Some(old_at);
                removed.extend((line.0 == Sign::Remove).then_some(old_at));
            }
            (old_at, added) = (old_at + 1, 0);
            mapped.push(line.clone());
            continue;
        }
        let below = || {
            let next = lines[at..].iter().filter(|line| line.0 != Sign::Add).position(filled)?;
            Some(old_at + next)
        };
        let nearest = removed.get(added).copied().or(above).or_else(below);
        added += 1;
        let text = if filled(line) { replace(&line.1, nearest) } else { None };
        mapped.push((Sign::Add, text.map_or_else(|| line.1.clone(), Cow::Owned)));
    }
    mapped
}

/// From tabs to spaces or back, where all matched lines agree on it.
enum Conversion {
    /// Each tab is this many spaces.
    ToSpaces(usize),
    /// Each tab stands for `width` spaces, of which the first `offset` do not count.
    ToTabs { width: usize, offset: usize },
}

impl Conversion {
    fn of<'a>(pairs: &[(&str, &str)], new: impl Iterator<Item = &'a str>) -> Option<Self> {
        let has = |text: &str, blank: char| text.contains(blank);
        let is_mixed = |text: &str| has(text, ' ') && has(text, '\t');
        if pairs.iter().any(|(old, actual)| is_mixed(old) || is_mixed(actual)) {
            return None;
        }
        let (mut old, mut actual, mut added) = (Kinds::default(), Kinds::default(), Kinds::default());
        for pair in pairs {
            old.see(pair.0);
            actual.see(pair.1);
        }
        new.for_each(|line| added.see(indent(line)));
        match (old, actual) {
            (Kinds { tabs: true, spaces: false }, Kinds { tabs: false, spaces: true }) if !added.spaces => {
                to_spaces(pairs)
            }
            (Kinds { tabs: false, spaces: true }, Kinds { tabs: true, spaces: false }) if !added.tabs => {
                to_tabs(pairs)
            }
            _ => None,
        }
    }

    fn apply(&self, line: &str) -> Option<String> {
        let (depth, rest) = (indent(line).len(), &line[indent(line).len()..]);
        if depth == 0 {
            return None;
        }
        let indent = match self {
            Self::ToSpaces(width) => " ".repeat(depth * width),
            Self::ToTabs { width, offset } => {
                let counted = depth.saturating_sub(*offset);
                "\t".repeat(counted / width) + &" ".repeat(counted % width)
            }
        };
        Some(indent + rest)
    }
}

#[derive(Default, Clone, Copy)]
struct Kinds {
    tabs: bool,
    spaces: bool,
}

impl Kinds {
    fn see(&mut self, indent: &str) {
        self.tabs |= indent.contains('\t');
        self.spaces |= indent.contains(' ');
    }
}

fn to_spaces(pairs: &[(&str, &str)]) -> Option<Conversion> {
    let mut width = None;
    for (tabs, spaces) in
        pairs.iter().map(|(old, actual)| (old.len(), actual.len())).filter(|pair| pair.0 > 0)
    {
        if spaces % tabs != 0 || *width.get_or_insert(spaces / tabs) != spaces / tabs {
            return None;
        }
    }
    width.filter(|width| *width > 0).map(Conversion::ToSpaces)
}

fn to_tabs(pairs: &[(&str, &str)]) -> Option<Conversion> {
    let mut known: Vec<(usize, usize)> = Vec::new();
    for (spaces, tabs) in
        pairs.iter().map(|(old, actual)| (old.len(), actual.len())).filter(|pair| pair.1 > 0)
    {
        match known.iter().find(|(known, _)| *known == tabs) {
            Some((_, width)) if *width != spaces => return None,
            Some(_) => {}
            None => known.push((tabs, spaces)),
        }
    }
    let (width, offset) = match known[..] {
        [] => return None,
        [(tabs, spaces)] => (whole(spaces, tabs)?, 0),
        [(few, few_spaces), (many, many_spaces), ..] => {
            let (few, few_spaces, many, many_spaces) = if few < many {
                (few, few_spaces, many, many_spaces)
            } else {
                (many, many_spaces, few, few_spaces)
            };
            let width = whole(many_spaces.checked_sub(few_spaces)?, many - few)?;
            (width, few_spaces.checked_sub(few * width)?)
        }
    };
    let fits = known.iter().all(|(tabs, spaces)| tabs * width + offset == *spaces);
    fits.then_some(Conversion::ToTabs { width, offset })
}

fn whole(spaces: usize, tabs: usize) -> Option<usize> {
    (spaces.is_multiple_of(tabs) && spaces >= tabs).then(|| spaces / tabs)
}

/// Moves each added line by as much as its nearest old line was moved.
fn shift<'a>(lines: &'a [Line<'a>], pairs: &[(&str, &str)]) -> Vec<Line<'a>> {
    let blank = pairs
        .iter()
        .flat_map(|(old, actual)| [actual, old])
        .find_map(|indent| indent.chars().next())
        .unwrap_or(' ');
    map_added(lines, |line, nearest| {
        let nearest = nearest?;
        let (old, new) = pairs[nearest];
        match line.strip_prefix(old) {
            // As deep as its neighbour, whatever that is indented with.
            Some(rest) if indent(rest).is_empty() => (old != new).then(|| format!("{new}{rest}")),
            _ => shifted(line, old.len(), new.len(), blank),
        }
    })
}

fn shifted(line: &str, old: usize, new: usize, blank: char) -> Option<String> {
    let own = indent(line);
    if own.contains(|character| character != blank) {
        return None;
    }
    match new.checked_sub(old) {
        Some(0) => None,
        Some(more) => Some(blank.to_string().repeat(more) + line),
        None => Some(line[own.len().min(old - new)..].to_owned()),
    }
}
