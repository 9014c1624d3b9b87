//! Files and patterns that could not be parsed, told in one notice.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::engine::code::{Language, Pattern, PatternFault, TreeFault};
use crate::engine::error::ToolError;
use crate::engine::files::display_path;
use crate::engine::outcome::{Notice, Outcome};

/// Issues that are told; more are only counted.
const SHOWN: usize = 20;

/// Why a file was not looked at, or only in part.
#[derive(Debug, Clone, PartialEq)]
pub enum Issue {
    /// There is something in it that the grammar does not know.
    SyntaxErrors,
    /// It is no text in UTF-8.
    NotUtf8,
    /// It is larger than what is parsed.
    TooLarge(usize),
    /// What it holds are files, which are not looked at.
    Archive,
    /// By its name it is in no language that is known here.
    NoLanguage,
    /// See [`TreeFault`].
    Tree(TreeFault),
    /// It is not what it was a moment ago.
    Changed,
    /// It could not be read.
    Unreadable(ToolError),
}

impl Issue {
    fn text(&self) -> String {
        match self {
            Self::SyntaxErrors => "has syntax errors".to_owned(),
            Self::NotUtf8 => "is not UTF-8 and was not parsed".to_owned(),
            Self::TooLarge(limit) => {
                format!("is larger than {} MiB and was not parsed", limit >> 20)
            }
            Self::Archive => "is an archive, and code in archives is not looked at".to_owned(),
            Self::NoLanguage => "is in no language that can be parsed".to_owned(),
            Self::Tree(TreeFault::TooSlow) => "took too long to parse".to_owned(),
            Self::Tree(TreeFault::TooDeep) => "is nested too deep to compare captures".to_owned(),
            Self::Changed => "was changed while it was searched".to_owned(),
            Self::Unreadable(error) => format!("could not be read: {error}"),
        }
    }
}

/// The issues of files, as they are told.
pub fn of_files(issues: &[(PathBuf, Issue)], cwd: &Path) -> Vec<String> {
    issues.iter().map(|(path, issue)| format!("{}: {}", display_path(path, cwd), issue.text())).collect()
}

/// The languages that a pattern is no code of, each with its files. `example` names one of them.
pub fn of_pattern(pattern: &Pattern, example: impl Fn(&'static Language) -> Option<String>) -> Vec<String> {
    let told = |(index, fault): (usize, &PatternFault)| {
        let files = Language::at(index).and_then(&example);
        let files = files.map(|files| format!(" ({files})")).unwrap_or_default();
        format!("`{}` {fault}{files}", pattern.text())
    };
    pattern.faults().map(told).collect()
}

/// The notice of all issues; none where there are none.
pub fn notice(issues: &[String]) -> Option<Notice> {
    let (shown, total) = (issues.len().min(SHOWN), issues.len());
    if total == 0 {
        return None;
    }
    let count = if total > shown { format!(" ({shown} of {total})") } else { String::new() };
    let mut text = format!("Parse issues{count}:");
    for issue in &issues[..shown] {
        text.push_str("\n- ");
        text.push_str(issue);
    }
    Some(Notice::new("parse_issues", text, json!({"shown": shown, "total": total})))
}

/// The same as details.
pub fn with_details(outcome: Outcome, issues: &[String]) -> Outcome {
    let total = issues.len();
    outcome
        .detail("parseErrors", (total > 0).then_some(&issues[..total.min(SHOWN)]))
        .detail("parseErrorsTotal", (total > 0).then_some(total))
}
