//! Which lines of a parsed file are left out.

use tree_sitter::{Node, Tree, TreeCursor};

use super::Rules;
use super::language::{COMMENTS, Parts};

/// Deeper nodes are not looked at, and a tree that has them where it matters is not summarised.
const MAX_DEPTH: usize = 2_000;
/// A file of so many lines is short enough to say little with one region.
const SHORT_FILE: usize = 40;

/// Lines that are left out, 0-based, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// The first line left out.
    pub start: usize,
    /// The last line left out.
    pub end: usize,
}

/// The lines of a node, 0-based, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
}

impl Span {
    fn of(node: Node<'_>) -> Self {
        let (start, end) = (node.start_position(), node.end_position());
        // Some nodes hold the line end behind them.
        let end_row = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
        Self { start: start.row, end: end_row }
    }

    fn lines(self) -> usize {
        self.end - self.start + 1
    }

    /// What is left out when some lines at the start and the last one stay.
    fn inner(self, kept: usize) -> Option<Region> {
        let region = Region { start: self.start + kept, end: self.end.checked_sub(1)? };
        (region.start <= region.end).then_some(region)
    }
}

/// The regions of a file, in order, none within another; none at all where it is nested too deep.
pub fn find(tree: &Tree, parts: &Parts, rules: Rules, lines: usize) -> Option<Vec<Region>> {
    let mut walk =
        Walk { cursor: tree.walk(), parts, rules, lines, regions: Vec::new(), runs: vec![Run::default()] };
    walk.all()?;
    Some(walk.regions)
}

struct Walk<'a> {
    cursor: TreeCursor<'a>,
    parts: &'a Parts,
    rules: Rules,
    lines: usize,
    regions: Vec<Region>,
    /// The run at hand on every level of the way down.
    runs: Vec<Run>,
}

/// Neighbours that are left out together.
#[derive(Debug, Default, Clone, Copy)]
struct Run {
    kind: Option<RunKind>,
    count: usize,
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunKind {
    Comments,
    Imports,
}

impl Walk<'_> {
    /// Visits every node that may matter, each once, without recursion.
    fn all(&mut self) -> Option<()> {
        loop {
            if self.visit() && self.cursor.goto_first_child() {
                self.runs.push(Run::default());
                if self.runs.len() > MAX_DEPTH {
                    return None;
                }
                continue;
            }
            while !self.cursor.goto_next_sibling() {
                self.close_run();
                self.runs.pop();
                if !self.cursor.goto_parent() {
                    return Some(());
                }
            }
        }
    }

    /// Looks at the node at hand; whether its children are of interest.
    fn visit(&mut self) -> bool {
        let node = self.cursor.node();
        let span = Span::of(node);
        self.run(node, span);
        if span.lines() < self.rules.body {
            // A run of short comments or imports may still begin in here.
            return span.lines() >= 2 && span.lines() >= self.rules.body.min(self.rules.comment);
        }
        if !self.parts.bodies.contains(&node.kind()) {
            return !COMMENTS.contains(&node.kind());
        }
        let Some(region) = span.inner(1) else { return true };
        if self.says_too_little(node, region) {
            return true;
        }
        self.add(region);
        false
    }

    /// A region that would hide most of a file is opened, so that its members show.
    fn says_too_little(&self, node: Node<'_>, region: Region) -> bool {
        let hidden = region.end - region.start + 1;
        self.lines > SHORT_FILE && hidden * 2 > self.lines && node.named_child_count() > 1
    }

    fn run(&mut self, node: Node<'_>, span: Span) {
        let kind = if COMMENTS.contains(&node.kind()) {
            Some(RunKind::Comments)
        } else if self.parts.imports.contains(&node.kind()) {
            Some(RunKind::Imports)
        } else {
            None
        };
        let Some(run) = self.runs.last_mut() else { return };
        // `import` and `;` may be two nodes.
        if kind.is_none() && !node.is_named() && run.kind.is_some() && span.end == run.end {
            return;
        }
        if run.kind == kind && kind.is_some() && span.start <= run.end + 1 {
            run.count += 1;
            run.end = run.end.max(span.end);
            return;
        }
        self.close_run();
        if let Some(run) = self.runs.last_mut() {
            *run = Run { kind, count: 1, start: span.start, end: span.end };
        }
    }

    fn close_run(&mut self) {
        let Some(Run { kind: Some(kind), count, start, end }) = self.runs.last_mut().map(std::mem::take)
        else {
            return;
        };
        let span = Span { start, end };
        let region = match kind {
            RunKind::Comments => (span.lines() >= self.rules.comment).then(|| span.inner(2)),
            RunKind::Imports => (count >= self.rules.body).then(|| span.inner(1)),
        };
        if let Some(region) = region.flatten() {
            self.add(region);
        }
    }

    /// Regions come in the order of their ends; one that holds earlier ones takes their place.
    fn add(&mut self, region: Region) {
        while self.regions.last().is_some_and(|last| last.start >= region.start) {
            self.regions.pop();
        }
        if self.regions.last().is_none_or(|last| last.end < region.start) {
            self.regions.push(region);
        }
    }
}
