//! Office documents: archives of XML, inflated and measured through a bound before a converter sees them.

use std::io::{Cursor, Read, copy, sink};

use anytomd::converter::{docx::DocxConverter, pptx::PptxConverter, xlsx::XlsxConverter};
use anytomd::{ConversionOptions, ConvertError, Converter};
use zip::ZipArchive;

use super::markup::Markup;

/// Bytes of all parts that are text. Their trees take several times as much memory.
const MAX_INFLATED: u64 = 96 * 1024 * 1024;
/// Parts of a document.
const MAX_PARTS: usize = 20_000;
/// Cells of a sheet, empty ones included: the converter holds all of them.
const MAX_CELLS: u64 = 8_000_000;
/// Tags within one another; converters may recurse.
const MAX_NESTING: usize = 1_000;

/// A document of the newer formats.
pub fn convert(data: &[u8], extension: &str) -> Result<String, String> {
    if check_parts(data)?.has_doctype {
        return Err("a part declares a document type".into());
    }
    run(data, extension.trim_start_matches('.'))
}

fn run(data: &[u8], extension: &str) -> Result<String, String> {
    let options = ConversionOptions {
        max_total_image_bytes: 0,
        max_uncompressed_zip_bytes: usize::MAX,
        ..ConversionOptions::default()
    };
    // Named one by one: choosing by the extension would bring the converters of all other formats along.
    let converted = match extension {
        "docx" => DocxConverter.convert(data, &options),
        "pptx" => PptxConverter.convert(data, &options),
        _ => XlsxConverter.convert(data, &options),
    };
    let markdown = converted.map_err(|error| reason(&error))?.markdown;
    // The converter makes nothing of some damage; that is not told apart from what is empty.
    if markdown.trim().is_empty() { Err("no text was found in it".into()) } else { Ok(markdown) }
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

/// What was seen of the parts on the way.
#[derive(Debug, Clone, Copy)]
pub struct Checked {
    /// A part has a document type; those of books do.
    pub has_doctype: bool,
}

/// Inflates every part once, into nothing: what an archive says of its sizes may be a lie.
pub fn check_parts(data: &[u8]) -> Result<Checked, String> {
    let mut checked = Checked { has_doctype: false };
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
            let mut markup = Markup::default();
            let measured = markup.measure(&mut bounded);
            checked.has_doctype |= markup.has_doctype();
            if markup.nesting() > MAX_NESTING {
                return Err("its parts are nested too deep".into());
            }
            if markup.cells() > MAX_CELLS {
                return Err(format!("a sheet is spread over {} cells", markup.cells()));
            }
            measured
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
    Ok(checked)
}

fn has_markup(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".xml", ".rels", ".vml", ".xhtml", ".html", ".htm", ".opf", ".ncx"].iter().any(|end| name.ends_with(end))
}
