//! Rich text: its words in their paragraphs, bold and italic kept. Tables become lines with `|` between the cells.

use encoding_rs::Encoding;

/// Groups whose text is not the document's.
const HIDDEN: &[&str] = &[
    "fonttbl",
    "colortbl",
    "stylesheet",
    "listtable",
    "listoverridetable",
    "info",
    "pict",
    "object",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "themedata",
    "colorschememapping",
    "datastore",
    "latentstyles",
    "generator",
    "xmlnstbl",
    "rsidtbl",
    "filetbl",
    "revtbl",
    "fldinst",
    "bkmkstart",
    "bkmkend",
];
/// Groups within one another.
const MAX_DEPTH: usize = 10_000;

/// The text of a document.
pub fn convert(data: &[u8]) -> Result<String, String> {
    if !data.trim_ascii_start().starts_with(b"{\\rtf") {
        return Err("it does not begin like an RTF file".into());
    }
    let mut reader = Reader {
        data,
        at: 0,
        groups: vec![Group::default()],
        encoding: encoding_rs::WINDOWS_1252,
        out: Out::default(),
    };
    reader.all()?;
    Ok(reader.out.finish())
}

/// What a group's end undoes.
#[derive(Debug, Clone, Copy)]
struct Group {
    hidden: bool,
    bold: bool,
    italic: bool,
    /// Characters behind `\u` that stand for readers that do not know it.
    fallback: usize,
}

impl Default for Group {
    fn default() -> Self {
        Self { hidden: false, bold: false, italic: false, fallback: 1 }
    }
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
    groups: Vec<Group>,
    encoding: &'static Encoding,
    out: Out,
}

