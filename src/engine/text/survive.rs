//! Where the lines of a text stand once splices are made in it.

use super::lf::{Splice, apply_splices};
use super::script::{Op, script};

/// For each line of an LF text its place in the new text, both from 0; nothing for a line that is gone. What follows the
/// last line end counts as a line. A line that no splice touches is itself and never an equal one beside it; lines that
/// are written anew are the old ones as far as they are equal and in order.
#[must_use]
pub fn surviving_lines(old: &[u8], splices: &[Splice]) -> Vec<Option<usize>> {
    let new = apply_splices(old, splices);
    let mut places = untouched(old, &new, splices);
    let (old_lines, new_lines): (Vec<&[u8]>, Vec<&[u8]>) = (lines(old).collect(), lines(&new).collect());
    let (mut old_from, mut new_from) = (0, 0);
    for old_at in 0..=places.len() {
        let Some(new_at) = places.get(old_at).map_or(Some(new_lines.len()), |place| *place) else { continue };
        let mut now = new_from;
        for op in script(&old_lines[old_from..old_at], &new_lines[new_from..new_at]) {
            if op == Op::Keep {
                places[old_from] = Some(now);
            }
            old_from += usize::from(op != Op::Add);
            now += usize::from(op != Op::Remove);
        }
        (old_from, new_from) = (old_at + 1, new_at + 1);
    }
    places
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n')
}

/// The lines that no splice touches.
fn untouched(old: &[u8], new: &[u8], splices: &[Splice]) -> Vec<Option<usize>> {
    let mut places = Vec::new();
    let (mut rest, mut shift, mut start) = (splices, 0, 0);
    // Up to this byte of the new text so many line ends are counted; the last place that was given away.
    let (mut counted, mut number, mut last) = (0, 0, None);
    for line in lines(old) {
        let end = start + line.len();
        while let Some((splice, behind)) =
            rest.split_first().filter(|(splice, _)| is_before(splice, start, end))
        {
            shift += splice.new.len().cast_signed() - splice.range.len().cast_signed();
            rest = behind;
        }
        let is_touched = rest.first().is_some_and(|splice| {
            splice.range.start < end
                || (line.is_empty() && splice.range.start == start && !splice.range.is_empty())
        });
        let (from, to) = (start.saturating_add_signed(shift), end.saturating_add_signed(shift));
        let is_whole =
            (from == 0 || new.get(from - 1) == Some(&b'\n')) && new.get(to).is_none_or(|byte| *byte == b'\n');
        let place = (!is_touched && is_whole).then(|| {
            number += memchr::memchr_iter(b'\n', &new[counted..from]).count();
            counted = from;
            number
        });
        let place = place.filter(|place| last.is_none_or(|last| *place > last));
        last = place.or(last);
        places.push(place);
        start = end + 1;
    }
    places
}

/// Whether all that a splice brings stands before a line. Behind an empty line stands what begins with a line end.
fn is_before(splice: &Splice, start: usize, end: usize) -> bool {
    let is_behind = start == end
        && splice.range.is_empty()
        && splice.new.starts_with(b"\n")
        && !splice.new.ends_with(b"\n");
    splice.range.end < start || (splice.range.end == start && !is_behind)
}
