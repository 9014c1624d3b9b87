//! From the pattern syntax of vim to that of the engine: which characters are special depends on `\v`, `\m`, `\M`
//! and `\V`.

use std::iter::Peekable;
use std::str::Chars;

/// How much is special without a backslash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Magic {
    Very,
    Normal,
    No,
    VeryNo,
}

struct Translator<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    magic: Magic,
    ignore_case: bool,
    /// Where the last atom starts in `out`; none where a repetition would have nothing to repeat.
    atom: Option<usize>,
    /// Starts of the groups that are open, and how many `\ze` are open in each.
    groups: Vec<(usize, usize)>,
    ends: usize,
}

/// The expression for the engine; none where the pattern is not valid or holds what is not known.
pub fn translate(source: &str, ignore_case: bool) -> Option<String> {
    let mut translator = Translator {
        rest: source.chars().peekable(),
        out: String::new(),
        magic: Magic::Normal,
        ignore_case,
        atom: None,
        groups: Vec::new(),
        ends: 0,
    };
    while let Some(character) = translator.rest.next() {
        translator.piece(character)?;
    }
    translator.close_ends();
    if !translator.groups.is_empty() {
        return None;
    }
    let flags = if translator.ignore_case { "(?mi)" } else { "(?m)" };
    Some(format!("{flags}{}", translator.out))
}

