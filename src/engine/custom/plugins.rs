//! The tools of plugin packages, as their manifests name them: packages that are installed in the agent's plugin folder,
//! less what the lock file or the project switches off, with the features that are on.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::collect::Question;
use super::package::read_json;
use crate::engine::files::fold_dots;

/// The key of manifests that are written for any agent of the family.
const COMMON_KEY: &str = "pi";

/// The tools that exist, and files that cannot be read with the reason.
pub fn tools(question: &Question) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let Some(home) = &question.home else { return (Vec::new(), Vec::new()) };
    let folder = home.join(&question.config_dir_name).join("plugins");
    let mut reader = Reader::default();
    let lock = reader.object(&folder.join(format!("{}-plugins.lock.json", question.manifest_key)));
    let overrides =
        reader.object(&question.cwd.join(&question.config_dir_name).join("plugin-overrides.json"));
    let mut tools = Vec::new();
    for name in reader.names(&folder) {
        let locked = lock.get("plugins").and_then(|plugins| plugins.get(&name));
        let is_off = locked.and_then(|plugin| plugin.get("enabled")) == Some(&Value::Bool(false));
        if is_off || texts(overrides.get("disabled")).contains(&name.as_str()) {
            continue;
        }
        let package = folder.join("node_modules").join(&name);
        let manifest = reader.object(&package.join("package.json"));
        let Some(manifest) = manifest.get(&question.manifest_key).or_else(|| manifest.get(COMMON_KEY)) else {
            continue;
        };
        let of_project = overrides.get("features").and_then(|features| features.get(&name));
        let enabled = of_project.or_else(|| locked.and_then(|plugin| plugin.get("enabledFeatures")));
        let listed = listed(manifest, enabled.filter(|features| features.is_array()));
        tools.extend(
            listed.into_iter().map(|path| fold_dots(&package.join(path))).filter(|path| path.exists()),
        );
    }
    (tools, reader.broken)
}

/// The paths of a manifest: its own, then those of each feature that is on.
fn listed<'a>(manifest: &'a Value, enabled: Option<&Value>) -> Vec<&'a str> {
    let is_on = |name: &str, feature: &Value| match enabled {
        Some(_) => texts(enabled).contains(&name),
        None => feature.get("default") == Some(&Value::Bool(true)),
    };
    let features = manifest.get("features").and_then(Value::as_object).into_iter().flatten();
    let on = features.filter(|(name, feature)| is_on(name, feature));
    let of_features = on.flat_map(|(_, feature)| texts(feature.get("tools")));
    texts(manifest.get("tools")).into_iter().chain(of_features).collect()
}

/// A text, or the texts of an array.
fn texts(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Reads objects, and remembers what it could not read.
#[derive(Default)]
struct Reader {
    broken: Vec<(PathBuf, String)>,
}

impl Reader {
    /// A file that is not there is an empty object.
    fn object(&mut self, path: &Path) -> Map<String, Value> {
        match read_json(path) {
            Ok(Some(Value::Object(object))) => return object,
            Ok(None) => {}
            Ok(Some(_)) => self.broken.push((path.to_owned(), "it is not an object".into())),
            Err(reason) => self.broken.push((path.to_owned(), reason)),
        }
        Map::new()
    }

    /// The dependencies of the folder, in the order in which they are written.
    fn names(&mut self, folder: &Path) -> Vec<String> {
        let package = self.object(&folder.join("package.json"));
        let names = package.get("dependencies").and_then(Value::as_object).into_iter().flatten();
        names.map(|(name, _)| name.clone()).collect()
    }
}
