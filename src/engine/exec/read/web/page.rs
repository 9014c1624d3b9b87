//! From what a server sent to what is shown.

use std::sync::Arc;
use std::time::Duration;

use encoding_rs::Encoding;
use serde_json::json;

use super::super::document::{self, html};
use super::super::{bounded, image};
use super::fetch::Answer;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::outcome::Notice;
use crate::engine::text::format_bytes;

/// Of one conversion.
const MAX_TIME: Duration = Duration::from_secs(20);
/// How far a page is searched for the name of its encoding.
const DECLARED_WITHIN: usize = 2048;

/// Types of documents, as servers name them or as an address ends.
const DOCUMENTS: &[(&str, &str)] = &[
    ("application/pdf", ".pdf"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx"),
    ("application/epub+zip", ".epub"),
    ("application/rtf", ".rtf"),
    ("text/rtf", ".rtf"),
];

/// A page as it is shown.
#[derive(Debug)]
pub struct WebPage {
    /// Where it came from in the end.
    pub url: String,
    /// Without parameters.
    pub content_type: String,
    /// How its text was made.
    pub method: &'static str,
    /// The answer's status.
    pub status: u16,
    /// What is shown.
    pub body: Body,
    notes: Vec<String>,
}

/// What is shown of a page.
#[derive(Debug)]
pub enum Body {
    /// Lines.
    Text(String),
    /// A picture and its type.
    Image(&'static str, Vec<u8>),
    /// Only what it would be.
    None(Notice),
}

impl WebPage {
    /// Makes a page of an answer; `raw`: the text as it was sent.
    pub fn new(answer: Answer, raw: bool, cancel: &CancelToken) -> Result<Self> {
        let Answer { url, status, content_type: sent, body, cut, redirects } = answer;
        let declared = sent.as_deref().unwrap_or_default();
        let content_type = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let mut notes = Vec::new();
        if redirects > 0 {
            notes.push(format!("redirected {redirects} times"));
        }
        if cut {
            notes.push(format!("only the first {} were read", format_bytes(body.len() as u64)));
        }
        let mut page = Self {
            url: url.to_string(),
            content_type,
            method: "text",
            status,
            body: Body::Text(String::new()),
            notes,
        };
        page.fill(body, declared, url.path(), raw, cancel)?;
        if page.content_type.is_empty() {
            page.content_type = "unknown".into();
        }
        Ok(page)
    }

    fn fill(
        &mut self,
        body: Vec<u8>,
        declared: &str,
        path: &str,
        raw: bool,
        cancel: &CancelToken,
    ) -> Result<()> {
        if let Some(mime) = image::mime_type(&body) {
            (self.method, self.body) = ("image", Body::Image(mime, body));
            return Ok(());
        }
        if let Some(extension) = self.document(&body, path) {
            let size = body.len();
            self.method = "document";
            self.body = match document::convert(body, extension, cancel)? {
                Ok(markdown) => Body::Text(markdown),
                Err(reason) => Body::None(self.unreadable(extension, size, &reason)),
            };
            return Ok(());
        }
        if is_binary(&body) {
            self.method = "binary";
            self.body = Body::None(self.binary(body.len()));
            return Ok(());
        }
        let is_html = self.is_html(&body);
        let (text, encoding) = decode(&body, declared, is_html);
        drop(body);
        if encoding != "UTF-8" {
            self.notes.push(format!("decoded from {encoding}"));
        }
        if is_html && !raw {
            self.method = "html to markdown";
            let title = html::title(&text);
            let text = self.markdown(&Arc::new(text), cancel)?;
            let text = text.trim();
            if text.is_empty() {
                self.notes.push("no text without running its scripts; `:raw` shows its source".into());
            }
            self.notes.splice(0..0, title.map(|title| format!("title: {title}")));
            self.body = Body::Text(text.to_owned());
        } else {
            self.method = if raw { "raw" } else { "text" };
            self.body = Body::Text(text);
        }
        Ok(())
    }

    /// The Markdown of a page, or its text alone where that cannot be made.
    fn markdown(&mut self, html: &Arc<String>, cancel: &CancelToken) -> Result<String> {
        let converted = if let Some(reason) = html::too_much(html) {
            Err(reason.to_owned())
        } else {
            let html = Arc::clone(html);
            bounded::run(MAX_TIME, cancel, move || Ok(html::convert(&html)))?
        };
        Ok(converted.unwrap_or_else(|reason| {
            self.notes.push(format!("text without structure: {reason}"));
            html::without_tags(html)
        }))
    }

    /// The lines above the text.
    pub fn header(&self) -> String {
        let mut header =
            format!("URL: {}\nContent-Type: {}\nMethod: {}", self.url, self.content_type, self.method);
        if !self.notes.is_empty() {
            header.push_str("\nNotes: ");
            header.push_str(&self.notes.join("; "));
        }
        header.push_str("\n---");
        header
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        match &self.body {
            Body::Text(text) => text.len(),
            Body::Image(_, data) => data.len(),
            Body::None(notice) => notice.text.len(),
        }
    }

    fn document(&self, body: &[u8], path: &str) -> Option<&'static str> {
        if body.starts_with(b"%PDF-") {
            return Some(".pdf");
        }
        let named = DOCUMENTS.iter().find(|(mime, _)| *mime == self.content_type);
        let path = path.to_ascii_lowercase();
        // Servers send many documents as nameless bytes.
        let nameless =
            matches!(self.content_type.as_str(), "" | "application/octet-stream" | "application/zip");
        let by_path = || DOCUMENTS.iter().find(|(_, extension)| nameless && path.ends_with(extension));
        named.or_else(by_path).map(|(_, extension)| *extension)
    }

    fn is_html(&self, body: &[u8]) -> bool {
        match self.content_type.as_str() {
            "text/html" | "application/xhtml+xml" => true,
            "" => {
                let start = body.trim_ascii_start();
                [b"<!doctype html".as_slice(), b"<html"]
                    .iter()
                    .any(|sign| start.get(..sign.len()).is_some_and(|head| head.eq_ignore_ascii_case(sign)))
            }
            _ => false,
        }
    }

    fn binary(&self, size: usize) -> Notice {
        let (url, kind, size) = (&self.url, &self.content_type, format_bytes(size as u64));
        let text = format!("[{url} is not text ({kind}, {size})]");
        Notice::new("binary", text, json!({"path": url, "size": size, "format": kind}))
    }

    fn unreadable(&self, extension: &str, size: usize, reason: &str) -> Notice {
        let (url, size) = (&self.url, format_bytes(size as u64));
        let text = format!("[{url} ({size}) cannot be read as a {extension} document: {reason}]");
        Notice::new("document_failed", text, json!({"path": url, "ext": extension, "reason": reason}))
    }
}

/// A NUL where no UTF-16 is announced.
fn is_binary(body: &[u8]) -> bool {
    let head = &body[..body.len().min(8 * 1024)];
    Encoding::for_bom(head).is_none() && memchr::memchr(0, head).is_some()
}

/// The text and the encoding it was in: the mark at its start, what the server or the page says, UTF-8, or a guess.
fn decode(body: &[u8], content_type: &str, is_html: bool) -> (String, &'static str) {
    let named = |label: &str| Encoding::for_label(label.trim().trim_matches(['"', '\'']).as_bytes());
    let sent = parameter(content_type, "charset").and_then(named);
    let declared = || {
        let head = String::from_utf8_lossy(&body[..body.len().min(DECLARED_WITHIN)]);
        parameter(&head, "charset").and_then(named).filter(|_| is_html)
    };
    let encoding = sent.or_else(declared).unwrap_or_else(|| {
        if std::str::from_utf8(body).is_ok() {
            return encoding_rs::UTF_8;
        }
        let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
        detector.feed(body, true);
        detector.guess(None, chardetng::Utf8Detection::Allow)
    });
    let (text, encoding, _) = encoding.decode(body);
    (text.into_owned(), encoding.name())
}

/// The value behind `name=`, with or without quotes.
fn parameter<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let lower = text.to_ascii_lowercase();
    let at = lower
        .match_indices(name)
        .map(|(at, _)| at + name.len())
        .find(|at| lower[*at..].trim_start().starts_with('='))?;
    let value = text[at..].trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let end = value.find(|character: char| "\"';,/> ".contains(character) || character.is_whitespace());
    Some(&value[..end.unwrap_or(value.len())])
}
