//! From placed operations to splices of the text. All operations speak of the text before the call, so their order
//! does not count, except for several insertions at one place.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::Lines;
use super::place::{Placed, Spot};
use crate::engine::error::{Result, ToolError};
use crate::engine::text::Splice;

/// The splices that do what the operations say, in order and without overlap.
pub fn splices(operations: &[Placed], lines: &Lines, path: &str) -> Result<Vec<Splice<'static>>> {
    let mut pieces: Vec<Piece> = operations.iter().map(|operation| Piece::of(operation, lines)).collect();
    // Stable: what stands at one place keeps the order of the input.
    pieces.sort_by_key(Piece::order);
    refuse_overlap(&pieces, path)?;
    let mut splices = Vec::new();
    let mut rest = pieces.as_slice();
    while let Some(first) = rest.first() {
        let mut region = first.lines.clone();
        let mut count = 1;
        while let Some(next) = rest.get(count).filter(|next| next.lines.start <= region.end) {
            region.end = region.end.max(next.lines.end);
            count += 1;
        }
        splices.push(splice(region, &rest[..count], lines));
        rest = &rest[count..];
    }
    Ok(splices)
}

/// Lines of the text (from 0; none for an insertion) and those that take their place.
struct Piece<'a> {
    lines: Range<usize>,
    rank: Rank,
    new: &'a [&'a str],
    operation: usize,
}

/// What comes first where several pieces start at one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Top,
    Insertion,
    Replacement,
    Bottom,
}

impl<'a> Piece<'a> {
    fn of(operation: &'a Placed, lines: &Lines) -> Self {
        let end = lines.final_blank().unwrap_or(lines.count());
        let (lines, rank) = match operation.spot.clone() {
            // A text without anything has one line, which is not kept.
            Spot::Top | Spot::Bottom | Spot::After(_) if lines.is_empty() => (0..1, Rank::Insertion),
            Spot::Top => (0..0, Rank::Top),
            Spot::Bottom => (end..end, Rank::Bottom),
            // After the empty line behind the last line end there is nothing to stand on.
            Spot::After(index) => ((index + 1).min(end)..(index + 1).min(end), Rank::Insertion),
            Spot::Before(index) => (index..index, Rank::Insertion),
            Spot::Lines(range) => (range, Rank::Replacement),
        };
        Self { lines, rank, new: &operation.payload, operation: operation.line }
    }

    fn order(&self) -> (usize, Rank) {
        (self.lines.start, self.rank)
    }
}

/// Two replacements of one line, or something inserted into lines that go.
fn refuse_overlap(pieces: &[Piece], path: &str) -> Result<()> {
    let mut replacement: Option<&Piece> = None;
    for piece in pieces {
        if let Some(before) = replacement.filter(|before| piece.lines.start < before.lines.end)
            && (piece.rank == Rank::Replacement || piece.lines.start > before.lines.start)
        {
            let (first, second) =
                (before.operation.min(piece.operation), before.operation.max(piece.operation));
            return Err(ToolError::OverlappingLines { path: path.to_owned(), first, second });
        }
        if piece.rank == Rank::Replacement {
            replacement = Some(piece);
        }
    }
    Ok(())
}

/// One splice for lines that adjoin.
fn splice(region: Range<usize>, pieces: &[Piece], lines: &Lines) -> Splice<'static> {
    let new: Vec<&str> = pieces.iter().flat_map(|piece| piece.new).copied().collect();
    let is_end = region.end == lines.count();
    let start = lines.span(region.start.min(lines.count() - 1)).start;
    let (range, text) = match (new.is_empty(), region.is_empty()) {
        (false, false) => (start..lines.span(region.end - 1).end, new.join("\n")),
        (false, true) if is_end => {
            let end = lines.span(lines.count() - 1).end;
            (end..end, format!("\n{}", new.join("\n")))
        }
        (false, true) => (start..start, new.join("\n") + "\n"),
        (true, true) => (start..start, String::new()),
        (true, false) if !is_end => (start..lines.span(region.end).start, String::new()),
        // The last line goes with the line end before it.
        (true, false) => (start.saturating_sub(1)..lines.span(region.end - 1).end, String::new()),
    };
    Splice { range, new: Cow::Owned(text.into_bytes()) }
}
