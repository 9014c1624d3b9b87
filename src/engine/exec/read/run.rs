//! The road of a call: find the target, look at its first bytes, hand it to the part that shows it.

use std::time::Duration;

use super::address::{self, Found, Target};
use super::call::Call;
use super::content::{self, Content};
use super::options::{Options, View};
use super::selector::Selector;
use super::source::Source;
use super::{binary, directory, document, image, internal, range, raw, receipt, summary, web};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files;
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
    let road = Road { options, context, cancel, count_time };
    if let Some(address) = web_address(options, context)? {
        return web::read(&address, options, context, cancel);
    }
    if let Some(address) = internal::parse(&options.path, &context.remote.skills) {
        return road.internal(&address);
    }
    let target = address::locate(&options.path, context)?;
    road.target(&target, false)
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
        let outcome = show(call, &mut source, Content::Text)?;
        Ok(outcome.detail("contentType", &resource.mime_type))
    }

    fn target(&self, target: &Target, immutable: bool) -> Result<Outcome> {
        self.check_truncation(target)?;
        let view = self.view(target, immutable);
        let call = Call { target, view: &view, cancel: self.cancel };
        match target.found {
            Found::Directory => directory::list(call),
            Found::File => self.file(call),
        }
    }

    fn view(&self, target: &Target, immutable: bool) -> View {
        let raw = target.selector.as_ref().is_some_and(Selector::is_raw);
        let view = View::new(self.options, self.context, raw);
        if immutable { view.without_anchors(self.context) } else { view }
    }

    fn file(&self, call: Call<'_>) -> Result<Outcome> {
        let target = call.target;
        content::refuse_by_name(target)?;
        if let Some(extension) = content::document(&target.path) {
            self.refuse_direction(target, "a document is shown from its start")?;
            return document::show_file(call, extension);
        }
        let mut source = Source::open(&target.path, &target.shown, call.cancel)?;
        let content = content::sniff(target, source.head())?;
        if let Content::Image(mime) = content {
            self.refuse_direction(target, "an image is shown whole")?;
            return image::show_file(target, mime, self.context, call.cancel);
        }
        if target.selector.is_none()
            && content == Content::Text
            && let Some(summary) = summary::summarize(call, &mut source, self.context)?
        {
            self.refuse_direction(target, "source is summarised; `:raw` and line ranges show its text")?;
            return Ok(source.describe(summary));
        }
        show_within(call, &mut source, content, self.count_time)
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

/// Shows a text that lies in memory, where counting lines takes no time.
pub fn show(call: Call<'_>, source: &mut Source, content: Content) -> Result<Outcome> {
    show_within(call, source, content, COUNT_TIME)
}

/// Shows a text by the selector of the call. The way of every text, wherever its bytes lie.
fn show_within(
    call: Call<'_>,
    source: &mut Source,
    content: Content,
    count_time: Duration,
) -> Result<Outcome> {
    let target = call.target;
    let outcome = match (&target.selector, content) {
        (Some(Selector::Conflicts), _) => return Err(target.unsupported("listing merge conflicts")),
        (Some(Selector::Raw), _) => raw::whole(call, source),
        (Some(Selector::Lines { ranges, raw: true }), _) => raw::lines(call, source, ranges),
        (_, Content::Binary(format)) => binary::describe(call, source, format),
        (_, Content::Image(mime)) => binary::describe(call, source, Some(mime)),
        (Some(Selector::Lines { ranges, .. }), Content::Text) => range::read(call, source, ranges),
        (None, Content::Text) => receipt::read(call, source, count_time),
    }?;
    Ok(source.describe(outcome))
}
