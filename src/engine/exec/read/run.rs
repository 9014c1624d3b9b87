//! The road of a call: find the target, look at its first bytes, hand it to the part that shows it.

use std::time::Duration;

use super::address::{self, Found, Located, Target};
use super::call::Call;
use super::content::{self, Content};
use super::options::{Direction, Options, View};
use super::selector::Selector;
use super::source::Source;
use super::{
    binary, conflicts, container, directory, document, image, internal, range, raw, receipt, summary, web,
};
use crate::engine::cancel::CancelToken;
use crate::engine::content::notebook;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files;
use crate::engine::outcome::Outcome;

/// How long one call may count the lines of a file. Beyond it totals are lower bounds.
pub(super) const COUNT_TIME: Duration = Duration::from_millis(1500);
/// Larger notebooks are not read as such.
const MAX_NOTEBOOK: u64 = 64 << 20;

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
    let road = Road { options, context, cancel, count_time };
    if let Some(address) = crate::engine::exec::conflicts::parse(&options.path)? {
        return conflicts::region(&address, &View::new(options, context, false), context, cancel);
    }
    if let Some(address) = web_address(options, context)? {
        return web::read(&address, options, context, cancel);
    }
    if let Some(address) = internal::parse(&options.path, &context.remote.skills) {
        return road.internal(&address);
    }
    if let Some(outcome) = container::read(options, context, cancel, count_time)? {
        return Ok(outcome);
    }
    match address::locate(&options.path, context, cancel)? {
        Located::Target(target) => road.target(&target, false).map(|outcome| target.announce(outcome)),
        Located::Within(contained, notice) => {
            let outcome = container::read_at(contained, options, context, cancel, count_time)?;
            Ok(address::announce(notice, outcome))
        }
    }
}

/// The web page that the call names. A file called `www.…` is a file.
fn web_address(options: &Options, context: &Context) -> Result<Option<web::Address>> {
    let Some(address) = web::parse(&options.path) else { return Ok(None) };
    if !options.path.contains("://")
        && files::find_literal(&options.path, &context.cwd, context.home.as_deref())?.is_some()
    {
        return Ok(None);
    }
    address.map(Some)
}

/// What the parts of a call's way share.
struct Road<'a> {
    options: &'a Options,
    context: &'a Context,
    cancel: &'a CancelToken,
    count_time: Duration,
}

