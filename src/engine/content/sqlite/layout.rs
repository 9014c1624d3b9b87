//! A table as text: `| a | b |`, a row of dashes, then the rows, at most 120 columns of a terminal wide.

use unicode_width::UnicodeWidthStr;

use crate::engine::text::fitting_start;

/// Width of a line.
pub(super) const LINE: usize = 120;
/// Width of a column.
const COLUMN: usize = 40;
/// What a column may be narrowed to before columns are left out.
const NARROW: usize = 6;
/// `| ` and ` ` around a cell.
const FRAME: usize = 3;

/// A laid out table.
pub(super) struct Layout {
    pub(super) text: String,
    /// Columns that found no room.
    pub(super) left_out: usize,
}

/// Lays out rows below their header.
pub(super) fn lay_out(header: &[String], rows: &[Vec<String>]) -> Layout {
    let (widths, left_out) = widths(header, rows);
    let mut text = line(&widths, header, left_out > 0);
    text.push('\n');
    let dashes: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    text.push_str(&line(&widths, &dashes, left_out > 0));
    for row in rows {
        text.push('\n');
        text.push_str(&line(&widths, row, left_out > 0));
    }
    if rows.is_empty() {
        text.push_str("\n(no rows)");
    }
    Layout { text, left_out }
}

fn line(widths: &[usize], cells: &[String], cut: bool) -> String {
    let mut text = String::from("|");
    for (cell, width) in cells.iter().zip(widths) {
        let shown = cut_to(cell, *width);
        let blanks = width.saturating_sub(shown.width());
        text.extend([" ", &shown, &" ".repeat(blanks), " |"]);
    }
    if cut {
        text.push_str(" … |");
    }
    text
}

/// Widths of the columns that find room, and how many do not.
fn widths(header: &[String], rows: &[Vec<String>]) -> (Vec<usize>, usize) {
    let mut widths: Vec<usize> = header.iter().map(|name| name.width().clamp(1, COLUMN)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width().min(COLUMN));
        }
    }
    // Of columns too many for a line the first stay, with room for the sign that there are more.
    let least = |widths: &[usize]| widths.iter().map(|width| width.min(&NARROW) + FRAME).sum::<usize>() + 1;
    let mut room = LINE;
    if least(&widths) > LINE {
        room -= FRAME + 1;
        while least(&widths) > room {
            widths.pop();
        }
    }
    while widths.iter().map(|width| width + FRAME).sum::<usize>() + 1 > room {
        let Some(widest) = widths.iter_mut().max_by_key(|width| **width) else { break };
        *widest -= 1;
    }
    let left_out = header.len() - widths.len();
    (widths, left_out)
}

/// What of a text fits a width, `…` in place of the rest; never a part of a character.
fn cut_to(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    format!("{}…", fitting_start(text, width.saturating_sub(1)))
}

/// A statement in lines of at most [`LINE`] characters where blanks outside of quotes allow it; nothing is left out.
pub(super) fn wrap(sql: &str) -> String {
    sql.lines().map(wrap_line).collect::<Vec<_>>().join("\n")
}

fn wrap_line(line: &str) -> String {
    if line.width() <= LINE {
        return line.to_owned();
    }
    let (mut text, mut used, mut quote) = (String::new(), 0, None);
    for word in line.split_inclusive(' ') {
        let width = word.trim_end().width();
        if quote.is_none() && used > 0 && used + width > LINE {
            text.truncate(text.trim_end().len());
            text.push_str("\n    ");
            used = 4;
        }
        text.push_str(word);
        used += word.width();
        for c in word.chars() {
            match quote {
                None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
                Some(open) if open == c => quote = None,
                _ => {}
            }
        }
    }
    text
}
