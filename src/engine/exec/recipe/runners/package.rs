//! Scripts of a `package.json`, and of the packages of its workspace.

use std::path::PathBuf;

use serde_json::Value;

use super::super::Place as Root;
use super::{Place, Runner, Task};
use crate::engine::files::{self, Glob};

/// Lock file and whose it is; the first that is there decides.
const LOCKS: &[(&str, &str)] = &[
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
];
/// Packages of a workspace that are looked at.
const MEMBERS: usize = 500;

pub(super) fn read(place: &Place<'_>) -> Option<Runner> {
    let (file, text) = place.first(&["package.json"])?;
    let package: Value = serde_json::from_str(&text).ok()?;
    let by_lock = LOCKS.iter().find(|(lock, _)| place.exists(lock)).map(|(_, runner)| *runner);
    let runner = by_lock.unwrap_or(if place.has("bun") { "bun" } else { "npm" });
    if !place.has(runner) {
        return None;
    }
    let mut tasks = scripts(&package, runner, None);
    for member in members(place, &workspaces(&package, place)) {
        let inside = Root { root: &place.root.join(&member), ..*place };
        let Some(package) = inside.text("package.json").and_then(|text| serde_json::from_str(&text).ok())
        else {
            continue;
        };
        tasks.extend(scripts(&package, runner, Some(&member)));
    }
    Some(Runner { id: runner, file: file.to_owned(), tasks })
}

fn scripts(package: &Value, runner: &str, member: Option<&PathBuf>) -> Vec<Task> {
    let scripts = package.get("scripts").and_then(Value::as_object);
    let folder = member.and_then(|member| member.file_name()).and_then(|name| name.to_str());
    let prefix = folder.map(|folder| package.get("name").and_then(Value::as_str).unwrap_or(folder));
    let task = |(name, script): (&String, &Value)| {
        let called = prefix.map_or_else(|| name.clone(), |prefix| format!("{prefix}/{name}"));
        let mut task = Task::new(&called, &[runner, "run", name]).filter(|_| !name.starts_with('-'))?;
        task.cwd = member.cloned();
        Some(task.about(script.as_str()))
    };
    scripts.into_iter().flatten().filter_map(task).collect()
}

/// The globs of a workspace.
fn workspaces(package: &Value, place: &Place<'_>) -> Vec<String> {
    let listed = package.get("workspaces").map(|workspaces| workspaces.get("packages").unwrap_or(workspaces));
    if let Some(listed) = listed.and_then(Value::as_array) {
        return listed.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let Some(text) = place.text("pnpm-workspace.yaml") else { return Vec::new() };
    let lines = text.lines().skip_while(|line| line.trim_end() != "packages:").skip(1);
    let items = lines.map_while(|line| match line.trim() {
        item if item.is_empty() || item.starts_with('#') => Some(None),
        item => item.strip_prefix("- ").map(Some),
    });
    items.flatten().map(|item| item.trim().trim_matches(['"', '\'']).to_owned()).collect()
}

/// The folders that globs of a workspace name, relative to it, sorted. `**` stands for one folder only: a search
/// through the whole tree is not worth the list.
pub(super) fn members(place: &Place<'_>, globs: &[String]) -> Vec<PathBuf> {
    let (left_out, named): (Vec<_>, Vec<_>) = globs.iter().partition(|glob| glob.starts_with('!'));
    let mut found = Vec::new();
    for glob in named {
        let mut folders = vec![PathBuf::new()];
        for part in glob.split('/').filter(|part| !matches!(*part, "" | "." | "..")) {
            folders = folders.iter().flat_map(|folder| below(place, folder, part)).take(MEMBERS).collect();
        }
        found.extend(folders.into_iter().filter(|folder| !folder.as_os_str().is_empty()));
    }
    let left_out: Vec<_> = left_out.iter().filter_map(|glob| Glob::new(&glob[1..]).ok()).collect();
    found.retain(|folder| !left_out.iter().any(|glob| glob.matches(folder)));
    found.sort();
    found.dedup();
    found.truncate(MEMBERS);
    found
}

fn below(place: &Place<'_>, folder: &std::path::Path, part: &str) -> Vec<PathBuf> {
    if !part.contains(['*', '?', '[', '{']) {
        let path = folder.join(part);
        return if place.root.join(&path).is_dir() { vec![path] } else { Vec::new() };
    }
    let Ok(glob) = Glob::new(if part == "**" { "*" } else { part }) else { return Vec::new() };
    let Ok(entries) = files::read_dir(&place.root.join(folder)) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name()).filter(|name| {
        let is_hidden = name.as_encoded_bytes().starts_with(b".") || name == "node_modules";
        !place.is_late() && !is_hidden && glob.matches(std::path::Path::new(name))
    });
    names.map(|name| folder.join(name)).filter(|path| place.root.join(path).is_dir()).collect()
}
