//! What search and find both say about what they could not reach, and where notices stand below a body.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::engine::files::display_path;
use crate::engine::outcome::{Notice, Outcome};

/// Paths named in a notice; more are only counted.
const NAMED: usize = 3;

/// The body, or `nothing` in its place, with each notice on a line of its own behind it.
pub(super) fn close(body: &str, nothing: &str, notices: Vec<Notice>) -> Outcome {
    let (text, mut separator) = if body.is_empty() { (nothing, "\n") } else { (body, "\n\n") };
    let mut text = text.to_owned();
    for notice in &notices {
        text.push_str(std::mem::replace(&mut separator, "\n"));
        text.push_str(&notice.text);
    }
    let mut outcome = Outcome::text(text);
    for notice in notices {
        outcome.note(notice);
    }
    outcome
}

/// Paths of the call that do not exist, where others do.
pub(super) fn missing(paths: &[String]) -> Option<Notice> {
    let text = format!("These paths do not exist and were left out: {}", paths.join(", "));
    (!paths.is_empty()).then(|| Notice::new("missing_paths", text, json!({"paths": paths})))
}

/// Directories that could not be read on the way.
pub(super) fn unreadable(directories: &[PathBuf], cwd: &Path) -> Option<Notice> {
    let shown: Vec<String> = directories.iter().take(NAMED).map(|path| display_path(path, cwd)).collect();
    let others = match directories.len() {
        count if count > NAMED => format!(" and {} more", count - NAMED),
        _ => String::new(),
    };
    let text = format!("Directories that could not be read: {}{others}", shown.join(", "));
    let facts = json!({"count": directories.len(), "paths": shown});
    (!directories.is_empty()).then(|| Notice::new("unreadable_directories", text, facts))
}
