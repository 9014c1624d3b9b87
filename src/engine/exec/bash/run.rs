//! The call from plan to outcome.

use serde_json::json;

use super::prepare::{Options, Plan, Timeout, prepare};
use super::process::{End, Exit, conduct};
use super::terminal::Terminal;
use super::window::{Limits, Shown, Window};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::outcome::{Notice, Outcome, TruncationMeta};

/// Runs a command and waits for its end. Of a long output the end alone is kept.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    start(options, context, false, cancel)?.finish(Kept::Nowhere)
}

/// Runs a command, with its result still to be told: what is said of a long output depends on where it was kept. With
/// `holds_output` all of it is there to be kept.
pub fn start(
    options: &Options,
    context: &Context,
    holds_output: bool,
    cancel: &CancelToken,
) -> Result<Ended> {
    cancel.check()?;
    let plan = prepare(options, context)?;
    let limits = Limits::of(&context.settings);
    let mut window = if holds_output { Window::with_whole(limits) } else { Window::new(limits) };
    let mut terminal = Terminal::default();
    let end =
        conduct(&plan.launch(&plan.arguments()), cancel, &mut |_, bytes| terminal.feed(bytes, &mut window));
    terminal.finish(&mut window);
    let end = end.map_err(|error| not_started(&plan, &error))?;
    Ok(Ended { end, window, limits, timeout: plan.timeout, shell: plan.shell.to_string_lossy().into_owned() })
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ended {
    end: End,
    window: Window,
    limits: Limits,
    timeout: Timeout,
    shell: String,
}

/// What became of an output that is not shown whole.
#[derive(Debug, Clone)]
pub enum Kept {
    /// There was nowhere to keep it, or no need.
    Nowhere,
    /// It can be read as an artifact of this id, but for so many bytes.
    Artifact {
        /// Names it.
        id: String,
        /// Bytes that the store did not take.
        missing: u64,
    },
    /// It was to be kept, and could not be.
    Failed {
        /// Why.
        reason: String,
    },
}

impl Ended {
    /// The text that is to be kept; absent where all of it is shown, or where there is nowhere to keep it.
    #[must_use]
    pub fn to_keep(&self) -> Option<&str> {
        let whole = self.window.whole()?;
        let is_cut = self.window.finish_within(self.limits.beside_whole()).is_cut();
        is_cut.then_some(whole.text.as_str())
    }

    /// The result of the call.
    pub fn finish(self, kept: Kept) -> Result<Outcome> {
        let shown = self.shown(kept);
        match self.end {
            End::Finished(Exit::Code(0)) => Ok(outcome(shown, self.timeout)),
            End::Finished(Exit::Code(exit_code)) => {
                Err(ToolError::NonzeroExit { exit_code, output: shown.into_error_text() })
            }
            End::Finished(Exit::Unknown) => Err(ToolError::Io {
                path: self.shell,
                reason: "the exit status was taken by another part of this process".into(),
            }),
            End::TimedOut => {
                Err(ToolError::Timeout { seconds: self.timeout.seconds, output: shown.into_error_text() })
            }
            End::Aborted => Err(ToolError::Aborted { output: shown.into_error_text() }),
        }
    }

    /// Little of what can be read elsewhere, else as much as fits.
    fn shown(&self, kept: Kept) -> Shown {
        let is_elsewhere = matches!(kept, Kept::Artifact { .. });
        let limits = if is_elsewhere { self.limits.beside_whole() } else { self.limits };
        let mut shown = self.window.finish_within(limits);
        if !shown.is_cut() {
            return shown;
        }
        let cut = || shown.meta.truncation.clone().unwrap_or_else(|| self.window.uncut(&shown.text));
        match kept {
            Kept::Nowhere => {}
            Kept::Failed { reason } => {
                let artifact_failure_diagnostic = Some(reason);
                shown.meta.truncation = Some(TruncationMeta { artifact_failure_diagnostic, ..cut() });
            }
            Kept::Artifact { id, missing } => {
                let missing = missing + self.window.whole().map_or(0, |whole| whole.missing);
                let artifact_truncated_bytes = Some(missing).filter(|bytes| *bytes > 0);
                shown.meta.truncation =
                    Some(TruncationMeta { artifact_id: Some(id), artifact_truncated_bytes, ..cut() });
            }
        }
        shown
    }
}

fn not_started(plan: &Plan, error: &std::io::Error) -> ToolError {
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

fn outcome(shown: Shown, timeout: Timeout) -> Outcome {
    let text = if shown.text.is_empty() { "(no output)".to_owned() } else { shown.text };
    let mut outcome = Outcome { text, meta: shown.meta, ..Outcome::default() }
        .detail("timeoutSeconds", seconds(timeout.seconds))
        .detail("requestedTimeoutSeconds", timeout.requested.map(seconds));
    if let Some(marker) = shown.marker {
        outcome.note(marker);
    }
    if let Some(notice) = clamp_notice(timeout) {
        outcome.text.push_str("\n\n");
        outcome.text.push_str(&notice.text);
        outcome.note(notice);
    }
    outcome
}

fn clamp_notice(timeout: Timeout) -> Option<Notice> {
    let (requested, effective) = (timeout.requested?, timeout.seconds);
    let (min, max) = (Timeout::MIN, Timeout::MAX);
    let text =
        format!("The timeout was set to {effective}s ({requested}s asked for, {min}s to {max}s allowed).");
    let facts = json!({
        "effective": seconds(effective), "requested": seconds(requested), "min": seconds(min), "max": seconds(max),
    });
    Some(Notice::new("timeout_clamped", text, facts))
}

/// Whole seconds as a whole number, so that receipts read the same everywhere.
#[expect(clippy::cast_possible_truncation, reason = "far below the limit")]
fn seconds(value: f64) -> serde_json::Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}
