//! Finding the texts of an `edit` call in the original file, and refusing what is not clear.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem::Finder;

use super::change::Warning;
use super::fit::fitted;
use super::replace::Edit;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Closest, Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::text::similar::{Forms, Windows, closest_windows};
use crate::engine::text::{Document, Splice};

/// Places named in the error about a text that occurs several times.
const MAX_PLACES: usize = 5;
/// Lines shown on each side of such a place, and characters of each line.
const PREVIEW_LINES: usize = 5;
const PREVIEW_CHARACTERS: usize = 80;
/// Characters of a line that a hint shows.
const SHOWN_CHARACTERS: usize = 200;
/// A single line of an accepted place may be this much less alike than all of them together.
const LINE_TOLERANCE: f64 = 0.05;

/// How much a place may differ from the text that is searched.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    /// Whether it may at all.
    pub allow_fuzzy: bool,
    /// From 0 to 1.
    pub threshold: f64,
}

/// Environment variables that go before the settings, whether and how much. Empty and `auto` say nothing.
const ALLOW_VARIABLE: &str = "PI_EDIT_FUZZY";
const THRESHOLD_VARIABLE: &str = "PI_EDIT_FUZZY_THRESHOLD";

impl Tolerance {
    /// As the environment says, else the settings.
    pub fn of(context: &Context) -> Result<Self> {
        let Context { settings, .. } = context;
        let allow_fuzzy = match variable(context, ALLOW_VARIABLE) {
            None => settings.truthy("edit.fuzzyMatch"),
            Some("true" | "1") => true,
            Some("false" | "0") => false,
            Some(other) => return Err(bad_variable(ALLOW_VARIABLE, "true, false, 1, 0 or auto", other)),
        };
        let threshold = match variable(context, THRESHOLD_VARIABLE) {
            None => settings.number("edit.fuzzyThreshold").clamp(0.0, 1.0),
            Some(text) => {
                let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
                number
                    .ok_or_else(|| bad_variable(THRESHOLD_VARIABLE, "a number from 0 to 1 or auto", text))?
            }
        };
        Ok(Self { allow_fuzzy, threshold })
    }
}

fn variable<'c>(context: &'c Context, name: &str) -> Option<&'c str> {
    let (_, value) = context.env.iter().find(|(known, _)| known == name)?;
    (!matches!(value.as_str(), "" | "auto")).then_some(value.as_str())
}

fn bad_variable(name: &str, expected: &str, value: &str) -> ToolError {
    ToolError::argument(name, format!("expected {expected}, got `{value}`"))
}

/// A place to change.
#[derive(Debug)]
struct Found {
    edit: usize,
    splice: Splice<'static>,
}

/// The file in which texts are looked for.
pub struct Locator<'a> {
    document: &'a Document<'a>,
    path: &'a str,
    tolerance: Tolerance,
    cancel: &'a CancelToken,
    /// Made for the first text that does not stand in the file exactly.
    lines: OnceCell<Lines<'a>>,
}

struct Lines<'a> {
    texts: Vec<&'a str>,
    starts: Vec<usize>,
    forms: Forms<'a>,
}

impl<'a> Locator<'a> {
    /// Looks in a document.
    pub fn new(document: &'a Document, path: &'a str, tolerance: Tolerance, cancel: &'a CancelToken) -> Self {
        Self { document, path, tolerance, cancel, lines: OnceCell::new() }
    }

    /// Every place the edits name, in the order of the file; none overlaps another.
    pub fn locate(&self, edits: &[Edit]) -> Result<(Vec<Splice<'static>>, Vec<Warning>)> {
        let (mut found, mut warnings) = (Vec::with_capacity(edits.len()), Vec::new());
        for (index, edit) in edits.iter().enumerate() {
            self.cancel.check()?;
            let fail = |error: ToolError| error.in_entry(index, edits.len());
            if !self.exact(index, edit, &mut found).map_err(fail)? {
                warnings.extend(self.fuzzy(index, edit, &mut found).map_err(fail)?);
            }
        }
        found.sort_by_key(|found| found.splice.range.start);
        refuse_overlap(&found, self.path)?;
        Ok((found.into_iter().map(|found| found.splice).collect(), warnings))
    }

