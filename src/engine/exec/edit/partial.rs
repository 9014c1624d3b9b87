//! JSON whose end has not arrived yet.

use serde_json::Value;

/// What is to be made of a text whose end is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenText {
    /// It counts as far as it is there.
    Keep,
    /// It is left out.
    Drop,
}

/// The values that arrived whole at most `depth` containers deep, and whether that is all of them. What makes no sense
/// even so is null.
pub fn read(raw: &str, depth: usize, open_text: OpenText) -> (Value, bool) {
    if let Ok(value) = serde_json::from_str(raw) {
        return (value, true);
    }
    let mut scan = Scan::default();
    for (at, byte) in raw.bytes().enumerate() {
        scan.take(at, byte, depth);
    }
    let text = match open_text {
        OpenText::Keep if scan.is_text() && scan.is_value && scan.open.len() <= depth => scan.close_text(raw),
        _ => scan.close(raw),
    };
    (serde_json::from_str(&text).unwrap_or_default(), false)
}

#[derive(Default)]
struct Scan {
    /// The closing brackets that are missing, the outermost first.
    open: Vec<u8>,
    /// Where the text started that has no end yet.
    text: Option<usize>,
    is_escaped: bool,
    /// What comes is a value, not a key.
    is_value: bool,
    /// Up to here everything is whole, with so many brackets to close.
    whole: Option<(usize, usize)>,
}

impl Scan {
    fn take(&mut self, at: usize, byte: u8, depth: usize) {
        if self.is_text() {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.text = None,
                _ => {}
            }
            return;
        }
        let whole = match byte {
            b'"' => {
                self.text = Some(at);
                return;
            }
            b':' => {
                self.is_value = true;
                return;
            }
            b'{' | b'[' => {
                self.open.push(if byte == b'{' { b'}' } else { b']' });
                self.is_value = byte == b'[';
                at + 1
            }
            b'}' | b']' => {
                self.open.pop();
                at + 1
            }
            b',' => {
                self.is_value = self.open.last() == Some(&b']');
                at
            }
            _ => return,
        };
        if self.open.len() <= depth {
            self.whole = Some((whole, self.open.len()));
        }
    }

    fn is_text(&self) -> bool {
        self.text.is_some()
    }

    fn close(&self, raw: &str) -> String {
        let (end, open) = self.whole.unwrap_or_default();
        self.closed(&raw[..end], open)
    }

    /// With the open text ended before an escape that is not whole.
    fn close_text(&self, raw: &str) -> String {
        let start = self.text.unwrap_or_default();
        for cut in 0..=MOST_ESCAPE.min(raw.len() - start - 1) {
            let Some(head) = raw.get(..raw.len() - cut) else { continue };
            let text = format!("{}\"", &head[start..]);
            if serde_json::from_str::<String>(&text).is_ok() {
                return self.closed(&format!("{head}\""), self.open.len());
            }
        }
        self.close(raw)
    }

    fn closed(&self, text: &str, open: usize) -> String {
        let brackets = self.open[..open.min(self.open.len())].iter().rev();
        text.chars().chain(brackets.map(|bracket| char::from(*bracket))).collect()
    }
}

/// A pair of surrogates, one byte short.
const MOST_ESCAPE: usize = 11;
