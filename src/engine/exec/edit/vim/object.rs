//! Text objects: words, quoted texts, blocks in brackets, paragraphs.

use super::brackets::{closing, opening};
use super::buffer::{Buffer, Position};
use super::cells;
use super::fault::{FaultKind, Run, fault};
use super::region::{Region, Shape};
use super::walk::{Step, Walk};

/// The object that a character names, around the cursor. `around` takes what surrounds it too.
pub fn object(buffer: &Buffer, cursor: Position, name: char, around: bool, count: usize) -> Run<Region> {
    let region = match name {
        'w' | 'W' => word(buffer, cursor, name == 'W', around, count),
        '"' | '\'' | '`' => quoted(buffer, cursor, name, around, count),
        '(' | ')' | 'b' => block(buffer, cursor, '(', ')', around, count),
        '[' | ']' => block(buffer, cursor, '[', ']', around, count),
        '{' | '}' | 'B' => block(buffer, cursor, '{', '}', around, count),
        '<' | '>' => block(buffer, cursor, '<', '>', around, count),
        'p' => paragraph(buffer, cursor, around, count),
        _ => {
            let around = if around { 'a' } else { 'i' };
            return fault(
                FaultKind::UnsupportedTextObject,
                format!("there is no text object `{around}{name}`"),
            );
        }
    };
    match region {
        Some(region) => Ok(region),
        None => {
            fault(FaultKind::TextObjectNotFound, format!("there is no text object `{name}` at the cursor"))
        }
    }
}

fn word(buffer: &Buffer, cursor: Position, big: bool, around: bool, count: usize) -> Option<Region> {
    let mut walk = Walk::new(buffer, cursor, big);
    walk.seek_class_start();
    let mut start = walk.at;
    let mut takes_blanks_before = false;
    if (walk.class() == 0) == around {
        if !walk.word_end(1, true, true) {
            return None;
        }
    } else {
        walk.next_word(1, true);
        if walk.at.col == 0 {
            walk.back_over();
        } else {
            walk.left();
        }
        takes_blanks_before = around;
    }
    let mut inclusive = true;
    for left in (0..count.saturating_sub(1)).rev() {
        inclusive = true;
        if walk.forward_over() == Step::Stuck {
            return None;
        }
        // Blanks and the word they belong to are one object.
        if (walk.class() == 0) != around {
            if !walk.next_word(1, true) && left > 0 {
                return None;
            }
            if !walk.left() {
                inclusive = false;
            }
        } else if !walk.word_end(1, true, true) {
            return None;
        }
    }
    if takes_blanks_before && (walk.class() != 0 || walk.at.col == 0 && !inclusive) {
        let mut before = Walk::new(buffer, start, big);
        if before.left() {
            before.seek_class_start();
            // The indentation stays.
            if before.class() == 0 && before.at.col > 0 {
                start = before.at;
            }
        }
    }
    Some(Region { start, end: walk.at, shape: Shape::Characters { inclusive } })
}

fn quoted(buffer: &Buffer, cursor: Position, quote: char, around: bool, count: usize) -> Option<Region> {
    let line = buffer.line(cursor.line);
    let (mut start, mut end) = if cells::char_at(line, cursor.col) == Some(quote) {
        // Whether it opens or closes shows only from the start of the line.
        let mut from = 0;
        loop {
            let open = next_quote(line, from, quote, false).filter(|open| *open <= cursor.col)?;
            let close = next_quote(line, open + 1, quote, true)?;
            if cursor.col <= close {
                break (open, close);
            }
            from = close + 1;
        }
    } else {
        let before = previous_quote(line, cursor.col, quote);
        let open = before.or_else(|| next_quote(line, cursor.col, quote, false))?;
        (open, next_quote(line, open + 1, quote, true)?)
    };
    let blank = |col: usize| cells::char_at(line, col).is_some_and(cells::is_blank);
    if around {
        if blank(end + 1) {
            while blank(end + 1) {
                end += 1;
            }
        } else {
            while start > 0 && blank(start - 1) {
                start -= 1;
            }
        }
    } else if count < 2 {
        start += 1;
    }
    let inclusive = around || count > 1;
    let at = |col| Position::new(cursor.line, col);
    Some(Region { start: at(start), end: at(end), shape: Shape::Characters { inclusive } })
}

