//! What `read` shows of merge conflicts: a warning below a text that has some, a list, and one of them by its number.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;

use super::address::{Found, Target};
use super::call::Call;
use super::options::View;
use super::page::{Page, append};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::conflicts::{Address, Id, Scanned, Scope, not_found};
use crate::engine::files;
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::text::{CONFLICT_START, Conflict, Side, clip, split_lines};

/// Conflicts whose sides a warning shows; of the others it shows where they are.
const WITH_SIDES: usize = 10;
/// Lines of one side in a warning.
const SIDE_LINES: usize = 40;
/// Characters of one of these lines.
const SIDE_COLUMNS: usize = 768;

/// Adds a warning to a text that shows conflicts. `head` is the start of the file. Larger files than are scanned are
/// not warned of.
pub fn warn(call: Call<'_>, context: &Context, head: &[u8], mut outcome: Outcome) -> Result<Outcome> {
    let is_marker = |line: &str| match line.as_bytes() {
        [first @ (b'<' | b'|' | b'=' | b'>'), rest @ ..] => {
            rest.iter().take_while(|byte| *byte == first).count() >= 6
        }
        _ => false,
    };
    let may_show = memchr::memmem::find(head, CONFLICT_START).is_some()
        || outcome.shown.iter().any(|(_, line)| is_marker(line));
    if !may_show {
        return Ok(outcome);
    }
    let target = call.target;
    let file = match Scanned::read(&target.path, &target.shown) {
        Err(ToolError::FileTooLarge { .. }) => return Ok(outcome),
        file => file?,
    };
    if file.conflicts.is_empty() {
        return Ok(outcome);
    }
    let lines: BTreeSet<u64> = outcome.shown.iter().map(|(number, _)| number).collect();
    let is_shown =
        |conflict: &&Numbered<'_>| lines.range(conflict.at.start..=conflict.at.end).next().is_some();
    let numbered = number(&file, &target.path, context);
    let shown: Vec<_> = numbered.iter().filter(is_shown).collect();
    if shown.is_empty() {
        return Ok(outcome);
    }
    let count = match (shown.len(), numbered.len()) {
        (some, all) if some < all => format!("{some} of {all} unresolved conflicts"),
        (_, all) => unresolved(all),
    };
    let facts = json!({"shown": shown.len(), "total": numbered.len(), "path": target.shown});
    append(&mut outcome, "\n", Notice::new("conflicts", format!("⚠ {count} detected"), facts));
    outcome.text.push_str(&labels_and_advice(&shown));
    for (index, conflict) in shown.iter().enumerate() {
        outcome.text.push_str(&conflict.rule());
        if index < WITH_SIDES {
            outcome.text.push_str(&conflict.sides(&file));
        }
    }
    Ok(outcome.detail("conflictCount", numbered.len()))
}

/// Lists the conflicts of a file.
pub fn list(call: Call<'_>, context: &Context) -> Result<Outcome> {
    let target = call.target;
    let file = Scanned::read(&target.path, &target.shown)?;
    let numbered = number(&file, &target.path, context);
    let text = match numbered.len() {
        0 => format!("No unresolved git merge conflicts in {}.", target.shown),
        count => format!("⚠ {} in {}", unresolved(count), target.shown),
    };
    let mut outcome = Outcome::text(text);
    if !numbered.is_empty() {
        outcome.text.push_str(&labels_and_advice(&numbered.iter().collect::<Vec<_>>()));
        outcome.text.push('\n');
        for conflict in &numbered {
            let three_way = if conflict.at.base.is_some() { "  (3-way)" } else { "" };
            outcome.text.extend(["\n", &conflict.name(), three_way]);
        }
    }
    outcome.meta = target.meta();
    Ok(outcome.detail("resolvedPath", target.resolved()).detail("conflictCount", numbered.len()))
}

