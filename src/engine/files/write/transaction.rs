//! Several changes that are made together or not at all. First everything is made ready and looked at once more,
//! then the steps follow each other with a journal behind them. A failure takes back what was done; what a dead
//! process could not take back the next call does.

use std::collections::HashSet;

use super::disk::sync_directory;
use super::journal::{Journal, Undo};
use super::leftovers::expect_clean;
use super::step::{Failure, Made, Step, changed_meanwhile, prepare};
use super::target::{Target, write_error};
use super::{Content, Expected, Writer, Written};
use crate::engine::error::{Result, ToolError};

/// How often a call starts over because somebody else made a file at the same moment.
const MAX_TRIES: usize = 16;

/// One change of one name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'a> {
    Write { target: &'a Target, content: Content<'a>, expected: Expected<'a> },
    Delete { target: &'a Target, expected: Expected<'a> },
    Rename { from: &'a Target, to: &'a Target },
}

/// Changes in the order in which they are made. Targets come from one [`Writer::lock_all`].
///
/// A file may be written and then renamed; no other two changes may name the same file.
#[derive(Debug)]
pub struct Transaction<'a> {
    writer: Writer<'a>,
    changes: Vec<Change<'a>>,
}

impl<'a> Transaction<'a> {
    /// Nothing yet.
    #[must_use]
    pub fn new(writer: Writer<'a>) -> Self {
        Self { writer, changes: Vec::new() }
    }

    /// Gives a file this content, new or not. Links are followed.
    #[must_use]
    pub fn write(
        mut self,
        target: &'a Target,
        content: impl Into<Content<'a>>,
        expected: Expected<'a>,
    ) -> Self {
        self.changes.push(Change::Write { target, content: content.into(), expected });
        self
    }

    /// Makes a file; `already_exists` if there is one.
    #[must_use]
    pub fn create(self, target: &'a Target, content: impl Into<Content<'a>>) -> Self {
        self.write(target, content, Expected::Missing)
    }

    /// Deletes a file. Of a link only the link goes; `expected` is about what it leads to.
    #[must_use]
    pub fn delete(mut self, target: &'a Target, expected: Expected<'a>) -> Self {
        self.changes.push(Change::Delete { target, expected });
        self
    }

    /// Gives a file another name, which must be free; everything else about it stays. A link stays a link.
    #[must_use]
    pub fn rename(mut self, from: &'a Target, to: &'a Target) -> Self {
        self.changes.push(Change::Rename { from, to });
        self
    }

    /// Makes all changes or none. One result for each change, in order.
    pub fn commit(self) -> Result<Vec<Written>> {
        self.require_different_files()?;
        let mut in_place = vec![false; self.changes.len()];
        for _ in 0..MAX_TRIES {
            let steps = self.changes.iter().zip(&in_place);
            let steps: Vec<Step> = steps
                .map(|(change, in_place)| prepare(&self.writer, change, *in_place))
                .collect::<Result<_>>()?;
            match make_all(&self.writer, steps) {
                Ok(made) => return Ok(close(made)),
                Err((at, Failure::RenameRefused)) => in_place[at] = true,
                Err((at, Failure::Taken)) => match self.changes[at] {
                    Change::Write { expected: Expected::Anything, .. } => {}
                    Change::Write { target, .. }
                    | Change::Delete { target, .. }
                    | Change::Rename { to: target, .. } => {
                        return Err(ToolError::AlreadyExists { path: target.shown().to_owned() });
                    }
                },
                Err((_, Failure::Error(error))) => return Err(*error),
            }
        }
        Err(match self.changes[0] {
            Change::Write { target, .. }
            | Change::Delete { target, .. }
            | Change::Rename { to: target, .. } => changed_meanwhile(target),
        })
    }

    /// What two changes of one file would mean depends on the caller; here it is a mistake.
    fn require_different_files(&self) -> Result<()> {
        let mut seen = HashSet::new();
        for change in &self.changes {
            let (place, target) = match *change {
                Change::Write { target, .. } => (target.path(), target),
                Change::Delete { target, .. } => (target.entry(), target),
                Change::Rename { to, .. } => (to.entry(), to),
            };
            if !seen.insert(place) {
                let message = format!("`{}` is changed twice in one transaction", target.shown());
                return Err(ToolError::Internal { message });
            }
        }
        Ok(())
    }
}

