//! A directory as a tree, two levels deep, newest first. Follows no link and opens no file.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::address::Target;
use super::call::Call;
use super::options::{MAX_LINES, View, range_bytes};
use super::page::append;
use super::range::beyond_end;
use super::selector::Selector;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{display_path, read_dir};
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::text::{self, format_bytes};

/// Names that are left out: what tools make, not people.
const SKIPPED: &[&str] = &[
    "node_modules",
    ".git",
    ".next",
    "dist",
    "build",
    "target",
    ".venv",
    ".cache",
    ".turbo",
    ".parcel-cache",
    "coverage",
    ".DS_Store",
];
/// Levels below the listed directory.
const MAX_DEPTH: usize = 2;
/// Entries shown of a directory below the listed one: the newest, and the oldest.
const MAX_CHILDREN: usize = 12;
/// Entries looked at in one call.
const MAX_VISITED: usize = 100_000;
/// Unreadable directories that are named.
const MAX_NAMED: usize = 5;

/// Lists a directory.
pub fn list(call: Call<'_>) -> Result<Outcome> {
    let Call { target, view, cancel } = call;
    let window = window(target, view)?;
    let mut walk =
        Walk { cancel, visited: 0, lines: Vec::new(), omitted: 0, capped: false, unreadable: Vec::new() };
    walk.directory(&target.path, 1, &target.shown)?;
    let lines = walk.render(SystemTime::now());
    let empty = Outcome::text(String::new())
        .detail("isDirectory", true)
        .detail("spillEligible", false)
        .detail("resolvedPath", target.resolved());
    let mut outcome = Outcome { meta: target.meta(), ..empty };
    if lines.is_empty() {
        outcome.text = if walk.omitted == 0 { "(empty directory)".into() } else { String::new() };
        if walk.omitted > 0 {
            append(&mut outcome, "", omitted_notice(walk.omitted));
        }
    } else {
        if window.start > lines.len() {
            return Ok(beyond_end(target, window.start as u64, lines.len() as u64, "listing"));
        }
        let part = lines[window.start - 1..].join("\n");
        let cut = text::head(&part, window.lines, window.bytes);
        cut.content.clone_into(&mut outcome.text);
        let end = window.start + cut.lines - 1;
        if cut.by.is_some() || walk.capped || walk.visited >= MAX_VISITED {
            let notice = truncation_notice(target, &walk, window.start, end, lines.len(), cut.content.len());
            append(&mut outcome, "\n\n", notice);
        }
    }
    if !walk.unreadable.is_empty() {
        append(&mut outcome, "\n\n", unreadable_notice(&walk.unreadable));
    }
    Ok(outcome)
}

/// The rendered lines that are wanted.
struct Window {
    /// 1-based.
    start: usize,
    lines: usize,
    bytes: usize,
}

fn window(target: &Target, view: &View) -> Result<Window> {
    let refuse = |selector: &str, reason: &str| ToolError::SelectorUnsupported {
        path: target.shown.clone(),
        selector: selector.to_owned(),
        reason: reason.to_owned(),
    };
    match &target.selector {
        None | Some(Selector::Raw) => {
            Ok(Window { start: 1, lines: view.receipt_lines, bytes: view.receipt_bytes })
        }
        Some(Selector::Conflicts) => Err(refuse("conflicts", "it is a directory")),
        Some(Selector::Lines { ranges, .. }) => {
            let [range] = ranges.as_slice() else {
                return Err(refuse("…", "a directory listing takes one range, such as `:51-100`"));
            };
            let wanted = range.end.map_or(view.default_limit, |end| (end - range.start).saturating_add(1));
            let wanted = wanted.min(MAX_LINES);
            let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
            Ok(Window { start: count(range.start), lines: count(wanted), bytes: range_bytes(wanted) })
        }
    }
}

/// One line before it is aligned.
struct Line {
    label: String,
    size: Option<u64>,
    modified: Option<SystemTime>,
}

struct Entry {
    name: String,
    file_name: std::ffi::OsString,
    kind: Kind,
    modified: SystemTime,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Directory,
    File(u64),
    Link,
}

struct Walk<'a> {
    cancel: &'a CancelToken,
    visited: usize,
    lines: Vec<Line>,
    /// Entries without a line: what tools make, pipes, sockets, devices.
    omitted: usize,
    /// A directory has more entries than are shown.
    capped: bool,
    unreadable: Vec<String>,
}

