//! The registries of plugins that came from a marketplace: which are installed, where, and for whom.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::collect::{Level, Question};
use super::package::read_json;
use crate::engine::files::{expand_tilde, fold_dots};

const FILE: &str = "plugins/installed_plugins.json";

/// The folders of installed plugins. Those of the project come first and hide those of the user with the same id.
pub fn roots(question: &Question, complain: &mut dyn FnMut(&Path, Level, String)) -> Vec<(PathBuf, Level)> {
    let Question { cwd, home, config_dir_name, .. } = question;
    let project = project_root(cwd, home.as_deref(), config_dir_name).map(|root| (root, Level::Project));
    let own = home.as_ref().map(|home| (home.join(config_dir_name), Level::User));
    let claude = home.as_ref().map(|home| (home.join(".claude"), Level::User));
    let mut known = HashSet::new();
    let mut roots = Vec::new();
    for (folder, level) in [project, own, claude].into_iter().flatten() {
        let file = folder.join(FILE);
        let mut complain = |reason: String| complain(&file, level, reason);
        let plugins = match read_json(&file) {
            Ok(None) => continue,
            Ok(Some(registry)) => registry.get("plugins").and_then(Value::as_object).cloned(),
            Err(reason) => {
                complain(reason);
                continue;
            }
        };
        let Some(plugins) = plugins else {
            complain("it has no object `plugins`".into());
            continue;
        };
        let mut ids = Vec::new();
        for (id, installs) in &plugins {
            if !id.contains('@') {
                complain(format!(
                    "`{id}` is not the name of a plugin, an @, and the name of its marketplace"
                ));
                continue;
            }
            if known.contains(id) {
                continue;
            }
            ids.push(id.clone());
            for install in installs.as_array().into_iter().flatten() {
                let Some(path) =
                    install.get("installPath").and_then(Value::as_str).filter(|path| !path.is_empty())
                else {
                    complain(format!("`{id}` does not say where it is installed (`installPath`)"));
                    continue;
                };
                if is_for(install, cwd) {
                    let root = fold_dots(&folder.join("plugins").join(expand_tilde(path, home.as_deref())));
                    roots.push((root, level_of(install, level)));
                }
            }
        }
        known.extend(ids);
    }
    roots
}

/// Whether an install is switched on, and not meant for another project.
fn is_for(install: &Value, cwd: &Path) -> bool {
    let is_elsewhere = |path: &str| !cwd.starts_with(path);
    install.get("enabled") != Some(&Value::Bool(false))
        && !install.get("projectPath").and_then(Value::as_str).is_some_and(is_elsewhere)
}

/// A registry that a project brings cannot make its plugins the user's.
fn level_of(install: &Value, registry: Level) -> Level {
    match install.get("scope").and_then(Value::as_str) {
        Some("project" | "local") => Level::Project,
        _ => registry,
    }
}

/// The folder of the nearest project: the first directory above that has one, else the first repository. Never the
/// home directory, whose folder is the user's.
fn project_root(cwd: &Path, home: Option<&Path>, config_dir_name: &str) -> Option<PathBuf> {
    let holding = |name: &str| {
        let mut above = cwd.ancestors().filter(|directory| Some(*directory) != home);
        above.find(|directory| directory.join(name).exists())
    };
    holding(config_dir_name).or_else(|| holding(".git")).map(|root| root.join(config_dir_name))
}
