//! PDF. The library parses values within values by recursion, so that how deep they are nested is measured first: in
//! the file as it is, and in every stream that inflates.

use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};

/// Values within one another; the stack of `bounded` holds many times as many.
const MAX_NESTING: usize = 5_000;
/// Bytes of one inflated stream.
const MAX_STREAM: u64 = 128 * 1024 * 1024;
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

fn check(data: &[u8]) -> Result<(), String> {
    Nesting::default().see(data)?;
    for at in memchr::memmem::find_iter(data, b"stream") {
        if data[..at].ends_with(b"end") {
            continue;
        }
        let body = data[at + b"stream".len()..].trim_ascii_start();
        // The header of zlib may be missing.
        if inflate(ZlibDecoder::new(body))? == 0 {
            inflate(DeflateDecoder::new(body))?;
        }
    }
    Ok(())
}

/// Looks at what a stream inflates to, until it ends or breaks; the bytes seen.
fn inflate(decoder: impl Read) -> Result<u64, String> {
    let mut reader = decoder.take(MAX_STREAM + 1);
    let mut buffer = [0; 16 * 1024];
    let (mut nesting, mut seen) = (Nesting::default(), 0);
    while let Ok(size @ 1..) = reader.read(&mut buffer) {
        seen += size as u64;
        nesting.see(&buffer[..size])?;
    }
    if seen > MAX_STREAM {
        return Err(format!("a part of it inflates to more than {} MB", MAX_STREAM / 1024 / 1024));
    }
    Ok(seen)
}

/// How many brackets are open. Never less than a parser has open, wherever it starts: what closes more than was opened
/// counts for nothing.
#[derive(Debug, Default)]
struct Nesting {
    depth: usize,
}

impl Nesting {
    fn see(&mut self, bytes: &[u8]) -> Result<(), String> {
        for byte in bytes {
            match byte {
                b'[' | b'<' | b'{' => self.depth += 1,
                b']' | b'>' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ => continue,
            }
            if self.depth > MAX_NESTING {
                return Err("its values are nested too deep".into());
            }
        }
        Ok(())
    }
}
