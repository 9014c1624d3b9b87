//! What operators do with a region.

use super::buffer::Position;
use super::cells;
use super::editor::{Editor, Want};
use super::insert::Opening;
use super::object::in_indent;
use super::region::{Region, Shape};
use super::register::Text;

/// An operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Delete,
    Change,
    Yank,
    Shift { right: bool },
    Case(Case),
}

/// A change of upper and lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    Upper,
    Lower,
    Toggle,
}

/// How an operator was called.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    pub register: Option<char>,
    /// In visual mode, where the region is taken as it is.
    pub visual: bool,
    /// Steps of a shift.
    pub steps: usize,
    /// The motion goes over much text, so that what it deletes is kept in the numbered registers.
    pub far: bool,
}

impl Editor {
    /// Carries out an operator.
    pub fn operate(&mut self, operator: Operator, region: Region, manner: Manner) {
        self.want = Want::Cursor;
        match operator {
            Operator::Yank => self.yank(region, manner),
            Operator::Delete => self.delete(region, manner),
            Operator::Change => self.change(region, manner),
            Operator::Shift { right } => self.shift(region, right, manner.steps),
            Operator::Case(case) => self.change_case(region, case),
        }
    }

    fn yank(&mut self, region: Region, manner: Manner) {
        self.cursor = region.start;
        if !region.is_empty(&self.buffer) {
            let text = Text { pieces: region.text(&self.buffer), lines: region.is_lines() };
            self.registers.yank(manner.register, text);
        }
    }

    fn store_deleted(&mut self, region: &Region, manner: Manner) {
        let pieces = region.text(&self.buffer);
        let big = region.is_lines() || pieces.len() > 1 || manner.far;
        self.registers.delete(manner.register, Text { pieces, lines: region.is_lines() }, big);
    }

    fn delete(&mut self, region: Region, manner: Manner) {
        let region = if manner.visual { region } else { self.with_whole_lines(region) };
        self.cursor = region.start;
        if region.is_empty(&self.buffer) {
            return;
        }
        self.store_deleted(&region, manner);
        if region.is_lines() {
            self.cursor.line = region.start.line;
            self.replace_lines(region.start.line..region.end.line + 1, Vec::new());
            self.go_to_line(region.start.line);
        } else {
            let stop = region.stop(&self.buffer);
            self.replace_between(region.start, stop, "");
        }
    }

    /// A deletion over several lines that would leave a blank line takes that line too.
    fn with_whole_lines(&self, region: Region) -> Region {
        if region.is_lines() || region.start.line == region.end.line {
            return region;
        }
        let stop = region.stop(&self.buffer);
        let rest = &self.buffer.line(stop.line)[stop.col..];
        if rest.chars().all(cells::is_blank) && in_indent(&self.buffer, region.start, 0) {
            return Region { shape: Shape::Lines, ..region };
        }
        region
    }

    fn change(&mut self, region: Region, manner: Manner) {
        self.cursor = region.start;
        if !region.is_empty(&self.buffer) {
            self.store_deleted(&region, manner);
            if region.is_lines() {
                self.cursor.col = 0;
                self.replace_lines(region.start.line..region.end.line + 1, vec![String::new()]);
            } else {
                let stop = region.stop(&self.buffer);
                self.replace_between(region.start, stop, "");
            }
        }
        self.begin_insert(Opening::default());
    }

    fn shift(&mut self, region: Region, right: bool, steps: usize) {
        let uses_spaces = self.indents_with_spaces();
        self.cursor = region.start;
        let shifted: Vec<String> = (region.start.line..=region.end.line)
            .map(|number| shifted(self.buffer.line(number), right, steps, uses_spaces))
            .collect();
        self.replace_lines(region.start.line..region.end.line + 1, shifted);
        self.go_to_line(region.start.line);
    }

    /// Two spaces are a step of indentation where a line that starts with two stands before any with a tab.
    fn indents_with_spaces(&self) -> bool {
        let indented = |line: &&super::buffer::Line| line.starts_with("  ") || line.starts_with('\t');
        self.buffer.lines().iter().find(indented).is_some_and(|line| line.starts_with("  "))
    }

    /// Shifts whole lines.
    pub fn shift_lines(&mut self, first: usize, last: usize, right: bool, steps: usize) {
        let at = |line| Position::new(line, 0);
        self.shift(Region { start: at(first), end: at(last), shape: Shape::Lines }, right, steps);
    }

    fn change_case(&mut self, region: Region, case: Case) {
        self.cursor = region.start;
        if region.is_empty(&self.buffer) {
            return;
        }
        let (start, stop) = if region.is_lines() {
            let end = region.end.line;
            (Position::new(region.start.line, 0), Position::new(end, self.buffer.line(end).len()))
        } else {
            (region.start, region.stop(&self.buffer))
        };
        let region = Region { start, end: stop, shape: Shape::Characters { inclusive: false } };
        let text: Vec<String> = region.text(&self.buffer).iter().map(|piece| in_case(piece, case)).collect();
        self.replace_between(start, stop, &text.join("\n"));
    }

    /// Joins `count` lines from the cursor's on; with `spaced` one blank takes the place of a line break.
    pub fn join(&mut self, first: usize, count: usize, spaced: bool) {
        let count = count.min(self.buffer.len() - first);
        if count < 2 {
            return;
        }
        let mut joined = self.buffer.line(first).to_owned();
        // Blanks at the end of an earlier piece say nothing where a later one was empty.
        let mut piece = joined.clone();
        let mut col = joined.len();
        for number in first + 1..first + count {
            let line = self.buffer.line(number);
            let line = if spaced { line.trim_start_matches(cells::is_blank) } else { line };
            col = joined.len();
            let wants_space = spaced && !line.is_empty() && !line.starts_with(')') && !joined.is_empty();
            if wants_space && !piece.ends_with([' ', '\t']) {
                joined.push(' ');
            }
            joined.push_str(line);
            line.clone_into(&mut piece);
        }
        self.replace_lines(first..first + count, vec![joined]);
        self.cursor = Position::new(first, col);
        self.want = Want::Cursor;
    }
}

/// A line moved by steps of indentation; an empty line stays.
fn shifted(line: &str, right: bool, steps: usize, uses_spaces: bool) -> String {
    if line.is_empty() {
        return String::new();
    }
    let bytes = cells::indent_bytes(line);
    let width = if uses_spaces { 2 } else { cells::TAB };
    let now = cells::cells_before(line, bytes);
    let by = width * steps;
    let cells = if right { now + by } else { now.saturating_sub(by) };
    let (tabs, spaces) = if uses_spaces { (0, cells) } else { (cells / cells::TAB, cells % cells::TAB) };
    ["\t".repeat(tabs).as_str(), " ".repeat(spaces).as_str(), &line[bytes..]].concat()
}

/// A text in another case. A character whose other case is longer stays.
pub fn in_case(text: &str, case: Case) -> String {
    let single = |mut mapped: Box<dyn Iterator<Item = char>>, own: char| match (mapped.next(), mapped.next())
    {
        (Some(other), None) => other,
        _ => own,
    };
    let upper = |own: char| single(Box::new(own.to_uppercase()), own);
    let lower = |own: char| single(Box::new(own.to_lowercase()), own);
    text.chars()
        .map(|own| match case {
            Case::Upper if own == 'ß' => "SS".to_owned(),
            Case::Upper => upper(own).to_string(),
            Case::Lower => lower(own).to_string(),
            Case::Toggle if upper(own) == own => lower(own).to_string(),
            Case::Toggle => upper(own).to_string(),
        })
        .collect()
}
