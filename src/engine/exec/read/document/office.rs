//! Office documents: archives of XML, inflated through a bound first, and the old binary sheets.

use std::io::{Cursor, Read, copy, sink};

use anytomd::{ConversionOptions, ConvertError, convert_bytes};
use zip::ZipArchive;

/// Bytes of all parts that are text. Their trees take several times as much memory.
const MAX_INFLATED: u64 = 96 * 1024 * 1024;
/// Parts of a document.
const MAX_PARTS: usize = 20_000;
/// Tags within one another; converters may recurse.
const MAX_NESTING: usize = 1_000;

/// A document of the newer formats.
pub fn convert(data: &[u8], extension: &str) -> Result<String, String> {
    check_parts(data)?;
    run(data, extension.trim_start_matches('.'))
}

/// A binary sheet.
pub fn convert_legacy_sheet(data: &[u8]) -> Result<String, String> {
    run(data, "xls")
}

fn run(data: &[u8], extension: &str) -> Result<String, String> {
    let options = ConversionOptions {
        max_total_image_bytes: 0,
        max_uncompressed_zip_bytes: usize::MAX,
        ..ConversionOptions::default()
    };
    convert_bytes(data, extension, &options).map(|result| result.markdown).map_err(|error| reason(&error))
}

/// The reason with what lies behind it: the library's own words often name only the step.
fn reason(error: &ConvertError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

/// Inflates every part once, into nothing: what an archive says of its sizes may be a lie.
pub fn check_parts(data: &[u8]) -> Result<(), String> {
    let mut archive = ZipArchive::new(Cursor::new(data)).map_err(|error| error.to_string())?;
    if archive.len() > MAX_PARTS {
        return Err(format!("it has {} parts", archive.len()));
    }
    let mut left = MAX_INFLATED;
    for index in 0..archive.len() {
        let Ok(mut part) = archive.by_index(index) else { continue };
        let is_markup = part.name().is_ok_and(|name| has_markup(&name));
        let mut bounded = (&mut part).take(left + 1);
        let copied = if is_markup {
            let mut nesting = Nesting::default();
            let copied = nesting.copy(&mut bounded);
            if nesting.deepest > MAX_NESTING {
                return Err("its parts are nested too deep".into());
            }
            copied
        } else {
            copy(&mut bounded, &mut sink())
        };
        // A part that cannot be inflated is the converter's to judge; it was bounded this far.
        let copied = copied.unwrap_or(0);
        if copied > left {
            return Err(format!("its parts inflate to more than {} MB", MAX_INFLATED / 1024 / 1024));
        }
        left -= copied;
    }
    Ok(())
}

fn has_markup(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".xml", ".rels", ".vml", ".xhtml", ".html", ".htm", ".opf", ".ncx"].iter().any(|end| name.ends_with(end))
}

/// How deep the tags of a text are nested, seen roughly and in one pass.
#[derive(Debug, Default)]
struct Nesting {
    depth: usize,
    deepest: usize,
    before: u8,
}

impl Nesting {
    fn copy(&mut self, reader: &mut impl Read) -> std::io::Result<u64> {
        let mut buffer = [0; 16 * 1024];
        let mut copied = 0;
        loop {
            let size = reader.read(&mut buffer)?;
            if size == 0 {
                return Ok(copied);
            }
            copied += size as u64;
            buffer[..size].iter().for_each(|byte| self.byte(*byte));
        }
    }

    fn byte(&mut self, byte: u8) {
        match (self.before, byte) {
            (b'<', b'/') | (b'/', b'>') => self.depth = self.depth.saturating_sub(1),
            (b'<', b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
            }
            _ => {}
        }
        self.before = byte;
    }
}