/// One result for each change. What this process itself did to its directories is no sign of leftovers.
fn close(made: Vec<Made>) -> Vec<Written> {
    for folder in made.iter().flat_map(|made| &made.touched) {
        expect_clean(folder);
    }
    made.into_iter().map(|made| made.written).collect()
}

type Attempt = std::result::Result<Vec<Made>, (usize, Failure)>;

fn make_all(writer: &Writer, mut steps: Vec<Step>) -> Attempt {
    if steps.len() == 1 && steps[0].is_single() {
        let made = steps.remove(0).make(writer, None).map_err(|failure| (0, failure))?;
        let made = vec![made];
        sync_directories(writer, &made);
        return Ok(made);
    }
    if steps.is_empty() {
        return Ok(Vec::new());
    }
    for (at, step) in steps.iter().enumerate() {
        step.verify().map_err(|error| (at, error.into()))?;
    }
    let (journal, undo) = record(writer, &steps).map_err(|error| (0, error.into()))?;
    let first = steps[0].target().shown().to_owned();
    let mut done = Vec::with_capacity(steps.len());
    for (at, (step, undo)) in steps.into_iter().zip(undo).enumerate() {
        let shown = step.target().shown().to_owned();
        match step.make(writer, Some(&undo)) {
            Ok(made) => done.push(made),
            Err(failure) => return Err((at, take_back(journal, failure, &shown))),
        }
    }
    sync_directories(writer, &done);
    if let Err(error) = journal.settle(writer.durable) {
        let failure = Failure::from(write_error(&first, &error));
        return Err((0, take_back(journal, failure, &first)));
    }
    journal.close();
    Ok(done)
}

/// Puts on record how to take back each step.
fn record<'a>(writer: &Writer<'a>, steps: &[Step]) -> Result<(Journal<'a>, Vec<Vec<Undo>>)> {
    let shown = steps[0].target().shown();
    let mut journal = Journal::open(writer.disk, writer.state).map_err(|error| no_journal(shown, &error))?;
    let undo = |(number, step): (usize, &Step)| step.undo(&journal, number, &steps[..number], writer);
    let undo: std::io::Result<Vec<Vec<Undo>>> = steps.iter().enumerate().map(undo).collect();
    let recorded = undo.and_then(|undo| journal.record(undo.concat(), writer.durable).map(|()| undo));
    match recorded {
        Ok(undo) => Ok((journal, undo)),
        Err(error) => {
            journal.abandon();
            Err(write_error(shown, &error))
        }
    }
}

fn no_journal(shown: &str, error: &std::io::Error) -> ToolError {
    let reason = format!(
        "cannot be changed in one step, and there is no place for the journal that makes this safe: {error}"
    );
    ToolError::Io { path: shown.to_owned(), reason }
}

/// The failure, once everything is as it was.
fn take_back(journal: Journal, failure: Failure, shown: &str) -> Failure {
    let problem = match journal.take_back() {
        Ok(repairs) => {
            match repairs.into_iter().find_map(|repair| repair.left.map(|left| (repair.path, left))) {
                None => return failure,
                Some((path, left)) => {
                    format!(
                        "`{}` was changed meanwhile, its old content is in `{}`",
                        path.display(),
                        left.display()
                    )
                }
            }
        }
        Err(error) => format!("not everything could be put back yet ({error}), the next call tries again"),
    };
    let cause = match failure {
        Failure::Error(error) => error.to_string(),
        Failure::RenameRefused => "the system refused a rename".to_owned(),
        Failure::Taken => "somebody else made a file".to_owned(),
    };
    Failure::from(ToolError::Io { path: shown.to_owned(), reason: format!("{cause}; {problem}") })
}

fn sync_directories(writer: &Writer, made: &[Made]) {
    if !writer.durable {
        return;
    }
    let mut folders: Vec<_> = made.iter().flat_map(|made| &made.touched).collect();
    folders.sort();
    folders.dedup();
    for folder in folders {
        sync_directory(writer.disk, folder);
    }
}
