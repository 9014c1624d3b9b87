//! One file: its matches, as places in its text.

use std::path::Path;

use crate::engine::cancel::CancelToken;
use crate::engine::code::{Captured, Found, Language, Pattern, Tree};
use crate::engine::error::Result;
use crate::engine::exec::ast::issues::Issue;
use crate::engine::exec::ast::sweep::{Look, Looked};
use crate::engine::files::Stamp;
use crate::engine::text::{Document, clip};

/// Characters of a capture that are shown.
const CAPTURE_LIMIT: usize = 200;
/// Nodes of a capture that are shown.
const CAPTURED_NODES: usize = 50;
/// Characters of all captures of a match.
const CAPTURES_LIMIT: usize = 1000;

/// A search of many files.
#[derive(Debug)]
pub(super) struct Search {
    pattern: Pattern,
    /// Matches of one file that are kept; the rest is counted.
    most: usize,
}

/// The matches of a file.
#[derive(Debug)]
pub(super) struct FileMatches {
    pub(super) count: usize,
    /// The first ones, in order.
    pub(super) hits: Vec<Hit>,
    /// The file they are places of.
    pub(super) stamp: Stamp,
}

/// One match, in the text with LF.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    pub(super) start: usize,
    pub(super) end: usize,
    /// What was captured, in one line; none if nothing was.
    pub(super) captures: Option<String>,
}

impl Search {
    pub(super) fn new(pattern: Pattern, most: usize) -> Self {
        Self { pattern, most }
    }

    pub(super) fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

impl Look for Search {
    type Found = FileMatches;

    fn may_match(&self, language: &'static Language, bytes: &[u8]) -> bool {
        self.pattern.in_language(language).is_ok_and(|pattern| pattern.may_match(bytes))
    }

    fn look(
        &self,
        _path: &Path,
        language: &'static Language,
        bytes: &[u8],
        cancel: &CancelToken,
    ) -> Result<Looked<FileMatches>> {
        let Ok(pattern) = self.pattern.in_language(language) else {
            return Ok(Looked { found: None, issue: None });
        };
        let Ok(document) = Document::new(bytes) else { return Ok(Looked::issue(Issue::NotUtf8)) };
        let text = document.text();
        let tree = match Tree::of(text, language, cancel)? {
            Ok(tree) => tree,
            Err(fault) => return Ok(Looked::issue(Issue::Tree(fault))),
        };
        let (mut count, mut hits) = (0, Vec::new());
        let done = tree.each_match(pattern, cancel, |found| {
            count += 1;
            if hits.len() < self.most {
                hits.push(Hit::of(&found));
            }
        })?;
        let issue = match done {
            Err(fault) => Some(Issue::Tree(fault)),
            Ok(()) => tree.has_errors().then_some(Issue::SyntaxErrors),
        };
        let found = (count > 0).then(|| FileMatches { count, hits, stamp: Stamp::of_bytes(bytes) });
        Ok(Looked { found, issue })
    }
}

impl Hit {
    fn of(found: &Found<'_>) -> Self {
        let range = found.range();
        let captures = found.captures();
        let shown = captures.iter().map(|(name, captured)| format!("{name}={}", show(captured)));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let shown = match clip(&shown, CAPTURES_LIMIT) {
            Some(start) => format!("{start}…"),
            None => shown,
        };
        Self { start: range.start, end: range.end, captures: (!captures.is_empty()).then_some(shown) }
    }
}

fn show(captured: &Captured<'_>) -> String {
    match captured {
        Captured::One(text) => in_one_line(text),
        Captured::Several(texts) => {
            let mut shown: Vec<String> =
                texts.iter().take(CAPTURED_NODES).map(|text| in_one_line(text)).collect();
            if texts.len() > CAPTURED_NODES {
                shown.push("…".to_owned());
            }
            format!("[{}]", shown.join(", "))
        }
    }
}

/// A text of many lines as one: it would not be told from the lines of the file. Never looks at more than it shows.
fn in_one_line(text: &str) -> String {
    let start = clip(text, CAPTURE_LIMIT);
    let lines = start.unwrap_or(text).split('\n').map(str::trim);
    let mut line = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if start.is_some() {
        line.push('…');
    }
    line
}
