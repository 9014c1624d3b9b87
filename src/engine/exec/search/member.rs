//! Members of archives: `x.zip:notes/a.txt`. They are read into memory and searched there; nothing is unpacked to disk.

use std::path::{Path, PathBuf};

use super::scan::{Hits, Plan, Scanned, Scanner, Skip};
use crate::engine::cancel::CancelToken;
use crate::engine::content::archive::{Archive, Format, Kind, Wanted, member_names};
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::contained::{Contained, Container, locate};
use crate::engine::files::{display_path, escape_control};

/// The address of a member.
#[derive(Debug)]
pub(super) struct Member {
    archive: PathBuf,
    format: Format,
    /// What stands behind the `:`.
    asked: String,
    /// The address as it is shown.
    pub(super) shown: String,
}

/// What a search of members gave, in their order.
#[derive(Debug, Default)]
pub(super) struct Searched {
    pub(super) found: Vec<(PathBuf, Hits)>,
    pub(super) refused: Vec<Refused>,
}

/// A member that was not searched.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) shown: String,
    pub(super) error: ToolError,
}

/// Searches members one after the other. An error if none can be searched and there is `nothing_else`.
pub(super) fn search(
    members: &[Member],
    plan: &Plan,
    nothing_else: bool,
    cancel: &CancelToken,
) -> Result<Searched> {
    let mut searched = Searched::default();
    if members.is_empty() {
        return Ok(searched);
    }
    // Nothing in an archive can be edited by the anchors of its lines.
    let plan = Plan { anchors: false, ..plan.clone() };
    let mut scanner = Scanner::of(&plan, cancel.clone());
    for member in members {
        match member.search(&plan, &mut scanner, cancel) {
            Ok(Some(hits)) => searched.found.push((member.address(), hits)),
            Ok(None) => {}
            Err(error) => searched.refused.push(Refused { shown: member.shown.clone(), error }),
        }
        cancel.check()?;
    }
    if nothing_else && searched.refused.len() == members.len() {
        return Err(refusal(searched.refused));
    }
    Ok(searched)
}

/// One error for members of which none can be searched.
fn refusal(mut refused: Vec<Refused>) -> ToolError {
    match refused.pop() {
        Some(only) if refused.is_empty() => only.error,
        last => {
            let names: Vec<String> = refused.into_iter().chain(last).map(|refused| refused.shown).collect();
            unsearchable(&names.join(", "), "none of them can be read as text")
        }
    }
}

impl Member {
    /// The member that an entry means; nothing where it is a path.
    pub(super) fn at(entry: &str, context: &Context) -> Result<Option<Self>> {
        let Some(Contained { path, container: Container::Archive(format), rest }) = locate(entry, context)?
        else {
            return Ok(None);
        };
        let Some(asked) = rest.strip_prefix(':') else { return Ok(None) };
        let shown = format!("{}:{}", display_path(&path, &context.cwd), escape_control(asked));
        Ok(Some(Self { archive: path, format, asked: asked.to_owned(), shown }))
    }

    pub(super) fn archive(&self) -> &Path {
        &self.archive
    }

    /// The address as a path, for showing it like one.
    pub(super) fn address(&self) -> PathBuf {
        let mut address = self.archive.clone().into_os_string();
        address.push(":");
        address.push(&self.asked);
        address.into()
    }

    fn search(&self, plan: &Plan, scanner: &mut Scanner, cancel: &CancelToken) -> Result<Option<Hits>> {
        match scanner.scan_bytes(plan, self.read(cancel)?) {
            Scanned::Nothing => Ok(None),
            Scanned::Hits(hits) => Ok(Some(hits)),
            Scanned::Skipped(Skip::Unreadable(error)) => Err(error),
            Scanned::Skipped(Skip::Binary) => Err(self.unsearchable("it is binary (it has NUL bytes)")),
            Scanned::Skipped(Skip::Oversized) => Err(self.unsearchable("a line of it is too long")),
        }
    }

    fn read(&self, cancel: &CancelToken) -> Result<Vec<u8>> {
        let mut archive = Archive::open(&self.archive, &self.shown, self.format)?;
        let names = member_names(&self.asked).into_iter().filter(|name| !name.is_empty());
        let wanted: Vec<Wanted> = names.map(|name| Wanted { name, most: 1 }).collect();
        let (looked, stop) = archive.look(&wanted, cancel)?;
        let mut is_directory = wanted.is_empty();
        for looked in looked {
            match looked.member {
                Some(entry) if entry.kind == Kind::File => return archive.read(&entry, &self.shown, cancel),
                Some(_) => return Err(self.unsearchable("it is no file but a link or a device")),
                None => is_directory |= looked.children.is_some(),
            }
        }
        Err(self.unsearchable(match (is_directory, stop) {
            (true, _) => "it is a directory of the archive; name its files one by one",
            (false, None) => "the archive has no such member",
            (false, Some(_)) => "it was not found in the part of the archive that can be read",
        }))
    }

    fn unsearchable(&self, reason: &str) -> ToolError {
        unsearchable(&self.shown, reason)
    }
}

fn unsearchable(path: &str, reason: &str) -> ToolError {
    ToolError::ArchiveUnsearchable { path: path.to_owned(), reason: reason.to_owned() }
}
