//! The lines of a file, and what has been worked out about them: each form and each index once, however many hunks
//! ask.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::forms::Strategy;
use crate::engine::cancel::CancelToken;
use crate::engine::text::similar::Forms;

/// A file as patches see it. The empty line behind a final line break is none of its lines.
pub struct Sheet<'t> {
    text: &'t str,
    lines: Vec<&'t str>,
    starts: Vec<usize>,
    equal: [OnceCell<Index<'t>>; Strategy::EQUAL.len()],
    folded: OnceCell<Index<'t>>,
    forms: OnceCell<Forms<'t>>,
    cancel: &'t CancelToken,
}

/// The lines in one form, and where each occurs.
pub struct Index<'t> {
    /// One for each line.
    pub forms: Vec<Cow<'t, str>>,
    places: FxHashMap<Cow<'t, str>, Vec<usize>>,
}

impl<'t> Sheet<'t> {
    /// Takes an LF text apart.
    pub fn new(text: &'t str, cancel: &'t CancelToken) -> Self {
        let body = text.strip_suffix('\n').unwrap_or(text);
        let lines: Vec<&str> = if text.is_empty() { Vec::new() } else { body.split('\n').collect() };
        let start = |at: &mut usize, line: &&str| {
            let start = *at;
            *at += line.len() + 1;
            Some(start)
        };
        let starts = lines.iter().scan(0, start).collect();
        Self {
            text,
            lines,
            starts,
            equal: Default::default(),
            folded: OnceCell::new(),
            forms: OnceCell::new(),
            cancel,
        }
    }

    /// The lines, without their breaks.
    pub fn lines(&self) -> &[&'t str] {
        &self.lines
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether the last line ends with a line break.
    pub fn ends_with_break(&self) -> bool {
        self.text.ends_with('\n')
    }

    /// Bytes of the text.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// The text up to a byte.
    pub fn before(&self, end: usize) -> &'t str {
        &self.text[..end]
    }

    /// Where the lines of a range stand in the text, with their breaks.
    pub fn span(&self, lines: &Range<usize>) -> Range<usize> {
        let start = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        start(lines.start)..start(lines.end)
    }

    /// The lines in the form of a strategy.
    pub fn index(&self, strategy: Strategy) -> &Index<'t> {
        let cell = Strategy::EQUAL.iter().position(|equal| *equal == strategy).map(|at| &self.equal[at]);
        cell.unwrap_or(&self.folded).get_or_init(|| Index::new(&self.lines, strategy))
    }

    /// The lines as the search for similar ones wants them.
    pub fn forms(&self) -> &Forms<'t> {
        self.forms.get_or_init(|| Forms::new(self.lines.iter().copied()))
    }

    /// Ends long searches.
    pub fn cancel(&self) -> &CancelToken {
        self.cancel
    }
}

impl<'t> Index<'t> {
    fn new(lines: &[&'t str], strategy: Strategy) -> Self {
        let forms: Vec<Cow<'t, str>> = lines.iter().map(|line| strategy.form(line)).collect();
        let mut places: FxHashMap<Cow<'t, str>, Vec<usize>> = FxHashMap::default();
        for (line, form) in forms.iter().enumerate() {
            places.entry(form.clone()).or_default().push(line);
        }
        Self { forms, places }
    }

    /// Lines that have this form, ascending.
    pub fn places(&self, form: &str) -> &[usize] {
        self.places.get(form).map_or(&[], Vec::as_slice)
    }

    /// Where lines of these forms follow each other, from `from` on, ascending.
    pub fn runs(&self, pattern: &[Cow<'_, str>], from: usize) -> Vec<usize> {
        let rarest = pattern.iter().enumerate().min_by_key(|(_, form)| self.places(form).len());
        let Some((offset, rarest)) = rarest else { return Vec::new() };
        let starts = self.places(rarest).iter().filter_map(|place| place.checked_sub(offset));
        let fits = |start: &usize| {
            *start >= from
                && self.forms.get(*start..start + pattern.len()).is_some_and(|forms| forms == pattern)
        };
        starts.filter(fits).collect()
    }
}
