//! Documents as Markdown. Input, inflated size, output and time are bounded; a document that cannot be converted is
//! named with the reason. Converted ones are remembered a while, so that turning pages does not convert again.

mod convert;
mod epub;
pub mod html;
mod markup;
mod office;
mod pdf;
mod rtf;

use std::sync::Arc;
use std::time::SystemTime;

use serde_json::json;

use super::address::Target;
use super::call::Call;
use super::content::Content;
use super::memory::Memory;
use super::options::{Direction, View};
use super::run::{COUNT_TIME, show as show_text};
use super::source::Source;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{self, Identity};
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::text::format_bytes;

/// Bytes of a document.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

static CONVERTED: Memory<(Identity, &'static str), String> = Memory::new();

/// Shows the document in a file.
pub fn show_file(call: Call<'_>, extension: &'static str) -> Result<Outcome> {
    let target = call.target;
    let (file, metadata) = files::open_regular(&target.path, &target.shown)?;
    drop(file);
    let key = Identity::settled(&metadata, SystemTime::now()).map(|identity| (identity, extension));
    let known = key.as_ref().and_then(|key| CONVERTED.recall(key));
    if let Some(markdown) = known {
        return show_markdown(call, &markdown);
    }
    if metadata.len() > MAX_INPUT {
        return Ok(failed(target, extension, &too_large(metadata.len())));
    }
    let data = match files::read_regular(&target.path, &target.shown, MAX_INPUT) {
        Err(ToolError::FileTooLarge { size, .. }) => return Ok(failed(target, extension, &too_large(size))),
        read => read?.0,
    };
    let markdown = match convert::to_markdown(data, extension, call.cancel)? {
        Ok(markdown) => Arc::new(markdown),
        Err(reason) => return Ok(failed(target, extension, &reason)),
    };
    if let Some(key) = key {
        CONVERTED.remember(key, Arc::clone(&markdown), markdown.len());
    }
    show_markdown(call, &markdown)
}

/// The Markdown of a document that lies in memory, or why there is none.
pub fn convert(
    data: Vec<u8>,
    extension: &'static str,
    cancel: &CancelToken,
) -> Result<std::result::Result<String, String>> {
    convert::to_markdown(data, extension, cancel)
}

fn show_markdown(call: Call<'_>, markdown: &str) -> Result<Outcome> {
    let target = Target { entity: "document", ..call.target.clone() };
    // A paragraph is one line.
    let view = View { direction: Direction::Head, max_columns: None, ..call.view.clone() };
    let mut source = Source::from_memory(markdown.as_bytes().to_vec(), &target.shown, call.cancel)?;
    show_text(
        Call { target: &target, view: &view, cancel: call.cancel },
        &mut source,
        Content::Text,
        COUNT_TIME,
    )
}

fn too_large(size: u64) -> String {
    format!("it has {}, the limit is {}", format_bytes(size), format_bytes(MAX_INPUT))
}

fn failed(target: &Target, extension: &str, reason: &str) -> Outcome {
    let reason: String = reason.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect();
    let path = &target.shown;
    let text = format!("[{path} cannot be read as a {extension} document: {reason}]");
    let mut outcome =
        Outcome::text(text.clone()).detail("resolvedPath", target.resolved()).detail("spillEligible", false);
    outcome.meta = target.meta();
    outcome.note(Notice::new(
        "document_failed",
        text,
        json!({"path": path, "ext": extension, "reason": reason}),
    ));
    outcome
}
