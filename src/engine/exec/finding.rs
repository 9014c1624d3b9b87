//! `report_finding`: one finding of a review, checked and told back. Keeps nothing: the details are the record.

use serde::{Deserialize, Serialize};

use super::Context;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Issue, Result, ToolError};
use crate::engine::outcome::Outcome;

/// Arguments of `report_finding`, and its details.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// One line.
    pub title: String,
    /// Why it matters.
    pub body: String,
    /// P0 is the worst.
    pub priority: Priority,
    /// 0 to 1.
    pub confidence: f64,
    /// As it is shown.
    pub file_path: String,
    /// 1-based.
    pub line_start: serde_json::Number,
    /// Inclusive.
    pub line_end: serde_json::Number,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Priority {
    P0,
    P1,
    P2,
    P3,
}

/// Records a finding.
pub fn run(finding: &Finding, _context: &Context, _cancel: &CancelToken) -> Result<Outcome> {
    let (start, end) = finding.check()?;
    let Finding { title, priority, file_path, confidence, .. } = finding;
    let range = if start == end { String::new() } else { format!("-{end}") };
    // Half up, from the decimal digits as they were written: 0.005 is one percent.
    let percent = (confidence * 100.0 + 1e-9).round();
    let text = format!(
        "Finding recorded: {priority:?} {title}\nLocation: {file_path}:{start}{range}\nConfidence: {percent}%"
    );
    let mut outcome = Outcome::text(text);
    if let Ok(serde_json::Value::Object(details)) = serde_json::to_value(finding) {
        outcome.details = details;
    }
    Ok(outcome)
}

impl Finding {
    /// The first and the last line.
    fn check(&self) -> Result<(u64, u64)> {
        let mut issues = Vec::new();
        let mut refuse = |path: &str, message: String| issues.push(Issue { path: path.to_owned(), message });
        if !(0.0..=1.0).contains(&self.confidence) {
            refuse("confidence", format!("expected a number from 0 to 1, got {}", self.confidence));
        }
        if self.file_path.trim().is_empty() {
            refuse("file_path", "must not be empty".to_owned());
        }
        let mut line = |name: &str, number: &serde_json::Number| {
            let line = whole(number).filter(|line| *line >= 1);
            if line.is_none() {
                refuse(name, format!("expected a whole number of at least 1, got {number}"));
            }
            line
        };
        let lines = line("line_start", &self.line_start).zip(line("line_end", &self.line_end));
        match lines {
            Some((start, end)) if end < start => {
                refuse("line_end", format!("expected line {start} or a later one, got {end}"));
            }
            _ => {}
        }
        match lines {
            Some(lines) if issues.is_empty() => Ok(lines),
            _ => Err(ToolError::InvalidArguments { issues }),
        }
    }
}

/// The number if it is whole, also where it is written as `3.0`.
fn whole(number: &serde_json::Number) -> Option<u64> {
    let float = || number.as_f64().filter(|float| float.fract() == 0.0 && (0.0..9e15).contains(float));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within bounds")]
    number.as_u64().or_else(|| float().map(|float| float as u64))
}
