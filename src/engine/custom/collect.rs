//! The walk over all places, and what each item is.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::metadata::{self, Metadata};
use super::package::{self, Entry};
use super::places::{self, Place};
use super::plugins;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::files::{Kind, display_path, resolve_to_cwd, stat};

/// What is looked for, and where.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The session's directory. Absolute.
    pub cwd: PathBuf,
    /// Where the folders of the user are; absent: there are none.
    #[serde(default)]
    pub home: Option<PathBuf>,
    /// The agent's own folder, such as `.xcsh`.
    pub config_dir_name: String,
    /// The agent's key in a `package.json`.
    pub manifest_key: String,
    /// Items and providers that are switched off: `name`, `tool:name`, or the id of a provider.
    #[serde(default)]
    pub disabled: Vec<String>,
    /// Whether the folders and plugins are looked through, or only `paths` are looked at.
    #[serde(default)]
    pub discover: bool,
    /// Paths that someone names, after everything else.
    #[serde(default)]
    pub paths: Vec<Given>,
}

/// A path that someone names.
#[derive(Debug, Clone, Deserialize)]
pub struct Given {
    /// As it was written.
    pub path: String,
    /// Where it comes from.
    #[serde(default)]
    pub source: Option<Source>,
}

/// Where an item comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// Stable id.
    pub provider: String,
    /// For people.
    pub provider_name: String,
    /// Whose it is.
    pub level: Level,
}

/// Whether the user put an item there, or the project brought it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The user.
    User,
    /// The project.
    Project,
}

/// How a module is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Loader {
    /// As every runtime does it.
    Plain,
    /// TypeScript, and directories, which are written for bundlers as often as not.
    Translated,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "fields of one meaning are explained once, at the first variant")]
pub enum Item {
    /// A module: `path` as it was named, `resolved_path` absolute, `entry` the file to import, `stem` what it is called
    /// without its extension.
    Module {
        path: String,
        resolved_path: String,
        entry: String,
        stem: String,
        folder: String,
        loader: Loader,
        source: Option<Source>,
    },
    /// A description of a tool that some module has to bring.
    Metadata { path: String, stem: String, folder: String, metadata: Metadata, source: Option<Source> },
    /// Nothing that can be imported; `code` is stable.
    Refused { path: String, code: &'static str, reason: String, source: Option<Source> },
}

/// Everything there is, in the order in which it counts.
pub fn find(question: &Question, cancel: &CancelToken) -> Result<Vec<Item>> {
    let mut found = Found { question, cancel, seen: HashSet::new(), items: Vec::new() };
    if question.discover {
        found.discover()?;
    }
    for given in &question.paths {
        found.given(given);
    }
    Ok(found.items)
}

/// The items so far.
struct Found<'a> {
    question: &'a Question,
    cancel: &'a CancelToken,
    /// Real paths.
    seen: HashSet<PathBuf>,
    items: Vec<Item>,
}

/// What an item is called and where it comes from.
struct Named<'a> {
    /// As it was written.
    shown: String,
    path: &'a Path,
    source: Option<Source>,
    /// What is no module is passed over.
    modules_only: bool,
    /// Someone named it, so that it is a fault if nothing is there.
    is_given: bool,
}

