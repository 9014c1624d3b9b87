//! The call from plan to outcome.

use std::sync::Arc;

use super::ended::{Ended, Kept, Receipt};
use super::jobs::{Background, Job};
use super::output::Output;
use super::prepare::{Mode, Options, Plan, prepare};
use super::process::{Lease, conduct};
use super::window::{Limits, Window};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files::Spool;
use crate::engine::outcome::Outcome;

/// What a caller wants beside the result.
#[derive(Default)]
pub struct Caller<'a> {
    /// All of the output is held, there to be kept.
    pub holds_output: bool,
    /// Takes what there is of the output while the command runs.
    pub on_update: Option<&'a mut dyn FnMut(Outcome)>,
    /// Needed to let a command go on after its call.
    pub background: Option<Background>,
    /// Shows the terminal of a command that gets one.
    pub terminal: Option<Lease>,
}

/// What a call has come to.
#[derive(Debug)]
pub enum Started {
    /// The command has ended.
    Ended(Arc<Ended>),
    /// It goes on as a job.
    Running(Box<Outcome>),
}

/// Runs a command and waits for its end. Of a long output the end alone is kept.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    match start(options, context, Caller::default(), cancel)? {
        Started::Ended(ended) => ended.finish(Kept::Nowhere),
        Started::Running(outcome) => Ok(*outcome),
    }
}

/// Runs a command, with its result still to be told.
pub fn start(
    options: &Options,
    context: &Context,
    caller: Caller<'_>,
    cancel: &CancelToken,
) -> Result<Started> {
    cancel.check()?;
    let mut plan = context.confine(|| prepare(options, context))?;
    if plan.terminal.is_some() && caller.terminal.is_some() {
        plan.terminal = caller.terminal;
    }
    let limits = Limits::of(&context.settings);
    let limits = if plan.mode == Mode::Inline { limits } else { limits.of_job() };
    let window = if caller.holds_output {
        Window::with_whole(limits, Spool::new(&context.state_dirs))
    } else {
        Window::new(limits)
    };
    let output = Output::new(window, limits);
    match plan.mode {
        Mode::Inline => inline(&plan, output, caller.on_update, cancel),
        Mode::Background { after } => {
            let (Some(session), Some(background)) = (&context.session, caller.background) else {
                return match after {
                    Some(_) => inline(&plan, output, caller.on_update, cancel),
                    None => Err(ToolError::AsyncUnavailable { reason: "this host keeps no jobs".into() }),
                };
            };
            let jobs = Arc::clone(&session.jobs);
            let max_jobs = context.settings.count("async.maxJobs");
            let Background { token, on_end } = background;
            let job = Job::new(&plan, output, token, options.command.trim(), max_jobs);
            let Some(after) = after else { return job.start_detached(&jobs, plan, on_end) };
            job.start(plan, on_end)?;
            job.wait_or_detach(&jobs, after, caller.on_update, cancel)
        }
    }
}

fn inline(
    plan: &Plan,
    mut output: Output,
    mut on_update: Option<&mut dyn FnMut(Outcome)>,
    cancel: &CancelToken,
) -> Result<Started> {
    let receipt = Receipt::of(plan);
    let end = conduct(&plan.launch(&plan.arguments()), cancel, &mut |_, bytes| {
        output.feed(bytes);
        if let Some(tell) = &mut on_update
            && let Some(shown) = output.news()
        {
            tell(receipt.partial(shown));
        }
    });
    let (window, limits) = output.finish();
    let end = end.map_err(|error| not_started(plan, &error))?;
    Ok(Started::Ended(Arc::new(Ended { end, window, limits, call: receipt })))
}

/// Why nothing ran.
pub(super) fn not_started(plan: &Plan, error: &std::io::Error) -> ToolError {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::ArgumentListTooLong => {
            return ToolError::argument(
                "command",
                "is longer, with `env`, than the system lets a program be started with",
            );
        }
        ErrorKind::PermissionDenied if !plan.may_enter_cwd() => {
            return ToolError::PermissionDenied { path: plan.cwd.to_string_lossy().into_owned() };
        }
        _ => {}
    }
    ToolError::Io {
        path: plan.shell.to_string_lossy().into_owned(),
        reason: format!("the shell cannot be started: {error}"),
    }
}
