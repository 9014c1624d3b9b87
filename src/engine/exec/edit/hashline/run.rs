//! The call: its sections on the road of all edits.

use std::path::Path;

use serde::Deserialize;

use super::input::{Section, parse};
use super::{plan, preview};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::exec::Context;
use crate::engine::exec::edit::{Change, DiffStyle, Op, Plan, Rehearsal, Report, Wanted};
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
    for (name, section) in one_for_each_file(input.sections, &rehearsal) {
        rehearse(&mut rehearsal, name, &section, context)?;
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

fn rehearse(rehearsal: &mut Rehearsal, name: usize, section: &Section, context: &Context) -> Result<()> {
    if section.makes_file() && !rehearsal.exists(name)? {
        return rehearsal.create(name, &section.new_text());
    }
    let (path, shown) = (rehearsal.path(name).to_owned(), rehearsal.shown(name).to_owned());
    rehearsal.update(name, |document| plan_in_session(document.text(), section, &path, &shown, context))
}

/// What a section makes of the text of its file, given what the session showed of it.
pub fn plan_in_session(
    text: &str,
    section: &Section,
    path: &Path,
    shown: &str,
    context: &Context,
) -> Result<Plan> {
    let reads = context.session.as_ref().map(|session| &session.reads);
    let seen = reads.and_then(|reads| reads.recall(path)).unwrap_or_default().lines;
    let drops_repeats = context.settings.truthy("edit.hashlineAutoDropPureInsertDuplicates");
    plan(text, &section.operations, &seen, drops_repeats, shown)
}

fn shown(change: &Change) -> String {
    match change.preview.as_deref() {
        Some(preview) if !preview.is_empty() => format!("{}:\n{preview}", change.shown),
        _ if change.op == Op::Create => format!("Created {}", change.shown),
        _ => format!("Updated {}", change.shown),
    }
}
