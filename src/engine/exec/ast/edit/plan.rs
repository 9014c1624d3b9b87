//! What a preview promises, kept until it is applied or dropped.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::call::require_plan_mode_allows;
use super::scan::Edit;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::ast::issues;
use crate::engine::exec::ast::sweep::NAMED_LIMIT;
use crate::engine::exec::{Context, memory, notes};
use crate::engine::files::{Expected, InPlace, Stamp, Target, Transaction, read_regular};
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::text::{Document, Splice};

/// A change that was shown and not yet made.
#[derive(Debug)]
pub struct Plan {
    files: Vec<PlannedFile>,
    facts: Facts,
}

/// The change of one file.
#[derive(Debug)]
pub(super) struct PlannedFile {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) edits: Vec<Edit>,
    /// What the file held.
    pub(super) stamp: Stamp,
}

/// What preview and result both tell.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) files_searched: usize,
    pub(super) limit_reached: bool,
    pub(super) scope_path: String,
    pub(super) search_path: String,
    pub(super) issues: Vec<String>,
}

impl Facts {
    pub(super) fn details(&self, outcome: Outcome, files: &[PlannedFile], applied: bool) -> Outcome {
        let counts: Vec<_> =
            files.iter().map(|file| json!({"path": file.name, "count": file.edits.len()})).collect();
        let outcome = outcome
            .detail("totalReplacements", replacements(files))
            .detail("filesTouched", files.len())
            .detail("filesSearched", self.files_searched)
            .detail("applied", applied)
            .detail("limitReached", self.limit_reached)
            .detail("scopePath", &self.scope_path)
            .detail("searchPath", &self.search_path)
            .detail("files", files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>())
            .detail("fileReplacements", counts);
        issues::with_details(outcome, &self.issues)
    }
}

impl Plan {
    pub(super) fn new(files: Vec<PlannedFile>, facts: Facts) -> Self {
        Self { files, facts }
    }

    /// What the change is called.
    #[must_use]
    pub fn label(&self) -> String {
        format!("AST Edit: {}", self.size())
    }

    /// Changes all files, or none if one of them is not what the preview was made of; that is no error, as the answer
    /// is to make a new preview.
    pub fn apply(&self, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
        for file in &self.files {
            require_plan_mode_allows(&file.path, context)?;
        }
        let writer = context.writer();
        let paths: Vec<(&Path, &str)> =
            self.files.iter().map(|file| (file.path.as_path(), file.name.as_str())).collect();
        let targets = writer.lock_all(&paths, cancel)?;
        let mut changes = Vec::with_capacity(self.files.len());
        let (mut stale, mut seen) = (Vec::new(), HashSet::new());
        for (file, target) in self.files.iter().zip(&targets) {
            cancel.check()?;
            match file.change(target)? {
                None => stale.push(file.name.clone()),
                // A file under two names, or one that is rewritten to what it was.
                Some(change) if seen.insert(target.path()) && change.old != change.new => {
                    changes.push((file, target, change));
                }
                Some(_) => {}
            }
        }
        if !stale.is_empty() {
            return Ok(self.stale(&stale));
        }
        let mut transaction = Transaction::new(writer);
        for (_, target, change) in &changes {
            transaction = transaction.write(target, &change.new, Expected::Bytes(&change.old));
        }
        let written = match transaction.commit() {
            Ok(written) => written,
            Err(ToolError::ConcurrentModification { path }) => return Ok(self.stale(&[path])),
            Err(error) => return Err(error),
        };
        for (file, change) in changes.iter().map(|(file, _, change)| (file, change)) {
            remember(file, &change.new, context);
        }
        let outcome = Outcome::text(format!("Applied {}.", self.size()));
        let in_place = written.iter().find_map(|written| written.in_place);
        let mut outcome = self
            .facts
            .details(outcome, &self.files, true)
            .detail("writtenInPlace", in_place.map(InPlace::name));
        for target in &targets {
            notes::repaired(&mut outcome, target.repairs(), &context.cwd);
        }
        Ok(outcome)
    }

    fn stale(&self, paths: &[String]) -> Outcome {
        let text = format!(
            "The preview is stale: {} changed since it was made. Nothing was written of its {}. Run `ast_edit` again.",
            quoted(paths),
            self.size()
        );
        let mut outcome = self.facts.details(Outcome::text(&text), &[], false);
        outcome.note(Notice::new("stale_preview", text, json!({"paths": paths})));
        outcome.is_error = true;
        outcome
    }

    fn size(&self) -> String {
        let (replacements, files) = (replacements(&self.files), self.files.len());
        let count = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        format!("{} in {}", count(replacements, "replacement"), count(files, "file"))
    }
}

/// The bytes of a file before and after.
struct Change {
    old: Vec<u8>,
    new: Vec<u8>,
}

impl PlannedFile {
    /// What becomes of the file; none if it is not what it was.
    fn change(&self, target: &Target) -> Result<Option<Change>> {
        let old = match read_regular(target.path(), &self.name, NAMED_LIMIT as u64) {
            Ok((bytes, _)) => bytes,
            Err(ToolError::PathNotFound { .. } | ToolError::FileTooLarge { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        if !self.stamp.fits(&old) {
            return Ok(None);
        }
        let not_text = |reason| ToolError::NotText { path: self.name.clone(), reason };
        let document = Document::new(&old).map_err(not_text)?;
        let new = document.apply(&self.splices()).map_err(not_text)?;
        Ok(Some(Change { old, new }))
    }

    fn splices(&self) -> Vec<Splice<'_>> {
        let edits = self.edits.iter();
        edits
            .map(|Edit { range, new, .. }| Splice { range: range.clone(), new: new.as_bytes().into() })
            .collect()
    }
}

/// Of a file that it has read the session has seen this change, too.
fn remember(file: &PlannedFile, bytes: &[u8], context: &Context) {
    let Some(session) = context.session.as_deref() else { return };
    if session.reads.stamp(&file.path).is_none() {
        return;
    }
    memory::keep_bytes(&file.path, bytes, context);
}

fn replacements(files: &[PlannedFile]) -> usize {
    files.iter().map(|file| file.edits.len()).sum()
}

fn quoted(paths: &[String]) -> String {
    const NAMED: usize = 3;
    let mut named: Vec<String> = paths.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    if paths.len() > NAMED {
        named.push(format!("{} more", paths.len() - NAMED));
    }
    format!("{} {}", named.join(", "), if paths.len() == 1 { "has" } else { "have" })
}
