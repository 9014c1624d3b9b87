//! From the bytes of a document to Markdown, whichever library knows its format.

use std::time::Duration;

use super::super::bounded;
use super::{epub, office, pdf, rtf};
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
            ".pdf" => pdf::convert(&data),
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
