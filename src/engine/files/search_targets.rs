//! From the `paths` of a call to files: cleaning up, telling literal paths from globs, walking.
//!
//! What exists under the very text of an entry wins over every other reading of it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::globs::{Glob, glob_below_base, has_bare_comma, is_glob, mentions, split_glob_below, unescape};
use super::kind::{Kind, stat};
use super::path::{display_path, resolve_existing};
use super::walk::{EntryKind, WalkEntry, WalkReport, WalkRules, walk};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};

/// Names of files whose members have addresses such as `a.zip:member`.
const ARCHIVE_ENDINGS: &[&str] = &[".zip", ".jar", ".tar", ".tgz", ".tar.gz", ".gz"];

/// Where paths start.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The session's directory.
    pub cwd: &'a Path,
    /// For `~`.
    pub home: Option<&'a Path>,
}

/// The entries of one call, resolved.
#[derive(Debug)]
pub struct Targets {
    /// At least one.
    targets: Vec<Target>,
    /// Entries that lead nowhere, as they were written.
    pub missing: Vec<String>,
}

#[derive(Debug)]
struct Target {
    /// As it was written, cleaned up.
    entry: String,
    /// The file, or the directory to walk.
    path: PathBuf,
    place: Place,
    /// The glob with `\` as a separator, to be tried if this one finds nothing.
    otherwise: Option<Box<Target>>,
}

#[derive(Debug)]
enum Place {
    File,
    Directory,
    Below(Glob),
}

/// What a walk of targets leaves out.
#[derive(Debug, Clone, Copy)]
pub struct TargetRules {
    /// Whether hidden entries are found.
    pub hidden: bool,
    /// Whether `.gitignore` counts.
    pub gitignore: bool,
    /// When to end an unfinished walk.
    pub deadline: Option<Instant>,
}

/// Something a target leads to.
#[derive(Debug)]
pub struct TargetEntry<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// What it is; an explicitly named file is one whatever the way to it.
    pub kind: EntryKind,
    /// Whether the caller named this very file.
    pub explicit: bool,
}

impl Targets {
    /// Resolves entries. Some may be missing; an error if all are.
    pub fn resolve(entries: &[String], origin: Origin) -> Result<Self> {
        let (mut targets, mut missing) = (Vec::new(), Vec::new());
        for text in entries {
            match Target::resolve(text, origin) {
                Ok(target) => targets.push(target),
                Err(ToolError::PathNotFound { path }) => missing.push(path),
                Err(error) => return Err(error),
            }
        }
        if targets.is_empty() {
            return Err(ToolError::PathNotFound { path: missing.join(", ") });
        }
        Ok(Self { targets, missing })
    }

    /// The file, if one file is all there is.
    #[must_use]
    pub fn single_file(&self) -> Option<&Path> {
        match self.targets.as_slice() {
            [Target { path, place: Place::File, .. }] => Some(path),
            _ => None,
        }
    }

    /// How the scope is shown: the one base relative to `cwd`, or the entries.
    #[must_use]
    pub fn shown(&self, cwd: &Path) -> String {
        match self.targets.as_slice() {
            [only] => display_path(&only.path, cwd),
            several => several.iter().map(|target| target.entry.as_str()).collect::<Vec<_>>().join(", "),
        }
    }

    /// The one path, or the deepest directory that holds all of them.
    #[must_use]
    pub fn common_base(&self) -> PathBuf {
        if let [only] = self.targets.as_slice() {
            return only.path.clone();
        }
        let mut directories = self.targets.iter().map(|target| match target.place {
            Place::File => target.path.parent().unwrap_or(&target.path),
            _ => &target.path,
        });
        let first = directories.next().map(Path::to_owned).unwrap_or_default();
        directories.fold(first, |common, directory| {
            common
                .ancestors()
                .find(|above| directory.starts_with(above))
                .map(Path::to_owned)
                .unwrap_or_default()
        })
    }

