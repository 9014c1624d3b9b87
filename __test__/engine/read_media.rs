//! `read` of pictures, documents and internal addresses.

use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::read::{self, Options, internal};
use gajae_tool_core::engine::exec::{Context, Resource};
use gajae_tool_core::engine::outcome::Outcome;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use crate::tree::Tree;

fn try_read(path: &str, context: &Context) -> Result<Outcome, ToolError> {
    read::run(&Options { path: path.into(), truncation: None }, context, &CancelToken::new())
}

#[track_caller]
fn read_file(name: &str, data: &[u8], settings: Value) -> Outcome {
    let tree = Tree::new(&[]).with(settings);
    tree.write(name, data);
    let outcome = try_read(name, &tree.context()).unwrap_or_else(|error| panic!("{name}: {error}"));
    for notice in &outcome.notices {
        assert!(outcome.text.contains(&notice.text), "{name}: a notice is not in the text");
    }
    outcome
}

#[track_caller]
fn document(name: &str, data: &[u8]) -> String {
    read_file(name, data, json!({"readHashLines": false})).text
}

// Pictures.

fn picture(width: u32, height: u32) -> DynamicImage {
    let color = |x: u32, y: u32| u8::try_from((x ^ y) % 256).unwrap();
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| Rgb([color(x, y), color(y, x), 7])))
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut data = Cursor::new(Vec::new());
    image.write_to(&mut data, format).unwrap();
    data.into_inner()
}

fn size(data: &[u8]) -> (u32, u32) {
    let image = image::load_from_memory(data).unwrap();
    (image.width(), image.height())
}

#[test]
fn small_pictures_are_shown_byte_for_byte() {
    let image = picture(40, 20);
    for (format, mime) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::Gif, "image/gif"),
        (ImageFormat::WebP, "image/webp"),
    ] {
        let data = encoded(&image, format);
        // The name says nothing, and a selector selects nothing of a picture.
        let outcome = read_file("p.txt", &data, json!({}));
        assert_eq!(outcome.text, format!("Read image file [{mime}]"));
        assert_eq!((outcome.images[0].mime_type, &outcome.images[0].data), (mime, &data));
        assert_eq!(
            outcome.details["image"],
            json!({"mimeType": mime, "width": 40, "height": 20, "bytes": data.len()})
        );
    }
}

#[test]
fn large_pictures_are_made_smaller() {
    let data = encoded(&picture(1800, 600), ImageFormat::Png);
    let outcome = read_file("p.png", &data, json!({}));
    assert_eq!(size(&outcome.images[0].data), (1568, 523));
    let notice = &outcome.notices[0];
    assert_eq!(notice.kind, "image_resized");
    assert_eq!((&notice.facts["factor"], &notice.facts["originalWidth"]), (&json!("1.15"), &json!(1800)));

    let kept = read_file("p.png", &data, json!({"images.autoResize": false}));
    assert_eq!(kept.images[0].data, data);

    // A side of one pixel stays one.
    let line = encoded(&picture(20_000, 2), ImageFormat::Png);
    assert_eq!(size(&read_file("p.png", &line, json!({})).images[0].data), (1568, 1));

    let mut clear = RgbaImage::from_pixel(1600, 400, Rgba([1, 2, 3, 0]));
    clear.put_pixel(0, 0, Rgba([9, 9, 9, 255]));
    let data = encoded(&DynamicImage::ImageRgba8(clear), ImageFormat::Png);
    let outcome = read_file("p.png", &data, json!({}));
    assert_eq!(outcome.images[0].mime_type, "image/png");
    assert!(image::load_from_memory(&outcome.images[0].data).unwrap().color().has_alpha());
}

/// What providers refuse for its bytes alone ends a conversation as surely as what they cannot decode.
#[test]
fn heavy_pictures_are_made_lighter() {
    let mut seed = 1_u32;
    let mut noise = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.to_be_bytes()[0]
    };
    let image = RgbImage::from_fn(1200, 1100, |_, _| Rgb([noise(), noise(), noise()]));
    let data = encoded(&DynamicImage::ImageRgb8(image), ImageFormat::Png);
    assert!(data.len() > 3_700_000);
    let outcome = read_file("p.png", &data, json!({}));
    assert!(outcome.images[0].data.len() < 3_800_000);
}

