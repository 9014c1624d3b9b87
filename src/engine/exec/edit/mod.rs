//! `edit`: changes pieces of files and leaves every other byte as it is. One module for each mode, and one road for
//! all: [`Rehearsal`].
//!
//! Never writes a part of a call: either every change is made or none.

mod change;
mod fit;
pub mod hashline;
mod indent;
mod locate;
mod mode;
mod notebook;
mod partial;
pub mod patch;
mod preview;
mod rehearsal;
pub mod replace;
mod report;
pub mod vim;

use serde::Deserialize;
use serde_json::Value;

use super::{Context, parse_value};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::outcome::Outcome;

pub use change::{Change, DiffStyle, Op, Plan, Warning};
pub use fit::fitted;
pub use locate::Tolerance;
pub use mode::{Mode, VARIABLES};
pub use notebook::check as check_notebook;
pub(super) use notebook::view_of as notebook_view;
pub use preview::{FilePreview, preview};
pub use rehearsal::{Done, MAX_BYTES, Rehearsal, Wanted};
pub use report::{Report, failed_file, possible_file, refusal};

/// Arguments of `edit`, in the shape of the mode that is set.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct Options {
    arguments: Value,
}

/// The mode that is set, once every variable of the environment that has a say is found to make sense.
pub fn mode(context: &Context) -> Result<Mode> {
    Tolerance::of(context)?;
    Mode::of(context)
}

/// Runs the call in the mode that is set.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let arguments = &options.arguments;
    match Mode::of(context)? {
        Mode::Replace => replace::run(&parse_value(arguments)?, context, cancel),
        Mode::Vim => vim::run(&parse_value(arguments)?, context, cancel),
        Mode::Patch => patch::run(&parse_value(arguments)?, context, cancel),
        Mode::ApplyPatch => patch::apply(&parse_value(arguments)?, context, cancel),
        Mode::Hashline => hashline::run(&parse_value(arguments)?, context, cancel),
    }
}