    /// Tells `visit` of every target's entries until it breaks. Plain files come as they were named, everything
    /// else in byte order of the paths, each once.
    pub fn visit(
        &mut self,
        rules: TargetRules,
        cancel: &CancelToken,
        visit: &mut dyn FnMut(TargetEntry) -> ControlFlow<()>,
    ) -> Result<WalkReport> {
        if let [only] = self.targets.as_mut_slice() {
            return only.visit(rules, cancel, visit);
        }
        let mut report = WalkReport::default();
        let mut found: Vec<(PathBuf, EntryKind, bool)> = Vec::new();
        for target in &mut self.targets {
            let part = target.visit(rules, cancel, &mut |entry| {
                found.push((entry.path.to_owned(), entry.kind, entry.explicit));
                ControlFlow::Continue(())
            })?;
            report.unreadable.extend(part.unreadable);
            report.timed_out |= part.timed_out;
        }
        report.unreadable.sort();
        report.unreadable.dedup();
        for (path, kind, explicit) in self.in_order(found) {
            if visit(TargetEntry { path: &path, kind, explicit }).is_break() {
                break;
            }
        }
        Ok(report)
    }

    fn in_order(&self, found: Vec<(PathBuf, EntryKind, bool)>) -> Vec<(PathBuf, EntryKind, bool)> {
        let mut ordered = Vec::with_capacity(found.len());
        if self.targets.iter().all(|target| matches!(target.place, Place::File)) {
            for entry in found {
                if !ordered.contains(&entry) {
                    ordered.push(entry);
                }
            }
            return ordered;
        }
        // Keyed by bytes: paths compare part by part, which is another order.
        let mut by_path = BTreeMap::new();
        for (path, kind, explicit) in found {
            let key = path.as_os_str().as_encoded_bytes().to_owned();
            let entry = by_path.entry(key).or_insert((path, kind, explicit));
            if explicit {
                (entry.1, entry.2) = (kind, true);
            }
        }
        ordered.extend(by_path.into_values());
        ordered
    }
}

impl Target {
    fn resolve(text: &str, origin: Origin) -> Result<Self> {
        let entry = clean(text);
        if entry.is_empty() {
            return Err(ToolError::EmptyPath { field: "paths".into() });
        }
        let entry = if origin.cwd.join(text).symlink_metadata().is_ok() { text } else { entry };
        for reading in [entry.to_owned(), unescape(entry), with_slashes(entry)] {
            if let Some(target) = Self::literal(entry, &reading, origin)? {
                return Ok(target);
            }
        }
        refuse_archive_member(entry, origin)?;
        if has_bare_comma(entry) {
            return Err(ToolError::PackedPaths { path: entry.to_owned() });
        }
        if !is_glob(entry) && !is_glob(&with_slashes(entry)) {
            return Err(ToolError::PathNotFound { path: entry.to_owned() });
        }
        let otherwise = with_slashes(entry);
        if otherwise == entry {
            return Self::glob(entry, entry, origin);
        }
        match (Self::glob(entry, entry, origin), Self::glob(entry, &otherwise, origin)) {
            (Ok(target), Ok(other)) => Ok(Self { otherwise: Some(Box::new(other)), ..target }),
            (Err(_), Ok(target)) | (Ok(target), Err(_)) => Ok(target),
            (Err(error), Err(_)) => Err(error),
        }
    }

    /// The target of a path that exists.
    fn literal(entry: &str, reading: &str, origin: Origin) -> Result<Option<Self>> {
        let path = resolve(reading, entry, origin)?;
        let place = match stat(&path, entry) {
            Ok(Kind::File(_)) => Place::File,
            Ok(Kind::Directory(_)) => Place::Directory,
            Ok(Kind::Special(name)) => {
                let reason = format!("is a {name}, not a regular file or directory");
                return Err(ToolError::Io { path: entry.to_owned(), reason });
            }
            Err(ToolError::PathNotFound { .. }) => return Ok(None),
            // A glob may well be too long or too odd to be a name; then it is no literal path.
            Err(ToolError::Io { .. }) if is_glob(entry) => return Ok(None),
            Err(error) => return Err(error),
        };
        if matches!(place, Place::Directory) {
            refuse_root(&path, entry)?;
        }
        Ok(Some(Self { entry: entry.to_owned(), path, place, otherwise: None }))
    }

