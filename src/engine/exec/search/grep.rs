//! `grep`: every match as data, for hosts that lay out by themselves. No caps, and the pattern is taken as it is.

use std::io;
use std::path::PathBuf;

use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};
use serde::{Deserialize, Serialize};

use super::glance::Glance;
use super::opened::{How, Opened};
use super::pattern::Pattern;
use super::scan::{Miss, Scanner, Skip, WHOLE_LIMIT};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files::{Course, Entry, EntryKind, Key, Survey, TargetRules, Targets, relative_path};

/// Arguments of `grep`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Options {
    /// The regular expression.
    pub pattern: String,
    /// Files, directories and globs; the working directory by default.
    #[serde(default)]
    pub paths: Option<Vec<String>>,
    /// Take the pattern for plain text.
    #[serde(default)]
    pub literal: Option<bool>,
    /// Ignore case.
    #[serde(default)]
    pub ignore_case: Option<bool>,
    /// Search hidden files; true by default.
    #[serde(default)]
    pub hidden: Option<bool>,
    /// Leave out what git ignores; true by default.
    #[serde(default)]
    pub gitignore: Option<bool>,
    /// Lines before each matching one.
    #[serde(default)]
    pub before: Option<u32>,
    /// Lines after each matching one.
    #[serde(default)]
    pub after: Option<u32>,
}

/// Everything that matches.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Grep {
    /// In byte order of the paths, or in the order of `paths` if those are all files.
    pub files: Vec<GrepFile>,
    /// Files that were not searched.
    pub skipped: Vec<GrepSkip>,
    /// Directories that could not be read.
    pub unreadable: Vec<String>,
    /// Entries of `paths` that lead nowhere.
    pub missing: Vec<String>,
}

/// The lines of one file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepFile {
    /// Relative to the working directory where it lies below it.
    pub path: String,
    /// Matching lines and those around them, in order.
    pub lines: Vec<GrepLine>,
}

/// One line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepLine {
    /// From 1.
    pub number: u64,
    /// Without its line break; invalid UTF-8 replaced.
    pub text: String,
    /// Where it matches, as offsets of UTF-16 units; none for a line that only stands around.
    pub ranges: Vec<[usize; 2]>,
    /// Whether it matches. An empty match has a range, too, but one that lies in the line break has none.
    pub is_match: bool,
}

/// A file that was not searched.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepSkip {
    /// Relative to the working directory where it lies below it.
    pub path: String,
    /// `binary`, `oversized` or `unreadable`.
    pub reason: &'static str,
}

/// Runs the call.
pub fn grep(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Grep> {
    cancel.check()?;
    let flag = |value: Option<bool>, default| value.unwrap_or(default);
    let pattern =
        Pattern::exact(&options.pattern, flag(options.literal, false), flag(options.ignore_case, false))?;
    let here = [".".to_owned()];
    let entries = options.paths.as_deref().unwrap_or(&here);
    if entries.is_empty() {
        return Err(ToolError::argument("paths", "expected at least one path"));
    }
    let mut targets = Targets::resolve(entries, context.origin())?;
    let rules = TargetRules {
        hidden: flag(options.hidden, true),
        gitignore: flag(options.gitignore, true),
        global_excludes: context.global_excludes(),
    };
    let course = Course { cancel: cancel.clone(), deadline: None };
    let lines = |count: Option<u32>| count.unwrap_or(0) as usize;
    let (before, after) = (lines(options.before), lines(options.after));
    let search = Grepping { pattern, before, after, course: course.clone() };
    let done = targets.walk(search, &rules, &course, None)?;
    done.survey.pattern.check(&options.pattern)?;
    let mut found: Vec<Found> = done.workers.into_iter().flat_map(|worker| worker.found).collect();
    found.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    found.dedup_by(|a, b| a.key == b.key);
    let shown = |path: &PathBuf| relative_path(path, &context.cwd);
    let mut grep = Grep { missing: targets.missing, ..Grep::default() };
    grep.unreadable = done.report.unreadable.iter().map(shown).collect();
    for Found { path, result, .. } in found {
        let path = shown(&path);
        match result {
            Ok(lines) => grep.files.push(GrepFile { path, lines }),
            Err(reason) => grep.skipped.push(GrepSkip { path, reason }),
        }
    }
    Ok(grep)
}

struct Grepping {
    pattern: Pattern,
    before: usize,
    after: usize,
    course: Course,
}

struct Worker {
    pattern: Pattern,
    scanner: Scanner,
    file: Opened,
    found: Vec<Found>,
    cancel: CancelToken,
}

struct Found {
    key: Key,
    path: PathBuf,
    result: std::result::Result<Vec<GrepLine>, &'static str>,
}

impl Survey for Grepping {
    type Worker = Worker;

    const WEIGHT: usize = 5;

    fn worker(&self) -> Worker {
        let pattern = self.pattern.clone();
        let scanner = Scanner::new(pattern.clone(), self.before, self.after, self.course.cancel.clone());
        let how = How { walked_limit: WHOLE_LIMIT, decodes: false, keeps_facts: false };
        let file = Opened::new(how, Glance::of(std::iter::once(&pattern)), self.course.cancel.clone());
        Worker { pattern, scanner, file, found: Vec::new(), cancel: self.course.cancel.clone() }
    }

    fn visit(&self, worker: &mut Worker, entry: &Entry<'_>) {
        if entry.kind != EntryKind::File {
            return;
        }
        let result = worker.lines_of(entry);
        worker.file.close();
        let Some(result) = result else { return };
        let path = entry.path();
        worker.found.push(Found { key: Key::new(entry.root, &path), path, result });
    }
}

impl Worker {
    /// The lines of a file, or why it was skipped; nothing if nothing matches.
    fn lines_of(&mut self, entry: &Entry) -> Option<std::result::Result<Vec<GrepLine>, &'static str>> {
        match self.scanner.open(&mut self.file, entry) {
            Ok(()) => {}
            Err(Miss::Nothing) => return None,
            Err(Miss::Skipped(skip)) => return Some(Err(skip.reason())),
        }
        let cancel = self.cancel.clone();
        let mut lines = Lines { pattern: &self.pattern, found: Vec::new(), binary: false, cancel };
        match self.scanner.search(&self.file, &mut lines) {
            _ if lines.binary => Some(Err(Skip::Binary.reason())),
            // The searcher's own memory is the only thing that can fail besides reading.
            Err(error) if error.kind() == io::ErrorKind::Other => Some(Err(Skip::Oversized.reason())),
            Err(_) => Some(Err("unreadable")),
            Ok(()) => (!lines.found.is_empty()).then_some(Ok(lines.found)),
        }
    }
}

