//! The road of a call: find the target, look at its first bytes, hand it to the part that shows it.

use std::time::Duration;

use super::address::{self, Found, Located};
use super::call::Call;
use super::content::{self, Content};
use super::options::{Direction, Options, View};
use super::selector::Selector;
use super::source::Source;
use super::{binary, conflicts, container, directory, range, raw, receipt};
use crate::engine::cancel::CancelToken;
use crate::engine::content::notebook;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files;
use crate::engine::outcome::Outcome;

/// How long one call may count the lines of a file. Beyond it totals are lower bounds.
const COUNT_TIME: Duration = Duration::from_millis(1500);

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    run_within(options, context, cancel, COUNT_TIME)
}

/// [`run`] with a time budget for counting lines.
pub fn run_within(
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
    count_time: Duration,
) -> Result<Outcome> {
    cancel.check()?;
    if let Some(address) = crate::engine::exec::conflicts::parse(&options.path)? {
        return conflicts::region(&address, &View::new(options, context, false), context, cancel);
    }
    if let Some(outcome) = container::read(options, context, cancel, count_time)? {
        return Ok(outcome);
    }
    let mut target = match address::locate(&options.path, context, cancel)? {
        Located::Target(target) => target,
        Located::Within(contained, notice) => {
            let outcome = container::read_at(contained, options, context, cancel, count_time)?;
            return Ok(address::announce(notice, outcome));
        }
    };
    let raw = target.selector.as_ref().is_some_and(Selector::is_raw);
    let mut view = View::new(options, context, raw);
    if options.truncation.is_some() && (target.selector.is_some() || target.found == Found::Directory) {
        let reason = if target.selector.is_some() {
            "a selector already says which part is wanted"
        } else {
            "a directory listing starts at its first line"
        };
        return Err(ToolError::TruncationUnsupported { path: target.shown, reason: reason.into() });
    }
    // Raw text and conflicts are those of the file.
    let as_stored = raw || matches!(target.selector, Some(Selector::Conflicts));
    let is_notebook = target.found == Found::File && !as_stored && content::is_notebook(&target.path);
    if is_notebook {
        // Written to be read from its start.
        view.direction = options.truncation.unwrap_or(Direction::Head);
        target.entity = "notebook";
    }
    let call = Call { target: &target, view: &view, cancel };
    let outcome = match target.found {
        Found::Directory => directory::list(call),
        Found::File if is_notebook => notebook(call, count_time),
        Found::File => file(call, context, count_time),
    }?;
    Ok(target.announce(outcome))
}

/// Larger notebooks are not read as such.
const MAX_NOTEBOOK: u64 = 64 << 20;

fn notebook(call: Call<'_>, count_time: Duration) -> Result<Outcome> {
    let (path, shown) = (&call.target.path, &call.target.shown);
    let (bytes, _) = files::read_regular(path, shown, MAX_NOTEBOOK)?;
    let text = notebook::render(&bytes)
        .map_err(|reason| ToolError::NotebookInvalid { path: shown.clone(), reason })?;
    let mut source = Source::from_memory(text.into_bytes(), shown, call.cancel)?;
    let mut outcome = show(call, &mut source, Content::Text, count_time)?;
    // The cut is one of the rendered text; the file itself has other lines.
    outcome.meta.truncation = None;
    Ok(outcome)
}

fn file(call: Call<'_>, context: &Context, count_time: Duration) -> Result<Outcome> {
    let target = call.target;
    if target.selector == Some(Selector::Conflicts) {
        return conflicts::list(call, context);
    }
    content::refuse_by_name(target)?;
    let mut source = Source::open(&target.path, &target.shown, call.cancel)?;
    let kind = content::sniff(target, source.head())?;
    let mut outcome = show(call, &mut source, kind, count_time)?;
    if kind == Content::Text && !target.selector.as_ref().is_some_and(Selector::is_raw) {
        outcome = conflicts::warn(call, context, source.head(), outcome)?;
    }
    // Only an edit asks for it.
    let memory = context.session.as_deref().filter(|_| context.has_edit_tool);
    if let Some(session) = memory.filter(|_| kind == Content::Text) {
        session.reads.record(&target.path, std::mem::take(&mut outcome.shown), Some(source.stamp()));
    }
    Ok(outcome)
}

/// Shows a text by the selector of the call. The way of every text, wherever its bytes lie.
pub(super) fn show(
    call: Call<'_>,
    source: &mut Source,
    content: Content,
    count_time: Duration,
) -> Result<Outcome> {
    let target = call.target;
    let outcome = match (&target.selector, content) {
        // Only a file on disk has conflicts that can be resolved, and those are listed without coming here.
        (Some(Selector::Conflicts), _) => {
            return Err(target.unsupported("listing merge conflicts of this content"));
        }
        (Some(Selector::Raw), _) => raw::whole(call, source),
        (Some(Selector::Lines { ranges, raw: true }), _) => raw::lines(call, source, ranges),
        (_, Content::Binary(format)) => binary::describe(call, source, format),
        (Some(Selector::Lines { ranges, .. }), Content::Text) => range::read(call, source, ranges),
        (None, Content::Text) => receipt::read(call, source, count_time),
    }?;
    Ok(source.describe(outcome))
}
