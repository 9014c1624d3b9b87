//! Notebooks: edited as the text that `read` shows of them, a header line and the source for each cell. Of the file
//! only the cells that the edit changes are written anew; all other bytes stay.

mod cells;
mod spans;

use std::ops::Range;
use std::path::Path;

use cells::{Cell, Style};
use serde_json::Value;

use crate::engine::content::notebook::marker;
use crate::engine::error::{Result, ToolError};
use crate::engine::text::{BOM, Splice, apply_splices};

/// What a notebook that is about to be made starts from.
const EMPTY: &str = "{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}";

/// The cells of a file as text, where its name says that it is a notebook and it is one.
pub fn view_of(path: &Path, bytes: &[u8]) -> Option<String> {
    let notebook = is_notebook(path).then(|| Notebook::parse(bytes, "").ok()).flatten()?;
    Some(notebook.view)
}

/// A notebook is shown as cells, so a change of its raw JSON is not what the caller means.
pub fn is_notebook(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}

/// A notebook and its view.
#[derive(Debug)]
pub struct Notebook<'a> {
    shown: &'a str,
    /// The file behind its byte-order mark.
    json: &'a str,
    mark: usize,
    /// Where the list of cells stands.
    list: Range<usize>,
    cells: Vec<Cell>,
    view: String,
}

impl<'a> Notebook<'a> {
    /// Reads a notebook.
    pub fn parse(bytes: &'a [u8], shown: &'a str) -> Result<Self> {
        let bad_json = |reason: String| ToolError::NotebookBadJson { path: shown.to_owned(), reason };
        let body = bytes.strip_prefix(BOM).unwrap_or(bytes);
        let json = std::str::from_utf8(body).map_err(|error| bad_json(error.to_string()))?;
        let value: Value = serde_json::from_str(json).map_err(|error| bad_json(error.to_string()))?;
        let bad = |reason: &str, cell: Option<usize>| bad_structure(shown, reason, cell);
        let Some(list) = value.get("cells").and_then(Value::as_array) else {
            return Err(bad("it has no list of cells", None));
        };
        let root = spans::skip_blanks(json, 0);
        let span = spans::members(json, root).into_iter().rfind(|(name, _)| *name == "cells");
        let Some((_, span)) = span else { return Err(bad("its list of cells is written oddly", None)) };
        let mut cells = Vec::with_capacity(list.len());
        let mut view = String::new();
        for (index, (cell, span)) in list.iter().zip(spans::items(json, span.start)).enumerate() {
            if index > 0 {
                view.push('\n');
            }
            let cell =
                Cell::parse(json, span, cell, index, &mut view).map_err(|reason| bad(reason, Some(index)))?;
            cells.push(cell);
        }
        Ok(Self { shown, json, mark: bytes.len() - body.len(), list: span, cells, view })
    }

    /// The cells as text.
    #[must_use]
    pub fn view(&self) -> &str {
        &self.view
    }

    /// The file after splices of the view.
    pub fn apply(&self, splices: &[Splice]) -> Result<Vec<u8>> {
        let after = self.parse_view(splices)?;
        let style = Style::of(self.json, &self.list, &self.cells);
        let is_in_place = after.len() == self.cells.len()
            && after.iter().enumerate().all(|(index, cell)| cell.index == Some(index));
        let mut written = Vec::new();
        if is_in_place {
            for (cell, new) in self.cells.iter().zip(&after) {
                written.extend(cell.rewrite(self.json, new, &style));
            }
        } else {
            written.push(self.rewrite_list(&after, &style));
        }
        let mut bytes = BOM[..self.mark].to_vec();
        bytes.extend(apply_splices(self.json.as_bytes(), &written));
        Ok(bytes)
    }

