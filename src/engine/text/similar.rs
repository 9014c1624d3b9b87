//! How alike texts are, and where in a file lines stand that are most like given ones. Lengths and distances are in
//! UTF-16 units.
//!
//! The documented score of a window of lines is the mean of the similarities of its lines, each written as
//! `depth|form`. It is computed in full only where an upper bound says that it could matter: the bound of a line comes
//! from its length and from how often each unit occurs, the bound of a window from those of its lines.

use rapidfuzz::distance::levenshtein::{self, Args, BatchComparator};

use super::normalise::{fuzzy_form, indent, trim};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

/// 1 − distance / length of the longer one; 1 for two empty texts.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let (one, other): (Vec<u16>, Vec<u16>) = (one.encode_utf16().collect(), other.encode_utf16().collect());
    let distance = levenshtein::distance(one.iter().copied(), other.iter().copied());
    share(distance, one.len().max(other.len()))
}

#[expect(clippy::cast_precision_loss, reason = "lengths of texts in memory")]
fn share(distance: usize, length: usize) -> f64 {
    if length == 0 { 1.0 } else { 1.0 - distance as f64 / length as f64 }
}

/// What stands in front of the form of each line when windows are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// How deep the line is indented within its window, and `|`.
    Depth,
    /// `|` alone.
    Bar,
    /// Nothing.
    None,
}

/// Lines in their fuzzy form, ready to be compared. Made once for each text.
#[derive(Debug)]
pub struct Forms {
    units: Vec<u16>,
    lines: Vec<Form>,
}

#[derive(Debug, Clone, Copy)]
struct Form {
    start: usize,
    end: usize,
    indent: usize,
    is_blank: bool,
    bag: Bag,
}

/// How often units occur, by their last bits.
type Bag = [u8; 32];

impl Forms {
    /// The forms of lines.
    pub fn new<'l>(lines: impl IntoIterator<Item = &'l str>) -> Self {
        let mut forms = Self { units: Vec::new(), lines: Vec::new() };
        for line in lines {
            let start = forms.units.len();
            let form = fuzzy_form(line);
            if form.is_ascii() {
                forms.units.extend(form.bytes().map(u16::from));
            } else {
                forms.units.extend(form.encode_utf16());
            }
            let mut bag = [0; 32];
            for unit in &forms.units[start..] {
                count(&mut bag, *unit);
            }
            forms.lines.push(Form {
                start,
                end: forms.units.len(),
                indent: indent(line).len(),
                is_blank: trim(line).is_empty(),
                bag,
            });
        }
        forms
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Not a single line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn units(&self, line: usize) -> &[u16] {
        &self.units[self.lines[line].start..self.lines[line].end]
    }

    /// How deep each line of a window is indented, in steps of its smallest indentation.
    fn depths(&self, window: std::ops::Range<usize>, depths: &mut Vec<usize>) {
        let lines = &self.lines[window];
        let written = || lines.iter().filter(|line| !line.is_blank);
        let least = written().map(|line| line.indent).min().unwrap_or(0);
        let step = written().map(|line| line.indent - least).filter(|more| *more > 0).min().unwrap_or(1);
        depths.clear();
        let depth =
            |line: &Form| if line.is_blank { 0 } else { (2 * (line.indent - least) + step) / (2 * step) };
        depths.extend(lines.iter().map(depth));
    }
}

fn count(bag: &mut Bag, unit: u16) {
    let place = &mut bag[usize::from(unit & 31)];
    *place = place.saturating_add(1);
}

/// The windows that are most like the searched lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windows {
    /// First line of the best one, from 0; the first of equals.
    pub line: usize,
    /// Its score.
    pub score: f64,
    /// The least score of one of its lines.
    pub weakest: f64,
    /// The second-best score, exact where it reaches the threshold.
    pub second: f64,
    /// How many reach the threshold.
    pub reaching: usize,
}

impl Windows {
    /// Whether the best window is the one that is meant: it alone reaches the threshold, or it is far ahead of all
    /// others.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.reaching == 1 || (self.reaching > 1 && self.score >= 0.97 && self.score - self.second >= 0.08)
    }
}

/// Looks for the windows of `file` that are most like `searched`, each `prefix`ed line by line. Windows for which
/// `is_taken` are left out. Absent: there is no window of that many lines.
pub fn best_windows(
    file: &Forms,
    searched: &Forms,
    prefix: Prefix,
    threshold: f64,
    is_taken: &dyn Fn(std::ops::Range<usize>) -> bool,
    cancel: &CancelToken,
) -> Result<Option<Windows>> {
    let height = searched.len();
    if height == 0 || height > file.len() {
        return Ok(None);
    }
    let scorer = Scorer::new(file, searched, prefix);
    let bounds = scorer.bounds(cancel)?;
    let mut found: Option<Windows> = None;
    for (turn, start) in order(&bounds).enumerate() {
        if turn % 1024 == 0 {
            cancel.check()?;
        }
        let floor = found.map_or(f64::MIN, |found| found.score.min(threshold));
        // Equal to the best counts: it may be the earlier one.
        if bounds[start] < floor - MARGIN || is_taken(start..start + height) {
            continue;
        }
        if let Some((score, weakest)) = scorer.score(start, floor) {
            note(&mut found, start, score, weakest, threshold);
        }
    }
    Ok(found)
}

