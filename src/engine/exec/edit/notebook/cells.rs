//! Single cells: their spans in the file, and how a changed one is written.

use std::ops::Range;

use serde_json::Value;

use super::NewCell;
use super::spans::{items, members};
use crate::engine::content::notebook::{KINDS, header};
use crate::engine::text::Splice;

/// A cell of the file.
#[derive(Debug)]
pub(super) struct Cell {
    /// Where it stands in the file.
    pub span: Range<usize>,
    kind: &'static str,
    kind_span: Range<usize>,
    /// Where its source stands in the file; absent where it has none.
    source_span: Option<Range<usize>>,
    text: String,
    /// Where its source stands in the view.
    pub source: Range<usize>,
}

impl Cell {
    /// Reads a cell and adds it to the view.
    pub fn parse(
        json: &str,
        span: Range<usize>,
        value: &Value,
        index: usize,
        view: &mut String,
    ) -> Result<Self, &'static str> {
        let kind = value.get("cell_type").and_then(Value::as_str);
        let kind =
            KINDS.into_iter().find(|known| Some(*known) == kind).ok_or("a cell is of no known type")?;
        let text = match value.get("source") {
            None => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(lines)) => lines
                .iter()
                .map(Value::as_str)
                .collect::<Option<String>>()
                .ok_or("the source of a cell is no list of texts")?,
            Some(_) => return Err("the source of a cell is no text"),
        };
        let named = |name: &str| {
            let found = members(json, span.start).into_iter().rfind(|(known, _)| *known == name);
            found.map(|(_, span)| span)
        };
        let (source_span, kind_span) =
            (named("source"), named("cell_type").ok_or("a cell is written oddly")?);
        view.push_str(&header(kind, index));
        if !text.is_empty() {
            view.push('\n');
        }
        let start = view.len();
        view.push_str(&text);
        Ok(Self { span, kind, kind_span, source_span, text, source: start..view.len() })
    }

    /// What makes the cell the new one, in the file.
    pub fn rewrite(&self, json: &str, new: &NewCell, style: &Style) -> Vec<Splice<'static>> {
        let text = new.source.as_deref().unwrap_or_default();
        let is_same_text = text == self.text;
        if new.kind != self.kind {
            return vec![Splice {
                range: self.span.clone(),
                new: self.as_kind(json, new, style).into_bytes().into(),
            }];
        }
        let Some(span) = self.source_span.clone().filter(|_| !is_same_text) else {
            return if is_same_text { Vec::new() } else { self.with_source(text, style) };
        };
        vec![Splice { range: span.clone(), new: style.source_like(json, &span, text).into_bytes().into() }]
    }

    /// A source for a cell that has none.
    fn with_source(&self, text: &str, style: &Style) -> Vec<Splice<'static>> {
        let at = self.kind_span.end;
        let new = format!(",{}\"source\": {}", style.break_at(style.depth + 1), style.source(text));
        vec![Splice { range: at..at, new: new.into_bytes().into() }]
    }

    /// The cell with another type: what only code has comes or goes, all else stays.
    fn as_kind(&self, json: &str, new: &NewCell, style: &Style) -> String {
        let mut value: Value = serde_json::from_str(&json[self.span.clone()]).unwrap_or_default();
        if let Some(cell) = value.as_object_mut() {
            cell.insert("cell_type".into(), new.kind.into());
            if new.kind == "code" {
                cell.entry("execution_count").or_insert(Value::Null);
                cell.entry("outputs").or_insert_with(|| Value::Array(Vec::new()));
            } else {
                cell.shift_remove("execution_count");
                cell.shift_remove("outputs");
            }
            cell.insert("source".into(), lines_of(new.source.as_deref().unwrap_or_default()));
        }
        style.value(&value)
    }
}

/// A source as it is stored: its lines, each with its LF.
fn lines_of(text: &str) -> Value {
    text.split_inclusive('\n').map(Value::from).collect()
}

