//! Finding the lines that a hunk's header names.

use super::forms::Strategy;
use super::likeness::alike;
use super::seek::{Found, LEAST_SHARE, LEAST_UNITS, is_start, share, units};
use super::sheet::Sheet;
use crate::engine::text::normalise::{indent, trim};

/// A line that much like the anchor may be meant.
const ENOUGH: f64 = 0.80;

/// An anchor that leads nowhere, or to several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Astray {
    /// The text that was looked for.
    pub anchor: String,
    /// Where it was found: nowhere if absent.
    pub found: Option<Found>,
}

/// The line that the anchors lead to, each below the one before. `hint` decides between several.
pub fn locate(
    sheet: &Sheet,
    anchors: &[&str],
    hint: Option<usize>,
    from: usize,
    fuzzy: bool,
) -> Result<usize, Astray> {
    let Some((last, outer)) = anchors.split_last() else { return Ok(from) };
    let mut around = None;
    for anchor in outer {
        around = Some(step(sheet, anchor, around, None, from, fuzzy)?);
    }
    step(sheet, last, around, hint, from, fuzzy)
}

/// One anchor, below the line `around` if there is one.
fn step(
    sheet: &Sheet,
    anchor: &str,
    around: Option<usize>,
    hint: Option<usize>,
    from: usize,
    fuzzy: bool,
) -> Result<usize, Astray> {
    let start = around.map_or(from, |line| line + 1);
    let mut found = lines_like(sheet, anchor, start, fuzzy);
    if found.is_none() && around.is_none() && start > 0 {
        found = lines_like(sheet, anchor, 0, fuzzy);
    }
    if found.is_none() && around.is_none() {
        found = split(sheet, anchor, from, fuzzy);
    }
    let astray = |found| Astray { anchor: anchor.to_owned(), found };
    let found = found.ok_or_else(|| astray(None))?;
    if let [place] = found.places[..] {
        return Ok(place);
    }
    if let Some(place) = hint.and_then(|hint| nearest(&found.places, hint)) {
        return Ok(place);
    }
    if let Some(place) = around.and_then(|around| only_inside(sheet, &found.places, around)) {
        return Ok(place);
    }
    Err(astray(Some(found)))
}

/// The place nearest to a line; of two, the later one.
pub fn nearest(places: &[usize], line: usize) -> Option<usize> {
    places.iter().copied().min_by_key(|place| (place.abs_diff(line), std::cmp::Reverse(*place)))
}

/// The only place that is indented below the line `around`: in the block that it starts.
fn only_inside(sheet: &Sheet, places: &[usize], around: usize) -> Option<usize> {
    let lines = sheet.lines();
    let outer = indent(lines[around]).len();
    let is_outside = |line: &&str| !trim(line).is_empty() && indent(line).len() <= outer;
    let end = lines[around + 1..].iter().position(|line| is_outside(line) && !opens_or_closes(line));
    let end = end.map_or(lines.len(), |end| around + 1 + end);
    let mut inside = places.iter().copied().filter(|place| *place < end);
    inside.next().filter(|_| inside.next().is_none())
}

/// A line of brackets alone belongs to the block it opens or closes.
fn opens_or_closes(line: &str) -> bool {
    trim(line).chars().all(|character| matches!(character, '{' | '(' | '['))
}

/// `outer inner` as one anchor below the other.
fn split(sheet: &Sheet, anchor: &str, from: usize, fuzzy: bool) -> Option<Found> {
    let is_plain = !anchor.contains(['(', ')', '[', ']', '{', '}', '<', '>']);
    let (outer, inner) = trim(anchor).rsplit_once([' ', '\t']).filter(|_| is_plain)?;
    let around = lines_like(sheet, outer, from, fuzzy)?;
    let [around] = around.places[..] else { return None };
    lines_like(sheet, inner, around + 1, fuzzy)
}

/// Every line from `from` on that is like the anchor, in the first way that finds any.
fn lines_like(sheet: &Sheet, anchor: &str, from: usize, fuzzy: bool) -> Option<Found> {
    lines_like_this(sheet, anchor, from, fuzzy).or_else(|| {
        // Written as a call without arguments, whatever they are.
        let name = trim(anchor).strip_suffix("()")?;
        let open = format!("{name}(");
        lines_like_this(sheet, &open, from, fuzzy).or_else(|| lines_like_this(sheet, name, from, fuzzy))
    })
}

fn lines_like_this(sheet: &Sheet, anchor: &str, from: usize, fuzzy: bool) -> Option<Found> {
    let some = |places: Vec<usize>, by| (!places.is_empty()).then_some(Found { places, by, dominant: false });
    for strategy in [Strategy::Exact, Strategy::Trim, Strategy::Unicode] {
        let places = sheet.index(strategy).runs(&[strategy.form(anchor)], from);
        if let Some(found) = some(places, strategy) {
            return Some(found);
        }
    }
    if !fuzzy {
        return None;
    }
    let form = Strategy::Similar.form(anchor);
    let forms = &sheet.index(Strategy::Similar).forms;
    let where_is = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (from..forms.len()).filter(|line| fits(&forms[*line])).collect()
    };
    some(where_is(&|line| is_start(line, &form)), Strategy::Prefix)
        .or_else(|| {
            let parts =
                if units(&form) < LEAST_UNITS { Vec::new() } else { where_is(&|line| line.contains(&*form)) };
            let good: Vec<usize> =
                parts.iter().copied().filter(|line| share(&form, &forms[*line]) >= LEAST_SHARE).collect();
            some(if parts.len() > 1 && !good.is_empty() { good } else { parts }, Strategy::Substring)
        })
        .or_else(|| some(alike(sheet, &[anchor], from, ENOUGH)?.places, Strategy::Similar))
}