impl Road<'_> {
    fn internal(&self, address: &internal::Address) -> Result<Outcome> {
        let (target, resource) = internal::locate(address, self.context)?;
        let Some(text) = &resource.text else { return self.target(&target, resource.immutable) };
        self.check_truncation(&target)?;
        let view = self.view(&target, resource.immutable);
        let mut source = Source::from_memory(text.clone().into_bytes(), &target.shown, self.cancel)?;
        let call = Call { target: &target, view: &view, cancel: self.cancel };
        let outcome = show(call, &mut source, Content::Text, self.count_time)?;
        Ok(outcome.detail("contentType", &resource.mime_type))
    }

    fn target(&self, target: &Target, immutable: bool) -> Result<Outcome> {
        self.check_truncation(target)?;
        let view = self.view(target, immutable);
        let call = Call { target, view: &view, cancel: self.cancel };
        match (target.found, &target.selector) {
            (Found::Directory, _) => directory::list(call),
            (Found::File, Some(Selector::Conflicts)) => conflicts::list(call, self.context),
            // The raw text is that of the file.
            (Found::File, selector)
                if content::is_notebook(&target.path) && !selector.as_ref().is_some_and(Selector::is_raw) =>
            {
                self.notebook(call)
            }
            (Found::File, _) => self.file(call),
        }
    }

    fn view(&self, target: &Target, immutable: bool) -> View {
        let raw = target.selector.as_ref().is_some_and(Selector::is_raw);
        let view = View::new(self.options, self.context, raw);
        if immutable { view.without_anchors(self.context) } else { view }
    }

    fn notebook(&self, call: Call<'_>) -> Result<Outcome> {
        let target = Target { entity: "notebook", ..call.target.clone() };
        // Written to be read from its start.
        let direction = self.options.truncation.unwrap_or(Direction::Head);
        let view = View { direction, ..call.view.clone() };
        let (bytes, _) = files::read_regular(&target.path, &target.shown, MAX_NOTEBOOK)?;
        let text = notebook::render(&bytes)
            .map_err(|reason| ToolError::NotebookInvalid { path: target.shown.clone(), reason })?;
        let mut source = Source::from_memory(text.into_bytes(), &target.shown, call.cancel)?;
        let call = Call { target: &target, view: &view, cancel: call.cancel };
        let mut outcome = show(call, &mut source, Content::Text, self.count_time)?;
        // The cut is one of the rendered text; the file itself has other lines.
        outcome.meta.truncation = None;
        Ok(outcome)
    }

    fn file(&self, call: Call<'_>) -> Result<Outcome> {
        let target = call.target;
        if let Some(extension) = content::document(&target.path) {
            self.refuse_direction(target, "a document is shown from its start")?;
            return document::show_file(call, extension);
        }
        let mut source = Source::open(&target.path, &target.shown, call.cancel)?;
        match content::sniff(source.head()) {
            Content::Image(mime) => {
                self.refuse_direction(target, "an image is shown whole")?;
                image::show_file(target, mime, self.context, call.cancel)
            }
            Content::Text => self.text(call, &mut source),
            content @ Content::Binary(_) => show(call, &mut source, content, self.count_time),
        }
    }

    fn text(&self, call: Call<'_>, source: &mut Source) -> Result<Outcome> {
        let target = call.target;
        let summary = match &target.selector {
            None => summary::summarize(call, source, self.context)?,
            Some(_) => None,
        };
        let mut outcome = if let Some(summary) = summary {
            self.refuse_direction(target, "source is summarised; `:raw` and line ranges show its text")?;
            source.describe(summary)
        } else {
            show(call, source, Content::Text, self.count_time)?
        };
        if !target.selector.as_ref().is_some_and(Selector::is_raw) {
            outcome = conflicts::warn(call, self.context, source.head(), outcome)?;
        }
        // Only an edit asks for it.
        if let Some(session) = self.context.session.as_deref().filter(|_| self.context.has_edit_tool) {
            session.reads.record(
                &target.path,
                std::mem::take(&mut outcome.shown),
                Some(source.stamp()),
                self.context.reader(),
            );
        }
        Ok(outcome)
    }

    fn check_truncation(&self, target: &Target) -> Result<()> {
        if target.selector.is_some() {
            return self.refuse_direction(target, "a selector already says which part is wanted");
        }
        if target.found == Found::Directory {
            return self.refuse_direction(target, "a directory listing starts at its first line");
        }
        Ok(())
    }

    /// An error if the call asks for a side of what has none.
    fn refuse_direction(&self, target: &Target, reason: &str) -> Result<()> {
        if self.options.truncation.is_none() {
            return Ok(());
        }
        Err(ToolError::TruncationUnsupported { path: target.shown.clone(), reason: reason.into() })
    }
}

/// Shows a text by the selector of the call. The way of every text, wherever its bytes lie.
pub(super) fn show(
    call: Call<'_>,
    source: &mut Source,
    content: Content,
    count_time: Duration,
) -> Result<Outcome> {
    let target = call.target;
    let outcome = match (&target.selector, content) {
        // Only a file on disk has conflicts that can be resolved, and those are listed without coming here.
        (Some(Selector::Conflicts), _) => {
            return Err(target.unsupported("listing merge conflicts of this content"));
        }
        (Some(Selector::Raw), _) => raw::whole(call, source),
        (Some(Selector::Lines { ranges, raw: true }), _) => raw::lines(call, source, ranges),
        (_, Content::Binary(format)) => binary::describe(call, source, format),
        (_, Content::Image(mime)) => binary::describe(call, source, Some(mime)),
        (Some(Selector::Lines { ranges, .. }), Content::Text) => range::read(call, source, ranges),
        (None, Content::Text) => receipt::read(call, source, count_time),
    }?;
    Ok(source.describe(outcome))
}
