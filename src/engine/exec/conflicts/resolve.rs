//! `write` to a conflict: its lines are replaced, every other byte of the file stays.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::address::{Address, Id};
use super::resolution::replacement;
use super::{Scanned, not_found};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{ConflictFailure, Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::guard::allowed_by_plan;
use crate::engine::files::{self, Expected};
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::session::{Conflicts, KnownConflict};

/// Resolves what an address names.
pub fn resolve(address: &Address, merged: &str, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    if address.scope.is_some() {
        return Err(ToolError::ConflictScopeReadonly { uri: address.uri.clone() });
    }
    let session = context.session.as_ref().ok_or_else(|| not_found(address))?;
    let known = &session.conflicts;
    let mut outcome = match address.id {
        Id::One(id) => {
            let conflict = known.get(id).ok_or_else(|| not_found(address))?;
            one(conflict, address, merged, context, known, cancel)
        }
        Id::All => all(address, merged, context, known, cancel),
    }?;
    if let Some(prefix) = &address.dropped_prefix {
        let text = format!("`{prefix}:` before the address was left out.");
        outcome.text.extend(["\n", &text]);
        outcome.note(Notice::new("prefix_dropped", text, serde_json::json!({"prefix": prefix})));
    }
    Ok(outcome)
}

fn one(
    conflict: KnownConflict,
    address: &Address,
    merged: &str,
    context: &Context,
    known: &Conflicts,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let (path, id) = (conflict.path.clone(), conflict.id);
    let file = replace_in_file(&path, &[conflict], merged, context, cancel).map_err(|error| match error {
        Failure::Stale { .. } => {
            ToolError::ConflictStale { uri: address.uri.clone(), path: shown(&path, context) }
        }
        Failure::NoBase { .. } => ToolError::ConflictNoBase { uri: address.uri.clone() },
        Failure::Other(error) => error,
    })?;
    known.forget(&[id]);
    let (start, end) = file.lines[0];
    let text = format!("Resolved conflict #{id} at lines {start}–{end} in {}.", shown(&path, context));
    Ok(Outcome::text(text).detail("resolved", 1).detail("writtenInPlace", file.in_place))
}

/// Every file as a whole or not at all; a file that cannot be resolved keeps no other from it.
fn all(
    address: &Address,
    merged: &str,
    context: &Context,
    known: &Conflicts,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let mut by_file: BTreeMap<PathBuf, Vec<KnownConflict>> = BTreeMap::new();
    for conflict in known.all() {
        by_file.entry(conflict.path.clone()).or_default().push(conflict);
    }
    if by_file.is_empty() {
        return Err(not_found(address));
    }
    let (mut resolved, mut failed) = (Vec::new(), Vec::new());
    for (path, conflicts) in by_file {
        let ids: Vec<u64> = conflicts.iter().map(|conflict| conflict.id).collect();
        let outcome = match cancel.check() {
            Ok(()) => replace_in_file(&path, &conflicts, merged, context, cancel),
            Err(error) => Err(Failure::Other(error)),
        };
        let shown = shown(&path, context);
        match outcome {
            Ok(_) => {
                known.forget(&ids);
                resolved.push((shown, ids.len()));
            }
            Err(failure) => failed.push(ConflictFailure { path: shown, reason: failure.reason() }),
        }
    }
    if failed.is_empty() {
        return Ok(report(&resolved));
    }
    let resolved = resolved.into_iter().map(|(path, _)| path).collect();
    Err(ToolError::ConflictBulkFailed { uri: address.uri.clone(), resolved, failed })
}

fn report(resolved: &[(String, usize)]) -> Outcome {
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let total: usize = resolved.iter().map(|(_, number)| number).sum();
    let mut text = format!("Resolved {} across {}:", count(total, "conflict"), count(resolved.len(), "file"));
    for (path, number) in resolved {
        text.extend(["\n  ", path, ": ", &count(*number, "conflict")]);
    }
    Outcome::text(text).detail("resolved", total)
}

/// A file whose conflicts are resolved.
struct Resolved {
    /// Where each stood.
    lines: Vec<(u64, u64)>,
    in_place: Option<&'static str>,
}

/// Why a file was left as it is.
enum Failure {
    Stale { id: u64 },
    NoBase { id: u64 },
    Other(ToolError),
}

impl Failure {
    fn reason(&self) -> String {
        match self {
            Self::Stale { id } => format!("conflict #{id} is not there any more; read the file again"),
            Self::NoBase { id } => format!("conflict #{id} has no base"),
            Self::Other(error) => error.to_string(),
        }
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Other(error)
    }
}

fn replace_in_file(
    path: &Path,
    conflicts: &[KnownConflict],
    merged: &str,
    context: &Context,
    cancel: &CancelToken,
) -> std::result::Result<Resolved, Failure> {
    let allowed = allowed_by_plan(path.to_owned(), context)?;
    if files::real_path(&allowed) != path {
        let reason = "in plan mode only the plan is written".to_owned();
        return Err(Failure::Other(ToolError::PlanModeDenied { path: shown(path, context), reason }));
    }
    let writer = context.writer();
    let target = writer.lock(path, &shown(path, context), cancel)?;
    let file = match Scanned::read(target.path(), target.shown()) {
        Err(ToolError::PathNotFound { .. }) => Err(Failure::Stale { id: conflicts[0].id }),
        read => read.map_err(Failure::Other),
    }?;
    let mut places = Vec::with_capacity(conflicts.len());
    let mut lines = Vec::with_capacity(conflicts.len());
    for known in conflicts {
        let conflict = file.locate(known).ok_or(Failure::Stale { id: known.id })?;
        let text = replacement(merged, conflict, &file).ok_or(Failure::NoBase { id: known.id })?;
        places.push((conflict.bytes.clone(), text));
        lines.push((conflict.start, conflict.end));
    }
    places.sort_by_key(|(place, _)| place.start);
    if let Some(twice) = places.windows(2).position(|pair| pair[0].0.end > pair[1].0.start) {
        return Err(Failure::Stale { id: conflicts[twice].id });
    }
    let mut bytes = Vec::with_capacity(file.bytes.len());
    let mut copied = 0;
    for (place, text) in places {
        bytes.extend_from_slice(&file.bytes[copied..place.start]);
        bytes.extend_from_slice(&text);
        copied = place.end;
    }
    bytes.extend_from_slice(&file.bytes[copied..]);
    let written = writer.write(&target, &bytes, Expected::Bytes(&file.bytes))?;
    Ok(Resolved { lines, in_place: written.in_place.map(files::InPlace::name) })
}

fn shown(path: &Path, context: &Context) -> String {
    files::display_path(path, &files::real_path(&context.cwd))
}
