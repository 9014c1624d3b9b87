//! What the session remembers of a file that a call changed, or found changed: the lines as they are now and, where
//! lines are named by anchors, where those went that it knew.

use std::path::Path;
use std::sync::Arc;

use super::Context;
use super::edit::{hashline, notebook_view};
use crate::engine::files::Stamp;
use crate::engine::session::{Revision, Shown};
use crate::engine::text::encoding::looks_binary;
use crate::engine::text::{Bytes, Document, Splice, surviving_lines};

/// Bytes of a file that is compared with what was known of it. Of a larger one that was written as a whole it is not worth
/// the time: its old anchors are refused.
const COMPARED: usize = 256 * 1024;

/// Where known lines stand after a change, by their numbers before, ascending. A line that is gone is left out.
pub type Numbers = Vec<(u64, u64)>;

/// The numbers after splices of a text, where anybody may ask for them.
pub fn numbers_after(path: &Path, text: &str, splices: &[Splice], context: &Context) -> Option<Numbers> {
    let before = numbers_in(path, text, context)?;
    let places = surviving_lines(text.as_bytes(), splices);
    let after = |number: u64| Some((*places.get(usize::try_from(number - 1).ok()?)?)? as u64 + 1);
    Some(before.into_iter().filter_map(|(known, number)| Some((known, after(number)?))).collect())
}

/// The same for a text that somebody wrote; what became of the lines is seen by comparing.
pub fn numbers_in(path: &Path, text: &str, context: &Context) -> Option<Numbers> {
    let session = context.session.as_deref().filter(|_| context.shows_anchors())?;
    let recorded = session.reads.recall(path, context.turn.as_ref())?;
    let memory = hashline::Memory { is_whole: recorded.is_whole(), ..hashline::Memory::of(&recorded.lines) };
    (!recorded.lines.is_empty()).then(|| hashline::standing(text, &memory))
}

/// What is remembered of the bytes of a file: of a notebook its cells.
pub fn view_of(path: &Path, bytes: &Arc<Bytes>) -> Arc<Bytes> {
    let cells = notebook_view(path, bytes.whole()).map(|cells| Arc::new(cells.into_bytes().into()));
    cells.unwrap_or_else(|| Arc::clone(bytes))
}

/// Remembers the whole text of a file, of which the result shows some lines. Where nobody followed the lines that were
/// known, they are compared.
pub fn keep_text(
    path: &Path,
    text: &Arc<Bytes>,
    stamp: Stamp,
    numbers: Option<Numbers>,
    shown: Vec<u64>,
    context: &Context,
) {
    let Some(session) = context.session.as_deref() else { return };
    // Nobody looks into a text yet that is shown without anchors.
    if context.shows_anchors()
        && let Ok(document) = Document::new(text.whole())
        && let Some(numbers) = numbers.or_else(|| numbers_in(path, document.text(), context))
    {
        return revise(path, Shown::all(document.text()), Some(stamp), &numbers, shown, context);
    }
    session.reads.replace(path, Arc::clone(text), Some(stamp));
}

/// Remembers the bytes of a file that a call wrote as a whole.
pub fn keep_bytes(path: &Path, bytes: &[u8], context: &Context) {
    let Some(session) = context.session.as_deref() else { return };
    if looks_binary(bytes) {
        return session.reads.forget(path);
    }
    let (text, stamp) = (view_of(path, &Arc::new(bytes.to_vec().into())), Stamp::of_bytes(bytes));
    if bytes.len() > COMPARED {
        return session.reads.replace(path, text, Some(stamp));
    }
    keep_text(path, &text, stamp, None, Vec::new(), context);
}

/// Remembers lines that a refusal shows of a text, which may not be the one that was known.
pub fn keep_shown(path: &Path, text: &str, shown: Shown, context: &Context) {
    let Some(session) = context.session.as_deref() else { return };
    if let Some(numbers) = numbers_in(path, text, context).filter(|numbers| !has_all(path, numbers, context))
    {
        let lines = shown.iter().map(|(number, _)| number).collect();
        revise(path, shown.clone(), None, &numbers, lines, context);
    }
    session.reads.record(path, shown, None, context.reader());
}

/// Every line that is known stands where it stood.
fn has_all(path: &Path, numbers: &Numbers, context: &Context) -> bool {
    let known =
        context.session.as_deref().and_then(|session| session.reads.recall(path, context.turn.as_ref()));
    known.is_some_and(|known| known.lines.len() == numbers.len())
        && numbers.iter().all(|(before, now)| before == now)
}

fn revise(
    path: &Path,
    lines: Shown,
    stamp: Option<Stamp>,
    numbers: &Numbers,
    shown: Vec<u64>,
    context: &Context,
) {
    let Some(session) = context.session.as_deref() else { return };
    let now = |number| {
        let at = numbers.binary_search_by_key(&number, |(before, _)| *before).ok()?;
        Some(numbers[at].1)
    };
    session.reads.revise(path, Revision { lines, stamp, turn: context.turn.as_ref(), now, shown });
}
