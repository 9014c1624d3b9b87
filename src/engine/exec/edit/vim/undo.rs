//! What can be undone: the lines that each command replaced.

use std::sync::Arc;

use super::buffer::{Line, Position};

/// Lines that were replaced.
#[derive(Debug, Clone)]
pub struct Change {
    /// The first of them.
    pub first: usize,
    /// What they were.
    pub old: Vec<Line>,
    /// How many lines there are now.
    pub count: usize,
}

/// The changes of one command, or of one insert.
#[derive(Debug, Clone)]
pub struct Entry {
    /// In the order in which they were made.
    pub changes: Vec<Change>,
    /// The cursor before the first of them.
    pub cursor: Position,
    /// Whether the file was empty before.
    pub was_empty: bool,
}

/// Entries to undo and to redo.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Arc<Entry>>,
    undone: Vec<Arc<Entry>>,
    open: Option<Entry>,
}

impl History {
    /// Adds a change to the command that runs. Gives whether its lines are kept.
    pub fn record(&mut self, change: Change, cursor: Position, was_empty: bool) -> bool {
        self.undone.clear();
        let entry = self.open.get_or_insert_with(|| Entry { changes: Vec::new(), cursor, was_empty });
        if let Some(last) = entry.changes.last_mut() {
            // Lines that this command has replaced already need no second record.
            let within = change.first >= last.first
                && change.first + change.old.len() <= last.first + last.count
                && !change.old.is_empty();
            if within {
                last.count = last.count + change.count - change.old.len();
                return false;
            }
        }
        entry.changes.push(change);
        true
    }

    /// The command is over.
    pub fn close(&mut self) {
        self.done.extend(self.open.take().map(Arc::new));
    }

    /// Takes the entry to undo, or to redo.
    pub fn pop(&mut self, redo: bool) -> Option<Arc<Entry>> {
        self.close();
        if redo { self.undone.pop() } else { self.done.pop() }
    }

    /// Gives back what undoes an undo or a redo.
    pub fn push(&mut self, entry: Entry, was_redo: bool) {
        let stack = if was_redo { &mut self.done } else { &mut self.undone };
        stack.push(Arc::new(entry));
    }

    /// Takes out what the open command did, so that it can be rolled back.
    pub fn take_open(&mut self) -> Option<Entry> {
        self.open.take()
    }
}
