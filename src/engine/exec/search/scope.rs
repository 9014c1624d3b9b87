//! What a call searches: files, directories and globs, and members of archives by their addresses.

use std::path::{Path, PathBuf};

use super::member::Member;
use crate::engine::error::Result;
use crate::engine::exec::Context;
use crate::engine::files::{Targets, clean_entry, common_directory, display_path};

/// The `paths` of a call, resolved.
#[derive(Debug)]
pub(super) struct Scope {
    /// In the order of the call, each once.
    pub(super) members: Vec<Member>,
    /// May be empty where there are members.
    pub(super) targets: Targets,
}

impl Scope {
    /// Resolves entries. Some may be missing; an error if all are.
    pub(super) fn resolve(entries: &[String], context: &Context) -> Result<Self> {
        let (mut members, mut paths) = (Vec::<Member>::new(), Vec::new());
        for entry in entries {
            match Member::at(clean_entry(entry), context)? {
                Some(member) if members.iter().any(|known| known.shown == member.shown) => {}
                Some(member) => members.push(member),
                None => paths.push(entry.clone()),
            }
        }
        let targets = Targets::resolve_some(&paths, context.origin())?;
        if members.is_empty() && targets.are_none() {
            return Err(targets.nothing_there(context.origin()));
        }
        Ok(Self { members, targets })
    }

    /// Whether one file or one member is all there is.
    pub(super) fn is_single(&self) -> bool {
        match self.members.len() {
            0 => self.targets.single_file().is_some(),
            1 => self.targets.are_none(),
            _ => false,
        }
    }

    /// How it is shown: the one base relative to `cwd`, or the entries.
    pub(super) fn shown(&self, cwd: &Path) -> String {
        let targets = (!self.targets.are_none()).then(|| self.targets.shown(cwd));
        self.members.iter().map(|member| member.shown.clone()).chain(targets).collect::<Vec<_>>().join(", ")
    }

    /// The one path or address, or the deepest directory that holds everything.
    pub(super) fn base(&self) -> String {
        if let [member] = self.members.as_slice()
            && self.targets.are_none()
        {
            return display_path(&member.address(), Path::new(""));
        }
        if self.members.is_empty() {
            return display_path(&self.targets.common_base(), Path::new(""));
        }
        let archives = self.members.iter().filter_map(|member| member.archive().parent()).map(PathBuf::from);
        let targets = (!self.targets.are_none()).then(|| self.targets.common_base());
        let bases: Vec<PathBuf> = archives.chain(targets).collect();
        display_path(&common_directory(bases.iter().map(PathBuf::as_path)), Path::new(""))
    }
}
