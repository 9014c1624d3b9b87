//! Programs, examples and test targets of a Cargo package, or of the members of a workspace. Read from the manifests
//! and the usual folders, as cargo finds them; of TOML only as much as that needs.

use super::super::Place as Root;
use super::{Place, Runner, Task};
use crate::engine::exec::recipe::runners::package::members;
use crate::engine::files;

pub(super) fn read(place: &Place<'_>) -> Option<Runner> {
    let (file, text) = place.first(&["Cargo.toml"])?;
    if !place.has("cargo") {
        return None;
    }
    let manifest = Manifest::parse(&text);
    let is_workspace = !manifest.members.is_empty();
    let mut tasks = manifest.tasks(place, is_workspace);
    for member in members(place, &manifest.members) {
        let inside = Root { root: &place.root.join(&member), ..*place };
        if let Some(text) = inside.text("Cargo.toml") {
            tasks.extend(Manifest::parse(&text).tasks(&inside, true));
        }
    }
    Some(Runner { id: "cargo", file: file.to_owned(), tasks })
}

/// What of a manifest says something about targets.
#[derive(Debug, Default)]
struct Manifest {
    package: Option<String>,
    members: Vec<String>,
    /// Kind and name of each target that is spelled out.
    targets: Vec<(&'static str, String)>,
}

/// Kind, folder, and what names it on the command line.
const KINDS: &[(&str, &str, [&str; 2])] = &[
    ("bin", "src/bin", ["run", "--bin"]),
    ("example", "examples", ["run", "--example"]),
    ("test", "tests", ["test", "--test"]),
];

impl Manifest {
    fn parse(text: &str) -> Self {
        let mut manifest = Self::default();
        let mut section = "";
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let line = line.trim();
            if line.starts_with('[') {
                section = line.split('#').next().unwrap_or("").trim();
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            match (section, key.trim()) {
                ("[package]", "name") => manifest.package = texts(value).next(),
                ("[workspace]", "members") => {
                    let mut list = value.to_owned();
                    while !list.contains(']') {
                        let Some(line) = lines.next() else { break };
                        list.push_str(line.split('#').next().unwrap_or(""));
                    }
                    manifest.members = texts(&list).collect();
                }
                (section, "name") => {
                    let kind = KINDS.iter().find(|(kind, ..)| section == format!("[[{kind}]]"));
                    manifest
                        .targets
                        .extend(kind.zip(texts(value).next()).map(|((kind, ..), name)| (*kind, name)));
                }
                _ => {}
            }
        }
        manifest
    }

    /// In a workspace the names of the tasks begin with that of the package.
    fn tasks(&self, place: &Place<'_>, in_workspace: bool) -> Vec<Task> {
        let Some(package) = &self.package else { return Vec::new() };
        let mut targets = self.targets.clone();
        if place.exists("src/main.rs") && !targets.iter().any(|(kind, _)| *kind == "bin") {
            targets.push(("bin", package.clone()));
        }
        for (kind, folder, _) in KINDS {
            let found = sources(place, folder).into_iter().map(|name| (*kind, name));
            let new: Vec<_> = found.filter(|target| !targets.contains(target)).collect();
            targets.extend(new);
        }
        let task = |(kind, name): &(&str, String)| {
            let (.., words) = KINDS.iter().find(|(known, ..)| known == kind)?;
            let prefix = if in_workspace { format!("{package}/") } else { String::new() };
            let mut task = Task::new(&format!("{prefix}{kind}/{name}"), &["cargo", words[0]])?;
            let of_package = if in_workspace { vec!["-p", package] } else { Vec::new() };
            task.words.extend(of_package.into_iter().chain([words[1], name]).map(str::to_owned));
            Some(task)
        };
        targets.iter().filter_map(task).collect()
    }
}

/// The texts in quotes.
fn texts(value: &str) -> impl Iterator<Item = String> {
    let quote = value.chars().find(|c| matches!(c, '"' | '\'')).unwrap_or('"');
    value.split(quote).skip(1).step_by(2).map(str::to_owned)
}

/// `name.rs` and `name/main.rs` of a folder, sorted.
fn sources(place: &Place<'_>, folder: &str) -> Vec<String> {
    let Ok(entries) = files::read_dir(&place.root.join(folder)) else { return Vec::new() };
    let name_of = |name: String| match name.strip_suffix(".rs") {
        Some(stem) => Some(stem.to_owned()),
        None => place.exists(&format!("{folder}/{name}/main.rs")).then_some(name),
    };
    let names = entries.flatten().filter_map(|entry| name_of(entry.file_name().to_str()?.to_owned()));
    let mut names: Vec<_> = names.filter(|name| !name.starts_with('.') && name != "mod").collect();
    names.sort();
    names
}
