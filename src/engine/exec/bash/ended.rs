//! A command that has ended, and the result of its call.

use serde_json::json;

use super::prepare::{Plan, Timeout};
use super::process::{End, Exit};
use super::window::{Limits, Shown, Window};
use crate::engine::error::{Result, ToolError};
use crate::engine::files::Spool;
use crate::engine::outcome::{Notice, Outcome, TruncationMeta};

/// A command that has ended. What is said of a long output depends on where it was kept.
#[derive(Debug)]
pub struct Ended {
    pub(super) end: End,
    pub(super) window: Window,
    pub(super) limits: Limits,
    pub(super) call: Receipt,
}

/// What a result tells of its call beside the output.
#[derive(Debug, Clone)]
pub struct Receipt {
    timeout: Timeout,
    shell: String,
    terminal_id: Option<String>,
    notices: Vec<Notice>,
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
    pub fn to_keep(&self) -> Option<&Spool> {
        let whole = self.window.whole()?;
        let is_cut = self.window.finish_within(self.limits.beside_whole()).is_cut();
        is_cut.then_some(whole)
    }

    /// The result of the call.
    pub fn finish(&self, kept: Kept) -> Result<Outcome> {
        let shown = self.shown(kept);
        match self.end {
            End::Finished(Exit::Code(0)) => Ok(self.call.outcome(shown)),
            End::Finished(Exit::Code(exit_code)) => {
                Err(ToolError::NonzeroExit { exit_code, output: shown.into_error_text() })
            }
            End::Finished(Exit::Unknown) => Err(ToolError::Io {
                path: self.call.shell.clone(),
                reason: "the exit status was taken by another part of this process".into(),
            }),
            End::TimedOut => {
                let seconds = self.call.timeout.seconds;
                Err(ToolError::Timeout { seconds, output: shown.into_error_text() })
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
                let missing = missing + self.window.whole().map_or(0, Spool::missing);
                let artifact_truncated_bytes = Some(missing).filter(|bytes| *bytes > 0);
                shown.meta.truncation =
                    Some(TruncationMeta { artifact_id: Some(id), artifact_truncated_bytes, ..cut() });
            }
        }
        shown
    }
}

impl Receipt {
    /// That of a plan.
    pub fn of(plan: &Plan) -> Self {
        let notices = clamp_notice(plan.timeout).into_iter().chain(plan.notices.iter().cloned()).collect();
        let terminal_id = plan.terminal.as_ref().and_then(|terminal| terminal.id()).map(str::to_owned);
        Self { timeout: plan.timeout, shell: plan.shell.to_string_lossy().into_owned(), terminal_id, notices }
    }

    /// The result of a command that ended well.
    fn outcome(&self, shown: Shown) -> Outcome {
        let text = if shown.text.is_empty() { "(no output)".to_owned() } else { shown.text.clone() };
        let mut outcome = self.with_text(text, shown);
        for notice in &self.notices {
            outcome.text.push_str("\n\n");
            outcome.text.push_str(&notice.text);
            outcome.note(notice.clone());
        }
        outcome
    }

    /// What there is of a command that still runs.
    pub fn partial(&self, shown: Shown) -> Outcome {
        self.with_text(shown.text.clone(), shown)
    }

    /// That a command goes on in the background; before that, what it wrote so far.
    pub fn backgrounded(&self, shown: Shown, id: &str, label: &str) -> Outcome {
        let mut text = shown.text.clone();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        for notice in &self.notices {
            text.push_str(&notice.text);
            text.push_str("\n\n");
        }
        let said = [
            format!("Background job {id} started: {label}"),
            format!(
                "It runs on while you work; its result is reported when it ends, or ask for {id} with `job`."
            ),
            "Do not run the command again to see whether it is done.".to_owned(),
        ];
        text.push_str(&said.join("\n"));
        let mut outcome = self.with_text(text, shown);
        self.notices.iter().for_each(|notice| outcome.note(notice.clone()));
        outcome.detail("async", json!({"state": "running", "jobId": id, "type": "bash"}))
    }

    fn with_text(&self, text: String, shown: Shown) -> Outcome {
        let mut outcome = Outcome { text, meta: shown.meta, ..Outcome::default() }
            .detail("timeoutSeconds", seconds(self.timeout.seconds))
            .detail("requestedTimeoutSeconds", self.timeout.requested.map(seconds))
            .detail("terminalId", self.terminal_id.as_deref());
        if let Some(marker) = shown.marker {
            outcome.note(marker);
        }
        outcome
    }
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