impl Found<'_> {
    fn discover(&mut self) -> Result<()> {
        let mut broken = Vec::new();
        let providers = places::providers(self.question, &mut broken);
        for (path, reason, source) in broken {
            self.refuse(display(&path), "plugin_registry", reason, Some(source));
        }
        for mut places in providers {
            places.retain(|place| !self.is_disabled(&place.source.provider));
            self.folders(places)?;
        }
        if self.is_disabled("plugin") {
            return Ok(());
        }
        let source = places::plugin_source();
        let (paths, broken) = plugins::tools(self.question);
        for (path, reason) in broken {
            self.refuse(display(&path), "plugin_manifest", reason, Some(source.clone()));
        }
        for path in paths {
            self.item(&Named {
                shown: display(&path),
                path: &path,
                source: Some(source.clone()),
                modules_only: false,
                is_given: false,
            });
        }
        Ok(())
    }

    /// The places of one provider: the files of all of them, then the directories of all of them.
    fn folders(&mut self, places: Vec<Place>) -> Result<()> {
        let mut listed = Vec::new();
        for place in places {
            self.cancel.check()?;
            match list(&place.folder) {
                Ok(paths) => listed.extend(paths.into_iter().map(|path| (place.clone(), path))),
                Err(reason) => {
                    let reason = format!("the folder cannot be read: {reason}");
                    self.refuse(display(&place.folder), "unreadable_folder", reason, Some(place.source));
                }
            }
        }
        let (directories, files): (Vec<_>, Vec<_>) = listed.into_iter().partition(|(_, path)| path.is_dir());
        for (place, path) in files.into_iter().chain(directories) {
            self.cancel.check()?;
            let source = Some(place.source);
            let modules_only = place.modules_only;
            self.item(&Named { shown: display(&path), path: &path, source, modules_only, is_given: false });
        }
        Ok(())
    }

    fn given(&mut self, given: &Given) {
        let Question { cwd, home, discover, .. } = self.question;
        match resolve_to_cwd(&given.path, cwd, home.as_deref()) {
            Ok(path) => {
                // A loader keeps paths as they were handed to it; whoever discovers hands over what was resolved.
                let shown = if *discover { display(&path) } else { given.path.clone() };
                let source = given.source.clone();
                self.item(&Named { shown, path: &path, source, modules_only: false, is_given: true });
            }
            Err(error) => {
                self.refuse(given.path.clone(), "load_failed", error.to_string(), given.source.clone());
            }
        }
    }

    /// Looks at one path. Links are followed, and whatever was seen under another name is passed over.
    fn item(&mut self, named: &Named<'_>) {
        let stem = stem(named.path);
        if self.is_disabled(&stem) || self.is_disabled(&format!("tool:{stem}")) {
            return;
        }
        match stat(named.path, &named.shown) {
            Ok(Kind::Directory(_)) => self.directory(named),
            Ok(Kind::File(_)) => self.file(named),
            Ok(Kind::Special(kind)) => {
                self.refused(named, "not_a_module", format!("it is a {kind}, not a file"));
            }
            Err(error) => self.refused(named, "load_failed", error.to_string()),
        }
    }

    fn directory(&mut self, named: &Named<'_>) {
        match package::entry(named.path) {
            Entry::File(entry) => self.module(named, &entry, Loader::Translated),
            Entry::Broken(reason) => self.refused(named, "load_failed", reason),
            Entry::None if named.is_given || is_module(named.path) => {
                let reason = format!("it is a directory without an entry; {}", package::WANTED);
                self.refused(named, "load_failed", reason);
            }
            // Helpers of other tools.
            Entry::None => {}
        }
    }

    fn file(&mut self, named: &Named<'_>) {
        match sort_of(named.path) {
            Sort::Plain => self.module(named, named.path, Loader::Plain),
            Sort::TypeScript => self.module(named, named.path, Loader::Translated),
            Sort::Metadata if named.is_given => {
                self.refused(named, "declarative_file", metadata::REFUSAL.to_owned());
            }
            Sort::Metadata if !named.modules_only => self.metadata(named),
            Sort::Script if !named.modules_only => {
                let reason =
                    "it is a script; a tool is a JavaScript or TypeScript module, which can run scripts";
                self.refused(named, "not_a_module", reason.to_owned());
            }
            Sort::Other if named.is_given => {
                let reason = "its extension is none of a JavaScript or TypeScript module".to_owned();
                self.refused(named, "not_a_module", reason);
            }
            Sort::Metadata | Sort::Script | Sort::Other => {}
        }
    }

    fn module(&mut self, named: &Named<'_>, entry: &Path, loader: Loader) {
        if !self.is_new(entry) {
            return;
        }
        // A directory that was found has many names; the file in it has one.
        let resolved = if named.is_given { named.path } else { entry };
        let Some((resolved_path, file)) = resolved.to_str().zip(entry.to_str()) else {
            let reason = "its path is not Unicode, so that it cannot be imported";
            return self.refused(named, "load_failed", reason.to_owned());
        };
        self.items.push(Item::Module {
            path: if named.is_given { named.shown.clone() } else { resolved_path.to_owned() },
            resolved_path: resolved_path.to_owned(),
            entry: file.to_owned(),
            stem: stem(named.path),
            folder: folder(named.path),
            loader,
            source: named.source.clone(),
        });
    }

    fn metadata(&mut self, named: &Named<'_>) {
        if !self.is_new(named.path) {
            return;
        }
        self.items.push(Item::Metadata {
            path: named.shown.clone(),
            stem: stem(named.path),
            folder: folder(named.path),
            metadata: metadata::read(named.path),
            source: named.source.clone(),
        });
    }

    fn refused(&mut self, named: &Named<'_>, code: &'static str, reason: String) {
        self.refuse(named.shown.clone(), code, reason, named.source.clone());
    }

    fn refuse(&mut self, path: String, code: &'static str, reason: String, source: Option<Source>) {
        self.items.push(Item::Refused { path, code, reason, source });
    }

    fn is_new(&mut self, path: &Path) -> bool {
        self.seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }

    fn is_disabled(&self, name: &str) -> bool {
        self.question.disabled.iter().any(|disabled| disabled == name)
    }
}