#[test]
fn broken_pictures_are_named_and_not_shown() {
    let whole = encoded(&picture(100, 100), ImageFormat::Png);
    let mut bomb = whole.clone();
    bomb[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    for data in [
        &whole[..whole.len() / 2],
        &whole[..20],
        &bomb,
        b"GIF89a",
        b"\xFF\xD8\xFF\xE0abcdefg",
        b"RIFF\0\0\0\0WEBP",
    ] {
        let started = Instant::now();
        let outcome = read_file("p.png", data, json!({}));
        assert!(outcome.images.is_empty());
        assert_eq!(outcome.notices[0].kind, "image_failed", "{}", outcome.text);
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_picture_of_too_many_bytes_is_an_error() {
    let tree = Tree::new(&[]);
    let mut data = encoded(&picture(10, 10), ImageFormat::Png);
    data.resize(20 * 1024 * 1024 + 1, 0);
    tree.write("p.png", data);
    let error = try_read("p.png", &tree.context()).unwrap_err();
    assert_eq!(error.code(), "image_too_large");
    assert_eq!(error.fields()["limit"], 20 * 1024 * 1024);
}

// Documents.

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default().compression_level(Some(1))).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

fn docx(body: &str) -> Vec<u8> {
    archive(&[
        (
            "[Content_Types].xml",
            r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#,
        ),
        (
            "word/document.xml",
            &format!(r#"<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>"#),
        ),
    ])
}

fn pdf(text: &str) -> Vec<u8> {
    pdf_of(format!("BT /F1 24 Tf 72 700 Td ({text}) Tj ET").as_bytes(), "", &[])
}

/// A page with this content, encoded as `filter` says, and some more objects.
fn pdf_of(content: &[u8], filter: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let stream = format!("<< /Length {} {filter} >>\nstream\n", content.len());
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_vec(),
        [stream.as_bytes(), content, b"\nendstream"].concat(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
    ];
    objects.extend_from_slice(more);
    let mut data = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(data.len());
        data.extend(format!("{} 0 obj\n", index + 1).bytes());
        data.extend(object);
        data.extend(b"\nendobj\n");
    }
    let start = data.len();
    data.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        data.extend(format!("{place:010} 00000 n \n").bytes());
    }
    data.extend(
        format!("trailer << /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1).bytes(),
    );
    data
}

fn epub() -> Vec<u8> {
    archive(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            r#"<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#,
        ),
        (
            "c.opf",
            r#"<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">1</dc:identifier><dc:title>The Book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>"#,
        ),
        (
            "a.xhtml",
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>t</title></head><body><h2>Last</h2><p>x</p></body></html>",
        ),
        (
            "b.xhtml",
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>t</title></head><body><h2>First</h2></body></html>",
        ),
    ])
}

#[test]
fn documents_become_markdown() {
    let word = include_bytes!("../fixtures/media/two-paragraphs.docx");
    assert_eq!(document("d.docx", word), "First paragraph\n\n**Bold one**");
    assert!(document("d.PDF", &pdf("Hello paper")).contains("Hello paper"));
    assert_eq!(document("d.epub", &epub()), "# The Book\n\n## First\n\n## Last\n\nx");
    let outcome = read_file("d.docx", &docx(&"<w:p><w:r><w:t>word</w:t></w:r></w:p>".repeat(200)), json!({}));
    let notice = &outcome.notices[0];
    assert_eq!((notice.kind, &notice.facts["shown"]), ("footer_head", &json!(50)));
}

