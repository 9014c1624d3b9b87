//! What lies within a file: members of archives, tables and rows of databases, `x.zip:a/b.txt:1-20`, `d.db:users:3`.
//!
//! A file that is really called so is meant before any other reading of its name.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::address::{Found, Target};
use super::call::Call;
use super::content::{self, Content};
use super::options::{Direction, Options, View};
use super::page::{append, footer};
use super::selector::{self, Range, Selector};
use super::source::Source;
use super::{range, run};
use crate::engine::cancel::CancelToken;
use crate::engine::content::archive::{
    Archive, Child, Children, Entry, Format, Kind, Looked, Stop, Wanted, member_names,
};
use crate::engine::content::sqlite;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::contained::{self, Contained, Container};
use crate::engine::files;
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::text::format_bytes;

/// Entries of a listing that are shown at once.
const MOST_ENTRIES: u64 = 500;
/// The window of a member that is read without selector.
const MEMBER_LINES: usize = 3000;
const MEMBER_BYTES: usize = 50 * 1024;

/// Reads what lies within a file; nothing if the path leads to no archive and no database.
pub fn read(
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
    count_time: Duration,
) -> Result<Option<Outcome>> {
    let Some(contained) = contained::locate(&options.path, context)? else { return Ok(None) };
    read_at(contained, options, context, cancel, count_time).map(Some)
}

/// Reads what lies at a place within a file.
pub fn read_at(
    contained: Contained,
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
    count_time: Duration,
) -> Result<Outcome> {
    let shown = files::display_path(&contained.path, &context.cwd);
    let reader = Reader { options, context, cancel, count_time, contained, shown };
    match reader.contained.container {
        Container::Archive(format) => reader.archive(format),
        Container::Database => reader.database(),
    }
}

struct Reader<'a> {
    options: &'a Options,
    context: &'a Context,
    cancel: &'a CancelToken,
    count_time: Duration,
    contained: Contained,
    /// The file itself as the model is shown it.
    shown: String,
}

/// One reading of what stands behind the path of an archive.
struct Reading {
    member: String,
    selector: Option<Selector>,
    /// The selector as it was written.
    written: String,
}

