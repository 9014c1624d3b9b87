//! A file as an edit sees it: one text with LF between its lines, whatever the encoding and the line endings of the
//! bytes. Changes are found in the text and made in the bytes, so that whatever they do not touch stays as it is.

use std::borrow::Cow;

use super::encoding::{Detected, Encoding, Spans, detect};
use super::lf::{LfText, Splice, apply_splices, splices_between};
use super::lines::{BOM, has_bom};

/// The whole of a file as text, its line endings as they are, without byte-order mark.
#[must_use]
pub fn decoded(bytes: &[u8]) -> String {
    match detect(bytes) {
        Some(Detected { encoding, .. }) => {
            encoding.decode(bytes.strip_prefix(encoding.mark()).unwrap_or(bytes).to_vec()).text
        }
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// What stands in a decoded text for bytes that are no character.
const REPLACEMENT: char = '\u{FFFD}';

/// A text file in memory.
#[derive(Debug)]
pub struct Document<'a> {
    original: &'a [u8],
    lf: LfText<'a>,
    /// The way from the decoded text to the bytes; absent where they are the same behind the mark.
    spans: Option<Legacy<'a>>,
}

/// A text that is not, or not throughout, UTF-8.
#[derive(Debug)]
struct Legacy<'a> {
    spans: Spans<'a>,
    encoding: Encoding,
    /// Whether new characters other than ASCII can be written in it without doubt.
    is_sure: bool,
    /// The encoding was guessed from so little that characters of two bytes may have been taken for two.
    is_vague: bool,
}

/// Non-ASCII bytes from which an encoding can be told well enough.
const TELLING: usize = 8;

impl<'a> Document<'a> {
    /// Reads bytes as text; an error says why they are none.
    pub fn new(original: &'a [u8]) -> Result<Self, String> {
        let body = if has_bom(original) { &original[BOM.len()..] } else { original };
        let Detected { encoding, certain } = detect(original).ok_or("it is binary data")?;
        if encoding.is_utf8()
            && let Ok(text) = std::str::from_utf8(body)
        {
            return Ok(Self { original, lf: LfText::new(Cow::Borrowed(text)), spans: None });
        }
        let spans = Spans::new(original, encoding);
        let is_sure = certain || encoding.round_trips(original);
        let is_vague = !certain && original.iter().filter(|byte| !byte.is_ascii()).nth(TELLING).is_none();
        let lf = LfText::new(Cow::Owned(spans.text().to_owned()));
        Ok(Self { original, lf, spans: Some(Legacy { spans, encoding, is_sure, is_vague }) })
    }

    /// The text: without byte-order mark, LF between the lines. Bytes that are no character are U+FFFD.
    #[must_use]
    pub fn text(&self) -> &str {
        self.lf.text()
    }

    /// A text from outside in the terms of this one: CRLF becomes LF, and so does a lone CR where it ends lines.
    #[must_use]
    pub fn normalise<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.lf.normalise(text)
    }

    /// The same splices for the bytes of a text in UTF-8.
    #[must_use]
    pub fn place<'s>(&self, splices: &'s [Splice]) -> Vec<Splice<'s>> {
        let mark = if has_bom(self.original) { BOM.len() } else { 0 };
        let shift = |Splice { range, new }| Splice { range: range.start + mark..range.end + mark, new };
        self.lf.place(splices).into_iter().map(shift).collect()
    }

    /// The bytes with every splice of the text made; an error says what cannot be written in the file's encoding.
    /// The splices are in order and do not overlap.
    pub fn apply(&self, splices: &[Splice]) -> Result<Vec<u8>, String> {
        Ok(apply_splices(self.original, &self.encode(splices)?))
    }

    /// The splices of the bytes that make those of the text.
    pub fn encode(&self, splices: &[Splice]) -> Result<Vec<Splice<'static>>, String> {
        let Some(legacy) = &self.spans else {
            let placed = self.place(splices).into_iter();
            let own = |Splice { range, new }: Splice| Splice { range, new: Cow::Owned(new.into_owned()) };
            return Ok(placed.map(own).collect());
        };
        let placed = self.lf.place(splices);
        let mut encoded = Vec::with_capacity(placed.len());
        for splice in &placed {
            legacy.encode(self.original, splice, &mut encoded)?;
        }
        Ok(encoded)
    }
}

impl Legacy<'_> {
    /// The splices of the bytes that make one of the text. Only lines that really change are encoded, and of them
    /// only what differs: characters may have several encodings, and some bytes are no characters.
    fn encode(
        &self,
        original: &[u8],
        splice: &Splice,
        encoded: &mut Vec<Splice<'static>>,
    ) -> Result<(), String> {
        let old = &self.spans.text()[splice.range.clone()];
        for part in splices_between(old.as_bytes(), &splice.new) {
            let new = String::from_utf8_lossy(&part.new);
            let (start, end, new) = trim_common(&old[part.range.clone()], &new);
            let new = self.encode_text(new)?;
            let at = splice.range.start + part.range.start;
            let range = self.spans.byte_offset(at + start)..self.spans.byte_offset(at + end);
            if self.is_vague && may_start_inside(original, range.start) {
                return Err(
                    "its encoding is not known, and the text to replace may start inside a character".into(),
                );
            }
            encoded.push(Splice { range, new: Cow::Owned(new) });
        }
        Ok(())
    }

    fn encode_text(&self, text: &str) -> Result<Vec<u8>, String> {
        if self.spans.lossy() && text.contains(REPLACEMENT) {
            return Err("the new text holds U+FFFD, which only stands for bytes that cannot be read".into());
        }
        if !self.is_sure && !text.is_ascii() {
            let name = self.encoding.name();
            return Err(format!(
                "it is not UTF-8, and that it is {name} is a guess; only ASCII text can be inserted"
            ));
        }
        self.encoding.encode(text).map_err(|error| error.to_string())
    }
}

/// In encodings of East Asia the second byte of a character may look like an ASCII letter or digit.
fn may_start_inside(bytes: &[u8], start: usize) -> bool {
    let may_be_second = |byte: u8| byte.is_ascii_digit() || (0x40..0x7F).contains(&byte);
    start > 0 && !bytes[start - 1].is_ascii() && bytes.get(start).is_some_and(|byte| may_be_second(*byte))
}

/// What differs between two texts: a range of the old one, and its new content.
fn trim_common<'n>(old: &str, new: &'n str) -> (usize, usize, &'n str) {
    let same = |(old, new): &(char, char)| old == new;
    let start: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end: usize =
        old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    (start, old.len() - end, &new_rest[..new_rest.len() - end])
}