/// Every window from line `from` on with a score of `least` or more in which no line is below `least_line`, with its
/// score, in order. Much cheaper than [`best_windows`]: most windows are told by a single line.
pub fn windows_alike(
    file: &Forms,
    searched: &Forms,
    from: usize,
    least: f64,
    least_line: f64,
    cancel: &CancelToken,
) -> Result<Vec<(usize, f64)>> {
    let height = searched.len();
    let mut found = Vec::new();
    let Some(longest) = (0..height).max_by_key(|line| searched.units(*line).len()) else { return Ok(found) };
    let scorer = Scorer::new(file, searched, Prefix::None);
    let fits = |line: usize, start: usize| scorer.may_reach(line, start + line, least_line - MARGIN);
    for start in from..(file.len() + 1).saturating_sub(height) {
        if start % 1024 == 0 {
            cancel.check()?;
        }
        if fits(longest, start)
            && (0..height).all(|line| fits(line, start))
            && let Some((score, weakest)) = scorer.score(start, least)
            && score >= least
            && weakest >= least_line
        {
            found.push((start, score));
        }
    }
    Ok(found)
}

/// Bounds and scores are sums of rounded numbers.
const MARGIN: f64 = 1e-9;

/// Windows with the highest bounds first: a good one early spares most of the others. The rest as they come.
fn order(bounds: &[f64]) -> impl Iterator<Item = usize> {
    const FIRST: usize = 32;
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    let best_first = |a: &usize, b: &usize| bounds[*b].total_cmp(&bounds[*a]).then(a.cmp(b));
    if order.len() > FIRST {
        order.select_nth_unstable_by(FIRST, best_first);
        order[..FIRST].sort_unstable_by(best_first);
        order[FIRST..].sort_unstable();
    } else {
        order.sort_unstable_by(best_first);
    }
    order.into_iter()
}

fn note(found: &mut Option<Windows>, line: usize, score: f64, weakest: f64, threshold: f64) {
    let reaches = usize::from(score >= threshold);
    let Some(best) = found else {
        *found = Some(Windows { line, score, weakest, second: f64::MIN, reaching: reaches });
        return;
    };
    best.reaching += reaches;
    #[expect(clippy::float_cmp, reason = "the same sums of the same numbers")]
    let is_equal = score == best.score;
    if score > best.score || (is_equal && line < best.line) {
        best.second = best.score;
        (best.line, best.score, best.weakest) = (line, score, weakest);
    } else {
        best.second = best.second.max(score);
    }
}

struct Scorer<'a> {
    file: &'a Forms,
    searched: &'a Forms,
    prefix: Prefix,
    /// The searched lines with their prefixes.
    patterns: Vec<Pattern>,
}

struct Pattern {
    units: Vec<u16>,
    /// Digits of the prefix.
    digits: usize,
    comparator: BatchComparator<u16>,
}

impl<'a> Scorer<'a> {
    fn new(file: &'a Forms, searched: &'a Forms, prefix: Prefix) -> Self {
        let mut depths = Vec::new();
        searched.depths(0..searched.len(), &mut depths);
        let pattern = |(line, depth): (usize, &usize)| {
            let mut units = Vec::new();
            push_prefixed(&mut units, prefix, *depth, searched.units(line));
            let digits = units.len() - searched.units(line).len();
            let comparator = BatchComparator::new(units.iter().copied());
            Pattern { units, digits, comparator }
        };
        let patterns = depths.iter().enumerate().map(pattern).collect();
        Self { file, searched, prefix, patterns }
    }

    /// For each window a number that its score does not exceed.
    fn bounds(&self, cancel: &CancelToken) -> Result<Vec<f64>> {
        let height = self.patterns.len();
        let mut bounds = vec![0.0; self.file.len() - height + 1];
        for line in 0..height {
            cancel.check()?;
            for (start, bound) in bounds.iter_mut().enumerate() {
                *bound += self.line_bound(line, start + line);
            }
        }
        let height = mean_of(height);
        for bound in &mut bounds {
            *bound /= height;
        }
        Ok(bounds)
    }

    /// The similarity of two lines is at most this, whatever the prefix in the window.
    fn line_bound(&self, line: usize, in_file: usize) -> f64 {
        let (searched, form) = (&self.searched.lines[line], &self.file.lines[in_file]);
        let pattern = &self.patterns[line];
        let most = self.most_prefix(form);
        let least = most.min(2);
        // The prefix of the file's line has from `least` to `most` units; those of both may make up for a difference.
        let own = form.end - form.start;
        let shorter = pattern.units.len().saturating_sub(own + most);
        let longer = (own + least).saturating_sub(pattern.units.len());
        let slack = pattern.digits.max(most).saturating_sub(1);
        let bags = bag_distance(&searched.bag, &form.bag).saturating_sub(slack);
        share(shorter.max(longer).max(bags), pattern.units.len().max(own + most))
    }

