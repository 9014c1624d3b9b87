//! The windows of a file that are most like searched lines: the same winner, score and count as if every window were
//! compared in full.

use std::borrow::Cow;
use std::ops::Range;

use super::distance::{Pattern, loss};
use super::forms::{Form, Forms};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

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

impl Prefix {
    /// What stands in front of a line that is so deep.
    fn of(self, depth: usize) -> Cow<'static, str> {
        const SHALLOW: [&str; 10] = ["0|", "1|", "2|", "3|", "4|", "5|", "6|", "7|", "8|", "9|"];
        match (self, SHALLOW.get(depth)) {
            (Self::Depth, Some(prefix)) => Cow::Borrowed(prefix),
            (Self::Depth, None) => Cow::Owned(format!("{depth}|")),
            (Self::Bar, _) => Cow::Borrowed("|"),
            (Self::None, _) => Cow::Borrowed(""),
        }
    }
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
    is_taken: &dyn Fn(Range<usize>) -> bool,
    cancel: &CancelToken,
) -> Result<Option<Windows>> {
    let height = searched.len();
    if height == 0 || height > file.len() {
        return Ok(None);
    }
    let scorer = Scorer::new(file, searched, prefix);
    let is_free = |start: usize| !is_taken(start..start + height);
    let found = reaching(&scorer, threshold, &is_free, cancel)?;
    if found.is_some() { Ok(found) } else { below(&scorer, threshold, &is_free, cancel) }
}

/// If windows reach the threshold, the others do not matter, and most of them are told by the lengths of a few lines.
fn reaching(
    scorer: &Scorer,
    threshold: f64,
    is_free: &dyn Fn(usize) -> bool,
    cancel: &CancelToken,
) -> Result<Option<Windows>> {
    let mut found = None;
    for start in 0..scorer.windows() {
        if start % 1024 == 0 {
            cancel.check()?;
        }
        if scorer.may_reach(start, threshold)
            && is_free(start)
            && let Some((score, weakest)) = scorer.score(start, threshold)
            && score >= threshold
        {
            note(&mut found, start, score, weakest, threshold);
        }
    }
    Ok(found)
}

