//! Encodings of texts: found out, decoded, and encoded again without loss or not at all.
//!
//! What UTF-8 cannot read is never dropped: [`detect`] names the encoding, [`Encoding::decode`] says whether bytes
//! had to be replaced, [`Encoding::encode`] refuses a character the encoding lacks, and [`Spans`] leads from the
//! decoded text back to the bytes, so that an edit touches only those it means to.

mod detect;
mod spans;
mod unit;

pub use detect::{Detected, Detector, SNIFFED, detect, looks_binary};
pub use spans::Spans;
pub use unit::Unit;

use std::borrow::Cow;

use encoding_rs::{EncoderResult, UTF_8, UTF_16BE, UTF_16LE};

use super::BOM;

/// How the bytes of a text are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    form: &'static encoding_rs::Encoding,
    marked: bool,
}

/// A text, and whether some of its bytes had to be replaced by U+FFFD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// Without the byte-order mark.
    pub text: String,
    /// Some bytes were not valid; encoding the text again would not give them back.
    pub lossy: bool,
}

/// A character that an encoding does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unencodable {
    /// The character.
    pub character: char,
    /// The encoding.
    pub encoding: Encoding,
}

impl Encoding {
    /// UTF-8 without byte-order mark.
    pub const UTF_8: Self = Self { form: UTF_8, marked: false };

    /// The encoding that a byte-order mark names.
    #[must_use]
    pub fn from_mark(bytes: &[u8]) -> Option<Self> {
        // The mark of UTF-32, which begins like that of UTF-16.
        if bytes.starts_with(b"\xFF\xFE\0\0") {
            return None;
        }
        let (form, _) = encoding_rs::Encoding::for_bom(bytes)?;
        Some(Self { form, marked: true })
    }

    /// The name that `details.encoding` shows, such as `shift_jis`, `utf-16le` or `utf-8-bom`.
    #[must_use]
    pub fn name(self) -> String {
        let name = self.form.name().to_ascii_lowercase();
        if self.is_utf8() && self.marked { name + "-bom" } else { name }
    }

    /// UTF-8, with or without a mark.
    #[must_use]
    pub fn is_utf8(self) -> bool {
        self.form == UTF_8
    }