#[test]
fn rich_text_keeps_its_words() {
    for (source, expected) in [
        (r"{\rtf1\ansi Hello {\b bold} and {\i it}\par Next}", "Hello **bold** and *it*\n\nNext"),
        (r"{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8}", "При"),
        (r"{\rtf1 {\fonttbl{\f0 Arial;}}{\*\generator x;}{\info{\author me}}body}", "body"),
        (r"{\rtf1 \u8364?5 \u-10179?\u-8704?}", "€5 😀"),
        (r"{\rtf1 \uc2 \u8364\'3f\'3fx}", "€x"),
        (r"{\rtf1 a\tab b\{c\}\\~\~d\line e}", "a\tb{c}\\~ d\ne"),
        (r"{\rtf1 a\cell b\cell\row c}", "a | b | \nc"),
        (r"{\rtf1 {\pict 00ffaa}x\bin3 }}}y}", "xy"),
        (r"{\rtf1 a}}}}", "a"),
        (r"{\rtf1 \", ""),
        (r"{\rtf1 \u", ""),
        (r"{\rtf1 x\'", "x"),
    ] {
        assert_eq!(document("d.rtf", source.as_bytes()), expected, "{source}");
    }
    let deep = format!(r"{{\rtf1 {}x", "{".repeat(200_000));
    assert!(document("d.rtf", deep.as_bytes()).contains("too deep"));
}

#[track_caller]
fn check_fails(name: &str, data: &[u8], extension: &str, reason: &str) {
    let started = Instant::now();
    let outcome = read_file(name, data, json!({}));
    let notice = &outcome.notices[0];
    assert_eq!(
        (notice.kind, &notice.facts["ext"]),
        ("document_failed", &json!(extension)),
        "{}",
        outcome.text
    );
    assert!(notice.text.contains(reason), "{}", notice.text);
    assert!(!outcome.is_error && started.elapsed() < Duration::from_secs(30));
}

#[test]
fn what_is_no_document_is_named() {
    check_fails("d.pdf", b"not a pdf", ".pdf", "does not begin like");
    check_fails("d.pdf", b"%PDF-1.4\ngarbage", ".pdf", "");
    check_fails("d.docx", b"not a zip", ".docx", "");
    check_fails("d.xlsx", b"", ".xlsx", "");
    check_fails("d.epub", &archive(&[("a", "b")]), ".epub", "");
    check_fails("d.pptx", &archive(&[("a", "b")]), ".pptx", "");
    check_fails("d.rtf", b"plain", ".rtf", "RTF");
    check_fails("d.xls", b"\xd0\xcf\x11\xe0", ".xls", "newer format");
    check_fails("d.doc", b"\xd0\xcf\x11\xe0", ".doc", "newer format");
    check_fails("d.ppt", b"\xd0\xcf\x11\xe0", ".ppt", "newer format");
}

/// A stack that overflows in a converter is the end of the host.
#[test]
fn papers_nested_beyond_reason_are_survived() {
    for (open, close) in [("[", "]"), ("<< /A ", ">>"), ("{", "}")] {
        let deep = open.repeat(300_000) + &close.repeat(300_000);
        let mut data = pdf("x");
        data.extend(format!("9 0 obj\n{deep}\nendobj\n").bytes());
        check_fails("object.pdf", &data, ".pdf", "nested too deep");
        check_fails("content.pdf", &pdf(&format!("x) Tj {deep} TJ (y")), ".pdf", "nested too deep");
        let drawn = format!("BT /F1 24 Tf 72 700 Td (x) Tj {deep} TJ ET");
        for (filter, content) in encodings(drawn.as_bytes()) {
            check_fails("encoded.pdf", &pdf_of(&content, &filter, &[]), ".pdf", "nested too deep");
        }
        // Objects that are packed into a stream are parsed before any page is.
        for (filter, packed) in encodings(format!("9 0 {deep}").as_bytes()) {
            let stream =
                format!("<< /Type /ObjStm /N 1 /First 4 {filter} /Length {} >>\nstream\n", packed.len());
            let packed = [stream.as_bytes(), &packed, b"\nendstream"].concat();
            check_fails("packed.pdf", &pdf_of(b"", "", &[packed]), ".pdf", "nested too deep");
        }
    }
    // What closes within a string closes nothing.
    let hidden = format!("BT {} TJ ET", "[(])".repeat(300_000));
    check_fails("hidden.pdf", &pdf_of(hidden.as_bytes(), "", &[]), ".pdf", "nested too deep");
    // Pictures hold any bytes.
    let pixels = deflated(&vec![b'<'; 90_000], true);
    let picture = format!(
        "<< /Type /XObject /Subtype /Image /Width 300 /Height 300 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /Length {} >>\nstream\n",
        pixels.len()
    );
    let picture = [picture.as_bytes(), &pixels, b"\nendstream"].concat();
    let data = pdf_of(b"BT /F1 24 Tf 72 700 Td (see [1] for 50%) Tj ET", "", &[picture]);
    let text = document("picture.pdf", &data);
    assert!(text.contains("for 50%"), "{text}");
    // What is packed and encrypted cannot be measured before it is parsed.
    let packed = b"<< /Type /ObjStm /N 1 /First 4 /Length 6 >>\nstream\n9 0 42\nendstream".to_vec();
    let data = String::from_utf8(pdf_of(b"", "", &[packed])).unwrap();
    let data = data.replace("trailer << ", "trailer << /Encrypt << /Filter /Standard /V 2 >> ");
    check_fails("encrypted.pdf", data.as_bytes(), ".pdf", "packed and encrypted");
    // Strings may hold strings without recursion, and pages may hold themselves.
    document("strings.pdf", &pdf(&("(".repeat(100_000) + &")".repeat(100_000))));
    let mut cycle = pdf("x");
    cycle.extend(b"2 0 obj << /Type /Pages /Kids [2 0 R] /Count 1 >> endobj");
    document("cycle.pdf", &cycle);
}

fn hexadecimal(data: &[u8]) -> String {
    data.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// The same bytes in the ways that a PDF may hold them: a filter and what it decodes.
fn encodings(data: &[u8]) -> Vec<(String, Vec<u8>)> {
    let hex = hexadecimal(data);
    let runs: Vec<u8> = data
        .chunks(128)
        .flat_map(|chunk| [&[u8::try_from(chunk.len() - 1).unwrap()], chunk].concat())
        .chain([128])
        .collect();
    // Each byte as the difference to the one before.
    let differences: Vec<u8> = data
        .iter()
        .scan(0, |before: &mut u8, byte| Some(byte.wrapping_sub(std::mem::replace(before, *byte))))
        .collect();
    let predicted = [&[1], differences.as_slice()].concat();
    let with_predictor =
        format!("/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns {} >>", data.len());
    let encodings = vec![
        ("/Filter /FlateDecode", deflated(data, true)),
        ("/Filter /FlateDecode", deflated(data, false)),
        ("/Filter /ASCIIHexDecode", [hex.as_bytes(), b">"].concat()),
        ("/Filter /RunLengthDecode", runs),
        ("/Filter [/ASCIIHexDecode /FlateDecode]", {
            let inner = hexadecimal(&deflated(data, true));
            [inner.as_bytes(), b">"].concat()
        }),
        (&with_predictor, deflated(&predicted, true)),
    ];
    encodings.into_iter().map(|(filter, content)| (filter.to_owned(), content)).collect()
}

fn deflated(data: &[u8], header: bool) -> Vec<u8> {
    let level = flate2::Compression::fast();
    if header {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(data).unwrap();
        return encoder.finish().unwrap();
    }
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn xlsx(rows: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    archive(&[
        (
            "[Content_Types].xml",
            r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"#,
        ),
        (
            "_rels/.rels",
            &format!(
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/workbook.xml",
            &format!(
                r#"<workbook xmlns="{main}" xmlns:r="{relations}"><sheets><sheet name="Sums" sheetId="1" r:id="r1"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &format!(
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            &format!(r#"<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>"#),
        ),
    ])
}

/// Room for a sheet between two far cells would be more than any machine has, and no panic but the end of the host.
#[test]
fn sheets_are_measured_before_they_are_read() {
    let near = r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2.5</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>x</t></is></c></row>"#;
    let text = document("d.xlsx", &xlsx(near));
    assert!(text.contains("Sums") && text.contains("| 1 | 2.5 |"), "{text}");
    for far in [
        r#"<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#,
        r#"<row r="1"><c r = 'A1'><v>1</v></c></row><row r="1048576"><c
            r='XFD1048576'><v>1</v></c></row>"#,
        &format!(
            r#"<row r="1">{}</row><row r="1048576"><c r="A1048576"><v>1</v></c></row>"#,
            "<c><v>1</v></c>".repeat(5000)
        ),
    ] {
        check_fails("far.xlsx", &xlsx(far), ".xlsx", "spread over");
    }
}

#[test]
fn documents_that_grow_are_stopped() {
    let bomb = archive(&[("word/document.xml", "<a/>"), ("word/data.bin", &"\0".repeat(97 * 1024 * 1024))]);
    check_fails("bomb.docx", &bomb, ".docx", "inflate to more than");
    let deep = "<w:p>".repeat(5_000) + &"</w:p>".repeat(5_000);
    check_fails("nothing.docx", &docx(""), ".docx", "no text");
    check_fails("deep.docx", &docx(&deep), ".docx", "too deep");
}

#[test]
fn selectors_and_directions_of_documents() {
    let tree = Tree::new(&[]).with(json!({"readHashLines": false, "readLineNumbers": true}));
    tree.write("d.docx", include_bytes!("../fixtures/media/two-paragraphs.docx"));
    let context = tree.context();
    assert_eq!(try_read("d.docx:raw:3-3", &context).unwrap().text, "**Bold one**");
    assert_eq!(try_read("d.docx:3-3", &context).unwrap().text, "2|\n3|**Bold one**");
    let beyond = try_read("d.docx:9", &context).unwrap();
    assert_eq!(beyond.notices[0].facts["entity"], "document");
    let options = serde_json::from_value(json!({"path": "d.docx", "truncation": "head"})).unwrap();
    let error = read::run(&options, &context, &CancelToken::new()).unwrap_err();
    assert_eq!(error.code(), "truncation_unsupported");
}

// Internal addresses.

#[test]
fn internal_addresses_and_their_selectors() {
    for (text, skills, url, selector) in [
        ("artifact://12", "", "artifact://12", None),
        ("artifact://12:5-9", "", "artifact://12", Some("5-9")),
        ("artifact://12:bogus", "", "artifact://12", Some("bogus")),
        ("artifact://12:raw:5-9", "", "artifact://12", Some("raw:5-9")),
        ("agent://0-Main:3", "", "agent://0-Main", Some("3")),
        ("agent://x/path:3", "", "agent://x/path:3", None),
        ("local://PLAN.md:2-4", "", "local://PLAN.md", Some("2-4")),
        ("local://dir/PLAN.md:2-4", "", "local://dir/PLAN.md:2-4", None),
        ("rule://name:raw", "", "rule://name", Some("raw")),
        ("rule://name:nothing", "", "rule://name:nothing", None),
        ("skill://plug:name", "plug:name", "skill://plug:name", None),
        ("skill://plug:name:1-5", "plug:name", "skill://plug:name", Some("1-5")),
        ("skill://a:5", "a:5", "skill://a:5", None),
        ("skill://plug:5", "", "skill://plug", Some("5")),
        ("pr://o/r/1:3", "", "pr://o/r/1:3", None),
    ] {
        let skills: Vec<String> =
            skills.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let address = internal::parse(text, &skills).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((address.url.as_str(), address.selector.as_deref()), (url, selector), "{text}");
    }
    for text in ["unknown://a:5", "conflict://1", "src/a.rs", "https://e.com"] {
        assert_eq!(internal::parse(text, &[]), None, "{text}");
    }
}

fn resource(text: Option<&str>, immutable: bool, path: Option<PathBuf>) -> Resource {
    Resource { text: text.map(str::to_owned), mime_type: Some("text/markdown".into()), immutable, path }
}

fn internal_read(path: &str, resource: Option<Resource>, tree: &Tree) -> Result<Outcome, ToolError> {
    let mut context = tree.context();
    context.remote.internal = resource;
    try_read(path, &context)
}

#[test]
fn internal_texts_have_anchors_only_where_they_can_change() {
    let tree = Tree::new(&[("kept.log", "from a file\n"), ("folder/a.txt", "")]);
    let read = |path: &str, resource: Resource| internal_read(path, Some(resource), &tree).unwrap();
    let fixed = read("artifact://3", resource(Some("a\nb"), true, None));
    assert_eq!(fixed.text, "a\nb");
    assert_eq!(fixed.details["contentType"], "text/markdown");
    let source = fixed.meta.source.unwrap();
    assert_eq!((source.kind.as_str(), source.value.as_str()), ("internal", "artifact://3"));
    let open = read("local://PLAN.md", resource(Some("a"), false, None));
    assert!(open.text.starts_with('1') && open.text.ends_with("|a"), "{}", open.text);
    let file = read("artifact://4", resource(None, true, Some(tree.path("kept.log"))));
    assert_eq!(file.text, "from a file\n");
    assert_eq!(file.meta.source.unwrap().kind, "internal");
    let part = read("artifact://4:raw:1-1", resource(None, true, Some(tree.path("kept.log"))));
    assert_eq!(part.text, "from a file");
    let folder = read("local://x", resource(None, true, Some(tree.path("folder"))));
    assert_eq!(folder.details["isDirectory"], true);
}

#[test]
fn internal_addresses_that_lead_nowhere() {
    let tree = Tree::new(&[]);
    let code =
        |path: &str, resource: Option<Resource>| internal_read(path, resource, &tree).unwrap_err().code();
    assert_eq!(code("rule://x", None), "unsupported");
    assert_eq!(code("rule://x", Some(resource(None, true, None))), "path_not_found");
    assert_eq!(code("artifact://1", Some(resource(None, true, Some(tree.path("gone"))))), "path_not_found");
    assert_eq!(code("artifact://1:bogus", Some(resource(Some("x"), true, None))), "invalid_selector");
}
