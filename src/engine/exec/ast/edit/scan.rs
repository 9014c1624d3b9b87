//! One file: what is replaced in it, as places in its text.

use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::engine::cancel::CancelToken;
use crate::engine::code::{Language, Pattern, Template, Tree, TreeFault};
use crate::engine::error::Result;
use crate::engine::exec::ast::issues::Issue;
use crate::engine::exec::ast::sweep::{Look, Looked};
use crate::engine::files::{Stamp, generated_marker};
use crate::engine::text::Document;

/// A pattern and what takes the place of its matches.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) pattern: Pattern,
    pub(super) template: Template,
}

/// A rewrite of many files.
#[derive(Debug)]
pub(super) struct Rewrite {
    rules: Vec<Rule>,
    refuses_generated: bool,
    /// The language of the first file; once there is another one, the call fails and nothing more is parsed.
    family: Mutex<Option<&'static str>>,
}

/// What is replaced in a file.
#[derive(Debug)]
pub(super) struct FileEdits {
    /// In order, none within another unless `overlap` says so.
    pub(super) edits: Vec<Edit>,
    /// The file they are places of.
    pub(super) stamp: Stamp,
    /// Line and patterns of the first match that overlaps another.
    pub(super) overlap: Option<(usize, String, String)>,
    /// What marks the file as made by a program.
    pub(super) generated: Option<String>,
}

/// One replacement, in the text with LF.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) new: String,
    /// Number of the rule.
    rule: usize,
}

impl Rewrite {
    pub(super) fn new(rules: Vec<Rule>, refuses_generated: bool) -> Self {
        Self { rules, refuses_generated, family: Mutex::default() }
    }

    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether all files so far are of one language.
    fn is_one_language(&self, language: &'static Language) -> bool {
        let mut known = self.family.lock().unwrap_or_else(PoisonError::into_inner);
        *known.get_or_insert(language.family()) == language.family()
    }

    /// All replacements in a text, in order, and the first place where two of them meet.
    fn edits(&self, tree: &Tree, text: &str, language: &Language, cancel: &CancelToken) -> Result<Edits> {
        let (mut edits, mut meeting) = (Vec::new(), None);
        for (rule, Rule { pattern, template }) in self.rules.iter().enumerate() {
            let Ok(pattern) = pattern.in_language(language) else { continue };
            let mut end = 0;
            let done = tree.each_match(pattern, cancel, |found| {
                let range = found.replaced_range();
                // Matches come in order. Nothing more is expanded once the call is to fail.
                if range.start < end || meeting.is_some() {
                    meeting.get_or_insert(Meeting { at: range.start, first: rule, second: rule });
                    return;
                }
                end = range.end;
                edits.push(Edit { range, new: template.expand(&found, text), rule });
            })?;
            if let Err(fault) = done {
                return Ok(Err(fault));
            }
        }
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let met = edits.windows(2).find(|pair| pair[1].range.start < pair[0].range.end);
        let met =
            met.map(|pair| Meeting { at: pair[1].range.start, first: pair[0].rule, second: pair[1].rule });
        Ok(Ok((edits, meeting.or(met))))
    }
}

/// All replacements of a text, and the first place where two of them meet.
type Edits = std::result::Result<(Vec<Edit>, Option<Meeting>), TreeFault>;

/// Where two replacements change the same text.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    at: usize,
    first: usize,
    second: usize,
}

impl Look for Rewrite {
    type Found = FileEdits;

    fn may_match(&self, language: &'static Language, bytes: &[u8]) -> bool {
        // Each pattern is asked, so that each says whether it is code of this language.
        let may_match =
            |rule: &Rule| rule.pattern.in_language(language).is_ok_and(|pattern| pattern.may_match(bytes));
        self.is_one_language(language) && self.rules.iter().filter(|rule| may_match(rule)).count() > 0
    }

    fn look(
        &self,
        path: &Path,
        language: &'static Language,
        bytes: &[u8],
        cancel: &CancelToken,
    ) -> Result<Looked<FileEdits>> {
        let Ok(document) = Document::new(bytes) else { return Ok(Looked::issue(Issue::NotUtf8)) };
        let text = document.text();
        let tree = match Tree::of(text, language, cancel)? {
            Ok(tree) => tree,
            Err(fault) => return Ok(Looked::issue(Issue::Tree(fault))),
        };
        // What errors hide may be half of a match.
        if tree.has_errors() {
            return Ok(Looked::issue(Issue::SyntaxErrors));
        }
        let (edits, meeting) = match self.edits(&tree, text, language, cancel)? {
            Ok(found) => found,
            Err(fault) => return Ok(Looked::issue(Issue::Tree(fault))),
        };
        if edits.is_empty() {
            return Ok(Looked { found: None, issue: None });
        }
        let pattern = |rule: usize| self.rules[rule].pattern.text().to_owned();
        let overlap = meeting.map(|meeting| {
            let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..meeting.at]).count();
            (line, pattern(meeting.first), pattern(meeting.second))
        });
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let generated = if self.refuses_generated { generated_marker(&name, bytes) } else { None };
        let found = FileEdits { edits, stamp: Stamp::of_bytes(bytes), overlap, generated };
        Ok(Looked { found: Some(found), issue: None })
    }
}