    /// Whether the text occurs as it is.
    fn exact(&self, index: usize, edit: &Edit, found: &mut Vec<Found>) -> Result<bool> {
        let text = self.document.text().as_bytes();
        let searched = self.document.normalise(&edit.old_text);
        let all = edit.all == Some(true);
        let starts = occurrences(text, &searched, all);
        if starts.len() > 1 && !all {
            return Err(ambiguous(text, &starts, index, self.path));
        }
        let new = self.document.normalise(&edit.new_text);
        for start in &starts {
            let new = Cow::Owned(new.as_bytes().to_vec());
            found.push(Found { edit: index, splice: Splice { range: *start..start + searched.len(), new } });
        }
        Ok(!starts.is_empty())
    }

    /// The only lines that are like the text, or each of them in turn.
    fn fuzzy(&self, index: usize, edit: &Edit, found: &mut Vec<Found>) -> Result<Vec<Warning>> {
        let lines = self.lines();
        let searched = self.document.normalise(&edit.old_text);
        let new = self.document.normalise(&edit.new_text);
        let height = searched.split('\n').count();
        let (mut taken, mut warnings): (Vec<usize>, Vec<Warning>) = (Vec::new(), Vec::new());
        loop {
            let is_taken = |window: Range<usize>| {
                taken.iter().any(|start| window.start < start + height && *start < window.end)
            };
            let threshold = self.tolerance.threshold;
            let windows = closest_windows(&lines.forms, &searched, threshold, &is_taken, self.cancel)?;
            let Some(accepted) = windows.filter(|windows| self.accepts(windows, &searched)) else {
                if taken.is_empty() {
                    return Err(self.refusal(index, &edit.old_text, &searched, windows));
                }
                return Ok(warnings);
            };
            let (first, last) = (accepted.line, accepted.line + height - 1);
            let range = lines.starts[first]..lines.starts[last] + lines.texts[last].len();
            let actual = &self.document.text()[range.clone()];
            let new = fitted(&searched, actual, &new).into_bytes();
            found.push(Found { edit: index, splice: Splice { range, new: Cow::Owned(new) } });
            warnings.push(told(index, &accepted));
            taken.push(accepted.line);
            if edit.all != Some(true) {
                return Ok(warnings);
            }
        }
    }

    fn accepts(&self, windows: &Windows, searched: &str) -> bool {
        let Tolerance { allow_fuzzy, threshold } = self.tolerance;
        allow_fuzzy
            && windows.score >= threshold
            && windows.is_clear()
            && windows.weakest >= threshold - LINE_TOLERANCE
            && self.lines().forms.agrees(windows.line, &Forms::new(searched.split('\n')))
    }

    fn refusal(&self, edit: usize, as_given: &str, searched: &str, windows: Option<Windows>) -> ToolError {
        let path = self.path.to_owned();
        let closest = windows.map(|windows| Box::new(self.closest(searched, &windows)));
        let Tolerance { allow_fuzzy, threshold } = self.tolerance;
        match windows {
            Some(Windows { reaching, .. }) if allow_fuzzy && reaching > 1 => {
                ToolError::AmbiguousFuzzy { path, edit, count: reaching, closest }
            }
            _ => ToolError::NoMatch {
                path,
                edit,
                searched: as_given.to_owned(),
                allow_fuzzy,
                threshold,
                closest,
            },
        }
    }

    /// The place most like the text, and the first line in which the two differ.
    fn closest(&self, searched: &str, windows: &Windows) -> Closest {
        let searched: Vec<&str> = searched.split('\n').collect();
        let actual = |index: usize| self.lines().texts.get(windows.line + index).copied().unwrap_or_default();
        let differs = searched.iter().enumerate().position(|(index, expected)| {
            // The searched text may start and end within a line.
            match (index == 0, index + 1 == searched.len()) {
                (true, false) => !actual(index).ends_with(expected),
                (false, true) => !actual(index).starts_with(expected),
                _ => actual(index) != *expected,
            }
        });
        let index = differs.unwrap_or(0);
        Closest {
            line: windows.line + 1,
            similarity: windows.score,
            differs_at: windows.line + index + 1,
            expected: shown(searched[index]),
            actual: shown(actual(index)),
        }
    }

