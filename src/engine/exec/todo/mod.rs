//! `todo_write`: a list of tasks in phases. A pure state machine: the list as it was and operations in, the list as it
//! is out; whoever calls keeps it. Opens no file and reads no clock, so that a transcript can rebuild every state.

mod markdown;
mod operations;
mod phases;
mod raw;
mod told;

pub use markdown::{from_markdown, to_markdown};
pub use operations::{Applied, Operation, Options, apply};
pub use phases::{Phase, Status, Task, normalize};
pub use raw::refusal;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Decision;
use crate::engine::error::Result;

/// What a call is decided on beside its arguments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The list as it is.
    #[serde(default)]
    pub phases: Vec<Phase>,
    /// Where the host keeps what is in the details.
    pub storage: Storage,
}

/// Where a list lives on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// In the file of the session.
    Session,
    /// As long as the session lives.
    #[default]
    Memory,
}

/// Applies the operations of a call, all or none.
pub fn run(options: &Options, facts: &Facts) -> Result<Decision> {
    options.check()?;
    let Applied { phases, errors } = apply(&facts.phases, &options.ops);
    let mut outcome = told::tell(&phases, &errors).detail("phases", &phases).detail("storage", facts.storage);
    if !errors.is_empty() {
        outcome = outcome.detail("failureKind", "payload_rejected");
        outcome.is_error = true;
        return Ok(Decision::of(outcome));
    }
    Ok(Decision::of(outcome).keeping(json!(phases)))
}