impl Reader<'_> {
    fn database(&self) -> Result<Outcome> {
        self.refuse_direction("rows have no end to start from")?;
        // The library opens files by name.
        files::require_allowed(&self.contained.path, &self.shown)?;
        let rest = &self.contained.rest;
        let shown = sqlite::read(&self.contained.path, &self.shown, rest, self.cancel)?;
        let target = self.target(self.shown.clone(), None);
        let mut outcome = Outcome::text(shown.text).detail("resolvedPath", target.resolved());
        outcome.meta = target.meta();
        shown.notices.into_iter().for_each(|notice| outcome.note(notice));
        Ok(outcome)
    }

    fn archive(&self, format: Format) -> Result<Outcome> {
        let mut archive = Archive::open(&self.contained.path, &self.shown, format)?;
        let readings = self.readings()?;
        let wanted: Vec<Wanted> = readings
            .iter()
            .map(|reading| Wanted {
                name: reading.member.clone(),
                most: last_entry(reading.selector.as_ref()),
            })
            .collect();
        let (looked, stop) = archive.look(&wanted, self.cancel)?;
        let directory_meant = self.contained.rest.ends_with('/');
        for (reading, looked) in readings.iter().zip(looked) {
            match looked {
                Looked { member: Some(entry), .. } if !directory_meant => {
                    return self.member(&mut archive, &entry, reading);
                }
                Looked { children: Some(children), .. } => {
                    return self.list(&children, reading, stop.as_ref());
                }
                // An archive without entries is a directory all the same.
                _ if reading.member.is_empty() => {
                    return self.list(&Children::default(), reading, stop.as_ref());
                }
                _ => {}
            }
        }
        match stop {
            Some(Stop::Damaged(reason)) => {
                Err(ToolError::ArchiveInvalid { path: self.shown.clone(), reason })
            }
            // What was not looked through may well hold it.
            Some(Stop::Budget) => {
                let reason =
                    "it is so large that only its first part was looked through, without finding that".into();
                Err(ToolError::ArchiveInvalid { path: files::escape_control(&self.options.path), reason })
            }
            None => Err(self.not_found()),
        }
    }

    fn not_found(&self) -> ToolError {
        let path = files::escape_control(&self.options.path);
        ToolError::ArchiveMemberNotFound { path, archive: self.shown.clone() }
    }

    /// Every reading as a member and a selector, the longest member first; an archive itself last.
    fn readings(&self) -> Result<Vec<Reading>> {
        let rest = self.contained.rest.strip_prefix(':').unwrap_or(&self.contained.rest);
        let mut readings = Vec::new();
        for split in selector::splits(rest) {
            for member in member_names(split.target) {
                let written = split.selector.unwrap_or_default().to_owned();
                readings.push((member, split, written));
            }
        }
        if readings.is_empty() && !rest.is_empty() {
            return Err(self.not_found());
        }
        // Behind the archive itself everything may be a selector.
        let whole = format!("-:{rest}");
        let own = selector::split(&whole);
        let own = if rest.is_empty() { None } else { (own.target == "-").then_some(own) };
        let parse = |(member, split, written): (String, selector::Split<'_>, String)| {
            selector::parse(&split).map(|selector| Reading { member, selector, written })
        };
        let own = own.map(|split| (String::new(), split, rest.to_owned()));
        // A selector that makes no sense is none, unless nothing else is left.
        let several = readings.len() + usize::from(own.is_some()) > 1;
        let parsed = readings.into_iter().chain(own).map(parse).filter(|reading| reading.is_ok() || !several);
        parsed.collect()
    }

    fn list(&self, children: &Children, reading: &Reading, stop: Option<&Stop>) -> Result<Outcome> {
        self.refuse_direction("a listing starts at its first entry")?;
        let shown = self.shown_member(&reading.member);
        let target = self.target(shown.clone(), reading.selector.clone());
        let unsupported = |reason: &str| ToolError::SelectorUnsupported {
            path: shown.clone(),
            selector: reading.written.clone(),
            reason: reason.to_owned(),
        };
        let range = match &reading.selector {
            None => Range { start: 1, end: None },
            Some(Selector::Lines { ranges, .. }) => match ranges.as_slice() {
                [range] => *range,
                _ => return Err(unsupported("a listing is shown from one entry to another")),
            },
            Some(_) => return Err(unsupported("it is a directory of an archive")),
        };
        let last = last_entry(reading.selector.as_ref()) as u64;
        let skipped = usize::try_from(range.start - 1).unwrap_or(usize::MAX);
        let rows: Vec<String> = children.rows().skip(skipped).map(row).collect();
        let mut outcome = if children.is_empty() {
            Outcome::text("(empty)")
        } else if rows.is_empty() {
            range::beyond_end(&target, range.start, children.len() as u64, "listing")
        } else {
            Outcome::text(rows.join("\n"))
        };
        outcome = outcome.detail("resolvedPath", target.resolved()).detail("isDirectory", true);
        outcome.meta = target.meta();
        if children.more {
            let at = if reading.member.is_empty() { &self.shown } else { &shown };
            let (next, count) = (last + 1, rows.len());
            let text = format!(
                "[{count} entries shown, more follow. Read {at}:{next}-{} to go on]",
                last + MOST_ENTRIES
            );
            let facts = json!({"reached": last, "suggestion": 2 * last, "next": next, "path": shown});
            footer(&mut outcome, Notice::new("result_limit", text, facts));
        }
        if children.hostile_count > 0 {
            footer(&mut outcome, unsafe_names(children));
        }
        if let Some(stop) = stop {
            footer(&mut outcome, incomplete(stop));
        }
        Ok(outcome)
    }

    fn member(&self, archive: &mut Archive, entry: &Entry, reading: &Reading) -> Result<Outcome> {
        let shown = self.shown_member(&entry.name.text);
        let target = self.target(shown.clone(), reading.selector.clone());
        let name = &entry.name.text;
        let described = |notice: Notice| {
            let mut outcome = Outcome::text(notice.text.clone()).detail("resolvedPath", target.resolved());
            outcome.meta = target.meta();
            outcome.note(notice);
            outcome
        };
        match &entry.kind {
            Kind::File | Kind::Directory => {}
            Kind::Link(to) => {
                let text = format!("[{name} is a link to {to} in {}]", self.shown);
                return Ok(described(Notice::new(
                    "archive_link",
                    text,
                    json!({"entry": name, "target": to}),
                )));
            }
            Kind::Sparse => return Ok(described(binary_entry(name, entry.size, "a file with holes"))),
            Kind::Special => return Ok(described(binary_entry(name, entry.size, "a device or pipe"))),
        }
        let bytes = archive.read(entry, &shown, self.cancel)?;
        let raw = reading.selector.as_ref().is_some_and(Selector::is_raw);
        let has_mark = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        if !raw && !has_mark && memchr::memchr(0, &bytes).is_some() {
            return Ok(described(binary_entry(name, entry.size, "no text")));
        }
        let mut view = View::new(self.options, self.context, raw);
        view.direction = self.options.truncation.unwrap_or(Direction::Last);
        (view.receipt_lines, view.receipt_bytes) = (MEMBER_LINES, MEMBER_BYTES);
        if reading.selector.is_some() {
            self.refuse_direction("a selector already says which part is wanted")?;
        }
        let mut source = Source::from_memory(bytes, &shown, self.cancel)?;
        let content = if has_mark && !raw { content::sniff(source.head()) } else { Content::Text };
        let call = Call { target: &target, view: &view, cancel: self.cancel };
        let mut outcome =
            run::show(call, &mut source, content, self.count_time)?.detail("spillEligible", false);
        if let Some(hostile) = &entry.name.hostile {
            let text = format!("[The archive calls this entry {hostile}]");
            append(
                &mut outcome,
                "\n",
                Notice::new("unsafe_names", text, json!({"count": 1, "names": [hostile]})),
            );
        }
        Ok(outcome)
    }

    fn shown_member(&self, member: &str) -> String {
        format!("{}:{member}", self.shown)
    }

    fn target(&self, shown: String, selector: Option<Selector>) -> Target {
        let path: PathBuf = self.contained.path.clone();
        Target {
            path,
            shown,
            selector,
            found: Found::File,
            entity: "archive member",
            notice: None,
            remote: None,
        }
    }

    fn refuse_direction(&self, reason: &str) -> Result<()> {
        if self.options.truncation.is_none() {
            return Ok(());
        }
        let path = files::escape_control(&self.options.path);
        Err(ToolError::TruncationUnsupported { path, reason: reason.to_owned() })
    }
}