/// Takes everything the searcher tells of.
struct Lines<'a> {
    pattern: &'a Pattern,
    found: Vec<GrepLine>,
    binary: bool,
    cancel: CancelToken,
}

/// Matches between two looks at the token.
const MATCHES_BETWEEN_LOOKS: usize = 1024;

impl Lines<'_> {
    fn push(&mut self, number: u64, bytes: &[u8], ranges: Vec<[usize; 2]>, is_match: bool) {
        let text = String::from_utf8_lossy(without_break(bytes)).into_owned();
        self.found.push(GrepLine { number, text, ranges, is_match });
    }

    /// Where the pattern matches in what the searcher found; not all of it once the call is cancelled.
    fn matches(&self, block: &[u8]) -> Vec<(usize, usize)> {
        let text = if self.pattern.multi_line { block } else { without_break(block) };
        let mut matches = Vec::new();
        self.pattern.each_match(text, |found| {
            matches.push((found.start(), found.end()));
            matches.len() % MATCHES_BETWEEN_LOOKS != 0 || !self.cancel.is_cancelled()
        });
        matches
    }
}

impl Sink for &mut Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let block = found.bytes();
        let number = found.line_number().unwrap_or(1);
        let matches = self.matches(block);
        if self.cancel.is_cancelled() {
            return Ok(false);
        }
        if !self.pattern.multi_line {
            let line = without_break(block);
            // As ripgrep has it: at the very end of a text there is no empty match.
            let end = if line.len() == block.len() { line.len() } else { line.len() + 1 };
            let mut units = Units::new(line);
            let here = matches.iter().filter(|(start, _)| *start < end);
            let ranges = here.map(|(start, end)| [units.at(*start), units.at(*end)]).collect();
            self.push(number, block, ranges, true);
            return Ok(true);
        }
        // Ascending, so that those of a line follow those of the one before.
        let (mut offset, mut next) = (0, 0);
        for (number, line) in (number..).zip(block.split_inclusive(|byte| *byte == b'\n')) {
            let text = without_break(line);
            let (first, last) = (offset, offset + text.len());
            next += matches[next..].iter().take_while(|(_, end)| *end < first).count();
            let here = matches[next..].iter().take_while(|(start, _)| *start <= last);
            let mut units = Units::new(text);
            let mut unit = |at: usize| units.at(at.clamp(first, last) - first);
            let ranges = here.map(|(start, end)| [unit(*start), unit(*end)]).collect();
            self.push(number, line, ranges, true);
            offset += line.len();
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        self.push(context.line_number().unwrap_or(1), context.bytes(), Vec::new(), false);
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.binary = true;
        Ok(false)
    }
}

/// Offsets of bytes as offsets of UTF-16 units in the text that is shown, one after the other.
struct Units<'t> {
    text: &'t [u8],
    at: usize,
    counted: usize,
}

impl<'t> Units<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, counted: 0 }
    }

    /// Of an offset that is not before the last one.
    fn at(&mut self, offset: usize) -> usize {
        // An empty match may lie within a character, which is counted again from its start.
        let is_within = |at: usize| self.text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        let boundary = (offset.saturating_sub(3)..=offset).rev().find(|at| !is_within(*at));
        let boundary = boundary.unwrap_or(offset).max(self.at);
        self.counted += Self::of(&self.text[self.at..boundary]);
        self.at = boundary;
        self.counted + Self::of(&self.text[boundary..offset])
    }

    fn of(text: &[u8]) -> usize {
        if text.is_ascii() { text.len() } else { String::from_utf8_lossy(text).encode_utf16().count() }
    }
}

fn without_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
