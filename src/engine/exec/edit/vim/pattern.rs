//! Patterns as vim writes them, carried out by a regular-expression engine over the whole text.

use fancy_regex::Regex;

use super::buffer::{Buffer, Position};
use super::fault::{FaultKind, Run, fault};
use super::pattern_syntax::translate;

/// A pattern that can be searched for.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// As it was typed.
    pub source: String,
    regex: Regex,
}

impl Pattern {
    /// Reads a pattern; what cannot be read is taken literally.
    pub fn new(source: &str, ignore_case: bool) -> Self {
        let compiled = translate(source, ignore_case).and_then(|text| Regex::new(&text).ok());
        let regex = compiled.or_else(|| literal(source, ignore_case)).unwrap_or_else(never);
        Self { source: source.to_owned(), regex }
    }

    /// The regular expression.
    pub fn regex(&self) -> &Regex {
        &self.regex
    }
}

fn literal(source: &str, ignore_case: bool) -> Option<Regex> {
    let flags = if ignore_case { "(?i)" } else { "" };
    Regex::new(&format!("{flags}{}", fancy_regex::escape(source))).ok()
}

/// A literal is always a valid expression, unless it is too long; that is nowhere.
fn never() -> Regex {
    Regex::new("[^\\s\\S]").expect("a valid expression")
}

/// The pattern would take the engine too long.
pub fn too_much_work<T>() -> Run<T> {
    fault(FaultKind::PatternNotFound, "the pattern takes too much work on this text")
}

/// A text as one piece, to search in.
#[derive(Debug)]
pub struct Haystack {
    text: String,
    starts: Vec<usize>,
    /// Where the last line ends.
    end: usize,
}

impl Haystack {
    /// The text of a buffer.
    pub fn of(buffer: &Buffer) -> Self {
        let text = buffer.lines().join("\n");
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        let end = text.len();
        Self { text, starts, end }
    }

    /// The same with the break behind the last line, which a pattern may match.
    pub fn with_last_break(mut self) -> Self {
        self.text.push('\n');
        self
    }

    /// Bytes of the text.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset of a place.
    pub fn offset(&self, at: Position) -> usize {
        self.starts[at.line] + at.col
    }

    /// The place of an offset.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        Position::new(line, offset - self.starts[line])
    }

    /// The offset of the line break that ends a line, or of the end of the text.
    pub fn line_end(&self, line: usize) -> usize {
        self.starts.get(line + 1).map_or(self.end, |start| start - 1)
    }

    /// The first match from an offset on.
    pub fn find(&self, pattern: &Pattern, from: usize) -> Run<Option<(usize, usize)>> {
        match pattern.regex.find_from_pos(&self.text, from) {
            Ok(found) => Ok(found.map(|found| (found.start(), found.end()))),
            Err(_) => too_much_work(),
        }
    }

    /// The matches that begin in a line, one after another.
    fn in_line(&self, pattern: &Pattern, line: usize) -> Run<Vec<usize>> {
        let (mut from, end) = (self.starts[line], self.line_end(line));
        let mut found = Vec::new();
        while let Some((start, stop)) = self.find(pattern, from)?.filter(|(start, _)| *start <= end) {
            found.push(start);
            from = stop;
            if stop == start {
                let Some(next) = self.text[stop..].chars().next() else { break };
                from += next.len_utf8();
            }
            if from >= end {
                break;
            }
        }
        Ok(found)
    }

    /// The nearest match behind a place, or before it; past the end of the text it goes on at the other end.
    pub fn search(&self, pattern: &Pattern, from: Position, forward: bool) -> Run<Option<Position>> {
        let found = if forward { self.after(pattern, from)? } else { self.before(pattern, from)? };
        Ok(found.map(|offset| self.position(offset)))
    }

    fn after(&self, pattern: &Pattern, from: Position) -> Run<Option<usize>> {
        let at = self.offset(from);
        let line_end = self.line_end(from.line);
        // A match at the very end of the line counts as one on its last character.
        let is_behind = |start: &usize| {
            let shown =
                if *start == line_end && *start > self.starts[from.line] { *start - 1 } else { *start };
            shown > at
        };
        if let Some(start) = self.in_line(pattern, from.line)?.into_iter().find(is_behind) {
            return Ok(Some(start));
        }
        if let Some(next) = self.starts.get(from.line + 1)
            && let Some((start, _)) = self.find(pattern, *next)?
        {
            return Ok(Some(start));
        }
        Ok(self.find(pattern, 0)?.map(|(start, _)| start))
    }

    fn before(&self, pattern: &Pattern, from: Position) -> Run<Option<usize>> {
        let at = self.offset(from);
        if let Some(start) = self.in_line(pattern, from.line)?.into_iter().rfind(|start| *start < at) {
            return Ok(Some(start));
        }
        let others = (0..from.line).rev().chain((from.line..self.starts.len()).rev());
        for line in others {
            if let Some(start) = self.in_line(pattern, line)?.pop() {
                return Ok(Some(start));
            }
        }
        Ok(None)
    }
}
