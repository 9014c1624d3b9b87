//! Writing into a file that holds other things: a member of an archive (`x.zip:a/b.txt`), a row of a database
//! (`d.db:users:3`).

use std::path::PathBuf;

use serde_json::json;

use super::Context;
use super::contained::{self, Container};
use super::guard::allowed_by_plan;
use super::write::Options;
use crate::engine::cancel::CancelToken;
use crate::engine::content::archive::{self, Archive, Format, MAX_ARCHIVE, Wanted};
use crate::engine::content::sqlite::{self, Changed};
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{self, Expected, InPlace};
use crate::engine::outcome::{Notice, Outcome, OutputMeta, SourceMeta};

/// Runs the call; nothing if the path means a file.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Option<Outcome>> {
    let Some(place) = Place::find(&options.path, context)? else { return Ok(None) };
    cancel.check()?;
    match place.container {
        Container::Archive(format) => member(&place, format, options, context, cancel),
        Container::Database => row(&place, options, context, cancel),
    }
    .map(Some)
}

struct Place {
    path: PathBuf,
    container: Container,
    /// Without the `:` in front.
    rest: String,
    exists: bool,
}

impl Place {
    /// The place behind the longest container that exists, or behind the shortest one that could be made.
    fn find(text: &str, context: &Context) -> Result<Option<Self>> {
        if text.contains("://") && !text.starts_with("file://") {
            return Ok(None);
        }
        let (cwd, home) = (&context.cwd, context.home.as_deref());
        let mut found = None;
        for prefix in contained::prefixes(text) {
            let Some(container) = contained::by_name(prefix) else { continue };
            let path = files::resolve_for_writing(prefix, cwd, home)?;
            // What is really called so is meant before any reading of its name.
            if prefix.len() == text.len() {
                return Ok(None);
            }
            let exists = path.symlink_metadata().is_ok();
            let rest = text[prefix.len()..].to_owned();
            found = Some(Self { path, container, rest, exists });
            if exists {
                break;
            }
        }
        let whole = files::resolve_for_writing(text, cwd, home);
        if found.is_some() && whole.is_ok_and(|path| path.symlink_metadata().is_ok()) {
            return Ok(None);
        }
        // `x.zip?a` is a name like any other; only databases have such addresses.
        Ok(found.filter(|place| place.rest.starts_with(':') || place.container == Container::Database))
    }
}

fn member(
    place: &Place,
    format: Format,
    options: &Options,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let address = files::escape_control(&options.path);
    let name = member_name(&address, &place.rest[1..])?;
    let shown = files::display_path(&place.path, &context.cwd);
    let writer = context.writer();
    let path = allowed_by_plan(place.path.clone(), context)?;
    let target = writer.lock(&path, &shown, cancel)?;
    let old = if place.exists { Some(files::read_regular(target.path(), &shown, MAX_ARCHIVE)) } else { None };
    let old = match old.transpose() {
        Err(ToolError::FileTooLarge { path, size, limit }) => {
            return Err(ToolError::ArchiveTooLarge { path, size, limit });
        }
        old => old?.map(|(bytes, _)| bytes),
    };
    let before = old.as_deref().unwrap_or_default();
    if !before.is_empty() {
        let mut archive = Archive::open(target.path(), &shown, format)?;
        require_room(&mut archive, &name, &address, cancel)?;
    }
    let new = archive::set_member(format, before, &name, options.content.as_bytes(), cancel);
    cancel.check()?;
    let new = new.map_err(|reason| ToolError::ArchiveInvalid { path: shown.clone(), reason })?;
    // Somebody else may have written an archive while this one was put together.
    let expected = old.as_deref().map_or(Expected::Missing, Expected::Bytes);
    let written = writer.write(&target, &new, expected)?;
    let text = format!("Successfully wrote {} bytes to {shown}:{name}", options.content.len());
    Ok(Outcome::text(text).detail("writtenInPlace", written.in_place.map(InPlace::name)))
}

