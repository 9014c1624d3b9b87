//! ECMAScript's way to write a pattern as our engines read it. What they have no word for is refused by name.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

const DIGIT: &str = "0-9";
const WORD: &str = "A-Za-z0-9_";
const SPACE: &str = r"\t\n\x0B\f\r \x{A0}\x{FEFF}\x{2028}\x{2029}\p{Zs}";
const LINE_END: &str = r"\n\r\x{2028}\x{2029}";

/// A pattern in the engines' words.
///
/// # Errors
///
/// What stands in it that no engine of ours can do, or that is no pattern.
pub fn translate(source: &str) -> Result<String, String> {
    let mut translator = Translator {
        rest: source.chars().peekable(),
        out: String::with_capacity(source.len() + 16),
        groups: groups(source),
        has_names: source.contains("(?<") && names(source),
        last: Last::Nothing,
        properties: Vec::new(),
    };
    translator.run()?;
    Ok(translator.out)
}

/// What stands before a quantifier.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Nothing,
    Atom,
    Quantifier,
}

/// What an escape stands for.
enum Escape {
    Char(char),
    /// Ranges of a class.
    Class {
        inside: &'static str,
        negated: bool,
    },
    /// A property with its braces.
    Property(String),
}

struct Translator<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    groups: usize,
    has_names: bool,
    last: Last,
    /// Those that are known to be there.
    properties: Vec<String>,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<(), String> {
        while let Some(c) = self.rest.next() {
            let mut next = Last::Atom;
            match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '.' => self.push(&format!("[^{LINE_END}]")),
                '^' => {
                    self.push(r"\A");
                    next = Last::Nothing;
                }
                '$' => {
                    self.push(r"\z");
                    next = Last::Nothing;
                }
                '|' => {
                    self.out.push('|');
                    next = Last::Nothing;
                }
                '(' => {
                    self.group()?;
                    next = Last::Nothing;
                }
                ')' => self.out.push(')'),
                '*' | '+' | '?' => {
                    self.quantifier(&c.to_string())?;
                    next = Last::Quantifier;
                }
                '{' => match self.repetition() {
                    Some(repetition) => {
                        self.quantifier(&repetition)?;
                        next = Last::Quantifier;
                    }
                    None => self.push(r"\{"),
                },
                c => self.literal(c),
            }
            self.last = next;
        }
        Ok(())
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn literal(&mut self, c: char) {
        if c.is_alphanumeric() || c == '_' {
            self.out.push(c);
        } else {
            // Writing to a string never fails.
            let _ = write!(self.out, r"\x{{{:X}}}", u32::from(c));
        }
    }

    fn quantifier(&mut self, quantifier: &str) -> Result<(), String> {
        if self.last != Last::Atom {
            return Err(format!("there is nothing that `{quantifier}` could repeat"));
        }
        self.push(quantifier);
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
        Ok(())
    }

    /// `{2}`, `{2,}` or `{2,3}` behind its bracket; anything else is text.
    fn repetition(&mut self) -> Option<String> {
        let ahead: String = self.rest.clone().take_while(|c| *c != '}').take(24).collect();
        let closed = self.rest.clone().nth(ahead.chars().count()) == Some('}');
        let (least, most) = ahead.split_once(',').unwrap_or((&ahead, "0"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !closed || least.is_empty() || !digits(least) || !digits(most) {
            return None;
        }
        self.rest.nth(ahead.len());
        Some(format!("{{{ahead}}}"))
    }

    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_none() {
            return Ok(());
        }
        let ahead: String = self.rest.clone().take(3).collect();
        let kind =
            ["<=", "<!", ":", "=", "!", "<", "i:", "-i:"].into_iter().find(|kind| ahead.starts_with(kind));
        let Some(kind) = kind else {
            return Err(format!("the group `(?{ahead}…` is not supported"));
        };
        self.rest.nth(kind.len() - 1);
        let _ = write!(self.out, "?{kind}");
        if kind == "<" {
            let name = self.name()?;
            let _ = write!(self.out, "{name}>");
        }
        Ok(())
    }

    /// A name up to its bracket.
    fn name(&mut self) -> Result<String, String> {
        let mut name = String::new();
        loop {
            match self.rest.next() {
                Some('>') if !name.is_empty() => return Ok(name),
                Some(c) if c.is_alphanumeric() || c == '_' => name.push(c),
                Some('$') => name.push_str("_dollar_"),
                _ => return Err("it has a group without a proper name".to_owned()),
            }
        }
    }

    fn escape(&mut self) -> Result<(), String> {
        match self.rest.peek().copied() {
            Some(c @ ('b' | 'B')) => {
                self.rest.next();
                let (inside, outside) = if c == 'b' { ("!", "=") } else { ("=", "!") };
                // A letter of another alphabet is no part of a word here.
                let boundary =
                    format!("(?:(?<![{WORD}])(?{outside}[{WORD}])|(?<=[{WORD}])(?{inside}[{WORD}]))");
                self.push(&boundary);
            }
            Some('k') if self.has_names => {
                self.rest.next();
                if self.rest.next() != Some('<') {
                    return Err("`\\k` names no group".to_owned());
                }
                let name = self.name()?;
                // A group that took no part counts as empty.
                self.push(&format!(r"(?(<{name}>)\k<{name}>|)"));
            }
            Some('1'..='9') => {
                let mut digits = String::new();
                while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                if digits.parse::<usize>().is_ok_and(|number| number > self.groups) || digits.len() > 3 {
                    return Err(format!("`\\{digits}` refers to a group that is not there"));
                }
                self.push(&format!(r"(?({digits})\{digits}|)"));
            }
            _ => match self.escaped(false)? {
                Escape::Char(c) => self.literal(c),
                Escape::Class { inside, negated } => {
                    self.push(&format!("[{}{inside}]", if negated { "^" } else { "" }));
                }
                Escape::Property(property) => self.push(&property),
            },
        }
        Ok(())
    }

    fn escaped(&mut self, in_class: bool) -> Result<Escape, String> {
        let Some(c) = self.rest.next() else { return Err("it ends with a backslash".to_owned()) };
        let class = |inside, negated| Ok(Escape::Class { inside, negated });
        let char = |c| Ok(Escape::Char(c));
        match c {
            'd' => class(DIGIT, false),
            'D' => class(DIGIT, true),
            'w' => class(WORD, false),
            'W' => class(WORD, true),
            's' => class(SPACE, false),
            'S' => class(SPACE, true),
            'n' => char('\n'),
            'r' => char('\r'),
            't' => char('\t'),
            'f' => char('\x0C'),
            'v' => char('\x0B'),
            'b' if in_class => char('\x08'),
            '0' if !self.rest.peek().is_some_and(char::is_ascii_digit) => char('\0'),
            'c' => match self.rest.next() {
                Some(letter) if letter.is_ascii_alphabetic() => char(char::from(letter as u8 % 32)),
                _ => Err("`\\c` needs a letter".to_owned()),
            },
            'x' => self.hex(2).and_then(char::from_u32).map(Escape::Char).ok_or_else(|| bad("\\x")),
            'u' => self.code_point().map(Escape::Char),
            'p' | 'P' => self.property(c),
            c if !c.is_ascii_alphanumeric() => char(c),
            c => Err(format!("`\\{c}` is no escape of ECMAScript")),
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        (0..digits).try_fold(0, |number, _| Some(number * 16 + self.rest.next()?.to_digit(16)?))
    }

    fn code_point(&mut self) -> Result<char, String> {
        let half = || "it has half of a surrogate pair, which is no character".to_owned();
        if self.rest.next_if_eq(&'{').is_some() {
            let digits: String = std::iter::from_fn(|| self.rest.next_if(char::is_ascii_hexdigit)).collect();
            let code = u32::from_str_radix(&digits, 16).ok().filter(|_| self.rest.next() == Some('}'));
            return char::from_u32(code.ok_or_else(|| bad("\\u{"))?).ok_or_else(half);
        }
        let first = self.hex(4).ok_or_else(|| bad("\\u"))?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or_else(half);
        }
        if self.rest.next() != Some('\\') || self.rest.next() != Some('u') {
            return Err(half());
        }
        let second = self.hex(4).filter(|second| (0xDC00..0xE000).contains(second)).ok_or_else(half)?;
        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or_else(half)
    }

    fn property(&mut self, kind: char) -> Result<Escape, String> {
        let start = self.rest.next_if_eq(&'{');
        let name: String =
            std::iter::from_fn(|| self.rest.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '=')))
                .collect();
        if start.is_none() || self.rest.next() != Some('}') || name.is_empty() {
            return Err(format!("`\\{kind}` needs the name of a property in braces"));
        }
        let property = format!("\\{kind}{{{name}}}");
        if !self.properties.contains(&property) {
            regex::Regex::new(&property).map_err(|_| format!("the property `{name}` is not known"))?;
            self.properties.push(property.clone());
        }
        Ok(Escape::Property(property))
    }

    fn class(&mut self) -> Result<(), String> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut items = String::new();
        let mut from: Option<char> = None;
        let open = || "a class `[…]` is not closed".to_owned();
        loop {
            let item = match self.rest.next().ok_or_else(open)? {
                ']' => break,
                '\\' => self.escaped(true)?,
                '-' if from.is_some() && self.rest.peek().is_some_and(|next| *next != ']') => {
                    let to = match self.rest.next().ok_or_else(open)? {
                        '\\' => self.escaped(true)?,
                        c => Escape::Char(c),
                    };
                    let Some(first) = from.take() else { continue };
                    match to {
                        Escape::Char(to) if to < first => {
                            return Err(format!("the range `{first}-{to}` is out of order"));
                        }
                        Escape::Char(to) => {
                            push_range(&mut items, first, to);
                            continue;
                        }
                        other => {
                            push_range(&mut items, first, first);
                            push_range(&mut items, '-', '-');
                            other
                        }
                    }
                }
                c => Escape::Char(c),
            };
            if let Some(first) = from.take() {
                push_range(&mut items, first, first);
            }
            match item {
                Escape::Char(c) => from = Some(c),
                Escape::Class { inside, negated: false } => items.push_str(inside),
                Escape::Class { inside, negated: true } => {
                    let _ = write!(items, "[^{inside}]");
                }
                Escape::Property(property) => items.push_str(&property),
            }
        }
        if let Some(first) = from {
            push_range(&mut items, first, first);
        }
        match (items.is_empty(), negated) {
            // Nothing is in an empty class, everything outside of it.
            (true, false) => self.push("(?:(?!))"),
            (true, true) => self.push(r"[\x{0}-\x{10FFFF}]"),
            (false, false) => self.push(&format!("[{items}]")),
            (false, true) => self.push(&format!("[^{items}]")),
        }
        Ok(())
    }
}

fn bad(escape: &str) -> String {
    format!("`{escape}` is not followed by its digits")
}

fn push_range(items: &mut String, from: char, to: char) {
    // Writing to a string never fails.
    let _ = if from == to {
        write!(items, r"\x{{{:X}}}", u32::from(from))
    } else {
        write!(items, r"\x{{{:X}}}-\x{{{:X}}}", u32::from(from), u32::from(to))
    };
}

/// Groups that can be referred to.
fn groups(source: &str) -> usize {
    let (mut count, mut in_class) = (0, false);
    let mut characters = source.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' => drop(characters.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let mut ahead = characters.clone();
                let captures = ahead.next() != Some('?')
                    || (ahead.next() == Some('<') && !matches!(ahead.next(), Some('=' | '!')));
                count += usize::from(captures);
            }
            _ => {}
        }
    }
    count
}

/// Whether a group has a name.
fn names(source: &str) -> bool {
    source.match_indices("(?<").any(|(at, _)| !matches!(source[at + 3..].chars().next(), Some('=' | '!')))
}
