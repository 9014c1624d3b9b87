//! Which encoding a text is in. A mark decides; then UTF-16 by its zero bytes; then UTF-8, as long as at least nine
//! in ten of its non-ASCII bytes are valid; the rest is guessed by the frequencies of characters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{UTF_16BE, UTF_16LE};

use super::{Encoding, unfinished};

/// How many of the first bytes tell whether a file is text at all.
pub const SNIFFED: usize = 8 * 1024;
/// Bytes that are looked at in one go.
const PIECE: usize = 64 * 1024;

/// An encoding, and how it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    /// The encoding.
    pub encoding: Encoding,
    /// A mark or the validity of the bytes says so; `false`: it is a guess.
    pub certain: bool,
}

/// The encoding of a whole text; absent where it is none.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Detected> {
    if looks_binary(bytes) {
        return None;
    }
    let mut detector = Detector::new(bytes);
    let mut pieces = bytes.chunks(PIECE);
    while detector.decided().is_none()
        && let Some(piece) = pieces.next()
    {
        detector.feed(piece);
    }
    Some(detector.finish())
}

/// Whether the first bytes of a file are no text: zero bytes that UTF-16 does not explain, or control characters
/// among bytes that are no UTF-8.
#[must_use]
pub fn looks_binary(head: &[u8]) -> bool {
    let head = &head[..head.len().min(SNIFFED)];
    if Encoding::from_mark(head).is_some_and(|encoding| !encoding.is_utf8()) {
        return false;
    }
    if memchr::memchr(0, head).is_some() {
        return without_mark(head).is_none();
    }
    let whole = &head[..head.len() - unfinished(head)];
    let controls = head.iter().filter(|byte| is_control(u16::from(**byte))).count();
    std::str::from_utf8(whole).is_err() && controls * 32 > head.len()
}

/// UTF-16 without a mark: every zero byte is half of an ASCII or Latin-1 character, always the same half, and no
/// unit is a control character or an unpaired surrogate.
fn without_mark(head: &[u8]) -> Option<Encoding> {
    // Two letters of ASCII also make one rare ideograph: texts that end in zero bytes, as lists of arguments do.
    let only_ascii =
        head.iter().all(|byte| *byte == 0 || byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let units = |form: fn([u8; 2]) -> u16| head.chunks_exact(2).map(move |pair| form([pair[0], pair[1]]));
    let is_text = |form: fn([u8; 2]) -> u16| {
        let narrow = units(form).filter(|unit| *unit < 0x80).count();
        let is_plain = units(form).all(|unit| !is_control(unit) && unit < 0xFFFE);
        let mut characters = char::decode_utf16(units(form)).enumerate();
        // The last unit may be the first half of a pair.
        let last = head.len() / 2 - 1;
        let is_valid = characters.all(|(at, unit)| unit.is_ok() || at >= last);
        let is_narrow =
            if only_ascii { narrow * 4 > 3 * units(form).len() } else { narrow * 8 >= head.len() / 2 };
        is_plain && is_valid && is_narrow
    };
    let is_even = head.len().is_multiple_of(2) || head.len() == SNIFFED;
    match () {
        () if head.len() < 4 || !is_even => None,
        () if is_text(u16::from_le_bytes) => Some(Encoding { form: UTF_16LE, marked: false }),
        () if is_text(u16::from_be_bytes) => Some(Encoding { form: UTF_16BE, marked: false }),
        () => None,
    }
}

/// Control characters that stand in no text: all but white space, backspace and escape.
fn is_control(unit: u16) -> bool {
    unit < 0x20 && !matches!(unit, 0x08..=0x0D | 0x1B)
}

/// Finds out an encoding piece by piece, in bounded memory.
pub struct Detector {
    decided: Option<Encoding>,
    /// Non-ASCII bytes that are valid UTF-8, and those that are not.
    valid: u64,
    invalid: u64,
    /// The start of a character that the next piece goes on with.
    pending: Vec<u8>,
    guess: Option<EncodingDetector>,
}

impl Detector {
    /// Starts with the first bytes of a text, which is known to be one. They are to be fed as well.
    #[must_use]
    pub fn new(head: &[u8]) -> Self {
        let head = &head[..head.len().min(SNIFFED)];
        let wide = || memchr::memchr(0, head).and_then(|_| without_mark(head));
        let decided = Encoding::from_mark(head).or_else(wide);
        Self { decided, valid: 0, invalid: 0, pending: Vec::new(), guess: None }
    }

    /// The answer, where nothing that follows will change it.
    #[must_use]
    pub fn decided(&self) -> Option<Encoding> {
        self.decided
    }

    /// Takes the next piece. Pieces need not follow each other where both are cut between characters.
    pub fn feed(&mut self, piece: &[u8]) {
        if self.pending.is_empty() && self.guess.is_none() && piece.is_ascii() {
            return;
        }
        let joined;
        let bytes = if self.pending.is_empty() {
            piece
        } else {
            joined = [&self.pending, piece].concat();
            joined.as_slice()
        };
        let (whole, rest) = bytes.split_at(bytes.len() - unfinished(bytes));
        self.count(whole);
        self.pending = rest.to_vec();
        if self.invalid > 0 || self.guess.is_some() {
            self.guess().feed(piece, false);
        }
    }

    /// The answer.
    #[must_use]
    pub fn finish(mut self) -> Detected {
        self.invalid += self.pending.len() as u64;
        if let Some(encoding) = self.decided {
            return Detected { encoding, certain: true };
        }
        if self.valid >= 9 * self.invalid {
            return Detected { encoding: Encoding::UTF_8, certain: true };
        }
        let pending = std::mem::take(&mut self.pending);
        let known = self.guess.is_some();
        let guess = self.guess();
        guess.feed(if known { &[] } else { &pending }, true);
        let form = guess.guess(None, Utf8Detection::Deny);
        Detected { encoding: Encoding { form, marked: false }, certain: false }
    }

    fn count(&mut self, bytes: &[u8]) {
        if let Ok(text) = std::str::from_utf8(bytes) {
            self.valid += non_ascii(text);
            return;
        }
        for chunk in bytes.utf8_chunks() {
            self.valid += non_ascii(chunk.valid());
            self.invalid += chunk.invalid().len() as u64;
        }
    }

    fn guess(&mut self) -> &mut EncodingDetector {
        self.guess.get_or_insert_with(|| EncodingDetector::new(Iso2022JpDetection::Deny))
    }
}

fn non_ascii(text: &str) -> u64 {
    if text.is_ascii() { 0 } else { text.bytes().filter(|byte| !byte.is_ascii()).count() as u64 }
}