/// The entries of a folder that count, by name. A folder that is not there has none.
fn list(folder: &Path) -> std::result::Result<Vec<PathBuf>, String> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(|error| error.to_string())?.file_name());
    }
    names.sort_unstable();
    Ok(names.iter().filter(|name| is_listed(name)).map(|name| folder.join(name)).collect())
}

/// Left out are hidden entries and what belongs to the folder as a package.
fn is_listed(name: &OsStr) -> bool {
    const OF_PACKAGES: &[&str] = &[
        "node_modules",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
        "jsconfig.json",
        "deno.json",
        "README.md",
    ];
    !name.as_encoded_bytes().starts_with(b".") && !OF_PACKAGES.iter().any(|of_package| name == *of_package)
}

/// What the name of a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Plain,
    TypeScript,
    Metadata,
    Script,
    Other,
}

fn sort_of(path: &Path) -> Sort {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    if [".d.ts", ".d.mts", ".d.cts"].iter().any(|suffix| name.ends_with(suffix)) {
        return Sort::Other;
    }
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("js" | "mjs" | "cjs") => Sort::Plain,
        Some("ts" | "mts" | "cts" | "tsx") => Sort::TypeScript,
        Some("md" | "json") => Sort::Metadata,
        Some("sh" | "bash" | "py") => Sort::Script,
        _ => Sort::Other,
    }
}

fn is_module(path: &Path) -> bool {
    matches!(sort_of(path), Sort::Plain | Sort::TypeScript)
}

/// What an item is called: the name without the extension of a module or of what describes one; of an index, the name
/// of its directory.
fn stem(path: &Path) -> String {
    let has_extension = matches!(sort_of(path), Sort::Plain | Sort::TypeScript | Sort::Metadata);
    let stem = if has_extension { path.file_stem() } else { path.file_name() };
    let of_directory = path.parent().filter(|_| stem == Some(OsStr::new("index"))).and_then(Path::file_name);
    of_directory.or(stem).unwrap_or_default().to_string_lossy().into_owned()
}

fn folder(path: &Path) -> String {
    path.parent().unwrap_or(path).to_string_lossy().into_owned()
}

fn display(path: &Path) -> String {
    path.to_str().map_or_else(|| display_path(path, Path::new("")), str::to_owned)
}