/// The best window where none reaches the threshold. Those that promise most come first.
fn below(
    scorer: &Scorer,
    threshold: f64,
    is_free: &dyn Fn(usize) -> bool,
    cancel: &CancelToken,
) -> Result<Option<Windows>> {
    let bounds = scorer.bounds(cancel)?;
    let mut found: Option<Windows> = None;
    for (turn, start) in order(&bounds).enumerate() {
        if turn % 1024 == 0 {
            cancel.check()?;
        }
        let floor = found.map_or(f64::MIN, |found| found.score);
        // Equal to the best counts: it may be the earlier one.
        if bounds[start] >= floor - MARGIN
            && is_free(start)
            && let Some((score, weakest)) = scorer.score(start, floor)
        {
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
    let Some(longest) = (0..height).max_by_key(|line| searched.line(*line).units) else { return Ok(found) };
    let scorer = Scorer::new(file, searched, Prefix::None);
    let fits = |line: usize, start: usize| {
        let most = 1.0 - least_line + MARGIN;
        scorer.least_loss(line, start + line) <= most && scorer.least_loss_by_bags(line, start + line) <= most
    };
    for start in from..scorer.windows() {
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
    file: &'a Forms<'a>,
    searched: &'a Forms<'a>,
    prefix: Prefix,
    /// The searched lines with their prefixes.
    patterns: Vec<Pattern>,
}

impl<'a> Scorer<'a> {
    fn new(file: &'a Forms, searched: &'a Forms, prefix: Prefix) -> Self {
        let mut depths = Vec::new();
        searched.depths(0..searched.len(), &mut depths);
        let text = |line: usize| format!("{}{}", prefix.of(depths[line]), searched.line(line).text);
        let patterns = (0..searched.len()).map(|line| Pattern::new(text(line))).collect();
        Self { file, searched, prefix, patterns }
    }

    /// How many there are.
    fn windows(&self) -> usize {
        (self.file.len() + 1).saturating_sub(self.patterns.len())
    }

    /// Whether the score of a window can be so much; mostly told by lengths.
    fn may_reach(&self, start: usize, least: f64) -> bool {
        let height = self.patterns.len();
        let most = (1.0 - least) * mean_of(height) + MARGIN;
        let stays_within = |loss: &dyn Fn(usize, usize) -> f64| {
            let mut left = most;
            (0..height).all(|line| {
                left -= loss(line, start + line);
                left >= 0.0
            })
        };
        stays_within(&|line, in_file| self.least_loss(line, in_file))
            && stays_within(&|line, in_file| self.least_loss_by_bags(line, in_file))
    }

    /// For each window a number that its score does not exceed.
    fn bounds(&self, cancel: &CancelToken) -> Result<Vec<f64>> {
        let height = self.patterns.len();
        let mut bounds = vec![mean_of(height); self.windows()];
        for line in 0..height {
            cancel.check()?;
            for (start, bound) in bounds.iter_mut().enumerate() {
                *bound -= self.least_loss_by_bags(line, start + line);
            }
        }
        for bound in &mut bounds {
            *bound /= mean_of(height);
        }
        Ok(bounds)
    }

    /// What the similarity of two lines is less than 1 at least, whatever the prefix in the window, by their lengths.
    fn least_loss(&self, line: usize, in_file: usize) -> f64 {
        let (distance, length) = self.least_distance(line, in_file);
        loss(distance, length)
    }

    /// The same, by the units in them.
    fn least_loss_by_bags(&self, line: usize, in_file: usize) -> f64 {
        let (distance, length) = self.least_distance(line, in_file);
        let bags = self.searched.bag(line).distance(self.file.bag(in_file));
        // The digits of both prefixes may make up for a difference.
        let digits = (self.patterns[line].units - self.searched.line(line).units)
            .max(self.most_prefix(self.file.line(in_file)))
            .saturating_sub(1);
        loss(distance.max(bags.saturating_sub(digits)), length)
    }

    /// The difference of the lengths of two lines, at least, and the length of the longer one, at most.
    fn least_distance(&self, line: usize, in_file: usize) -> (usize, usize) {
        let (pattern, form) = (self.patterns[line].units, self.file.line(in_file));
        let most = self.most_prefix(form);
        let (shortest, longest) = (form.units + most.min(2), form.units + most);
        let distance = pattern.saturating_sub(longest).max(shortest.saturating_sub(pattern));
        (distance, pattern.max(longest))
    }

    /// The longest prefix that a line of the file can have in any window.
    fn most_prefix(&self, form: &Form) -> usize {
        match self.prefix {
            Prefix::None => 0,
            Prefix::Bar => 1,
            Prefix::Depth => 1 + form.most_digits(),
        }
    }

    /// The score of a window, and the least of its lines; absent if it is below `floor`.
    fn score(&self, start: usize, floor: f64) -> Option<(f64, f64)> {
        let height = self.patterns.len();
        let mut depths = Vec::with_capacity(height);
        self.file.depths(start..start + height, &mut depths);
        // What the lines that are still to come can add at most.
        let bounds: Vec<f64> =
            (0..height).map(|line| 1.0 - self.least_loss_by_bags(line, start + line)).collect();
        let mut ahead: f64 = bounds.iter().sum();
        let needed = floor * mean_of(height) - MARGIN;
        let (mut sum, mut weakest) = (0.0, 1.0_f64);
        for (line, pattern) in self.patterns.iter().enumerate() {
            ahead -= bounds[line];
            let needed = needed - sum - ahead;
            if bounds[line] < needed - MARGIN {
                return None;
            }
            let own =
                pattern.similarity(&self.prefix.of(depths[line]), self.file.line(start + line), needed)?;
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

/// Below this a second look without depths is not worth it.
const NEAR: f64 = 0.8;

/// The windows most like a text, by its lines and their depths; where that nearly reaches the threshold, without the
/// depths, if that is better.
pub fn closest_windows(
    file: &Forms,
    searched: &str,
    threshold: f64,
    is_taken: &dyn Fn(Range<usize>) -> bool,
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