impl Translator<'_> {
    fn piece(&mut self, character: char) -> Option<()> {
        if character != '\\' {
            let special = match self.magic {
                Magic::Very => !character.is_ascii_alphanumeric() && "^$.*[~()|+=?{<>@&%".contains(character),
                Magic::Normal => "^$.*[~".contains(character),
                Magic::No => "^$".contains(character),
                Magic::VeryNo => false,
            };
            return if special { self.special(character) } else { self.literal(character) };
        }
        let escaped = self.rest.next()?;
        if escaped.is_ascii_alphanumeric() || escaped == '_' {
            return self.named(escaped);
        }
        let special = match self.magic {
            Magic::Very => false,
            Magic::Normal => "()|+=?{<>@&%".contains(escaped),
            Magic::No => ".*[~()|+=?{<>@&%".contains(escaped),
            Magic::VeryNo => "^$.*[~()|+=?{<>@&%".contains(escaped),
        };
        if special { self.special(escaped) } else { self.literal(escaped) }
    }

    fn push_atom(&mut self, text: &str) -> Option<()> {
        self.atom = Some(self.out.len());
        self.out.push_str(text);
        Some(())
    }

    fn push_bare(&mut self, text: &str) -> Option<()> {
        self.atom = None;
        self.out.push_str(text);
        Some(())
    }

    fn literal(&mut self, character: char) -> Option<()> {
        let mut buffer = [0; 4];
        let text = fancy_regex::escape(character.encode_utf8(&mut buffer)).into_owned();
        self.push_atom(&text)
    }

    fn special(&mut self, character: char) -> Option<()> {
        match character {
            '^' if self.at_start() => self.push_bare("^"),
            '$' if self.at_end() => self.push_bare("$"),
            '.' => self.push_atom("."),
            '[' => self.collection(false),
            '(' => self.open("("),
            ')' => self.close(),
            '|' => {
                self.close_ends();
                self.push_bare("|")
            }
            '*' | '+' | '=' | '?' if self.atom.is_some() => {
                self.out.push(if character == '=' { '?' } else { character });
                self.atom = None;
                Some(())
            }
            '{' if self.atom.is_some() => self.counted(),
            '<' => self.push_bare(r"(?<!\w)(?=\w)"),
            '>' => self.push_bare(r"(?<=\w)(?!\w)"),
            '@' => self.around(),
            '%' => self.percent(),
            '&' => None,
            other => self.literal(other),
        }
    }

    /// `^` is special where a branch starts.
    fn at_start(&self) -> bool {
        self.magic == Magic::Very
            || self.out.is_empty()
            || self.atom.is_none() && ["(", "(?:", "|", "\n"].iter().any(|end| self.out.ends_with(end))
    }

    /// `$` is special where a branch ends.
    fn at_end(&self) -> bool {
        let mut rest = self.rest.clone();
        match (self.magic, rest.next(), rest.next()) {
            (Magic::Very, ..) | (_, None, _) => true,
            (_, Some('\\'), Some(next)) => matches!(next, '|' | ')' | 'n' | '&' | 'c' | 'C'),
            _ => false,
        }
    }

    fn open(&mut self, text: &str) -> Option<()> {
        self.groups.push((self.out.len(), std::mem::take(&mut self.ends)));
        self.push_bare(text)
    }

    fn close(&mut self) -> Option<()> {
        self.close_ends();
        let (start, ends) = self.groups.pop()?;
        self.ends = ends;
        self.out.push(')');
        self.atom = Some(start);
        Some(())
    }

    fn close_ends(&mut self) {
        for _ in 0..std::mem::take(&mut self.ends) {
            self.out.push(')');
        }
    }

    /// `\{n,m}`, and `\{-n,m}` for as few as possible.
    fn counted(&mut self) -> Option<()> {
        let mut text = String::new();
        loop {
            match self.rest.next()? {
                '}' => break,
                '\\' if self.rest.peek() == Some(&'}') => {}
                character => text.push(character),
            }
        }
        let (lazy, bounds) = text.strip_prefix('-').map_or(("", text.as_str()), |bounds| ("?", bounds));
        let (low, high) = bounds.split_once(',').unwrap_or((bounds, bounds));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(low) || !is_number(high) {
            return None;
        }
        match (low, high, bounds.contains(',')) {
            ("", "", _) => self.out.push('*'),
            (number, _, false) => self.out.push_str(&format!("{{{number}}}")),
            (low, high, true) => {
                let low = if low.is_empty() { "0" } else { low };
                self.out.push_str(&format!("{{{low},{high}}}"));
            }
        }
        self.out.push_str(lazy);
        self.atom = None;
        Some(())
    }

    /// `\@=` and its kin turn the atom before them into a condition.
    fn around(&mut self) -> Option<()> {
        let start = self.atom?;
        let open = match self.rest.next()? {
            '=' => "(?=",
            '!' => "(?!",
            '>' => "(?>",
            '<' => match self.rest.next()? {
                '=' => "(?<=",
                '!' => "(?<!",
                _ => return None,
            },
            _ => return None,
        };
        self.out.insert_str(start, open);
        self.out.push(')');
        self.atom = None;
        Some(())
    }

    fn percent(&mut self) -> Option<()> {
        match self.rest.next()? {
            '(' => self.open("(?:"),
            '^' => self.push_bare(r"\A"),
            '$' => self.push_bare(r"\z"),
            kind @ ('d' | 'o' | 'x' | 'u' | 'U') => {
                let (radix, most) = match kind {
                    'd' => (10, 10),
                    'o' => (8, 4),
                    'x' => (16, 2),
                    'u' => (16, 4),
                    _ => (16, 8),
                };
                let character = code(&mut self.rest, radix, most)?;
                self.literal(character)
            }
            _ => None,
        }
    }

    fn named(&mut self, name: char) -> Option<()> {
        match name {
            'v' => self.magic = Magic::Very,
            'm' => self.magic = Magic::Normal,
            'M' => self.magic = Magic::No,
            'V' => self.magic = Magic::VeryNo,
            'c' => self.ignore_case = true,
            'C' => self.ignore_case = false,
            'n' => return self.push_atom("\n"),
            't' => return self.push_atom("\t"),
            'r' => return self.push_atom("\r"),
            'e' => return self.push_atom("\x1b"),
            // A pattern is no place for a backspace; nearly all engines mean the edge of a word.
            'b' => return self.push_bare(r"\b"),
            'z' => return self.edge(),
            '_' => {
                let next = self.rest.next()?;
                return match next {
                    '^' | '$' => self.push_bare(&next.to_string()),
                    '.' => self.push_atom("(?s:.)"),
                    '[' => self.collection(true),
                    _ => class(next).and_then(|set| self.push_atom(&as_set(set, true))),
                };
            }
            '1'..='9' => return self.push_atom(&format!("(?:\\{name})")),
            _ => return class(name).and_then(|set| self.push_atom(&as_set(set, false))),
        }
        Some(())
    }

    fn edge(&mut self) -> Option<()> {
        match self.rest.next()? {
            's' => self.push_bare(r"\K"),
            'e' => {
                self.ends += 1;
                self.push_bare("(?=")
            }
            _ => None,
        }
    }

    /// `[…]`; without an end the bracket is only itself.
    fn collection(&mut self, with_break: bool) -> Option<()> {
        let mut rest = self.rest.clone();
        match collection(&mut rest, with_break) {
            Some(set) => {
                self.rest = rest;
                self.push_atom(&set)
            }
            None => self.literal('['),
        }
    }
}