impl Reader<'_> {
    fn all(&mut self) -> Result<(), String> {
        while let Some(byte) = self.next() {
            match byte {
                b'{' if self.groups.len() >= MAX_DEPTH => return Err("its groups are nested too deep".into()),
                b'{' => self.groups.push(self.group()),
                // The last one stays: what stands behind the document has a group as well.
                b'}' if self.groups.len() > 1 => {
                    self.groups.pop();
                }
                b'\\' => self.control(),
                b'\r' | b'\n' | b'}' | 0 => {}
                _ => self.bytes(byte),
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.data.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    fn group(&self) -> Group {
        self.groups.last().copied().unwrap_or_default()
    }

    fn group_mut(&mut self) -> Option<&mut Group> {
        self.groups.last_mut()
    }

    /// A stretch of plain text, decoded as a whole: characters may have several bytes.
    fn bytes(&mut self, first: u8) {
        let mut bytes = vec![first];
        while let Some(byte) = self.data.get(self.at).filter(|byte| !b"{}\\\r\n\0".contains(byte)) {
            bytes.push(*byte);
            self.at += 1;
        }
        self.decoded(&bytes);
    }

    fn decoded(&mut self, bytes: &[u8]) {
        let (text, _) = self.encoding.decode_without_bom_handling(bytes);
        self.text(&text);
    }

    fn text(&mut self, text: &str) {
        let group = self.group();
        if !group.hidden {
            self.out.text(text, group.bold, group.italic);
        }
    }

    fn control(&mut self) {
        let Some(byte) = self.next() else { return };
        match byte {
            b'\'' => self.escaped(),
            b'*' => self.hide(),
            b'~' => self.text(" "),
            b'_' => self.text("-"),
            b'\r' | b'\n' => self.end("\n\n"),
            byte if byte.is_ascii_alphabetic() => {
                self.at -= 1;
                self.word();
            }
            b'\\' | b'{' | b'}' => self.text(char::from(byte).encode_utf8(&mut [0; 4])),
            _ => {}
        }
    }

    /// `\'hh`, and those directly behind it: together they may be one character.
    fn escaped(&mut self) {
        let mut bytes = Vec::new();
        loop {
            let digits =
                self.data.get(self.at..self.at + 2).and_then(|digits| std::str::from_utf8(digits).ok());
            let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else { break };
            bytes.push(byte);
            self.at += 2;
            if self.data.get(self.at..self.at + 2) != Some(b"\\'") {
                break;
            }
            self.at += 2;
        }
        self.decoded(&bytes);
    }

    fn word(&mut self) {
        let rest = &self.data[self.at..];
        let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count().min(32);
        let sign = usize::from(rest.get(letters) == Some(&b'-'));
        let digits = rest[letters + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count().min(10);
        let name = String::from_utf8_lossy(&rest[..letters]).into_owned();
        let end = if digits == 0 { letters } else { letters + sign + digits };
        let number = std::str::from_utf8(&rest[letters..end]).ok().and_then(|text| text.parse::<i64>().ok());
        // One blank ends the word and belongs to it.
        self.at += end + usize::from(rest.get(end) == Some(&b' '));
        self.act(&name, number);
    }

    fn act(&mut self, name: &str, number: Option<i64>) {
        let on = number != Some(0);
        match name {
            "par" | "sect" | "page" => self.end("\n\n"),
            "line" | "row" => self.end("\n"),
            "cell" => self.end(" | "),
            "tab" => self.text("\t"),
            "emdash" => self.text("—"),
            "endash" => self.text("–"),
            "bullet" => self.text("•"),
            "lquote" => self.text("‘"),
            "rquote" => self.text("’"),
            "ldblquote" => self.text("“"),
            "rdblquote" => self.text("”"),
            "u" => {
                if let Some(number) = number {
                    self.unicode(number);
                }
            }
            "bin" => {
                self.at = self
                    .data
                    .len()
                    .min(self.at.saturating_add(usize::try_from(number.unwrap_or(0)).unwrap_or(0)));
            }
            "ansicpg" => self.code_page(number.unwrap_or(1252)),
            "uc" => self.set(|group| group.fallback = usize::try_from(number.unwrap_or(1)).unwrap_or(1)),
            "b" => self.set(|group| group.bold = on),
            "i" => self.set(|group| group.italic = on),
            "plain" => self.set(|group| (group.bold, group.italic) = (false, false)),
            _ if HIDDEN.contains(&name) => self.hide(),
            _ => {}
        }
    }

    fn set(&mut self, change: impl FnOnce(&mut Group)) {
        if let Some(group) = self.group_mut() {
            change(group);
        }
    }

    fn hide(&mut self) {
        self.set(|group| group.hidden = true);
    }

    fn end(&mut self, separator: &str) {
        if !self.group().hidden {
            self.out.end(separator);
        }
    }

    fn code_page(&mut self, number: i64) {
        let label = match number {
            65001 => "utf-8".to_owned(),
            932 => "shift_jis".to_owned(),
            936 => "gbk".to_owned(),
            949 => "euc-kr".to_owned(),
            950 => "big5".to_owned(),
            10000 => "macintosh".to_owned(),
            number => format!("windows-{number}"),
        };
        self.encoding = Encoding::for_label(label.as_bytes()).unwrap_or(self.encoding);
    }

    /// A UTF-16 unit as a signed number; the second half of a pair follows as another.
    fn unicode(&mut self, number: i64) {
        let unit = |number: i64| u16::try_from(number & 0xFFFF).unwrap_or(0xFFFD);
        let first = unit(number);
        self.skip_fallback();
        let mut units = vec![first];
        if (0xD800..0xDC00).contains(&first) && self.data.get(self.at..self.at + 2) == Some(b"\\u") {
            let rest = &self.data[self.at + 2..];
            let length = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'-').count();
            let second = std::str::from_utf8(&rest[..length]).ok().and_then(|text| text.parse::<i64>().ok());
            if let Some(second) = second {
                units.push(unit(second));
                self.at += 2 + length + usize::from(rest.get(length) == Some(&b' '));
                self.skip_fallback();
            }
        }
        self.text(&String::from_utf16_lossy(&units));
    }

    fn skip_fallback(&mut self) {
        for _ in 0..self.group().fallback {
            match self.data.get(self.at) {
                Some(b'\\') if self.data.get(self.at + 1) == Some(&b'\'') => {
                    self.at = self.data.len().min(self.at + 4);
                }
                Some(b'\\' | b'{' | b'}') | None => return,
                Some(_) => self.at += 1,
            }
        }
    }
}

/// The Markdown so far, and which marks are open in it.
#[derive(Debug, Default)]
struct Out {
    text: String,
    /// Text of one style, marked when the style changes: marks must touch words, not blanks.
    run: String,
    bold: bool,
    italic: bool,
}

impl Out {
    fn text(&mut self, text: &str, bold: bool, italic: bool) {
        if (bold, italic) != (self.bold, self.italic) {
            self.flush();
            (self.bold, self.italic) = (bold, italic);
        }
        self.run.push_str(text);
    }

    fn end(&mut self, separator: &str) {
        self.flush();
        if separator == "\n\n" && self.text.ends_with("\n\n") {
            return;
        }
        self.text.push_str(separator);
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let mark = match (self.bold, self.italic) {
            (true, true) => "***",
            (true, false) => "**",
            (false, true) => "*",
            (false, false) => "",
        };
        let words = run.trim();
        if mark.is_empty() || words.is_empty() {
            self.text.push_str(&run);
            return;
        }
        let start = run.len() - run.trim_start().len();
        let end = run.trim_end().len();
        self.text.extend([&run[..start], mark, words, mark, &run[end..]]);
    }

    fn finish(mut self) -> String {
        self.flush();
        self.text.trim().to_owned()
    }
}
