//! The way from a decoded text back to its bytes: an edit found in the text is made in the bytes, and what it does
//! not touch stays as it is, even where encoding the text again would give other bytes.

use super::Encoding;

/// A decoded text that knows where its characters stand in the original.
#[derive(Debug)]
pub struct Spans<'a> {
    original: &'a [u8],
    encoding: Encoding,
    text: String,
    lossy: bool,
    /// Starts of lines, in the text and in the original. Empty where both differ by the mark alone.
    lines: Vec<(usize, usize)>,
}

impl<'a> Spans<'a> {
    /// Decodes a whole text, its mark included.
    #[must_use]
    pub fn new(original: &'a [u8], encoding: Encoding) -> Self {
        let mark = original.strip_prefix(encoding.mark()).map_or(0, |_| encoding.mark().len());
        let body = &original[mark..];
        if encoding.is_utf8()
            && let Ok(text) = std::str::from_utf8(body)
        {
            return Self { original, encoding, text: text.to_owned(), lossy: false, lines: Vec::new() };
        }
        let line_feed = encoding.unit(b'\n');
        let (mut text, mut lossy, mut lines) = (String::with_capacity(body.len()), false, Vec::new());
        let mut start = 0;
        while start < body.len() {
            lines.push((text.len(), mark + start));
            let end = line_feed.find(&body[start..]).map_or(body.len(), |at| start + at + line_feed.width());
            let line = encoding.decode(body[start..end].to_vec());
            text.push_str(&line.text);
            lossy |= line.lossy;
            start = end;
        }
        Self { original, encoding, text, lossy, lines }
    }

    /// The text, without mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Some bytes are not valid in the encoding.
    #[must_use]
    pub fn lossy(&self) -> bool {
        self.lossy
    }

    /// Where in the original the character at `at` starts; `at` is a character boundary of the text.
    #[must_use]
    pub fn byte_offset(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|(start, _)| *start <= at);
        let Some((start, offset)) = line.checked_sub(1).and_then(|line| self.lines.get(line)) else {
            return self.original.len() - self.text.len() + at;
        };
        offset + self.length(*offset, at - start)
    }

    /// Bytes from `offset` on that decode to `wanted` bytes of text, fed one by one.
    fn length(&self, offset: usize, wanted: usize) -> usize {
        let mut decoder = self.encoding.form.new_decoder_without_bom_handling();
        let (mut reached, mut room) = (0, [0; 16]);
        for (taken, byte) in self.original[offset..].iter().enumerate() {
            if reached >= wanted {
                return taken;
            }
            let (_, _, written, _) = decoder.decode_to_utf8(std::slice::from_ref(byte), &mut room, false);
            reached += written;
            // The byte ended an invalid sequence and is a character itself.
            if reached > wanted {
                return taken;
            }
        }
        self.original.len() - offset
    }
}