    fn lines(&self) -> &Lines<'a> {
        self.lines.get_or_init(|| {
            let lines: Vec<&str> = self.document.text().split('\n').collect();
            let starts = lines.iter().scan(0, |next, line| {
                let start = *next;
                *next += line.len() + 1;
                Some(start)
            });
            let starts = starts.collect();
            let forms = Forms::new(lines.iter().copied());
            Lines { texts: lines, starts, forms }
        })
    }
}

/// An edit that was made where the text does not stand exactly is never silent.
fn told(edit: usize, windows: &Windows) -> Warning {
    let percent = (windows.score * 100.0).floor();
    let line = windows.line + 1;
    Warning {
        kind: "fuzzy_match",
        text: format!(
            "edits[{edit}] was made at line {line}, which is {percent} % like old_text but not equal."
        ),
    }
}

/// Where a text occurs, without overlap. If only one place may be meant, one that overlaps the first counts too: in
/// `}\n}\n}` nobody can tell which `}\n}` was meant.
fn occurrences(text: &[u8], searched: &str, all: bool) -> Vec<usize> {
    // Not worth the preparations for a search.
    if searched.len() >= text.len() {
        return Vec::from_iter((text == searched.as_bytes()).then_some(0));
    }
    let finder = Finder::new(searched);
    let mut starts: Vec<usize> = finder.find_iter(text).collect();
    if let ([only], false) = (starts.as_slice(), all) {
        let next = only + 1;
        let reach = text.len().min(only + 2 * searched.len() - 1);
        starts.extend(finder.find(&text[next..reach]).map(|at| next + at));
    }
    starts
}

fn refuse_overlap(found: &[Found], path: &str) -> Result<()> {
    for pair in found.windows(2) {
        if pair[1].splice.range.start < pair[0].splice.range.end {
            let (first, second) = (pair[0].edit.min(pair[1].edit), pair[0].edit.max(pair[1].edit));
            return Err(ToolError::OverlappingOps { path: path.to_owned(), first, second });
        }
    }
    Ok(())
}

fn ambiguous(text: &[u8], starts: &[usize], edit: usize, path: &str) -> ToolError {
    let (mut lines, mut counted, mut line) = (Vec::new(), 0, 1);
    for start in starts.iter().take(MAX_PLACES) {
        line += memchr::memchr_iter(b'\n', &text[counted..*start]).count();
        counted = *start;
        lines.push(line);
    }
    let preview = preview(text, &lines);
    ToolError::AmbiguousMatch { path: path.to_owned(), edit, count: starts.len(), lines, preview }
}

/// The lines around each of `lines` (1-based, ascending), each line once; a bare `…` where lines are left out.
fn preview(text: &[u8], lines: &[usize]) -> String {
    let Some(last) = lines.last() else { return String::new() };
    let is_near = |number: usize| lines.iter().any(|line| line.abs_diff(number) <= PREVIEW_LINES);
    let (mut shown, mut left_out) = (Vec::new(), false);
    for (index, line) in text.split(|byte| *byte == b'\n').take(last + PREVIEW_LINES).enumerate() {
        if !is_near(index + 1) {
            left_out = !shown.is_empty();
            continue;
        }
        if std::mem::take(&mut left_out) {
            shown.push("…".to_owned());
        }
        let text: String = String::from_utf8_lossy(line).chars().take(PREVIEW_CHARACTERS).collect();
        shown.push(format!("{}|{text}", index + 1));
    }
    shown.join("\n")
}

fn shown(line: &str) -> String {
    line.chars().take(SHOWN_CHARACTERS).collect()
}
