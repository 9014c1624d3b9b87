//! From the bytes of a document to Markdown, whichever library knows its format.

use std::time::Duration;

use super::super::bounded;
use super::{epub, office, rtf};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

/// Of one conversion.
const MAX_TIME: Duration = Duration::from_secs(30);
/// Bytes of the Markdown.
const MAX_OUTPUT: usize = 32 * 1024 * 1024;

/// The Markdown of a document, or why there is none.
pub fn to_markdown(
    data: Vec<u8>,
    extension: &'static str,
    cancel: &CancelToken,
) -> Result<std::result::Result<String, String>> {
    bounded::run(MAX_TIME, cancel, move || {
        let markdown = match extension {
            ".pdf" => pdf(&data),
            ".docx" | ".xlsx" | ".pptx" => office::convert(&data, extension),
            ".epub" => epub::convert(data),
            ".rtf" => rtf::convert(&data),
            _ => Err("the old binary format has no reader here; save it in a newer format".into()),
        }?;
        if markdown.len() > MAX_OUTPUT {
            return Err("its text is too long".into());
        }
        Ok(markdown.trim_end().to_owned())
    })
}

fn pdf(data: &[u8]) -> std::result::Result<String, String> {
    if !data.iter().take(1024).copied().collect::<Vec<_>>().windows(5).any(|window| window == b"%PDF-") {
        return Err("it does not begin like a PDF file".into());
    }
    let options = unpdf::ParseOptions::new().lenient().with_resources(false).sequential();
    let document = unpdf::parse_bytes_with_options(data, options).map_err(|error| error.to_string())?;
    let render = unpdf::RenderOptions::default();
    let markdown = unpdf::render::to_markdown(&document, &render).map_err(|error| error.to_string())?;
    if markdown.trim().is_empty() {
        let pages = document.page_count();
        return Err(format!("its {pages} pages hold no text; they may be scanned pictures"));
    }
    Ok(markdown)
}
