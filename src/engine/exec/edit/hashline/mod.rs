//! Mode `hashline`: operations on lines that are named by anchors, number and two letters, as `read` prints them.
//!
//! [`parse`] reads the input, [`plan`] says what it makes of a text; neither opens a file. [`run`] does a call.

mod absorb;
mod anchor;
mod apply;
mod input;
mod lines;
mod meant;
mod moved;
mod place;
mod preview;
mod run;
mod stale;

use crate::engine::error::Result;

pub use anchor::Anchor;
pub use input::{Input, Operation, Section, Target, arriving, parse};
pub use place::{Memory, Seen, standing};
pub use preview::{preview, shown_numbers};
pub(super) use run::plan_in_session;
pub use run::{Options, run};

use super::{Plan, Warning};
use lines::Lines;

/// Says what operations make of a text that has LF between its lines.
pub fn plan(
    text: &str,
    operations: &[Operation],
    memory: &Memory,
    drops_repeats: bool,
    path: &str,
) -> Result<Plan> {
    let lines = Lines::new(text);
    let (mut placed, has_moved) = place::place(operations, &lines, memory, path)?;
    // Before anything is widened: what the input asks for must not overlap.
    apply::splices(&placed, &lines, path)?;
    let mut warnings = absorb::absorb(&mut placed, &lines, drops_repeats);
    if has_moved {
        let text = format!("{path} changed since it was shown; the edit was made where the lines stand now.");
        warnings.push(Warning { kind: "recovered_stale", text });
    }
    let splices = apply::splices(&placed, &lines, path)?;
    Ok(Plan { splices, warnings, preview: None })
}
