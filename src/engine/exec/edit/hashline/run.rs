//! The call: its sections on the road of all edits.

use std::path::Path;

use serde::Deserialize;

use super::input::{Section, parse};
use super::lines::Lines;
use super::place::Memory;
use super::stale::shown_with;
use super::{plan, preview};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::edit::{
    Change, DiffStyle, Op, Plan, Rehearsal, Report, Wanted, failed_file, possible_file, refusal,
};
use crate::engine::exec::memory;
use crate::engine::outcome::Outcome;

/// Arguments in mode `hashline`. Others are ignored.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    /// Sections and operations.
    pub input: String,
    /// The file of an input that names none itself.
    #[serde(default)]
    pub path: Option<String>,
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let input = parse(&options.input, options.path.as_deref())?;
    let wanted: Vec<Wanted> = input.sections.iter().map(wanted).collect();
    let mut rehearsal = Rehearsal::open(&wanted, DiffStyle::Numbered, context, cancel)?;
    let sections = one_for_each_file(input.sections, &rehearsal);
    let mut failures = Vec::new();
    for (name, section) in &sections {
        match rehearse(&mut rehearsal, *name, section, context).err() {
            Some(error) if sections.len() == 1 || error.code() == "aborted" => return Err(error),
            failure => failures.push(failure),
        }
    }
    let names = sections.iter().map(|(name, _)| *name);
    if let Some(error) = refused(&rehearsal, names, failures, context) {
        return Err(error);
    }
    for warning in input.warnings {
        rehearsal.warn(warning);
    }
    let mut done = rehearsal.commit()?;
    for change in &mut done.changes {
        change.preview = Some(preview(&change.diff));
    }
    let text = done.changes.iter().map(shown).collect::<Vec<_>>().join("\n\n");
    let report = Report { entries: done.changes.len(), tells_op: true, per_file: true };
    Ok(report.outcome(text, done, context))
}

/// A section that only adds at the ends makes a file that is missing, so that no other name is tried for it.
fn wanted<'a>(section: &Section<'a>) -> Wanted<'a> {
    if section.makes_file() { Wanted::New(section.path) } else { Wanted::Existing(section.path) }
}

/// All operations on a file speak of the file as it was, under whatever names it appears.
fn one_for_each_file<'a>(sections: Vec<Section<'a>>, rehearsal: &Rehearsal) -> Vec<(usize, Section<'a>)> {
    let mut merged: Vec<(usize, Section)> = Vec::new();
    for (name, section) in sections.into_iter().enumerate() {
        match merged.iter_mut().find(|(known, _)| rehearsal.is_same(*known, name)) {
            Some((_, known)) => known.operations.extend(section.operations),
            None => merged.push((name, section)),
        }
    }
    merged
}

/// Nothing is written if any section fails; all failures are told at once.
fn refused(
    rehearsal: &Rehearsal,
    names: impl Iterator<Item = usize>,
    failures: Vec<Option<ToolError>>,
    context: &Context,
) -> Option<ToolError> {
    let told = refusal(failures.iter().flatten());
    let mut changes = rehearsal.changes().iter();
    let file = |(name, failure): (usize, &Option<ToolError>)| match failure {
        Some(error) => Some(failed_file(rehearsal.shown(name), error)),
        None => Some(possible_file(changes.next()?, context)),
    };
    let files = names.zip(&failures).filter_map(file).collect();
    let cause = failures.into_iter().flatten().next()?;
    Some(ToolError::InFiles { told, files, cause: Box::new(cause) })
}

fn rehearse(rehearsal: &mut Rehearsal, name: usize, section: &Section, context: &Context) -> Result<()> {
    if section.makes_file() && !rehearsal.exists(name)? {
        return rehearsal.create(name, &section.new_text());
    }
    let (path, shown) = (rehearsal.path(name).to_owned(), rehearsal.shown(name).to_owned());
    rehearsal.update(name, |document| {
        let plan = plan_in_session(document.text(), section, &path, &shown, context);
        plan.inspect_err(|error| remember_excerpt(error, document.text(), &path, context))
    })
}

/// The next call may take the anchors that a refusal shows.
fn remember_excerpt(error: &ToolError, text: &str, path: &Path, context: &Context) {
    if let ToolError::StaleAnchor { mismatches, .. } = error {
        memory::keep_shown(path, text, shown_with(mismatches, &Lines::new(text)), context);
    }
}

/// What a section makes of the text of its file, given what the session showed of it.
pub fn plan_in_session(
    text: &str,
    section: &Section,
    path: &Path,
    shown: &str,
    context: &Context,
) -> Result<Plan> {
    let turn = context.turn.as_ref();
    let recorded = context.session.as_ref().and_then(|session| session.reads.recall(path, turn));
    let recorded = recorded.unwrap_or_default();
    let memory =
        Memory { seen: &recorded.lines, is_whole: recorded.is_whole(), former: &recorded.former, turn };
    let drops_repeats = context.settings.truthy("edit.hashlineAutoDropPureInsertDuplicates");
    plan(text, &section.operations, &memory, drops_repeats, shown)
}

fn shown(change: &Change) -> String {
    match change.preview.as_deref() {
        Some(preview) if !preview.is_empty() => format!("{}:\n{preview}", change.shown),
        _ if change.op == Op::Create => format!("Created {}", change.shown),
        _ => format!("Updated {}", change.shown),
    }
}
