//! What a call shows of the editor: a text for the model, and the facts behind it.

use std::fmt::Write;

use serde_json::{Value, json};

use super::buffer::Position;
use super::cells::{self, units};
use super::editor::{Editor, Mode};

/// Columns of the line around the cursor, of a line of the view, and of a command.
const FOCUS: usize = 100;
const SHOWN: usize = 140;
const COMMAND: usize = 80;

impl Editor {
    /// The name of the mode.
    #[must_use]
    pub fn mode_name(&self) -> &'static str {
        match &self.mode {
            Mode::Normal => "NORMAL",
            Mode::Insert(_) => "INSERT",
            Mode::Visual(visual) if visual.lines => "VISUAL-LINE",
            Mode::Visual(_) => "VISUAL",
            Mode::Line(_) => "COMMAND",
        }
    }

    /// What is typed and not finished.
    #[must_use]
    pub fn pending(&self) -> Option<(&'static str, String)> {
        match &self.mode {
            Mode::Insert(_) => Some(("insert", String::new())),
            Mode::Line(prompt) => {
                let kind = match prompt.kind {
                    '/' => "search-forward",
                    '?' => "search-backward",
                    _ => "command",
                };
                Some((kind, prompt.text.clone()))
            }
            _ => None,
        }
    }

    fn selection(&self) -> Option<(bool, Position, Position)> {
        let Mode::Visual(visual) = &self.mode else { return None };
        let (start, end) = if visual.anchor <= self.cursor {
            (visual.anchor, self.cursor)
        } else {
            (self.cursor, visual.anchor)
        };
        Some((visual.lines, start, end))
    }

    fn place(&self, at: Position) -> Value {
        let line = self.buffer.line(at.line);
        json!({"line": at.line + 1, "col": units(line, at.col.min(line.len())) + 1})
    }

    fn selects(&self, line: usize) -> bool {
        self.selection().is_some_and(|(_, start, end)| (start.line..=end.line).contains(&line))
    }

    /// The text.
    #[must_use]
    pub fn rendered(&self) -> String {
        let line = self.current_line();
        let col = units(line, self.cursor.col.min(line.len())) + 1;
        let count = self.buffer.len();
        let mark = if self.is_modified() { '+' } else { ' ' };
        let mut out = format!(
            "{} [{mark}] {} L{}:{col} ({count} line{})",
            self.name,
            self.mode_name(),
            self.cursor.line + 1,
            if count == 1 { "" } else { "s" }
        );
        if let Some(command) = &self.last_line {
            let _ = write!(out, "\ncommand: {}", command.chars().take(COMMAND).collect::<String>());
        }
        if let Some(status) = &self.status {
            let _ = write!(out, "\nstatus: {status}");
        }
        if let Some((kind, text)) = self.pending() {
            let _ = write!(out, "\npending {kind}: {text}");
        }
        if self.leaving.closed {
            out.push_str("\nclosed");
            return out;
        }
        out.push_str("\n\n");
        out.push_str(&self.focus());
        out.push_str("\n\n");
        let shown: Vec<String> = self.view.lines(count).map(|number| self.view_row(number)).collect();
        out.push_str(&shown.join("\n"));
        out
    }

    /// The line of the cursor, and a mark below the cursor.
    fn focus(&self) -> String {
        let line = self.current_line();
        let before = line[..self.cursor.col.min(line.len())].chars().count();
        let from = before.saturating_sub(FOCUS / 2);
        let text: String = line.chars().skip(from).take(FOCUS).map(visible).collect();
        let lead: String = text.chars().take(before - from).collect();
        format!("{text}\n{}^", " ".repeat(cells::cells_before(&lead, lead.len())))
    }

    fn view_row(&self, number: usize) -> String {
        let width = self.buffer.len().to_string().len();
        let is_cursor = number == self.cursor.line;
        let mark = match (is_cursor, self.selects(number)) {
            (true, _) => '>',
            (false, true) => '*',
            (false, false) => ' ',
        };
        let line = self.buffer.line(number);
        let mut text: String = line.chars().take(SHOWN).map(visible).collect();
        if is_cursor {
            let before = line[..self.cursor.col.min(line.len())].chars().count();
            if let Some((at, _)) =
                text.char_indices().nth(before).or_else(|| (before <= SHOWN).then_some((text.len(), ' ')))
            {
                text.insert(at, '▏');
            }
        }
        if line.chars().nth(SHOWN).is_some() {
            text.push('…');
        }
        format!("{mark}{:>width$}│{text}", number + 1)
    }

    /// The facts, by name.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, Value)> {
        let shown = self.view.lines(self.buffer.len());
        let rows: Vec<Value> = shown.clone().map(|number| self.row(number)).collect();
        let selection = self.selection().map(|(lines, start, end)| {
            json!({"kind": if lines { "line" } else { "char" }, "start": self.place(start), "end": self.place(end)})
        });
        let pending = self.pending().map(|(kind, text)| json!({"kind": kind, "text": text}));
        vec![
            ("file", json!(self.name)),
            ("mode", json!(self.mode_name())),
            ("cursor", self.place(self.cursor)),
            ("totalLines", json!(self.buffer.len())),
            ("modified", json!(self.is_modified())),
            ("viewport", json!({"start": shown.start + 1, "end": shown.end})),
            ("focus", json!(self.focus())),
            ("viewportLines", json!(rows)),
            ("selection", json!(selection)),
            ("pendingInput", json!(pending)),
            ("closed", json!(self.leaving.closed.then_some(true))),
            ("lastCommand", json!(self.last_line)),
            ("statusMessage", json!(self.status)),
        ]
    }

    fn row(&self, number: usize) -> Value {
        let is_cursor = number == self.cursor.line;
        let text: String = self.buffer.line(number).chars().take(SHOWN).collect();
        let mut row = json!({
            "line": number + 1,
            "text": text,
            "isCursor": is_cursor,
            "isSelected": self.selects(number),
        });
        if is_cursor {
            row["cursorCol"] = self.place(self.cursor)["col"].clone();
        }
        row
    }
}

/// A character that takes a place in a rendered line.
fn visible(character: char) -> char {
    match character {
        '\t' => '→',
        control if control.is_control() => '·',
        other => other,
    }
}
