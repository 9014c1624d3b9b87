//! The grammar behind the colon: `:raw`, `:conflicts`, `:50-100`, `:50+20`, `:50`, `:5,9,20-30`, and `raw` together
//! with lines in either order. Pure: which reading of a colon holds is decided where files are known.

use crate::engine::error::{Result, ToolError};

/// A selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// The text as it is.
    Raw,
    /// The merge conflicts of a file.
    Conflicts,
    /// Lines, sorted; ranges neither overlap nor touch.
    Lines {
        /// At least one.
        ranges: Vec<Range>,
        /// Exactly these lines, without prefixes.
        raw: bool,
    },
}

impl Selector {
    /// Whether the text is wanted as it is.
    #[must_use]
    pub fn is_raw(&self) -> bool {
        matches!(self, Self::Raw | Self::Lines { raw: true, .. })
    }
}

/// Lines from `start`, 1-based, to `end`, included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first line.
    pub start: u64,
    /// The last line; absent: open.
    pub end: Option<u64>,
}

/// One reading of a text as a target and a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split<'a> {
    /// What is before the colon.
    pub target: &'a str,
    /// What is behind it; absent: the whole text is the target.
    pub selector: Option<&'a str>,
}

/// Every reading of a text, the longest target first.
#[must_use]
pub fn splits(text: &str) -> Vec<Split<'_>> {
    let mut readings = vec![Split { target: text, selector: None }];
    let Some((target, last)) = cut(text) else { return readings };
    let Some(kind) = Chunk::of(last) else { return readings };
    readings.push(Split { target, selector: Some(last) });
    if let Some((outer, first)) = cut(target)
        && matches!(
            (Chunk::of(first), kind),
            (Some(Chunk::Raw), Chunk::Lines) | (Some(Chunk::Lines), Chunk::Raw)
        )
    {
        readings.push(Split { target: outer, selector: Some(&text[outer.len() + 1..]) });
    }
    readings
}

/// The reading of a text that asks no file system: the longest selector.
///
/// # Panics
/// Never: there is always the reading without selector.
#[must_use]
pub fn split(text: &str) -> Split<'_> {
    *splits(text).last().expect("a text can be read as a target")
}

/// Parses what is behind the colon of a [`Split`].
pub fn parse(split: &Split<'_>) -> Result<Option<Selector>> {
    let Some(selector) = split.selector else { return Ok(None) };
    let refuse = |reason: String| ToolError::InvalidSelector {
        path: split.target.to_owned(),
        selector: selector.to_owned(),
        reason,
    };
    let chunks: Vec<&str> = selector.split(':').collect();
    let raw = chunks.iter().any(|chunk| Chunk::of(chunk) == Some(Chunk::Raw));
    if let Some(lines) = chunks.iter().find(|chunk| Chunk::of(chunk) == Some(Chunk::Lines)) {
        return ranges(lines).map(|ranges| Some(Selector::Lines { ranges, raw })).map_err(refuse);
    }
    Ok(Some(if raw { Selector::Raw } else { Selector::Conflicts }))
}

/// Splits at the last colon; one at the start separates nothing.
fn cut(text: &str) -> Option<(&str, &str)> {
    text.rsplit_once(':').filter(|(target, _)| !target.is_empty())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chunk {
    Raw,
    Conflicts,
    Lines,
}

impl Chunk {
    fn of(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("raw") {
            Some(Self::Raw)
        } else if text.eq_ignore_ascii_case("conflicts") {
            Some(Self::Conflicts)
        } else {
            text.split(',').all(|item| Item::parse(item).is_some()).then_some(Self::Lines)
        }
    }
}

/// One item of a list as it is written; whether it makes sense is asked later.
struct Item {
    start: u64,
    end: End,
}

enum End {
    Bare,
    Open,
    At(u64),
    Count(u64),
}

impl Item {
    fn parse(text: &str) -> Option<Self> {
        let (start, rest) = number(text)?;
        let end = match rest.chars().next() {
            None => End::Bare,
            Some('-') if rest.len() == 1 => End::Open,
            Some('-') => End::At(whole_number(&rest[1..])?),
            Some('+') => End::Count(whole_number(&rest[1..])?),
            Some(_) => return None,
        };
        Some(Self { start, end })
    }

    /// The lines meant. A bare number is open on its own and one line in a list.
    fn range(&self, in_list: bool) -> std::result::Result<Range, String> {
        if self.start == 0 {
            return Err("lines count from 1".into());
        }
        let end = match self.end {
            End::Bare if in_list => Some(self.start),
            End::Bare | End::Open => None,
            End::At(end) if end < self.start => {
                return Err(format!("the last line {end} is before the first line {}", self.start));
            }
            End::At(end) => Some(end),
            End::Count(0) => return Err("a count is 1 or more".into()),
            End::Count(count) => Some(self.start.saturating_add(count - 1)),
        };
        Ok(Range { start: self.start, end })
    }
}

fn ranges(list: &str) -> std::result::Result<Vec<Range>, String> {
    let items: Vec<Item> = list.split(',').filter_map(Item::parse).collect();
    let mut ranges =
        items.iter().map(|item| item.range(items.len() > 1)).collect::<std::result::Result<Vec<_>, _>>()?;
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(Range { end: None, .. }) => {}
            Some(Range { end: Some(end), .. }) if range.start <= end.saturating_add(1) => {
                let end = range.end.map(|later| later.max(*end));
                if let Some(before) = merged.last_mut() {
                    before.end = end;
                }
            }
            _ => merged.push(range),
        }
    }
    Ok(merged)
}

/// A number with an optional `L` before it, and what follows. Absurdly large numbers are the largest one.
fn number(text: &str) -> Option<(u64, &str)> {
    let digits = text.strip_prefix(['L', 'l']).unwrap_or(text);
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = digits.split_at(length);
    (length > 0).then(|| (number.parse().unwrap_or(u64::MAX), rest))
}

fn whole_number(text: &str) -> Option<u64> {
    number(text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}