/// Members and whether they are those left out.
type Class = (&'static str, bool);

fn class(name: char) -> Option<Class> {
    let members = match name.to_ascii_lowercase() {
        's' => r" \t",
        'd' => "0-9",
        'x' => "0-9A-Fa-f",
        'o' => "0-7",
        'w' => "0-9A-Za-z_",
        'h' => "A-Za-z_",
        'a' => "A-Za-z",
        'l' => "a-z",
        'u' => "A-Z",
        'i' | 'k' => r"\w",
        'f' => r"\w/.\-+,#$%~=",
        'p' => r"\x20-\x7e\u{a1}-\u{10ffff}",
        _ => return None,
    };
    Some((members, name.is_ascii_uppercase()))
}

fn as_set((members, negated): Class, with_break: bool) -> String {
    match (negated, with_break) {
        (false, false) => format!("[{members}]"),
        (false, true) => format!("[{members}\n]"),
        (true, false) => format!("[^{members}\n]"),
        (true, true) => format!("[^{members}]"),
    }
}

fn collection(rest: &mut Peekable<Chars>, with_break: bool) -> Option<String> {
    let negated = rest.next_if_eq(&'^').is_some();
    let mut members = String::new();
    let mut is_first = true;
    loop {
        let character = rest.next()?;
        match character {
            ']' if !is_first => break,
            '[' if rest.peek() == Some(&':') => {
                let name: String = rest.clone().skip(1).take_while(char::is_ascii_lowercase).collect();
                let end: String = rest.clone().skip(1 + name.len()).take(2).collect();
                if end == ":]" {
                    members.push_str(&format!("[:{name}:]"));
                    rest.nth(name.len() + 2);
                } else {
                    members.push_str(r"\[");
                }
            }
            '-' if !is_first && rest.peek().is_some_and(|next| *next != ']') => members.push('-'),
            _ => members.push_str(&member(character, rest)?),
        }
        is_first = false;
    }
    let set = match (negated, with_break) {
        (true, false) => format!("[^{members}\n]"),
        (true, true) => format!("[^{members}]"),
        (false, true) => format!("[{members}\n]"),
        (false, false) => format!("[{members}]"),
    };
    Some(set)
}

fn member(character: char, rest: &mut Peekable<Chars>) -> Option<String> {
    let escape = |character: char| {
        if character.is_ascii_punctuation() { format!("\\{character}") } else { character.to_string() }
    };
    if character != '\\' {
        return Some(escape(character));
    }
    let Some(next) = rest.peek().copied() else { return Some(escape('\\')) };
    let control = match next {
        'e' => '\x1b',
        't' => '\t',
        'r' => '\r',
        'b' => '\x08',
        'n' => '\n',
        '\\' | ']' | '^' | '-' => next,
        'd' | 'o' | 'x' | 'u' | 'U' => {
            rest.next();
            let (radix, most) = match next {
                'd' => (10, 10),
                'o' => (8, 4),
                'x' => (16, 2),
                'u' => (16, 4),
                _ => (16, 8),
            };
            return code(rest, radix, most).map(escape);
        }
        // A backslash before anything else is only itself; classes such as `\s` are what most people mean.
        _ => match class(next).filter(|(_, negated)| !negated) {
            Some((set, _)) => {
                rest.next();
                return Some(set.to_owned());
            }
            None => return Some(escape('\\')),
        },
    };
    rest.next();
    Some(escape(control))
}

fn code(rest: &mut Peekable<Chars>, radix: u32, most: usize) -> Option<char> {
    let mut digits = String::new();
    while digits.len() < most && rest.peek().is_some_and(|digit| digit.is_digit(radix)) {
        digits.extend(rest.next());
    }
    char::from_u32(u32::from_str_radix(&digits, radix).ok()?)
}