/// Refuses a name that is a directory of the archive or lies below one of its files: nobody could unpack both.
fn require_room(archive: &mut Archive, name: &str, address: &str, cancel: &CancelToken) -> Result<()> {
    let above = name.match_indices('/').map(|(at, _)| &name[..at]);
    let names = std::iter::once(name).chain(above);
    let wanted: Vec<Wanted> = names.map(|name| Wanted { name: name.to_owned(), most: 1 }).collect();
    let (looked, _) = archive.look(&wanted, cancel)?;
    cancel.check()?;
    let refuse = |reason| Err(ToolError::ArchiveBadTarget { path: address.to_owned(), reason });
    if looked[0].children.is_some() {
        return refuse("it is a directory in the archive".to_owned());
    }
    let mut above = looked.iter().zip(&wanted).skip(1);
    match above.find(|(looked, _)| looked.member.is_some()) {
        Some((_, file)) => refuse(format!("`{}` is a file in the archive, not a directory", file.name)),
        None => Ok(()),
    }
}

/// The name of a member as it goes into an archive: a place below it, and a file.
fn member_name(address: &str, asked: &str) -> Result<String> {
    let bad_path =
        |reason: &str| ToolError::ArchiveBadPath { path: address.to_owned(), reason: reason.to_owned() };
    let bad_target =
        |reason: &str| ToolError::ArchiveBadTarget { path: address.to_owned(), reason: reason.to_owned() };
    let slashed = asked.replace('\\', "/");
    if slashed.split('/').any(|part| part == "..") {
        return Err(bad_path("`..` leads out of the archive"));
    }
    if slashed.starts_with('/') || (slashed.len() > 1 && slashed.as_bytes()[1] == b':') {
        return Err(bad_path("a member has a relative name"));
    }
    if slashed.chars().any(char::is_control) {
        return Err(bad_path("it has a control character"));
    }
    if slashed.is_empty() || slashed.ends_with('/') {
        return Err(bad_target("it names a directory, not a file in the archive"));
    }
    let parts: Vec<&str> = slashed.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.is_empty() {
        return Err(bad_target("it names no file in the archive"));
    }
    Ok(parts.join("/"))
}

fn row(place: &Place, options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let address = files::escape_control(&options.path);
    let not_found =
        |reason: &str| ToolError::SqliteDbNotFound { path: address.clone(), reason: reason.to_owned() };
    let shown = files::display_path(&place.path, &context.cwd);
    // Asked first: what is outside, or not there, is not told.
    files::require_allowed(&place.path, &shown)?;
    if !place.exists {
        return Err(not_found("the file does not exist, and a write into a table makes none"));
    }
    if !sqlite::is_database(&place.path) {
        return Err(not_found("the file is no SQLite database"));
    }
    let path = allowed_by_plan(place.path.clone(), context)?;
    files::require_allowed(&path, &shown)?;
    let change = sqlite::write(&path, &address, &place.rest, &options.content, cancel)?;
    let (table, key) = (&change.table, change.key.as_deref());
    let named = key.map(|key| format!(" {shown}:{table}:{key}")).unwrap_or_default();
    let (kind, text) = match change.changed {
        Changed::Inserted => ("row_inserted", format!("Inserted a row into {table}{named}")),
        Changed::Updated => ("row_updated", format!("Updated the row{named}")),
        Changed::Deleted => ("row_deleted", format!("Deleted the row{named}")),
        Changed::Missing => ("row_not_found", format!("There is no row{named}; nothing was changed")),
    };
    let source =
        SourceMeta { kind: "path".into(), value: files::display_path(&place.path, &place.path.join("-")) };
    let mut outcome = Outcome::text(text.clone());
    outcome.meta = OutputMeta { source: Some(source), ..OutputMeta::default() };
    outcome.note(Notice::new(kind, text, json!({"table": table, "key": key})));
    Ok(outcome)
}
