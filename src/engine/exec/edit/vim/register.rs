//! Registers: where deleted and yanked text waits to be put.

use std::collections::HashMap;

use super::fault::{FaultKind, Run, fault};

/// A text, and whether it is made of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// Without endings.
    pub pieces: Vec<String>,
    /// Whole lines.
    pub lines: bool,
}

/// All registers of a buffer.
#[derive(Debug, Clone, Default)]
pub struct Registers {
    unnamed: Option<Text>,
    named: HashMap<char, Text>,
}

impl Registers {
    /// Refuses a name that no register has.
    pub fn check(name: char) -> Run<()> {
        if name.is_ascii_alphanumeric() || matches!(name, '"' | '_' | '-') {
            return Ok(());
        }
        fault(FaultKind::UnsupportedCommand, format!("there is no register `{name}`"))
    }

    /// What would be put.
    pub fn get(&self, name: Option<char>) -> Option<&Text> {
        match name {
            None | Some('"') => self.unnamed.as_ref(),
            Some(name) => self.named.get(&name.to_ascii_lowercase()),
        }
    }

    /// Takes a yanked text.
    pub fn yank(&mut self, name: Option<char>, text: Text) {
        if name.is_none_or(|name| name == '"') {
            self.named.insert('0', text.clone());
        }
        self.store(name, text);
    }

    /// Takes a deleted text. `big`: it holds a line break, or was deleted by a motion over much text.
    pub fn delete(&mut self, name: Option<char>, text: Text, big: bool) {
        if name == Some('_') {
            return;
        }
        if big {
            for number in ('1'..'9').rev() {
                if let Some(text) = self.named.get(&number).cloned() {
                    self.named.insert(((number as u8) + 1) as char, text);
                }
            }
            self.named.insert('1', text.clone());
        } else if name.is_none_or(|name| name == '"') {
            self.named.insert('-', text.clone());
        }
        self.store(name, text);
    }

    fn store(&mut self, name: Option<char>, text: Text) {
        let name = name.filter(|name| *name != '"');
        let text = match name {
            Some('_') => return,
            Some(name) if name.is_ascii_uppercase() => self.appended(name.to_ascii_lowercase(), text),
            _ => text,
        };
        if let Some(name) = name {
            self.named.insert(name.to_ascii_lowercase(), text.clone());
        }
        self.unnamed = Some(text);
    }

    fn appended(&self, name: char, text: Text) -> Text {
        let Some(mut before) = self.named.get(&name).cloned() else { return text };
        if text.lines || before.lines {
            before.lines = true;
            before.pieces.extend(text.pieces);
            return before;
        }
        let mut pieces = text.pieces.into_iter();
        if let (Some(last), Some(first)) = (before.pieces.last_mut(), pieces.next()) {
            last.push_str(&first);
        }
        before.pieces.extend(pieces);
        before
    }
}