/// Shows one conflict, or one side of it, with the lines of the file.
pub fn region(address: &Address, view: &View, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    cancel.check()?;
    let Id::One(id) = address.id else {
        return Err(ToolError::ConflictWildcardRead { uri: address.uri.clone() });
    };
    let session = context.session.as_ref().ok_or_else(|| not_found(address))?;
    let known = session.conflicts.get(id).ok_or_else(|| not_found(address))?;
    let shown = files::display_path(&known.path, &files::real_path(&context.cwd));
    let stale = || ToolError::ConflictStale { uri: address.uri.clone(), path: shown.clone() };
    let file = match Scanned::read(&known.path, &shown) {
        Err(ToolError::PathNotFound { .. }) => Err(stale()),
        file => file,
    }?;
    let conflict = file.locate(&known).ok_or_else(stale)?;
    let whole = Side { label: String::new(), line: conflict.start, bytes: conflict.bytes.clone() };
    let side = match address.scope {
        None => &whole,
        Some(Scope::Ours) => &conflict.ours,
        Some(Scope::Theirs) => &conflict.theirs,
        Some(Scope::Base) => {
            conflict.base.as_ref().ok_or_else(|| ToolError::ConflictNoBase { uri: address.uri.clone() })?
        }
    };
    let (path, entity) = (known.path.clone(), "conflict");
    let target = Target {
        path,
        shown: shown.clone(),
        selector: None,
        found: Found::File,
        entity,
        notice: None,
        remote: None,
    };
    let mut page = Page::new(view);
    for (number, line) in (side.line..).zip(lines_of(&file, side)) {
        page.line(Some(number), &line, false);
    }
    let mut outcome = page.finish(&target, None, true).detail("conflictCount", 1);
    if let Some(session) = &context.session {
        session.reads.record(&target.path, std::mem::take(&mut outcome.shown), None, context.reader());
    }
    Ok(outcome)
}

/// A conflict and its number.
struct Numbered<'a> {
    id: u64,
    at: &'a Conflict,
}

impl Numbered<'_> {
    fn name(&self) -> String {
        format!("#{}  L{}-{}", self.id, self.at.start, self.at.end)
    }

    fn rule(&self) -> String {
        format!("\n\n──── {} ────", self.name())
    }

    fn sides(&self, file: &Scanned) -> String {
        let sides = [
            ("<<< ours", Some(&self.at.ours)),
            ("=== base", self.at.base.as_ref()),
            (">>> theirs", Some(&self.at.theirs)),
        ];
        let mut text = String::new();
        for (title, side) in sides {
            let Some(side) = side else { continue };
            text.extend(["\n", title]);
            let lines: Vec<String> = lines_of(file, side).collect();
            for line in lines.iter().take(SIDE_LINES) {
                let clipped = clip(line, SIDE_COLUMNS);
                text.extend(["\n", clipped.unwrap_or(line), if clipped.is_some() { "…" } else { "" }]);
            }
            if lines.len() > SIDE_LINES {
                text.extend(["\n… ", &(lines.len() - SIDE_LINES).to_string(), " more lines"]);
            }
        }
        text
    }
}

/// The conflicts of a file under the numbers the session knows them by.
fn number<'a>(file: &'a Scanned, path: &Path, context: &Context) -> Vec<Numbered<'a>> {
    let found: Vec<_> =
        file.conflicts.iter().map(|conflict| (conflict.start, conflict.end, file.text(conflict))).collect();
    let ids = match &context.session {
        Some(session) => session.conflicts.record(&files::real_path(path), &found),
        None => (1..).take(found.len()).collect(),
    };
    ids.into_iter().zip(&file.conflicts).map(|(id, at)| Numbered { id, at }).collect()
}

fn unresolved(count: usize) -> String {
    format!("{count} unresolved conflict{}", if count == 1 { "" } else { "s" })
}

type SideOf = fn(&Conflict) -> Option<&Side>;

/// Whose the sides are, and what can be done.
fn labels_and_advice(conflicts: &[&Numbered<'_>]) -> String {
    let mut text = String::new();
    let sides: [(&str, SideOf); 3] = [
        ("ours", |conflict| Some(&conflict.ours)),
        ("theirs", |conflict| Some(&conflict.theirs)),
        ("base", |conflict| conflict.base.as_ref()),
    ];
    for (name, side) in sides {
        let labels: BTreeSet<&str> = conflicts
            .iter()
            .filter_map(|conflict| side(conflict.at))
            .map(|side| side.label.as_str())
            .collect();
        let labels: Vec<&str> = labels.into_iter().filter(|label| !label.is_empty()).collect();
        if !labels.is_empty() {
            text.extend(["\n- ", name, " = ", &labels.join(", ")]);
        }
    }
    text.push_str("\nWrite the merged lines to conflict://N (N behind the #), or a line @ours, @theirs, @base or @both for a side as it is.");
    text.push_str("\nWriting to conflict://* does the same to every conflict that was shown; conflict://N/ours reads one side.");
    text
}

fn lines_of<'a>(file: &'a Scanned, side: &Side) -> impl Iterator<Item = String> + 'a {
    let bytes = &file.bytes[side.bytes.clone()];
    let ends = bytes.ends_with(b"\n") || bytes.ends_with(b"\r");
    // The line behind the last ending is none of the side.
    let count = split_lines(bytes).count() - usize::from(ends || bytes.is_empty());
    split_lines(bytes).take(count).map(|line| String::from_utf8_lossy(line.text).into_owned())
}
