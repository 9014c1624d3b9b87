//! How much two lines are alike, and where in a file a pattern is alike enough.

use rapidfuzz::distance::levenshtein;

use super::sheet::Sheet;

/// A place whose lines are this much like the pattern's, on average, may be meant.
pub const ENOUGH: f64 = 0.92;
/// No single line may be less alike than this.
const ENOUGH_EACH: f64 = ENOUGH - 0.05;
/// A place that is this much alike, and that much more than every other, is meant.
const DOMINANT: (f64, f64) = (0.97, 0.08);

/// A line, in units of 16 bits, and how often which of them occur.
pub struct Profile {
    units: Vec<u16>,
    counts: [u8; 32],
}

impl Profile {
    /// Of the folded form of a line.
    pub fn new(folded: &str) -> Self {
        let units: Vec<u16> = folded.encode_utf16().collect();
        let mut counts = [0_u8; 32];
        for unit in &units {
            let count = &mut counts[usize::from(unit % 32)];
            *count = count.saturating_add(1);
        }
        Self { units, counts }
    }

    /// Units.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// At most as many as the edits that lead from one to the other.
    fn fewest_edits(&self, other: &Self) -> usize {
        let (mut gone, mut come) = (0_usize, 0_usize);
        for (left, right) in self.counts.iter().zip(&other.counts) {
            gone += usize::from(left.saturating_sub(*right));
            come += usize::from(right.saturating_sub(*left));
        }
        gone.max(come).max(self.len().abs_diff(other.len()))
    }

    /// At least as much as [`Self::similarity`].
    fn most_similar(&self, other: &Self) -> f64 {
        share(self.fewest_edits(other), self.len().max(other.len()))
    }

    /// 1 − edits / length of the longer line; `None` below `least`.
    pub fn similarity(&self, other: &Self, least: f64) -> Option<f64> {
        let longer = self.len().max(other.len());
        if self.most_similar(other) < least {
            return None;
        }
        if self.units == other.units {
            return Some(1.0);
        }
        let arguments = levenshtein::Args::default().score_cutoff(most_edits(longer, least));
        let edits = levenshtein::distance_with_args(&self.units, &other.units, &arguments)?;
        Some(share(edits, longer)).filter(|similarity| *similarity >= least)
    }
}

#[expect(clippy::cast_precision_loss, reason = "lines have far fewer than 2^52 units")]
fn share(edits: usize, longer: usize) -> f64 {
    if longer == 0 { 1.0 } else { 1.0 - edits as f64 / longer as f64 }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of a length"
)]
fn most_edits(longer: usize, least: f64) -> usize {
    ((1.0 - least.clamp(0.0, 1.0)) * longer as f64).ceil() as usize
}

/// Where a pattern is alike enough.
#[derive(Debug, Default)]
pub struct Alike {
    /// Places, ascending; one alone if it stands out.
    pub places: Vec<usize>,
    /// Others were alike enough too, but much less.
    pub dominant: bool,
}

/// Every place from `from` on whose lines are alike enough, each one and on average. Only places where the pattern's
/// longest line fits are looked at closer.
pub fn alike(sheet: &Sheet, pattern: &[Profile], from: usize) -> Alike {
    let profiles = sheet.profiles();
    let Some((offset, longest)) = pattern.iter().enumerate().max_by_key(|(_, line)| line.len()) else {
        return Alike::default();
    };
    let last = (profiles.len() + 1).saturating_sub(pattern.len());
    let mut found: Vec<(usize, f64)> = Vec::new();
    for start in from..last {
        let line = &profiles[start + offset];
        if longest.most_similar(line) >= ENOUGH_EACH
            && let Some(mean) = mean_of(&profiles[start..start + pattern.len()], pattern)
        {
            found.push((start, mean));
        }
    }
    let best = found.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
    let Some((place, best)) = best else { return Alike::default() };
    let second = found.iter().filter(|(start, _)| *start != place).map(|(_, mean)| *mean).fold(0.0, f64::max);
    let dominant = found.len() > 1 && best >= DOMINANT.0 && best - second >= DOMINANT.1;
    let places = if dominant { vec![place] } else { found.into_iter().map(|(start, _)| start).collect() };
    Alike { places, dominant }
}

fn mean_of(lines: &[Profile], pattern: &[Profile]) -> Option<f64> {
    let mut sum = 0.0;
    for (line, wanted) in lines.iter().zip(pattern) {
        sum += wanted.similarity(line, ENOUGH_EACH)?;
    }
    Some(mean(sum, pattern.len())).filter(|mean| *mean >= ENOUGH)
}

/// The place most like the pattern, for the report of a failure: the first of the best, and how much it is alike.
pub fn closest(sheet: &Sheet, pattern: &[Profile]) -> Option<(usize, f64)> {
    let profiles = sheet.profiles();
    if pattern.is_empty() {
        return None;
    }
    let bound = |(start, lines): (usize, &[Profile])| {
        let sum: f64 = lines.iter().zip(pattern).map(|(line, wanted)| wanted.most_similar(line)).sum();
        (start, mean(sum, pattern.len()))
    };
    let mut bounds: Vec<(usize, f64)> = profiles.windows(pattern.len()).enumerate().map(bound).collect();
    bounds.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    let mut best: Option<(usize, f64)> = None;
    for (start, bound) in bounds {
        let known = best.map_or(0.0, |(_, mean)| mean);
        if bound < known || bound <= 0.0 {
            break;
        }
        let lines = profiles[start..].iter().zip(pattern);
        let sum: f64 = lines.map(|(line, wanted)| wanted.similarity(line, 0.0).unwrap_or(0.0)).sum();
        let found = mean(sum, pattern.len());
        if found > known || (best.is_some_and(|(place, _)| start < place) && found >= known) {
            best = Some((start, found));
        }
    }
    best
}

/// A sum shared out.
#[expect(clippy::cast_precision_loss, reason = "patterns have far fewer than 2^52 lines")]
pub fn mean(sum: f64, lines: usize) -> f64 {
    sum / lines as f64
}