fn next_quote(line: &str, from: usize, quote: char, escapes: bool) -> Option<usize> {
    let mut characters = line.get(from..)?.char_indices();
    while let Some((at, character)) = characters.next() {
        if escapes && character == '\\' {
            characters.next();
        } else if character == quote {
            return Some(from + at);
        }
    }
    None
}

fn previous_quote(line: &str, before: usize, quote: char) -> Option<usize> {
    let is_escaped =
        |at: usize| line.as_bytes()[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    line[..before].rmatch_indices(quote).map(|(at, _)| at).find(|at| !is_escaped(*at))
}

fn block(
    buffer: &Buffer,
    cursor: Position,
    open: char,
    close: char,
    around: bool,
    count: usize,
) -> Option<Region> {
    let mut walk = Walk::new(buffer, cursor, false);
    if open == '{' {
        while in_indent(buffer, walk.at, 1) && walk.forward() == Step::Character {}
    }
    if walk.here() == Some(open) {
        walk.at.col += open.len_utf8();
    }
    let mut start = walk.at;
    if let (None, 0 | 1) = (opening(buffer, start, open, close, false), count) {
        start = next_opening(buffer, start, open, close)?;
    } else {
        for _ in 0..count.max(1) {
            start = opening(buffer, start, open, close, false)?;
        }
    }
    let end = closing(buffer, start, open, close, false)?;
    if around {
        return Some(Region { start, end, shape: Shape::Characters { inclusive: true } });
    }
    let mut first = Walk::new(buffer, start, false);
    first.forward_over();
    let start = first.at;
    let mut last = Walk::new(buffer, end, false);
    let mut at_line_start = end.col == 0;
    last.back_over();
    if open == '{' {
        while in_indent(buffer, last.at, 1) {
            at_line_start = true;
            if last.back_over() != Step::Character {
                break;
            }
        }
    }
    let mut inclusive = false;
    if at_line_start {
        last.forward_over();
    } else if start <= last.at {
        inclusive = true;
    } else {
        last.at = start;
    }
    Some(Region { start, end: last.at, shape: Shape::Characters { inclusive } })
}

/// The block that begins behind a place which is in none, in the same line.
fn next_opening(buffer: &Buffer, from: Position, open: char, close: char) -> Option<Position> {
    let rest = buffer.line(from.line).get(from.col..)?;
    let at = rest.find([open, close]).filter(|at| rest[*at..].starts_with(open))?;
    Some(Position::new(from.line, from.col + at))
}

/// Whether there are only blanks before the column, and `extra` more from it on.
pub fn in_indent(buffer: &Buffer, at: Position, extra: usize) -> bool {
    cells::indent_bytes(buffer.line(at.line)) >= at.col + extra
}

fn paragraph(buffer: &Buffer, cursor: Position, around: bool, count: usize) -> Option<Region> {
    let is_white = |number: usize| buffer.line(number).chars().all(cells::is_blank);
    let last = buffer.last();
    let starts_white = is_white(cursor.line);
    let mut start = cursor.line;
    while start > 0 && is_white(start - 1) == starts_white {
        start -= 1;
    }
    // One past the end, so that it can stand before the first line.
    let mut end = start;
    while end <= last && is_white(end) {
        end += 1;
    }
    let mut left = if !around && starts_white { count - 1 } else { count };
    while left > 0 {
        left -= 1;
        if end > last {
            return None;
        }
        let takes_white = !around && is_white(end);
        if around || !takes_white {
            end += 1;
            while end <= last && !is_white(end) {
                end += 1;
            }
        }
        if left == 0 && starts_white && around {
            break;
        }
        if around || takes_white {
            while end <= last && is_white(end) {
                end += 1;
            }
        }
    }
    let end = end.checked_sub(1)?;
    if around && !starts_white && !is_white(end) {
        while start > 0 && is_white(start - 1) {
            start -= 1;
        }
    }
    Some(Region { start: Position::new(start, 0), end: Position::new(end, 0), shape: Shape::Lines })
}