/// The last entry that a page shows.
fn last_entry(selector: Option<&Selector>) -> usize {
    let range = match selector {
        Some(Selector::Lines { ranges, .. }) => ranges.first().copied(),
        _ => None,
    };
    let Range { start, end } = range.unwrap_or(Range { start: 1, end: None });
    let last = start.saturating_add(MOST_ENTRIES - 1);
    usize::try_from(end.map_or(last, |end| end.min(last))).unwrap_or(usize::MAX)
}

fn row(child: &Child) -> String {
    match child {
        child if child.is_directory => format!("{}/", child.name),
        child if child.link.is_some() => {
            format!("{} -> {}", child.name, child.link.as_deref().unwrap_or_default())
        }
        child if child.size == 0 => child.name.clone(),
        child => format!("{} ({})", child.name, format_bytes(child.size)),
    }
}

fn binary_entry(name: &str, size: u64, what: &str) -> Notice {
    let size = format_bytes(size);
    let text = format!("[{name} ({size}) is {what}]");
    Notice::new("binary_entry", text, json!({"entry": name, "size": size}))
}

fn unsafe_names(children: &Children) -> Notice {
    let (count, names) = (children.hostile_count, children.hostile.join(", "));
    let entries = if count == 1 { "entry has a name" } else { "entries have names" };
    let text = format!("[{count} {entries} that lead out of the archive, shown without that: {names}]");
    Notice::new("unsafe_names", text, json!({"count": count, "names": children.hostile}))
}

fn incomplete(stop: &Stop) -> Notice {
    match stop {
        Stop::Budget => {
            let text =
                "[The archive is large: only its first part was looked through, so entries may be missing]";
            Notice::new("archive_incomplete", text, json!({"reason": "budget"}))
        }
        Stop::Damaged(reason) => {
            let text = format!("[The archive is damaged behind these entries: {reason}]");
            Notice::new("archive_incomplete", text, json!({"reason": "damaged"}))
        }
    }
}