    /// Whether two lines without prefix can be as similar as that; mostly told by their lengths.
    fn may_reach(&self, line: usize, in_file: usize, least: f64) -> bool {
        let (searched, form) = (self.patterns[line].units.len(), &self.file.lines[in_file]);
        let own = form.end - form.start;
        share(searched.abs_diff(own), searched.max(own)) >= least && self.line_bound(line, in_file) >= least
    }

    /// The longest prefix that a line of the file can have in any window.
    fn most_prefix(&self, form: &Form) -> usize {
        match self.prefix {
            Prefix::None => 0,
            Prefix::Bar => 1,
            Prefix::Depth => 2 + form.indent.checked_ilog10().unwrap_or(0) as usize,
        }
    }

    /// The score of a window, and the least of its lines; absent if it is below `floor`.
    fn score(&self, start: usize, floor: f64) -> Option<(f64, f64)> {
        let height = self.patterns.len();
        let mut depths = Vec::with_capacity(height);
        self.file.depths(start..start + height, &mut depths);
        // What the lines that are still to come can add at most.
        let bounds: Vec<f64> = (0..height).map(|line| self.line_bound(line, start + line)).collect();
        let mut ahead: f64 = bounds.iter().sum();
        let needed = floor * mean_of(height) - MARGIN;
        let (mut sum, mut weakest, mut units) = (0.0, 1.0_f64, Vec::new());
        for (line, pattern) in self.patterns.iter().enumerate() {
            ahead -= bounds[line];
            units.clear();
            push_prefixed(&mut units, self.prefix, depths[line], self.file.units(start + line));
            let own = line_similarity(pattern, &units, needed - sum - ahead)?;
            sum += own;
            weakest = weakest.min(own);
        }
        Some((sum / mean_of(height), weakest))
    }
}

#[expect(clippy::cast_precision_loss, reason = "lines of a text in memory")]
fn mean_of(height: usize) -> f64 {
    height as f64
}

/// The similarity of a line; absent if it is below `needed`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the length of a line"
)]
fn line_similarity(pattern: &Pattern, units: &[u16], needed: f64) -> Option<f64> {
    if pattern.units == units {
        return Some(1.0);
    }
    let length = pattern.units.len().max(units.len());
    let most = ((1.0 - needed) * length as f64 + 1e-6).floor();
    if most < 1.0 {
        return None;
    }
    let most = most.min(length as f64) as usize;
    let distance =
        pattern.comparator.distance_with_args(units.iter().copied(), &Args::default().score_cutoff(most))?;
    Some(share(distance, length))
}

fn push_prefixed(units: &mut Vec<u16>, prefix: Prefix, depth: usize, line: &[u16]) {
    match prefix {
        Prefix::Depth if depth < 10 => units.push(u16::from(b'0') + u16::try_from(depth).unwrap_or(0)),
        Prefix::Depth => units.extend(depth.to_string().bytes().map(u16::from)),
        Prefix::Bar | Prefix::None => {}
    }
    if prefix != Prefix::None {
        units.push(u16::from(b'|'));
    }
    units.extend_from_slice(line);
}

/// At least so many edits lie between two texts with these bags: what one has more of, or the other, whichever is more.
/// Both together are the sum of the differences, and one less the other is the difference of the sums.
fn bag_distance(one: &Bag, other: &Bag) -> usize {
    let (mut apart, mut one_sum, mut other_sum) = (0_u16, 0_u16, 0_u16);
    // Sums of 32 bytes fit.
    for (one, other) in one.iter().zip(other) {
        apart += u16::from(one.abs_diff(*other));
        one_sum += u16::from(*one);
        other_sum += u16::from(*other);
    }
    usize::from((apart + one_sum.abs_diff(other_sum)) / 2)
}

/// Below this a second look without depths is not worth it.
const NEAR: f64 = 0.8;

/// The windows most like a text, by its lines and their depths; where that nearly reaches the threshold, without the
/// depths, if that is better.
pub fn closest_windows(
    file: &Forms,
    searched: &str,
    threshold: f64,
    is_taken: &dyn Fn(std::ops::Range<usize>) -> bool,
    cancel: &CancelToken,
) -> Result<Option<Windows>> {
    let searched = Forms::new(searched.split('\n'));
    let look = |prefix| best_windows(file, &searched, prefix, threshold, is_taken, cancel);
    let Some(found) = look(Prefix::Depth)? else { return Ok(None) };
    if found.score < NEAR || found.score >= threshold {
        return Ok(Some(found));
    }
    let other = look(Prefix::Bar)?;
    Ok(Some(other.filter(|other| other.score > found.score).unwrap_or(found)))
}
