//! What takes the place of lines that are like the text that was searched, but not equal to it.

use super::indent::adjust;
use super::patch::{Line, Sign};
use crate::engine::text::normalise::trim;
use crate::engine::text::{Op, script};

/// `new` in the place of the lines `actual`, where the caller meant `old` to stand: lines that old and new have in common
/// stay as the file has them, the others are indented as it is.
#[must_use]
pub fn fitted(old: &str, actual: &str, new: &str) -> String {
    let [old, actual, new] = [old, actual, new].map(|text| text.split('\n').collect::<Vec<_>>());
    if is_reindent(&old, &new) {
        return new.join("\n");
    }
    let lines = lines(&old, &new);
    let adjusted = adjust(&lines, &actual);
    let (mut fitted, mut actual): (Vec<&str>, _) = (Vec::with_capacity(new.len()), actual.into_iter());
    for (sign, text) in &adjusted {
        match sign {
            Sign::Keep => fitted.extend(actual.next()),
            Sign::Remove => drop(actual.next()),
            Sign::Add => fitted.push(text),
        }
    }
    fitted.join("\n")
}

/// The caller means to change nothing but the indentation.
fn is_reindent(old: &[&str], new: &[&str]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| trim(old) == trim(new))
}

/// What becomes of each line.
fn lines<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let bytes = |lines: &[&'t str]| lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>();
    let (mut old_lines, mut new_lines) = (old.iter(), new.iter());
    let line = |op: Op| {
        let (sign, line) = match op {
            Op::Keep => {
                new_lines.next();
                (Sign::Keep, old_lines.next())
            }
            Op::Remove => (Sign::Remove, old_lines.next()),
            Op::Add => (Sign::Add, new_lines.next()),
        };
        line.map(|line| (sign, (*line).into()))
    };
    script(&bytes(old), &bytes(new)).into_iter().filter_map(line).collect()
}
