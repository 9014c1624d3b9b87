//! Values that arrived as text: numbers, booleans, null, lists and objects. What was cut off stays text: half a list
//! must not pass for a whole one.

use std::fmt::Write as _;

use serde_json::Value;

/// The largest whole number that JavaScript keeps exact.
const SAFE: u64 = (1 << 53) - 1;

/// A slip in the last characters of a text is corrected; further inside it would be guessing.
const HEALED_END: usize = 7;

/// A value read from text.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    /// The value.
    pub value: Value,
    /// What stood behind it and was left out.
    pub dropped: Option<String>,
}

impl From<Value> for Converted {
    fn from(value: Value) -> Self {
        Self { value, dropped: None }
    }
}

/// The value of one of the types that a text stands for.
#[must_use]
pub fn convert(text: &str, types: &[&str]) -> Option<Converted> {
    let text = text.trim();
    let fits = |kind: &str| types.contains(&kind);
    match text.as_bytes().first()? {
        b'[' if fits("array") => container(text),
        b'{' if fits("object") => container(text),
        b'[' | b'{' => None,
        _ => match text {
            "null" => fits("null").then(|| Value::Null.into()),
            "true" | "false" => fits("boolean").then(|| Value::Bool(text == "true").into()),
            _ if fits("number") => number(text, false).map(Into::into),
            _ if fits("integer") => number(text, true).map(Into::into),
            _ => None,
        },
    }
}

/// A decimal number. Whole numbers that JavaScript cannot hold exactly stay text.
fn number(text: &str, whole: bool) -> Option<Value> {
    if !is_number(text) {
        return None;
    }
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if unsigned.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()) {
        let exact = unsigned.parse::<i64>().ok().filter(|number| number.unsigned_abs() <= SAFE)?;
        return Some(exact.into());
    }
    let number = unsigned.parse::<f64>().ok().filter(|number| number.is_finite())?;
    #[expect(clippy::cast_precision_loss, reason = "the bound is exact")]
    let is_safe = number.abs() <= SAFE as f64;
    if number.fract() == 0.0 && is_safe {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the bound")]
        return Some((number as i64).into());
    }
    if whole { None } else { serde_json::Number::from_f64(number).map(Value::Number) }
}

/// Sign, digits, fraction, exponent.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole) && fraction.is_none_or(digits) && exponent.is_none_or(digits)
}

/// A list or object, with the slips that models make.
fn container(text: &str) -> Option<Converted> {
    let strict = parse(text);
    if strict.is_some() {
        return strict.map(Into::into);
    }
    let scan = Scan::of(text);
    if let Some(end) = scan.end {
        let (cleaned, rest) = (scan.cleaned, text[end..].trim());
        let dropped = (!rest.is_empty()).then(|| rest.to_owned());
        if let Some(value) = parse(&cleaned) {
            return Some(Converted { value, dropped });
        }
        // Nothing is corrected in the middle of a longer text.
        return if dropped.is_none() { heal(&cleaned) } else { None };
    }
    heal(&scan.cleaned)
}

/// Strict JSON whose whole numbers stay exact.
fn parse(text: &str) -> Option<Value> {
    let parsed = serde_json::from_str(text).ok().or_else(|| {
        let text = with_stand_ins(text)?;
        serde_json::from_str(&text).ok()
    });
    parsed.filter(is_exact)
}

/// The first character that stands for half of a surrogate pair: U+D800 is U+10F800 and so on. Callers whose strings may
/// hold such halves turn them back; none is put into a text that has one of these private characters itself.
const FIRST_STAND_IN: u32 = 0x0010_F800;

/// JSON text in which escapes of halves of surrogate pairs are characters. `None` if it has none.
fn with_stand_ins(text: &str) -> Option<String> {
    if !text.contains("\\u") || text.chars().any(|c| u32::from(c) >= FIRST_STAND_IN) {
        return None;
    }
    let (mut out, mut rest, mut any) = (String::with_capacity(text.len()), text, false);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let unit = |text: &str| u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
        let taken = match unit(escape) {
            Some(0xD800..0xDC00)
                if escape.get(6..).and_then(unit).is_some_and(|next| (0xDC00..0xE000).contains(&next)) =>
            {
                12
            }
            Some(half @ 0xD800..0xE000) => {
                any = true;
                out.extend(char::from_u32(FIRST_STAND_IN + half - 0xD800));
                rest = &escape[6..];
                continue;
            }
            _ => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&escape[..taken]);
        rest = &escape[taken..];
    }
    out.push_str(rest);
    any.then_some(out)
}

fn is_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.unsigned_abs() <= SAFE,
            (None, beyond) => beyond.is_none(),
        },
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(keys) => keys.values().all(is_exact),
        _ => true,
    }
}

/// Corrects one closing bracket or comma at the end of a text. None is added and no opening one goes: a text without its
/// end was cut off.
fn heal(text: &str) -> Option<Converted> {
    let from = text.char_indices().rev().nth(HEALED_END - 1).map_or(0, |(start, _)| start);
    let bytes = text.as_bytes();
    let places = (from..text.len()).filter(|&place| matches!(bytes[place], b']' | b'}' | b','));
    let with = |place: usize, replacement: &str| {
        parse(&format!("{}{replacement}{}", &text[..place], &text[place + 1..]))
    };
    let deleted = places.clone().find_map(|place| with(place, ""));
    // A comma in place of a bracket means that more was to come.
    let mut closers = places.filter(|&place| bytes[place] != b',');
    let replaced = || closers.find_map(|place| ["]", "}"].into_iter().find_map(|closer| with(place, closer)));
    deleted.or_else(replaced).map(Into::into)
}

/// A text looked through once: raw control characters in strings are escaped, and escapes of line breaks between
/// values become spaces.
struct Scan {
    cleaned: String,
    /// Where the first bracket is closed again.
    end: Option<usize>,
}

impl Scan {
    fn of(text: &str) -> Self {
        let mut cleaned = String::with_capacity(text.len());
        let (mut open, mut in_string) = (Vec::new(), false);
        let mut characters = text.char_indices().peekable();
        while let Some((start, c)) = characters.next() {
            match c {
                '\\' => {
                    let next = characters.next().map(|(_, next)| next);
                    match next {
                        Some('n' | 't' | 'r') if !in_string => cleaned.push(' '),
                        _ => cleaned.extend([Some(c), next].into_iter().flatten()),
                    }
                    continue;
                }
                '"' => in_string = !in_string,
                c if in_string && c.is_control() && c < ' ' => {
                    // Writing to a string never fails.
                    let _ = write!(cleaned, "\\u{:04x}", u32::from(c));
                    continue;
                }
                '[' if !in_string => open.push(']'),
                '{' if !in_string => open.push('}'),
                ']' | '}' if !in_string && open.last() == Some(&c) => {
                    open.pop();
                }
                _ => {}
            }
            cleaned.push(c);
            if open.is_empty() && !in_string {
                return Self { cleaned, end: Some(start + c.len_utf8()) };
            }
        }
        Self { cleaned, end: None }
    }
}
