//! A change of lines without any context: they must be much alike to lines of the file, and to one place only.

use super::forms::{Strategy, indent, trim};
use super::likeness::Profile;
use super::place::{Refusal, Rules};
use super::sheet::Sheet;

/// At least this much alike is worth a second look without the depths of the indentation.
const NEAR: f64 = 0.80;
/// A second search takes lines that are only this much alike.
const LENIENT: f64 = 0.92;
/// See [`super::likeness::ENOUGH`].
const DOMINANT: (f64, f64) = (0.97, 0.08);
/// No line may be less alike than the threshold by more than this.
const SLACK_EACH: f64 = 0.05;

/// The outcome of one scan.
#[derive(Clone, Copy, Default)]
struct Scan {
    start: usize,
    best: f64,
    second: f64,
    above: usize,
    least_line: f64,
}

/// The one place that is meant, and whether others are alike too but much less.
pub fn alike(sheet: &Sheet, lines: &[&str], rules: Rules) -> Result<(usize, bool), Refusal> {
    let owned = || lines.iter().map(|line| (*line).to_owned()).collect();
    let first = best_of(sheet, lines, rules.threshold);
    if rules.fuzzy {
        let lenient = rules.threshold.min(LENIENT);
        let attempts = [(first, rules.threshold), (best_of(sheet, lines, lenient), lenient)];
        for (scan, threshold) in attempts {
            let Some(scan) = scan.filter(|scan| scan.best >= threshold) else { continue };
            let dominant = scan.best >= DOMINANT.0 && scan.best - scan.second >= DOMINANT.1;
            if (scan.above == 1 || dominant) && scan.least_line >= threshold - SLACK_EACH {
                return Ok((scan.start, scan.above > 1));
            }
        }
    }
    match first {
        Some(scan) if scan.above > 1 => Err(Refusal::AmbiguousFuzzy { lines: owned(), count: scan.above }),
        Some(scan) if scan.best > 0.0 => {
            let closest = Some((scan.start, scan.best));
            Err(Refusal::NoMatch { lines: owned(), closest })
        }
        _ => Err(Refusal::Missing { lines: owned() }),
    }
}

/// With depths first; without them if that comes near and is better.
fn best_of(sheet: &Sheet, lines: &[&str], threshold: f64) -> Option<Scan> {
    let with = scan(sheet, lines, threshold, true)?;
    if !(NEAR..threshold).contains(&with.best) {
        return Some(with);
    }
    let without = scan(sheet, lines, threshold, false)?;
    Some(if without.best > with.best { without } else { with })
}

fn scan(sheet: &Sheet, lines: &[&str], threshold: f64, with_depths: bool) -> Option<Scan> {
    let windows = (sheet.len() + 1).checked_sub(lines.len()).filter(|count| *count > 0)?;
    let wanted = encode(lines, with_depths);
    let mut scan = Scan::default();
    for start in 0..windows {
        let actual = encode(&sheet.lines()[start..start + lines.len()], with_depths);
        let each: Vec<f64> =
            wanted.iter().zip(&actual).map(|(wanted, line)| wanted.similarity(line, 0.0).unwrap_or(0.0)).collect();
        let mean = super::likeness::mean(each.iter().sum(), each.len());
        scan.above += usize::from(mean >= threshold);
        if mean > scan.best {
            let least_line = each.iter().copied().fold(1.0, f64::min);
            scan = Scan { start, best: mean, second: scan.best, least_line, ..scan };
        } else {
            scan.second = scan.second.max(mean);
        }
    }
    Some(scan)
}

fn encode(lines: &[&str], with_depths: bool) -> Vec<Profile> {
    let filled = || lines.iter().filter(|line| !trim(line).is_empty()).map(|line| indent(line).len());
    let least = filled().min().unwrap_or(0);
    let unit = filled().map(|depth| depth - least).filter(|depth| *depth > 0).min().unwrap_or(1);
    let encode = |line: &&str| {
        let form = Strategy::Similar.form(line);
        if !with_depths {
            return Profile::new(&format!("|{form}"));
        }
        let depth = if form.is_empty() { 0 } else { (indent(line).len() - least + unit / 2) / unit };
        Profile::new(&format!("{depth}|{form}"))
    };
    lines.iter().map(encode).collect()
}