/// How the file is laid out.
#[derive(Debug)]
pub(super) struct Style {
    /// One step of indentation; absent where everything is on one line.
    unit: Option<String>,
    /// Steps before a cell.
    pub depth: usize,
    line_break: &'static str,
}

impl Style {
    /// Told by what stands before the first cell.
    pub fn of(json: &str, list: &Range<usize>, cells: &[Cell]) -> Self {
        let line_break = if json.contains("\r\n") { "\r\n" } else { "\n" };
        let before = cells.first().map_or(&json[..list.start], |cell| &json[list.start..cell.span.start]);
        let depth = if cells.is_empty() { 1 } else { 2 };
        let unit = before.rsplit_once('\n').map(|(_, indent)| {
            let indent: String = indent.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
            indent[..indent.len() / depth].to_owned()
        });
        Self { unit, depth: 2, line_break }
    }

    /// A line break with so many steps of indentation.
    pub fn break_at(&self, depth: usize) -> String {
        match &self.unit {
            None => String::new(),
            Some(unit) => format!("{}{}", self.line_break, unit.repeat(depth)),
        }
    }

    /// The list with these cells.
    pub fn list(&self, cells: &[String]) -> String {
        if cells.is_empty() {
            return "[]".to_owned();
        }
        let before = self.break_at(self.depth);
        let separator = if self.unit.is_some() { format!(",{before}") } else { ", ".to_owned() };
        format!("[{before}{}{}]", cells.join(&separator), self.break_at(self.depth - 1))
    }

    /// A source in the place and form of another one.
    pub fn source_like(&self, json: &str, span: &Range<usize>, text: &str) -> String {
        if json[span.clone()].starts_with('"') {
            return Value::from(text).to_string();
        }
        let items = items(json, span.start);
        match (items.first(), items.last()) {
            (Some(first), Some(last)) if !text.is_empty() => {
                let (before, after) = (&json[span.start + 1..first.start], &json[last.end..span.end - 1]);
                let between = items.get(1).map_or_else(
                    || if before.is_empty() { ", ".to_owned() } else { format!(",{before}") },
                    |second| json[first.end..second.start].to_owned(),
                );
                let lines: Vec<String> =
                    text.split_inclusive('\n').map(|line| Value::from(line).to_string()).collect();
                format!("[{before}{}{after}]", lines.join(&between))
            }
            _ => self.source(text),
        }
    }

    /// A source in the usual form.
    pub fn source(&self, text: &str) -> String {
        self.nested(&lines_of(text), self.depth + 1)
    }

    /// A whole new cell.
    pub fn new_cell(&self, new: &NewCell) -> String {
        let mut cell = serde_json::Map::new();
        cell.insert("cell_type".into(), new.kind.into());
        if new.kind == "code" {
            cell.insert("execution_count".into(), Value::Null);
        }
        cell.insert("metadata".into(), Value::Object(serde_json::Map::new()));
        if new.kind == "code" {
            cell.insert("outputs".into(), Value::Array(Vec::new()));
        }
        cell.insert("source".into(), lines_of(new.source.as_deref().unwrap_or_default()));
        self.value(&Value::Object(cell))
    }

    /// A cell, at its depth.
    pub fn value(&self, value: &Value) -> String {
        self.nested(value, self.depth)
    }

    fn nested(&self, value: &Value, depth: usize) -> String {
        let (open, close, parts): (char, char, Vec<String>) = match value {
            Value::Array(items) if !items.is_empty() => {
                ('[', ']', items.iter().map(|item| self.nested(item, depth + 1)).collect())
            }
            Value::Object(members) if !members.is_empty() => {
                let member = |(name, value): (&String, &Value)| {
                    format!("{}: {}", Value::from(name.as_str()), self.nested(value, depth + 1))
                };
                ('{', '}', members.iter().map(member).collect())
            }
            other => return other.to_string(),
        };
        let before = self.break_at(depth + 1);
        let separator = if self.unit.is_some() { format!(",{before}") } else { ", ".to_owned() };
        format!("{open}{before}{}{}{close}", parts.join(&separator), self.break_at(depth))
    }
}