    /// The list of cells anew; cells that stay are copied as they are.
    fn rewrite_list(&self, after: &[NewCell], style: &Style) -> Splice<'static> {
        let cells: Vec<String> = after
            .iter()
            .map(|new| match new.index.and_then(|index| self.cells.get(index)) {
                None => style.new_cell(new),
                Some(cell) => {
                    let own: Vec<Splice> = cell
                        .rewrite(self.json, new, style)
                        .into_iter()
                        .map(|splice| Splice {
                            range: splice.range.start - cell.span.start..splice.range.end - cell.span.start,
                            new: splice.new,
                        })
                        .collect();
                    let bytes = apply_splices(self.json[cell.span.clone()].as_bytes(), &own);
                    String::from_utf8_lossy(&bytes).into_owned()
                }
            })
            .collect();
        Splice { range: self.list.clone(), new: style.list(&cells).into_bytes().into() }
    }

    /// The cells that the view after the splices names. Lines of a source that merely look like a header are none, as
    /// long as the edit leaves them alone.
    fn parse_view(&self, splices: &[Splice]) -> Result<Vec<NewCell>> {
        let view = apply_splices(self.view.as_bytes(), splices);
        let view = String::from_utf8_lossy(&view);
        let mut kept = self.kept_source(splices).into_iter().peekable();
        let mut cells: Vec<NewCell> = Vec::new();
        let mut at = 0;
        for line in view.split('\n') {
            while kept.next_if(|range| range.end < at + line.len()).is_some() {}
            let is_kept = kept.peek().is_some_and(|range| range.start <= at && at + line.len() <= range.end);
            at += line.len() + 1;
            match (marker(line).filter(|_| !is_kept), cells.last_mut()) {
                (Some((kind, index)), _) => {
                    let is_free = index.is_some_and(|index| {
                        index < self.cells.len() && cells.iter().all(|cell| cell.index != Some(index))
                    });
                    cells.push(NewCell { kind, index: index.filter(|_| is_free), source: None });
                }
                (None, Some(cell)) => match &mut cell.source {
                    Some(source) => {
                        source.push('\n');
                        source.push_str(line);
                    }
                    None => cell.source = Some(line.to_owned()),
                },
                (None, None) if line.is_empty() && view.is_empty() => {}
                (None, None) => {
                    let reason = "the text starts without a header line such as `# %% [code] cell:0`";
                    return Err(ToolError::NotebookBadView {
                        path: self.shown.to_owned(),
                        reason: reason.into(),
                    });
                }
            }
        }
        Ok(cells)
    }

    /// Where in the view after the splices untouched sources stand.
    fn kept_source(&self, splices: &[Splice]) -> Vec<Range<usize>> {
        let (mut kept, mut shift) = (Vec::new(), 0_isize);
        let mut splices = splices.iter().peekable();
        for cell in &self.cells {
            let mut start = cell.source.start;
            let mut push = |from: usize, to: usize, shift: isize| {
                if from < to {
                    kept.push(from.saturating_add_signed(shift)..to.saturating_add_signed(shift));
                }
            };
            while let Some(splice) = splices.next_if(|splice| splice.range.start < cell.source.end) {
                push(start, splice.range.start.max(start), shift);
                shift += splice.new.len().cast_signed() - splice.range.len().cast_signed();
                start = splice.range.end.max(start);
            }
            push(start, cell.source.end, shift);
        }
        kept
    }
}

/// A cell as the view has it after the edit.
#[derive(Debug)]
struct NewCell {
    kind: &'static str,
    /// The cell it was.
    index: Option<usize>,
    /// Absent: there is no line below the header.
    source: Option<String>,
}

/// A new notebook with the cells of a text; a text that is a notebook already stays as it is.
pub fn create(text: &str, shown: &str) -> Result<Vec<u8>> {
    if text.trim_start().starts_with('{') && Notebook::parse(text.as_bytes(), shown).is_ok() {
        return Ok(text.as_bytes().to_vec());
    }
    let text = text.strip_suffix('\n').unwrap_or(text);
    Notebook::parse(EMPTY.as_bytes(), shown)?.apply(&[Splice { range: 0..0, new: text.as_bytes().into() }])
}

/// The JSON text of a notebook, which is one.
pub fn check<'a>(bytes: &'a [u8], shown: &'a str) -> Result<&'a str> {
    Notebook::parse(bytes, shown).map(|notebook| notebook.json)
}

fn bad_structure(shown: &str, reason: &str, cell: Option<usize>) -> ToolError {
    ToolError::NotebookBadStructure { path: shown.to_owned(), reason: reason.to_owned(), cell }
}