    /// The target of a glob.
    fn glob(entry: &str, reading: &str, origin: Origin) -> Result<Self> {
        let is_directory = |base: &str| resolve(base, entry, origin).is_ok_and(|path| path.is_dir());
        let (base, glob) = match split_glob_below(reading, is_directory) {
            // Only slash-free globs recurse.
            (base, Some(glob)) if glob.len() == reading.len() => (base, glob_below_base(glob)),
            (base, Some(glob)) => (base, glob.to_owned()),
            (base, None) => (base, "**/*".to_owned()),
        };
        let glob = Glob::new(&glob).map_err(|error| match error {
            ToolError::InvalidGlob { reason, .. } => {
                ToolError::InvalidGlob { glob: entry.to_owned(), reason }
            }
            other => other,
        })?;
        let path = match base {
            "/" => PathBuf::from("/"),
            base => resolve(&unescape(base), entry, origin)?,
        };
        match stat(&path, entry)? {
            Kind::Directory(_) => refuse_root(&path, entry)?,
            _ => return Err(ToolError::NotADirectory { path: base.to_owned() }),
        }
        Ok(Self { entry: entry.to_owned(), path, place: Place::Below(glob), otherwise: None })
    }

    /// Visits the entries; a glob that finds nothing gives way to its other reading.
    fn visit(
        &mut self,
        rules: TargetRules,
        cancel: &CancelToken,
        visit: &mut dyn FnMut(TargetEntry) -> ControlFlow<()>,
    ) -> Result<WalkReport> {
        let mut found = false;
        let report = self.walk(rules, cancel, &mut |entry| {
            found = true;
            visit(entry)
        })?;
        match self.otherwise.take() {
            Some(other) if !found && !report.timed_out => {
                *self = *other;
                self.walk(rules, cancel, visit)
            }
            _ => Ok(report),
        }
    }

    fn walk(
        &self,
        rules: TargetRules,
        cancel: &CancelToken,
        visit: &mut dyn FnMut(TargetEntry) -> ControlFlow<()>,
    ) -> Result<WalkReport> {
        let glob = match &self.place {
            Place::File => {
                let _ = visit(TargetEntry { path: &self.path, kind: EntryKind::File, explicit: true });
                return Ok(WalkReport::default());
            }
            Place::Directory => None,
            Place::Below(glob) => Some(glob),
        };
        let rules = WalkRules {
            hidden: rules.hidden,
            gitignore: rules.gitignore,
            git_directory: mentions(&self.entry, ".git"),
            node_modules: mentions(&self.entry, "node_modules"),
            deadline: rules.deadline,
        };
        walk(&self.path, &rules, cancel, &mut |WalkEntry { path, relative, kind }| match glob {
            Some(glob) if !glob.matches(relative) => ControlFlow::Continue(()),
            _ => visit(TargetEntry { path, kind, explicit: false }),
        })
    }
}

/// Trims, and removes one pair of double quotes around the rest.
fn clean(text: &str) -> &str {
    let text = text.trim();
    let unquoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    unquoted.unwrap_or(text)
}

fn with_slashes(entry: &str) -> String {
    entry.replace('\\', "/")
}

fn resolve(reading: &str, entry: &str, origin: Origin) -> Result<PathBuf> {
    resolve_existing(reading, origin.cwd, origin.home).map_err(|error| match error {
        ToolError::InternalUrlAsPath { .. } => ToolError::Unsupported {
            feature: "internal addresses as paths".into(),
            path: Some(entry.to_owned()),
        },
        other => other,
    })
}

/// The root is refused whatever leads to it, as a walk of it would never end.
fn refuse_root(path: &Path, entry: &str) -> Result<()> {
    match path.canonicalize() {
        Ok(real) if real.parent().is_none() => Err(ToolError::RootSearchForbidden { path: entry.to_owned() }),
        _ => Ok(()),
    }
}

fn refuse_archive_member(entry: &str, origin: Origin) -> Result<()> {
    for (at, _) in entry.match_indices(':') {
        let archive = &entry[..at];
        let lower = archive.to_lowercase();
        if ARCHIVE_ENDINGS.iter().any(|ending| lower.ends_with(ending))
            && resolve(archive, entry, origin)?.is_file()
        {
            let feature = "looking inside archives".to_owned();
            return Err(ToolError::Unsupported { feature, path: Some(entry.to_owned()) });
        }
    }
    Ok(())
}
