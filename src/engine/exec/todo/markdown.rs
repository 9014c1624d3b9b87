//! The list as Markdown, for people who edit it by hand. What is written reads back as the same list.
//!
//! ```text
//! # Phase
//! - [ ] pending      - [x] completed
//! - [/] in progress  - [-] abandoned
//!   > a line of a note
//!   > ---
//!   > the next note
//! ```
//!
//! A character that would be taken for something else is written as a numeric entity, as Markdown has them.

use super::phases::{Phase, Status, Task};

/// The phase of tasks that stand before any heading.
const UNNAMED: &str = "Tasks";
/// Between two notes of a task.
const NEXT_NOTE: &str = "---";

/// Writes a list.
#[must_use]
pub fn to_markdown(phases: &[Phase]) -> String {
    let sections: Vec<_> = phases.iter().map(section).collect();
    sections.join("\n")
}

fn section(phase: &Phase) -> String {
    let mut text = format!("# {}\n", one_line(&phase.name));
    for task in &phase.tasks {
        text.extend(["- [", mark_of(task.status), "] ", &one_line(&task.content), "\n"]);
        for line in note_lines(&task.notes) {
            text.extend([if line.is_empty() { "  >" } else { "  > " }, &line, "\n"]);
        }
    }
    text
}

fn note_lines(notes: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, note) in notes.iter().enumerate() {
        if index > 0 {
            lines.push(NEXT_NOTE.to_owned());
        }
        lines.extend(note.split('\n').map(|line| match line {
            NEXT_NOTE => "&#45;--".to_owned(),
            line => escape(line, |_| false),
        }));
    }
    lines
}

/// A text in one line whose ends are kept.
fn one_line(text: &str) -> String {
    let inner = text.trim();
    let start = text.len() - text.trim_start().len();
    escape(text, |at| at < start || at >= start + inner.len())
}

fn escape(text: &str, must: impl Fn(usize) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        if matches!(character, '\n' | '\r') || must(at) || text[at..].starts_with("&#") {
            escaped.extend(["&#", &u32::from(character).to_string(), ";"]);
        } else {
            escaped.push(character);
        }
    }
    escaped
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("&#") {
        plain.push_str(&rest[..at]);
        let (entity, after) = rest[at + 2..].split_once(';').unwrap_or(("", ""));
        let character = entity.parse().ok().and_then(char::from_u32);
        plain.push_str(&character.map_or("&#".to_owned(), String::from));
        rest = if character.is_some() { after } else { &rest[at + 2..] };
    }
    plain.push_str(rest);
    plain
}

/// Reads a list; each line that is none of its parts is an error, and the rest is read on.
#[must_use]
pub fn from_markdown(text: &str) -> (Vec<Phase>, Vec<String>) {
    let mut reader = Reader::default();
    for (index, line) in text.strip_prefix('\u{feff}').unwrap_or(text).split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if let Err(error) = reader.read(line) {
            reader.errors.push(format!("Line {}: {error}", index + 1));
        }
    }
    super::normalize(&mut reader.phases);
    (reader.phases, reader.errors)
}

#[derive(Default)]
struct Reader {
    phases: Vec<Phase>,
    errors: Vec<String>,
    /// The last line belongs to the last note of the last task.
    within_note: bool,
}

impl Reader {
    fn read(&mut self, line: &str) -> Result<(), String> {
        let trimmed = line.trim_start();
        if let Some(note) = trimmed.strip_prefix('>') {
            return self.note(note.strip_prefix(' ').unwrap_or(note));
        }
        self.within_note = false;
        if trimmed.is_empty() {
            return Ok(());
        }
        if let Some(name) = heading(trimmed) {
            let name = unescape(name);
            if name.is_empty() {
                return Err("a phase needs a name".to_owned());
            }
            self.phases.push(Phase { name, tasks: Vec::new() });
            return Ok(());
        }
        let (mark, content) = item(trimmed)
            .ok_or_else(|| format!("expected `# phase`, `- [ ] task` or `> note`, got `{trimmed}`"))?;
        let status =
            status_of(mark).ok_or_else(|| format!("`[{mark}]` is none of `[ ]`, `[x]`, `[/]`, `[-]`"))?;
        let content = unescape(content);
        if content.is_empty() {
            return Err("a task needs a text".to_owned());
        }
        if self.phases.is_empty() {
            self.phases.push(Phase { name: UNNAMED.to_owned(), tasks: Vec::new() });
        }
        let task = Task { status, ..Task::pending(content) };
        self.phases.last_mut().map(|phase| phase.tasks.push(task)).ok_or_else(String::new)
    }

    fn note(&mut self, line: &str) -> Result<(), String> {
        let task = self.phases.last_mut().and_then(|phase| phase.tasks.last_mut());
        let notes = &mut task.ok_or("a note stands below the task it belongs to")?.notes;
        if line.trim_end() == NEXT_NOTE {
            self.within_note = false;
            return Ok(());
        }
        let line = unescape(line);
        match notes.last_mut().filter(|_| self.within_note) {
            Some(note) => {
                note.push('\n');
                note.push_str(&line);
            }
            None => notes.push(line),
        }
        self.within_note = true;
        Ok(())
    }
}

/// The name behind `#`.
fn heading(line: &str) -> Option<&str> {
    let name = line.trim_start_matches('#');
    let is_heading = name.len() < line.len() && (name.is_empty() || name.starts_with([' ', '\t']));
    is_heading.then(|| name.trim())
}

/// Mark and text of a list item.
fn item(line: &str) -> Option<(char, &str)> {
    let rest = line.strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
    let mark = rest.chars().next()?;
    let rest = rest[mark.len_utf8()..].strip_prefix(']')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (mark, rest.trim()))
}

fn mark_of(status: Status) -> &'static str {
    match status {
        Status::Pending => " ",
        Status::InProgress => "/",
        Status::Completed => "x",
        Status::Abandoned => "-",
    }
}

fn status_of(mark: char) -> Option<Status> {
    Some(match mark {
        ' ' => Status::Pending,
        '/' | '>' => Status::InProgress,
        'x' | 'X' => Status::Completed,
        '-' | '~' => Status::Abandoned,
        _ => return None,
    })
}
