//! PDF. The library parses values within values by recursion, so that how deep they are nested is measured first: in the
//! file as it is, in what it packs objects in, and in every stream, each as the library itself decodes it.

use std::collections::BTreeSet;

use unpdf::parser::raw::tokenizer::{PdfDict, PdfObject, PdfStream, dict_get, parse_object};
use unpdf::parser::raw::xref::{XrefEntry, XrefTable, parse_xref_chain, reconstruct};
use unpdf::parser::raw::{RawDocument, stream};

/// Values within one another; the stack of `bounded` holds many times as many.
const MAX_NESTING: usize = 5_000;
/// How far into a file its sign may stand.
const SIGN_WITHIN: usize = 1024;

/// The text of a document.
pub fn convert(data: &[u8]) -> Result<String, String> {
    let start = &data[..data.len().min(SIGN_WITHIN)];
    if memchr::memmem::find(start, b"%PDF-").is_none() {
        return Err("it does not begin like a PDF file".into());
    }
    check(data)?;
    let options = unpdf::ParseOptions::new().lenient().with_resources(false).sequential();
    let document = unpdf::parse_bytes_with_options(data, options).map_err(|error| error.to_string())?;
    let render = unpdf::RenderOptions::default();
    let markdown = unpdf::render::to_markdown(&document, &render).map_err(|error| error.to_string())?;
    if markdown.trim().is_empty() {
        let pages = document.page_count();
        return Err(format!("no text is in its {pages} pages; they may be scanned pictures"));
    }
    Ok(markdown)
}

/// An error if reading the document could overflow the stack. In the order in which a document is read: nothing is parsed
/// before its own nesting is known.
fn check(data: &[u8]) -> Result<(), String> {
    Nesting::default().see(data)?;
    check_packed(data, object_starts(data))?;
    let tables: Vec<(XrefTable, PdfDict)> =
        [parse_xref_chain(data), reconstruct(data)].into_iter().flatten().collect();
    let entries = || tables.iter().flat_map(|(table, _)| &table.entries);
    let is_packed = |entry: &XrefEntry| matches!(entry, XrefEntry::Compressed(..));
    check_packed(data, entries().filter_map(|(_, entry)| offset_of(entry)))?;
    let is_encrypted = tables.iter().any(|(_, trailer)| dict_get(trailer, b"Encrypt").is_some());
    if is_encrypted && entries().any(|(_, entry)| is_packed(entry)) {
        return Err(
            "its objects are packed and encrypted, which is not read; save it without encryption".into()
        );
    }
    // What cannot be loaded says so when it is converted.
    let Ok(document) = RawDocument::load(data) else { return Ok(()) };
    check_streams(&document, &entries().map(|(id, _)| *id).collect())
}

fn offset_of(entry: &XrefEntry) -> Option<usize> {
    match entry {
        XrefEntry::Uncompressed(offset) => Some(*offset),
        XrefEntry::Compressed(..) => None,
    }
}

/// Where an object may begin: in front of `1 0 obj`.
fn object_starts(data: &[u8]) -> impl Iterator<Item = usize> {
    let back_over = |end: usize, is_part: fn(&u8) -> bool| {
        data[..end].iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1)
    };
    memchr::memmem::find_iter(data, b"obj").filter_map(move |keyword| {
        let generation = back_over(keyword, u8::is_ascii_whitespace);
        let number = back_over(back_over(generation, u8::is_ascii_digit), u8::is_ascii_whitespace);
        let start = back_over(number, u8::is_ascii_digit);
        (start < number && number < generation && generation < keyword).then_some(start)
    })
}

/// Looks into the streams that hold other objects; those are parsed as soon as a document is opened.
fn check_packed(data: &[u8], offsets: impl Iterator<Item = usize>) -> Result<(), String> {
    for offset in offsets {
        let Ok((PdfObject::Stream(stream), _)) = parse_object(data, offset) else { continue };
        if dict_get(&stream.dict, b"First").is_some() {
            Nesting::default().read(&decoded(&stream))?;
        }
    }
    Ok(())
}

/// Looks into everything that a page may draw with. Pictures are not read as syntax and hold any bytes.
fn check_streams(document: &RawDocument, ids: &BTreeSet<(u32, u16)>) -> Result<(), String> {
    for page in document.pages().into_values() {
        let content = document.get_dict(page).ok().and_then(|page| dict_get(page, b"Contents"));
        let mut nesting = Nesting::default();
        for part in content.map(|content| document.resolve(content)).map_or(&[][..], parts) {
            if let Some(stream) = document.resolve(part).as_stream() {
                nesting.read(&decoded(stream))?;
            }
        }
    }
    for stream in ids.iter().filter_map(|id| document.get_object(*id)?.as_stream()) {
        let name =
            |key: &[u8]| dict_get(&stream.dict, key).and_then(|value| document.resolve(value).as_name());
        match name(b"Subtype") {
            Some(b"Image") => {}
            Some(b"Form") => Nesting::default().read(&decoded(stream))?,
            _ => Nesting::default().see(&decoded(stream))?,
        }
    }
    Ok(())
}

fn parts(content: &PdfObject) -> &[PdfObject] {
    content.as_array().unwrap_or(std::slice::from_ref(content))
}

/// As the library decodes it; nothing where it cannot.
fn decoded(stream: &PdfStream) -> Vec<u8> {
    stream::decode(stream).map(|decoded| decoded.data).unwrap_or_default()
}

/// How many brackets are open. Never less than none: what closes more than was opened counts for nothing.
#[derive(Debug, Default)]
struct Nesting {
    depth: usize,
}

impl Nesting {
    /// Bytes of any kind: every bracket counts.
    fn see(&mut self, bytes: &[u8]) -> Result<(), String> {
        bytes.iter().try_for_each(|byte| self.count(*byte))
    }

    /// What is written in the syntax of PDF: brackets in strings and comments open and close nothing.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (mut parentheses, mut is_comment, mut is_escaped) = (0_usize, false, false);
        for byte in bytes {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\n' | b'\r' => is_comment = false,
                _ if is_comment => {}
                b'\\' if parentheses > 0 => is_escaped = true,
                b'(' => parentheses += 1,
                b')' => parentheses = parentheses.saturating_sub(1),
                _ if parentheses > 0 => {}
                b'%' => is_comment = true,
                byte => self.count(*byte)?,
            }
        }
        Ok(())
    }

    fn count(&mut self, byte: u8) -> Result<(), String> {
        match byte {
            b'[' | b'<' | b'{' => self.depth += 1,
            b']' | b'>' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth > MAX_NESTING { Err("its values are nested too deep".into()) } else { Ok(()) }
    }
}
