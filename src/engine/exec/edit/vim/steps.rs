//! The steps of a call, carried out on an editor.

use serde::Deserialize;

use super::editor::{Editor, Mode};
use super::fault::{Fault, FaultKind, KeyLocation, Run, fault};
use super::keys::Keys;

/// Keys, and a text that is typed behind them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Each entry is a sequence of keys.
    #[serde(default)]
    pub kbd: Vec<String>,
    /// Typed as it is; insert mode must be on, and ends behind it.
    #[serde(default)]
    pub insert: Option<String>,
}

/// A fault and the key at which it happened.
pub type StepFault = (Fault, Option<KeyLocation>);

/// Carries out all steps. With `pause` an insert may stay open at the end.
pub fn run_steps(editor: &mut Editor, steps: &[Step], pause: bool) -> Result<(), StepFault> {
    editor.work.restart();
    let mut order: Vec<(usize, &Step)> = steps.iter().enumerate().collect();
    if are_ascending(steps) {
        order.reverse();
    }
    for (turn, step) in order.iter().enumerate() {
        run_step(editor, *step, turn + 1 == order.len(), pause)?;
    }
    Ok(())
}

fn run_step(
    editor: &mut Editor,
    (number, step): (usize, &Step),
    is_last: bool,
    pause: bool,
) -> Result<(), StepFault> {
    let nowhere = |fault| (fault, None);
    if !step.kbd.is_empty() || step.insert.is_none() {
        // Keys begin in normal mode; what an earlier call typed stays.
        finish_insert(editor).map_err(nowhere)?;
    }
    for (sequence, entry) in step.kbd.iter().enumerate() {
        let mut keys = Keys::typed(entry);
        let fed = editor.feed(&mut keys).and_then(|()| editor.enter_unfinished_line());
        let location = KeyLocation { step: number, sequence, offset: keys.offset() };
        fed.map_err(|fault| (fault, Some(location)))?;
        if sequence + 1 < step.kbd.len() && matches!(editor.mode, Mode::Insert(_)) {
            let reason = "insert mode is still on at the end of this entry; end it with `<Esc>`, or put the text into `insert`";
            return Err((Fault { kind: FaultKind::InsertLeftOpen, reason: reason.into() }, Some(location)));
        }
    }
    match &step.insert {
        Some(text) => {
            type_step_text(editor, text).map_err(nowhere)?;
            if !(is_last && pause) {
                finish_insert(editor).map_err(nowhere)?;
            }
        }
        None if is_last && pause => {}
        None if is_last => finish_insert(editor).map_err(nowhere)?,
        None => drop_unused_insert(editor).map_err(nowhere)?,
    }
    Ok(())
}

fn type_step_text(editor: &mut Editor, text: &str) -> Run<()> {
    if !matches!(editor.mode, Mode::Insert(_)) {
        return fault(
            FaultKind::NotInInsert,
            "`insert` needs insert mode; end `kbd` with a key such as `o`, `A` or `cc`",
        );
    }
    let text = text.replace("\r\n", "\n");
    editor.type_text(text.strip_suffix('\n').unwrap_or(&text));
    editor.settle();
    Ok(())
}

fn finish_insert(editor: &mut Editor) -> Run<()> {
    while matches!(editor.mode, Mode::Insert(_)) {
        editor.end_insert()?;
        editor.settle();
    }
    Ok(())
}

/// An insert that a step opened without typing anything is taken back.
fn drop_unused_insert(editor: &mut Editor) -> Run<()> {
    match &editor.mode {
        Mode::Insert(insert) if insert.is_unused() => {
            editor.roll_back_open();
            Ok(())
        }
        _ => finish_insert(editor),
    }
}

/// Whether every step goes to a line and inserts there, each below the one before: the line numbers are meant as they
/// are now, so the steps are carried out from the bottom up.
fn are_ascending(steps: &[Step]) -> bool {
    let line = |step: &Step| -> Option<usize> {
        let [entry] = step.kbd.as_slice() else { return None };
        let (number, command) = entry.split_once('G')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let inserts = ["o", "O", "cc", "C", "S", "s", "i", "I", "a", "A"].contains(&command);
        if is_number && inserts { number.parse().ok() } else { None }
    };
    let lines: Option<Vec<usize>> = steps.iter().map(line).collect();
    lines.is_some_and(|lines| lines.len() > 1 && lines.windows(2).all(|pair| pair[0] < pair[1]))
}
