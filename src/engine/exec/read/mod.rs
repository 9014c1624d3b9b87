//! `read`: lines of a text file, or a directory listing.
//!
//! Never holds more of a file in memory than it shows, never waits on a pipe or device, and never guesses: what is
//! left out, cut or not decodable is told in a notice or in `details`. It does not unpack, convert or summarise.
//!
//! The way of a call: [`address`] finds the target, [`content`] looks at its first bytes, and then [`receipt`] (no
//! selector), [`range`] (lines) or [`raw`] fills a [`page`] from a [`source`]; a directory goes to [`directory`].

mod address;
mod binary;
mod content;
mod counts;
mod directory;
mod options;
mod page;
mod range;
mod raw;
mod receipt;
pub mod selector;
mod source;

pub use options::{Direction, Options};

use std::time::Duration;

use self::address::{Found, Target};
use self::content::Content;
use self::options::View;
use self::selector::Selector;
use self::source::Source;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::outcome::Outcome;

/// How long one call may count the lines of a file. Beyond it totals are lower bounds.
const COUNT_TIME: Duration = Duration::from_millis(1500);

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    run_within(options, context, cancel, COUNT_TIME)
}

/// [`run`] with a time budget for counting lines.
pub fn run_within(
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
    count_time: Duration,
) -> Result<Outcome> {
    cancel.check()?;
    let target = address::locate(&options.path, context)?;
    let view = View::new(options, context, target.selector.as_ref().is_some_and(Selector::is_raw));
    if options.truncation.is_some() && (target.selector.is_some() || target.found == Found::Directory) {
        let reason = if target.selector.is_some() {
            "a selector already says which part is wanted"
        } else {
            "a directory listing starts at its first line"
        };
        return Err(ToolError::TruncationUnsupported { path: target.shown, reason: reason.into() });
    }
    match target.found {
        Found::Directory => directory::list(&target, &view, cancel),
        Found::File => file(&target, &view, cancel, count_time),
    }
}

fn file(target: &Target, view: &View, cancel: &CancelToken, count_time: Duration) -> Result<Outcome> {
    content::refuse_by_name(target)?;
    let mut source = Source::open(&target.path, &target.shown, cancel)?;
    let content = content::sniff(target, source.head())?;
    let outcome = match (&target.selector, content) {
        (Some(Selector::Conflicts), _) => return Err(target.unsupported("listing merge conflicts")),
        (Some(Selector::Raw), _) => raw::whole(target, &mut source, view, cancel),
        (Some(Selector::Lines { ranges, raw: true }), _) => {
            raw::lines(target, &mut source, view, ranges, cancel)
        }
        (selector, Content::Binary(format)) => {
            binary::describe(target, &mut source, selector.as_ref(), format, view, cancel)
        }
        (Some(Selector::Lines { ranges, .. }), Content::Text) => {
            range::read(target, &mut source, view, ranges, cancel)
        }
        (None, Content::Text) => receipt::read(target, &mut source, view, cancel, count_time),
    }?;
    Ok(source.describe(outcome))
}