impl Walk<'_> {
    /// Adds the entries of a directory. One below the listed directory that cannot be read is only remembered.
    fn directory(&mut self, path: &Path, depth: usize, shown: &str) -> Result<()> {
        let mut entries = match self.entries(path, shown) {
            Err(ToolError::Aborted { output }) => return Err(ToolError::Aborted { output }),
            Err(error) if depth == 1 => return Err(error),
            Err(_) => {
                self.unreadable.push(shown.to_owned());
                return Ok(());
            }
            Ok(entries) => entries,
        };
        entries.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.file_name.cmp(&b.file_name)));
        let hidden = if depth > 1 { entries.len().saturating_sub(MAX_CHILDREN) } else { 0 };
        let (newest, oldest) = match hidden {
            0 => (entries.as_slice(), None),
            _ => (&entries[..MAX_CHILDREN - 1], entries.last()),
        };
        for entry in newest {
            self.entry(entry, path, depth, shown)?;
        }
        if let Some(oldest) = oldest {
            self.capped = true;
            let label = format!("{}- … {hidden} more", indent(depth));
            self.lines.push(Line { label, size: None, modified: None });
            self.entry(oldest, path, depth, shown)?;
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry, parent: &Path, depth: usize, shown: &str) -> Result<()> {
        let slash = if entry.kind == Kind::Directory { "/" } else { "" };
        let label = format!("{}- {}{slash}", indent(depth), entry.name);
        let modified = (entry.kind != Kind::Link).then_some(entry.modified);
        let size = if let Kind::File(size) = entry.kind { Some(size) } else { None };
        self.lines.push(Line { label, size, modified });
        if entry.kind == Kind::Directory && depth < MAX_DEPTH {
            let shown = format!("{}/{}", shown.trim_end_matches('/'), entry.name);
            self.directory(&parent.join(&entry.file_name), depth + 1, &shown)?;
        }
        Ok(())
    }

    fn entries(&mut self, path: &Path, shown: &str) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in read_dir(path).map_err(|error| ToolError::io(shown, &error))? {
            if self.visited >= MAX_VISITED {
                break;
            }
            self.visited += 1;
            self.cancel.check()?;
            let entry = entry.map_err(|error| ToolError::io(shown, &error))?;
            let file_name = entry.file_name();
            if SKIPPED.iter().any(|skipped| file_name == *skipped) {
                self.omitted += 1;
                continue;
            }
            // What vanished since it was listed is not there.
            let Ok(metadata) = entry.metadata() else { continue };
            let file_type = metadata.file_type();
            let kind = if file_type.is_dir() {
                Kind::Directory
            } else if file_type.is_file() {
                Kind::File(metadata.len())
            } else if file_type.is_symlink() {
                Kind::Link
            } else {
                self.omitted += 1;
                continue;
            };
            let name = display_path(Path::new(&file_name), Path::new(""));
            let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            entries.push(Entry { name, file_name, kind, modified });
        }
        Ok(entries)
    }

    /// The aligned lines, the listed directory first; none for an empty directory.
    fn render(&self, now: SystemTime) -> Vec<String> {
        let width = self.lines.iter().map(|line| line.label.chars().count()).max().unwrap_or(0) + 2;
        let render = |line: &Line| {
            let size = line.size.map(format_bytes).unwrap_or_default();
            let age = line.modified.map(|modified| age(now, modified)).unwrap_or_default();
            format!("{:<width$}{size:<8}  {age}", line.label).trim_end().to_owned()
        };
        let root = (!self.lines.is_empty()).then(|| ".".to_owned());
        root.into_iter().chain(self.lines.iter().map(render)).collect()
    }
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

/// How long ago something changed, in its largest unit. The future is now.
fn age(now: SystemTime, modified: SystemTime) -> String {
    const UNITS: [(u64, &str); 5] =
        [(30 * 86_400, "mo"), (7 * 86_400, "w"), (86_400, "d"), (3_600, "h"), (60, "m")];
    let seconds = now.duration_since(modified).unwrap_or(Duration::ZERO).as_secs();
    match UNITS.iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) => format!("{}{name} ago", seconds / unit),
        None => "just now".into(),
    }
}

fn truncation_notice(
    target: &Target,
    walk: &Walk<'_>,
    start: usize,
    end: usize,
    total: usize,
    bytes: usize,
) -> Notice {
    let (path, kib) = (target.resolved(), bytes.div_ceil(1024));
    let mut facts = json!({"lines": end + 1 - start, "kib_ceil": kib, "retained": "first", "path": path});
    let mut text = format!("[Lines {start}-{end} of {total} of the listing shown, {kib} KiB");
    if end < total || start > 1 {
        facts["start"] = json!(start);
        facts["end"] = json!(end);
        facts["total"] = json!(total);
    }
    if end < total {
        facts["next"] = json!(end + 1);
        text.extend([format!(". Read {}:{}- to go on", target.shown, end + 1)]);
    }
    if walk.visited >= MAX_VISITED {
        facts["visited"] = json!(walk.visited);
        text.extend([format!(". Stopped after {} entries", walk.visited)]);
    }
    if walk.capped {
        text.extend([format!(". Read a directory below {path} to see all its entries")]);
    }
    text.push(']');
    Notice::new("listing_truncated", text, facts)
}

/// A directory that shows nothing is not therefore empty.
fn omitted_notice(count: usize) -> Notice {
    let text = format!(
        "[Nothing to list; {count} left out, which are dependencies, build output, pipes, sockets or devices]"
    );
    Notice::new("entries_omitted", text, json!({"count": count}))
}

fn unreadable_notice(paths: &[String]) -> Notice {
    let named = paths[..paths.len().min(MAX_NAMED)].join(", ");
    let more = match paths.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let text = format!("[Could not be read: {named}{more}]");
    Notice::new(
        "unreadable",
        text,
        json!({"count": paths.len(), "paths": &paths[..paths.len().min(MAX_NAMED)]}),
    )
}
