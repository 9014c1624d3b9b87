//! Web pages: fetched within limits and only from where the session allows, shown as text. Nothing is sent but the
//! request itself, nothing is stored on disk. A page is remembered for a while, so that its pages can be turned.

mod address;
mod fetch;
mod guard;
mod page;

use std::sync::Arc;
use std::time::{Duration, Instant};

use self::page::{Body, WebPage};
pub use address::{Address, parse};
pub use guard::is_public;

use super::address::{Found, Target};
use super::call::Call;
use super::content::Content;
use super::image;
use super::memory::Memory;
use super::options::{Direction, Options, Prefix, View};
use super::run::{COUNT_TIME, show as show_text};
use super::selector::Selector;
use super::source::Source;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::outcome::{Outcome, SourceMeta};

/// Lines of a page shown at once.
const WINDOW_LINES: usize = 300;
/// Bytes of a page shown at once.
const WINDOW_BYTES: usize = 50 * 1024;
/// How long turning pages shows what was fetched before.
const REMEMBERED: Duration = Duration::from_secs(15 * 60);

/// A session, an address, and whether its text is shown as it was sent.
type Key = (u64, String, bool);

static PAGES: Memory<Key, (Instant, WebPage)> = Memory::new();

/// Reads a web page.
pub fn read(
    address: &Address,
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let shown = address.shown.clone();
    if !context.settings.truthy("fetch.enabled") {
        return Err(ToolError::UrlDisabled { path: shown });
    }
    if options.truncation.is_some() {
        let reason = "a web page starts at its first line".into();
        return Err(ToolError::TruncationUnsupported { path: shown, reason });
    }
    let page = page_of(address, context, cancel)?;
    let page = &page.1;
    let target = Target {
        path: std::path::PathBuf::new(),
        shown,
        selector: address.selector.clone(),
        found: Found::File,
        entity: "page",
        remote: Some(SourceMeta { kind: "url".into(), value: page.url.clone() }),
        notice: None,
    };
    let outcome = match &page.body {
        Body::Text(text) => show_lines(&target, text, options, context, cancel)?,
        Body::Image(mime, data) => image::show(&target, mime, data.clone(), context, cancel)?,
        Body::None(notice) => {
            let mut outcome = Outcome::text(notice.text.clone()).detail("spillEligible", false);
            outcome.meta = target.meta();
            outcome.note(notice.clone());
            outcome
        }
    };
    let text = format!("{}\n\n{}", page.header(), outcome.text);
    let outcome = Outcome { text, ..outcome };
    Ok(outcome
        .detail("contentType", &page.content_type)
        .detail("method", page.method)
        .detail("status", page.status))
}

/// The page from memory where lines of it are asked for, else as it is now.
fn page_of(address: &Address, context: &Context, cancel: &CancelToken) -> Result<Arc<(Instant, WebPage)>> {
    let raw = address.selector == Some(Selector::Raw);
    let key = (context.remote.fetch.session, address.url.to_string(), raw);
    if matches!(address.selector, Some(Selector::Lines { .. }))
        && let Some(known) = PAGES.recall(&key).filter(|known| known.0.elapsed() < REMEMBERED)
    {
        return Ok(known);
    }
    let answer = fetch::get(address, &context.remote.fetch, cancel)?;
    let page = Arc::new((Instant::now(), WebPage::new(answer, raw, cancel)?));
    PAGES.remember(key, Arc::clone(&page), page.1.size());
    Ok(page)
}

fn show_lines(
    target: &Target,
    text: &str,
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let view = View::new(options, context, target.selector.as_ref().is_some_and(Selector::is_raw));
    let view = View {
        // Nobody edits a page by its lines, and a paragraph is one line.
        prefix: Prefix::None,
        max_columns: None,
        direction: Direction::Head,
        receipt_lines: WINDOW_LINES,
        receipt_bytes: WINDOW_BYTES,
        ..view
    };
    let mut source = Source::from_memory(text.as_bytes().to_vec(), &target.shown, cancel)?;
    show_text(Call { target, view: &view, cancel }, &mut source, Content::Text, COUNT_TIME)
}
