//! From the `paths` of a call to files: cleaning up, telling literal paths from globs, walking.
//!
//! What exists under the very text of an entry wins over every other reading of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::globs::{Glob, glob_below_base, has_bare_comma, is_glob, mentions, split_glob_below, unescape};
use super::kind::{Kind, stat};
use super::path::{display_path, resolve_existing, resolve_for_writing, starts_path};
use super::walk::{Course, Done, Progress, Root, Survey, WalkRules, walk};
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
#[derive(Debug, Clone, Default)]
pub struct TargetRules {
    /// Whether hidden entries are found.
    pub hidden: bool,
    /// Whether `.gitignore` counts.
    pub gitignore: bool,
    /// The user's own rules for every work tree.
    pub global_excludes: Option<Arc<str>>,
}

impl Targets {
    /// Resolves entries. Some may be missing; an error if all are.
    pub fn resolve(entries: &[String], origin: Origin) -> Result<Self> {
        let targets = Self::resolve_some(entries, origin)?;
        if targets.are_none() {
            return Err(targets.nothing_there(origin));
        }
        Ok(targets)
    }

    /// The error of a call whose entries all lead nowhere. Where the directory that they start from is not there, that is named.
    pub(in crate::engine) fn nothing_there(&self, origin: Origin) -> ToolError {
        let start_here = self.missing.iter().all(|entry| !starts_path(entry));
        let is_gone = matches!(stat(origin.cwd, ""), Err(ToolError::PathNotFound { .. }));
        let path = if start_here && is_gone {
            display_path(origin.cwd, Path::new(""))
        } else {
            self.missing.join(", ")
        };
        ToolError::PathNotFound { path }
    }

    /// Resolves entries, all of which may be missing.
    pub fn resolve_some(entries: &[String], origin: Origin) -> Result<Self> {
        let (mut targets, mut missing) = (Vec::new(), Vec::new());
        for text in entries {
            match Target::resolve(text, origin) {
                Ok(target) => targets.push(target),
                Err(ToolError::PathNotFound { path }) => missing.push(path),
                Err(error) => return Err(error),
            }
        }
        Ok(Self { targets, missing })
    }

    /// Whether nothing is there.
    #[must_use]
    pub fn are_none(&self) -> bool {
        self.targets.is_empty()
    }

    /// The file, if one file is all there is.
    #[must_use]
    pub fn single_file(&self) -> Option<&Path> {
        match self.targets.as_slice() {
            [Target { path, place: Place::File, .. }] => Some(path),
            _ => None,
        }
    }

    /// Whether there are several, which may lead to the same files.
    #[must_use]
    pub fn are_several(&self) -> bool {
        self.targets.len() > 1
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
        common_directory(self.targets.iter().map(|target| match target.place {
            Place::File => target.path.parent().unwrap_or(&target.path),
            _ => target.path.as_path(),
        }))
    }

    /// Where a walk starts, if all targets are files and directories.
    #[must_use]
    pub fn plain_roots(&self, rules: &TargetRules) -> Option<Vec<Root>> {
        let is_plain = |target: &Target| !matches!(target.place, Place::Below(_));
        self.targets.iter().all(is_plain).then(|| self.roots(rules))
    }

    fn roots(&self, rules: &TargetRules) -> Vec<Root> {
        let in_order = self.targets.iter().all(|target| matches!(target.place, Place::File));
        // The first one counts where a file is named twice.
        let first = |path: &Path| self.targets.iter().position(|target| target.path == path);
        let order = |target: &Target| if in_order { first(&target.path).unwrap_or(0) } else { 0 };
        self.targets.iter().map(|target| target.root(rules, order(target))).collect()
    }

    /// Walks everything that the targets lead to, on several threads. A file that several targets lead to is met
    /// several times, with the same key. If all targets are files, their order counts, else that of the paths.
    pub fn walk<S: Survey>(
        &mut self,
        survey: S,
        rules: &TargetRules,
        course: &Course,
        mut progress: Option<Progress<'_, S>>,
    ) -> Result<Done<S>> {
        let roots = self.roots(rules);
        let again = progress.as_mut().map(|(pause, tell)| (*pause, &mut **tell as &mut dyn FnMut(&S)));
        let mut done = walk(Arc::new(survey), roots, course.clone(), again)?;
        let mut others = Vec::new();
        for (target, met) in self.targets.iter_mut().zip(&done.met) {
            // A glob that finds nothing gives way to its other reading.
            if let Some(other) = target.otherwise.take().filter(|_| !met) {
                others.push(other.root(rules, 0));
                *target = *other;
            }
        }
        if others.is_empty() || done.report.timed_out {
            return Ok(done);
        }
        let second = walk(Arc::clone(&done.survey), others, course.clone(), progress)?;
        done.workers.extend(second.workers);
        done.report.unreadable.extend(second.report.unreadable);
        done.report.timed_out |= second.report.timed_out;
        Ok(done)
    }
}

impl Target {
    fn resolve(text: &str, origin: Origin) -> Result<Self> {
        let entry = clean_entry(text);
        if entry.is_empty() {
            return Err(ToolError::EmptyPath { field: "paths".into() });
        }
        let entry = if origin.cwd.join(text).symlink_metadata().is_ok() { text } else { entry };
        // With a bare `*` or the like what is escaped beside it is a part of a glob, and no name.
        let unescaped = if is_glob(entry) { entry.to_owned() } else { unescape(entry) };
        for reading in [entry.to_owned(), unescaped, with_slashes(entry)] {
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
        // A glob is no other spelling of a name.
        let path = if is_glob(entry) {
            as_path(entry, resolve_for_writing(reading, origin.cwd, origin.home))?
        } else {
            resolve(reading, entry, origin)?
        };
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

    /// Where a walk starts, and what it leaves out.
    fn root(&self, rules: &TargetRules, order: usize) -> Root {
        let rules = WalkRules {
            hidden: rules.hidden,
            gitignore: rules.gitignore,
            git_directory: mentions(&self.entry, ".git"),
            node_modules: mentions(&self.entry, "node_modules"),
            global_excludes: rules.global_excludes.clone(),
        };
        let (is_file, glob) = match &self.place {
            Place::File => (true, None),
            Place::Directory => (false, None),
            Place::Below(glob) => (false, Some(glob.clone())),
        };
        Root { path: self.path.clone(), is_file, rules, glob, order }
    }
}

/// The deepest directory that holds all of some.
pub fn common_directory<'a>(mut directories: impl Iterator<Item = &'a Path>) -> PathBuf {
    let first = directories.next().unwrap_or(Path::new(""));
    let common = directories.fold(first, |common, directory| {
        common.ancestors().find(|above| directory.starts_with(above)).unwrap_or(Path::new(""))
    });
    common.to_owned()
}

/// Trims, and removes one pair of double quotes around the rest.
#[must_use]
pub fn clean_entry(text: &str) -> &str {
    let text = text.trim();
    let unquoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    unquoted.unwrap_or(text)
}

fn with_slashes(entry: &str) -> String {
    entry.replace('\\', "/")
}

fn resolve(reading: &str, entry: &str, origin: Origin) -> Result<PathBuf> {
    as_path(entry, resolve_existing(reading, origin.cwd, origin.home))
}

fn as_path(entry: &str, resolved: Result<PathBuf>) -> Result<PathBuf> {
    resolved.map_err(|error| match error {
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
