//! What several executors say: what could not be reached or was put right, and where notices stand below a body.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::engine::files::{Repair, display_path};
use crate::engine::outcome::{Notice, Outcome};

/// Paths that a notice names; more are only counted.
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
    let text = format!("Directories that could not be read: {}", some_of(directories, cwd));
    let facts = json!({"count": directories.len()});
    (!directories.is_empty()).then(|| Notice::new("unreadable_directories", text, facts))
}

/// Changes that an earlier process left half done, and what became of them.
pub(super) fn repaired(outcome: &mut Outcome, repairs: &[Repair], cwd: &Path) {
    for repair in repairs {
        let path = display_path(&repair.path, cwd);
        let (text, facts) = match &repair.left {
            None => (
                format!("A change of {path} was cut short earlier; the file is again what it was before."),
                json!({"path": path}),
            ),
            Some(left) => {
                let left = display_path(left, cwd);
                let text = format!(
                    "A change of {path} was cut short earlier, and the file was changed since; what it held before is in {left}."
                );
                (text, json!({"path": path, "left": left}))
            }
        };
        outcome.text.push('\n');
        outcome.text.push_str(&text);
        outcome.note(Notice::new("interrupted_write", text, facts));
    }
}

/// The first few paths of a list by name, and how many more there are.
pub(super) fn some_of(paths: &[impl AsRef<Path>], cwd: &Path) -> String {
    let mut shown: Vec<String> =
        paths.iter().take(NAMED).map(|path| display_path(path.as_ref(), cwd)).collect();
    if paths.len() > NAMED {
        shown.push(format!("{} more", paths.len() - NAMED));
    }
    shown.join(", ")
}
