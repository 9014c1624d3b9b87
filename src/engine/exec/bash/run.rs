//! The call from plan to outcome.

use serde_json::json;

use super::prepare::{Options, Plan, Timeout, prepare};
use super::process::{End, Exit, conduct};
use super::terminal::Terminal;
use super::window::{Limits, Shown, Window};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::outcome::{Notice, Outcome};

/// Runs a command and waits for its end.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    cancel.check()?;
    let plan = prepare(options, context)?;
    let mut window = Window::new(Limits::of(&context.settings));
    let mut terminal = Terminal::default();
    let end = conduct(&plan, cancel, &mut |bytes| terminal.feed(bytes, &mut window));
    terminal.finish(&mut window);
    let shown = window.finish();
    match end.map_err(|error| not_started(&plan, &error))? {
        End::Finished(Exit::Code(0)) => Ok(outcome(shown, plan.timeout)),
        End::Finished(Exit::Code(exit_code)) => {
            Err(ToolError::NonzeroExit { exit_code, output: shown.into_error_text() })
        }
        End::Finished(Exit::Unknown) => Err(ToolError::Io {
            path: plan.shell.to_string_lossy().into_owned(),
            reason: "the exit status was taken by another part of this process".into(),
        }),
        End::TimedOut => {
            Err(ToolError::Timeout { seconds: plan.timeout.seconds, output: shown.into_error_text() })
        }
        End::Aborted => Err(ToolError::Aborted { output: shown.into_error_text() }),
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
