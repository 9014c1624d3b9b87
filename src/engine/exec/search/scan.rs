//! One file for one pattern: leave it out for a reason, or collect its matching lines with the lines around them.

use std::io;
use std::sync::Arc;

use grep_matcher::LineTerminator;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink};

use super::collect::Collector;
use super::line::Shown;
use super::opened::Opened;
use super::pattern::Pattern;
use super::recall::{Before, Recall};
use crate::engine::cancel::CancelToken;
use crate::engine::error::ToolError;
use crate::engine::files::Entry;
use crate::engine::session::Session;

/// Larger files are left out of a walk. A file that the caller named is searched whatever its size.
pub(super) const WALKED_LIMIT: usize = 4 << 20;

/// Up to this size a named file is read whole, beyond it is streamed.
pub(super) const WHOLE_LIMIT: usize = 16 << 20;

/// Memory for one line of a streamed file, or for a streamed file whose matches may span lines.
const STREAM_MEMORY: usize = 256 << 20;

/// How files are searched.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) pattern: Pattern,
    pub(super) before: usize,
    pub(super) after: usize,
    /// Matches to collect of one file.
    pub(super) per_file: usize,
    /// Whether lines are shown with anchors.
    pub(super) anchors: bool,
    /// The session that knows files, where it may be asked.
    pub(super) session: Option<Arc<Session>>,
}

/// What a search of one file gave.
#[derive(Debug)]
pub(super) enum Scanned {
    Nothing,
    Hits(Hits),
    Skipped(Skip),
}

/// Why a file was left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Skip {
    Oversized,
    Binary,
    Unreadable(ToolError),
}

impl Skip {
    /// The reason as one word.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Self::Oversized => "oversized",
            Self::Binary => "binary",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

/// The matching lines of a file and the lines around them, in order.
#[derive(Debug, Default)]
pub(super) struct Hits {
    pub(super) lines: Vec<FoundLine>,
    pub(super) matches: usize,
    /// Whether the file has more matches than were to be collected.
    pub(super) more: bool,
}

#[derive(Debug)]
pub(super) struct FoundLine {
    pub(super) number: u64,
    pub(super) is_match: bool,
    pub(super) shown: Shown,
    /// Whether the line is shown to its last byte.
    pub(super) is_whole: bool,
    /// The letters of the anchor; a cut line has none, as they would not speak of what is shown.
    pub(super) letters: Option<&'static str>,
}

/// Why there is nothing to search in a file: it was left out, or nothing in it matches.
#[derive(Debug, Clone)]
pub(super) enum Miss {
    Nothing,
    Skipped(Skip),
}

/// Searches files one after the other.
#[derive(Debug)]
pub(super) struct Scanner {
    pattern: Pattern,
    cancel: CancelToken,
    searcher: Searcher,
    /// What is known of files without opening them.
    recall: Option<Recall>,
}

impl Scanner {
    /// A scanner for lines that match, with so many lines before and after.
    pub(super) fn new(pattern: Pattern, before: usize, after: usize, cancel: CancelToken) -> Self {
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .multi_line(pattern.multi_line)
            .before_context(before)
            .after_context(after)
            .line_number(true)
            // Only streamed and decoded text gets there unchecked.
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(STREAM_MEMORY))
            .build();
        Self { pattern, cancel, searcher, recall: None }
    }

    /// A scanner for a plan, which asks the session about files before they are opened, and tells it what they hold.
    pub(super) fn of(plan: &Plan, cancel: CancelToken) -> Self {
        let recall = plan.session.clone().map(|session| Recall::new(session, &plan.pattern));
        Self { recall, ..Self::new(plan.pattern.clone(), plan.before, plan.after, cancel) }
    }

    /// Opens a file, or takes it as another scanner left it, unless it is of no use.
    pub(super) fn open(&mut self, file: &mut Opened, entry: &Entry) -> std::result::Result<(), Miss> {
        let before = self.recall.as_ref().map_or(Before::Unsure, |recall| recall.before(entry));
        if let Before::Miss(miss) = before {
            return Err(miss);
        }
        file.open(entry)?;
        if let Some(recall) = self.recall.as_mut().filter(|_| matches!(before, Before::New)) {
            recall.learn(file);
        }
        self.prepare(file)
    }

    /// Looks whether anything in the file can match at all.
    fn prepare(&self, file: &Opened) -> std::result::Result<(), Miss> {
        if file.is_stream() || file.is_marked() {
            return Ok(());
        }
        let may_match = |text: &[u8]| {
            if self.pattern.may_match(text, &self.cancel) { Ok(()) } else { Err(Miss::Nothing) }
        };
        // Only there can the bytes of another encoding hide what is sought.
        if (!self.pattern.is_ascii || file.is_utf16())
            && let Some(text) = file.decoded()
        {
            return may_match(text.as_bytes());
        }
        if file.looks_binary() {
            return Err(Miss::Skipped(Skip::Binary));
        }
        may_match(file.bytes())?;
        // What comes behind the head counts only where something would be left out for it.
        if file.has_nul() { Err(Miss::Skipped(Skip::Binary)) } else { Ok(()) }
    }

    /// Tells a sink of all matches in an opened file.
    pub(super) fn search<S: Sink<Error = io::Error>>(&mut self, file: &Opened, sink: S) -> io::Result<()> {
        if let Some(stream) = file.stream(&self.cancel)? {
            let Some(matcher) = self.pattern.matcher() else { return Ok(()) };
            return self.searcher.search_reader(matcher, stream, sink);
        }
        let Some(matcher) = self.pattern.matcher_of(file.text()) else { return Ok(()) };
        self.searcher.search_slice(matcher, file.text(), sink)
    }

    /// Searches one file for the tool. Of a call that is cancelled nothing is found.
    pub(super) fn scan(&mut self, plan: &Plan, file: &mut Opened, entry: &Entry) -> Scanned {
        let opened = self.open(file, entry);
        self.collect(plan, file, opened)
    }

    /// Searches bytes as if they were a file.
    pub(super) fn scan_bytes(&mut self, plan: &Plan, bytes: Vec<u8>) -> Scanned {
        let file = Opened::holding(bytes);
        let opened = self.prepare(&file);
        self.collect(plan, &file, opened)
    }

    fn collect(&mut self, plan: &Plan, file: &Opened, opened: std::result::Result<(), Miss>) -> Scanned {
        match opened {
            Ok(()) => {
                let mut collector = Collector::new(plan);
                let searched = self.search(file, &mut collector);
                collector.finish(searched)
            }
            Err(Miss::Nothing) => Scanned::Nothing,
            Err(Miss::Skipped(skip)) => Scanned::Skipped(skip),
        }
    }
}
