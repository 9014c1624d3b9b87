//! What a model is told about the list.

use serde_json::json;

use super::phases::{Phase, Status, Task};
use crate::engine::outcome::{Notice, Outcome};

/// The list, after the errors that kept a call from changing it.
pub(super) fn tell(phases: &[Phase], errors: &[String]) -> Outcome {
    let is_empty = phases.iter().all(|phase| phase.tasks.is_empty());
    if errors.is_empty() {
        return Outcome::text(if is_empty { "Todo list cleared.".to_owned() } else { summary(phases) });
    }
    let said = errors.join("; ");
    let kept = if is_empty { String::new() } else { format!("{}\n", summary(phases)) };
    let closing = "The list stays as it was: none of the operations was applied.";
    let mut outcome = Outcome::text(format!("Errors: {said}\n{kept}{closing}"));
    outcome.note(Notice::new("todo_errors", said, json!({ "errors": errors })));
    outcome.note(Notice::new("todo_not_applied", closing, json!({})));
    outcome
}

fn summary(phases: &[Phase]) -> String {
    let mut lines = remaining(phases);
    lines.push(progress(phases));
    for phase in phases {
        lines.push(format!("  {}:", phase.name));
        lines.extend(phase.tasks.iter().flat_map(shown));
    }
    lines.join("\n")
}

fn remaining(phases: &[Phase]) -> Vec<String> {
    let open: Vec<_> = phases
        .iter()
        .flat_map(|phase| phase.tasks.iter().map(move |task| (task, &phase.name)))
        .filter(|(task, _)| task.status.is_open())
        .map(|(task, phase)| format!("  - {} [{}] ({phase})", task.content, task.status.name()))
        .collect();
    if open.is_empty() {
        return vec!["Remaining items: none.".to_owned()];
    }
    std::iter::once(format!("Remaining items ({}):", open.len())).chain(open).collect()
}

/// Where the work stands: the first phase with something left, else the last.
fn progress(phases: &[Phase]) -> String {
    let at = phases.iter().position(Phase::is_open).unwrap_or(phases.len() - 1);
    let phase = &phases[at];
    let done = phase.tasks.iter().filter(|task| !task.status.is_open()).count();
    let (total, count) = (phase.tasks.len(), phases.len());
    format!("Phase {}/{count} \"{}\" — {done}/{total} tasks complete", at + 1, phase.name)
}

/// A task, with the notes of the one at hand.
fn shown(task: &Task) -> Vec<String> {
    let notes = match task.notes.len() {
        0 => String::new(),
        1 => " (+1 note)".to_owned(),
        count => format!(" (+{count} notes)"),
    };
    let mut lines = vec![format!("    {} {}{notes}", task.status.symbol(), task.content)];
    if task.status == Status::InProgress {
        for (index, note) in task.notes.iter().enumerate() {
            if index > 0 {
                lines.push("        ---".to_owned());
            }
            lines.extend(note.split('\n').map(|line| format!("        {line}")));
        }
    }
    lines
}
