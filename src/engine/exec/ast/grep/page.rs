//! Which matches are shown, and how: whole lines of the file, each once, what was captured below the last line of its
//! match.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::call::PAGE_MATCHES;
use super::scan::{FileMatches, Hit};
use crate::engine::exec::ast::issues::Issue;
use crate::engine::exec::ast::sweep::NAMED_LIMIT;
use crate::engine::exec::search::{arrange, show};
use crate::engine::files::{display_path, read_regular};
use crate::engine::text::{Document, letters};

/// Bytes of a page.
pub(super) const PAGE_BYTES: usize = 50 << 10;

/// What the lines of a page depend on.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) cwd: &'a Path,
    pub(super) anchors: bool,
}

/// A page of matches.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) files: Vec<FileRows>,
    /// Number of the first match, from 0.
    pub(super) first: usize,
    /// Matches that are on the page, or were passed over because their file has changed.
    passed: usize,
    /// All matches.
    pub(super) total: usize,
    /// The one match of the page, if it alone is too long.
    pub(super) cut: Option<Cut>,
    /// Files that changed since they were searched.
    pub(super) changed: Vec<(PathBuf, Issue)>,
}

/// Where a match was cut.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) path: String,
    /// First and last line that are not shown, 1-based.
    pub(super) next: usize,
    pub(super) last: usize,
}

/// The rows of one file.
#[derive(Debug, Default)]
pub(super) struct FileRows {
    pub(super) name: String,
    pub(super) matches: usize,
    rows: BTreeMap<usize, Row>,
}

/// A line and what was captured by matches that end in it.
#[derive(Debug, Default)]
struct Row {
    is_match: bool,
    text: String,
    letters: Option<&'static str>,
    captures: Vec<String>,
}

impl Page {
    /// The page behind `skip` matches.
    pub(super) fn new(files: &[(PathBuf, FileMatches)], skip: usize, place: &Place<'_>) -> Self {
        let total = files.iter().map(|(_, file)| file.count).sum();
        let mut page = Self { first: skip, total, ..Self::default() };
        let (mut before, mut room) = (0, PAGE_BYTES);
        for (path, file) in files {
            let start = skip.saturating_sub(before).min(file.count);
            before += file.count;
            let wanted = (file.count - start).min(PAGE_MATCHES - page.passed);
            if wanted == 0 {
                continue;
            }
            let hits = &file.hits[start..start + wanted];
            if !page.add(path, file, hits, &mut room, place) || page.passed == PAGE_MATCHES {
                break;
            }
        }
        page
    }

    /// Behind the last match shown.
    pub(super) fn end(&self) -> usize {
        self.first.saturating_add(self.passed)
    }

    /// Adds matches of a file; whether all of them fit.
    fn add(
        &mut self,
        path: &Path,
        file: &FileMatches,
        hits: &[Hit],
        room: &mut usize,
        place: &Place<'_>,
    ) -> bool {
        let name = display_path(path, place.cwd);
        let bytes = read_regular(path, &name, NAMED_LIMIT as u64).map(|(bytes, _)| bytes);
        let Some(bytes) = bytes.ok().filter(|bytes| file.stamp.fits(bytes)) else {
            self.changed.push((path.to_owned(), Issue::Changed));
            self.passed += hits.len();
            return true;
        };
        let Ok(document) = Document::new(&bytes) else { return true };
        let lines = Lines::new(document.text());
        let mut rows = FileRows { name, ..FileRows::default() };
        *room = room.saturating_sub(2 * rows.name.len() + 12);
        let mut all_fit = true;
        for hit in hits {
            let (first, last) = (lines.of(hit.start), lines.of(hit.end.saturating_sub(1).max(hit.start)));
            let (added, bytes) = rows.missing(&lines, first, last, hit, place.anchors, *room);
            let is_whole = added.len() == (first..=last).filter(|line| !rows.rows.contains_key(line)).count();
            if (!is_whole || bytes > *room) && self.passed > 0 {
                all_fit = false;
                break;
            }
            let next = added.last().map_or(last + 1, |(line, _)| line + 1);
            rows.rows.extend(added);
            rows.mark(first, if is_whole { last } else { next - 1 }, hit);
            *room = room.saturating_sub(bytes);
            rows.matches += 1;
            self.passed += 1;
            if !is_whole {
                self.cut = Some(Cut { path: rows.name.clone(), next: next + 1, last: last + 1 });
                all_fit = false;
                break;
            }
        }
        if rows.matches > 0 {
            self.files.push(rows);
        }
        all_fit
    }

    /// The text for the model.
    pub(super) fn text(&self, single: bool) -> String {
        arrange(&self.files, single, &|file| file.name.clone(), &FileRows::text)
    }

    /// The text for people: numbers in a column of their own, no anchors.
    pub(super) fn display(&self, single: bool) -> String {
        arrange(&self.files, single, &|file| file.name.clone(), &FileRows::display)
    }
}

impl FileRows {
    /// The lines of a match that are not on the page yet, as long as there is room, and the bytes they take.
    fn missing(
        &self,
        lines: &Lines<'_>,
        first: usize,
        last: usize,
        hit: &Hit,
        anchors: bool,
        room: usize,
    ) -> (Vec<(usize, Row)>, usize) {
        let mut bytes = hit.captures.as_ref().map_or(0, |captures| captures.len() + 9);
        let mut rows = Vec::new();
        for line in (first..=last).filter(|line| !self.rows.contains_key(line)) {
            let text = lines.text(line);
            let shown = show(text, if line == first { hit.start - lines.starts[line] } else { 0 });
            // Marker, number, letters, bar and line break.
            bytes += shown.text.len() + 14;
            if bytes > room && !rows.is_empty() {
                break;
            }
            let letters = (anchors && !shown.cut).then(|| letters(text));
            rows.push((line, Row { text: shown.text, letters, ..Row::default() }));
        }
        (rows, bytes)
    }

    fn mark(&mut self, first: usize, last: usize, hit: &Hit) {
        if let Some(row) = self.rows.get_mut(&first) {
            row.is_match = true;
        }
        if let (Some(row), Some(captures)) = (self.rows.get_mut(&last), &hit.captures) {
            row.captures.push(captures.clone());
        }
    }

    fn text(&self) -> String {
        self.each_row(|number, row| {
            format!("{}{number}{}|{}", row.marker(), row.letters.unwrap_or_default(), row.text)
        })
    }

    fn display(&self) -> String {
        let width = self.rows.last_key_value().map_or(0, |(line, _)| (line + 1).to_string().len()) + 1;
        self.each_row(|number, row| format!("{:>width$}│{}", format!("{}{number}", row.marker()), row.text))
    }

    fn each_row(&self, show: impl Fn(usize, &Row) -> String) -> String {
        let mut shown = Vec::new();
        for (line, row) in &self.rows {
            shown.push(show(line + 1, row));
            shown.extend(row.captures.iter().map(|captures| format!("  meta: {captures}")));
        }
        shown.join("\n")
    }
}

impl Row {
    fn marker(&self) -> char {
        if self.is_match { '*' } else { ' ' }
    }
}

/// A text by its lines.
#[derive(Debug)]
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self { text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// The line of a byte, 0-based.
    fn of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    fn text(&self, line: usize) -> &'a str {
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        &self.text[self.starts[line]..end]
    }
}