    /// The byte-order mark that the text begins with, if it does.
    #[must_use]
    pub fn mark(self) -> &'static [u8] {
        match self.form {
            _ if !self.marked => b"",
            form if form == UTF_16LE => b"\xFF\xFE",
            form if form == UTF_16BE => b"\xFE\xFF",
            _ => BOM,
        }
    }

    /// An ASCII character as it stands in the bytes. No byte of another character is ever taken for it, as long as
    /// it is a control character.
    #[must_use]
    pub fn unit(self, character: u8) -> Unit {
        match self.form {
            form if form == UTF_16LE => Unit::little(character),
            form if form == UTF_16BE => Unit::big(character),
            _ => Unit::byte(character),
        }
    }

    /// At most this many bytes stand for one byte of decoded text.
    #[must_use]
    pub fn most_bytes_per_decoded(self) -> usize {
        if self.is_utf8() { 1 } else { 2 }
    }

    /// Decodes bytes from behind the mark.
    #[must_use]
    pub fn decode(self, bytes: Vec<u8>) -> Decoded {
        self.decode_part(bytes, false)
    }

    /// Decodes a part of a text; a character that `cut` divides at its end is dropped.
    #[must_use]
    pub fn decode_part(self, mut bytes: Vec<u8>, cut: bool) -> Decoded {
        if !self.is_utf8() {
            return self.decode_legacy(&bytes, cut);
        }
        if cut {
            bytes.truncate(bytes.len() - unfinished(&bytes));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Decoded { text, lossy: false },
            Err(error) => {
                Decoded { text: String::from_utf8_lossy(error.as_bytes()).into_owned(), lossy: true }
            }
        }
    }

    /// [`Encoding::decode_part`] without a copy where the bytes are the text already.
    #[must_use]
    pub fn decode_in_place(self, bytes: &[u8], cut: bool) -> (Cow<'_, str>, bool) {
        if self.is_utf8()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            return (Cow::Borrowed(text), false);
        }
        let Decoded { text, lossy } = self.decode_part(bytes.to_vec(), cut);
        (Cow::Owned(text), lossy)
    }

    fn decode_legacy(self, bytes: &[u8], cut: bool) -> Decoded {
        let mut decoder = self.form.new_decoder_without_bom_handling();
        let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len());
        let mut text = String::with_capacity(room);
        let (_, _, lossy) = decoder.decode_to_string(bytes, &mut text, !cut);
        Decoded { text, lossy }
    }

    /// Bytes at the start of a part that may belong to a character before it; decoding starts behind them. The
    /// part was cut anywhere, but in UTF-16 between two units.
    #[must_use]
    pub fn resync(self, part: &[u8]) -> usize {
        let limit = part.len().min(RESYNC);
        match self.form {
            form if form == UTF_8 => {
                part.iter().take(3).take_while(|byte| (0x80..0xC0).contains(*byte)).count()
            }
            form if form == UTF_16LE => 2 * usize::from(is_low_surrogate(part.get(1))),
            form if form == UTF_16BE => 2 * usize::from(is_low_surrogate(part.first())),
            form if form.is_single_byte() => 0,
            // Only bytes this small are never the second half of a character.
            _ => part[..limit].iter().position(|byte| *byte < 0x30).unwrap_or(0),
        }
    }

    /// The text in this encoding, without mark; an error names the first character the encoding lacks.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Unencodable> {
        match self.form {
            form if form == UTF_8 => Ok(text.as_bytes().to_vec()),
            form if form == UTF_16LE => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            form if form == UTF_16BE => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            form => self.encode_legacy(form, text),
        }
    }

    fn encode_legacy(self, form: &'static encoding_rs::Encoding, text: &str) -> Result<Vec<u8>, Unencodable> {
        let mut encoder = form.new_encoder();
        let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
        let mut bytes = Vec::with_capacity(room.unwrap_or(text.len()));
        let (mut result, mut read) = (EncoderResult::OutputFull, 0);
        while result == EncoderResult::OutputFull {
            bytes.reserve(16);
            let (next, taken) =
                encoder.encode_from_utf8_to_vec_without_replacement(&text[read..], &mut bytes, true);
            (result, read) = (next, read + taken);
        }
        match result {
            EncoderResult::Unmappable(character) => Err(Unencodable { character, encoding: self }),
            _ => Ok(bytes),
        }
    }

    /// Whether decoding and encoding a whole text, mark included, gives the same bytes: only then is a guessed
    /// encoding good enough to write new characters in.
    #[must_use]
    pub fn round_trips(self, bytes: &[u8]) -> bool {
        let Some(body) = bytes.strip_prefix(self.mark()) else { return false };
        let decoded = self.decode(body.to_vec());
        !decoded.lossy && self.encode(&decoded.text).is_ok_and(|again| again == body)
    }

    /// Bytes that a decoded text takes in the file.
    #[must_use]
    pub fn length_of(self, text: &str) -> u64 {
        match self.form {
            form if form == UTF_8 => text.len() as u64,
            form if form == UTF_16LE || form == UTF_16BE => 2 * text.encode_utf16().count() as u64,
            form if form.is_single_byte() => text.chars().count() as u64,
            _ => self.encode(text).map_or(text.len(), |bytes| bytes.len()) as u64,
        }
    }
}

impl std::fmt::Display for Unencodable {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "`{}` does not exist in {}", self.character, self.encoding.name())
    }
}

/// How far [`Encoding::resync`] looks.
const RESYNC: usize = 64;

fn is_low_surrogate(high_byte: Option<&u8>) -> bool {
    high_byte.is_some_and(|byte| (0xDC..0xE0).contains(byte))
}

/// Bytes at the end that begin a character without finishing it.
fn unfinished(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let Some(last) = tail.utf8_chunks().last().map(|chunk| chunk.invalid()) else { return 0 };
    let begins = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    if begins { last.len() } else { 0 }
}
