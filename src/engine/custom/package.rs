//! Directories as modules, and the JSON files around them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::engine::error::ToolError;
use crate::engine::files::{fold_dots, read_regular};

/// Far more than any manifest has.
const MANIFEST_BYTES: u64 = 16 * 1024 * 1024;

const EXTENSIONS: &[&str] = &["ts", "js", "mjs", "cjs", "mts", "cts", "tsx"];

/// For errors about a directory that is no module.
pub const WANTED: &str = "it needs an `index.ts` or `.js`, or a `package.json` that names one";

/// What importing a directory means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// This file.
    File(PathBuf),
    /// Nothing: the directory is no module.
    None,
    /// It means to be a module and is none.
    Broken(String),
}

/// The file that stands for a directory: the entry of its `package.json`, else its index.
pub fn entry(directory: &Path) -> Entry {
    // A manifest that cannot be read is reported by whoever imports the index.
    let manifest = read_json(&directory.join("package.json")).ok().flatten().unwrap_or_default();
    let named = manifest.get("exports").and_then(exported);
    let named = named.or_else(|| manifest.get("main").and_then(Value::as_str));
    if let Some(found) = named.and_then(|name| existing(&fold_dots(&directory.join(name)))) {
        return Entry::File(found);
    }
    match (index(directory), named) {
        (Some(index), _) => Entry::File(index),
        (None, Some(name)) => {
            Entry::Broken(format!("its `package.json` names `{name}`, which does not exist"))
        }
        (None, None) => Entry::None,
    }
}

/// The target of `.` under the conditions that hold for an import.
fn exported(exports: &Value) -> Option<&str> {
    match exports {
        Value::String(target) => Some(target),
        Value::Object(entries) => {
            if let Some(root) = entries.get(".") {
                return exported(root);
            }
            let conditions = ["import", "node", "module-sync", "default", "require"];
            // In the order in which the manifest writes them.
            entries
                .iter()
                .filter(|(key, _)| conditions.contains(&key.as_str()))
                .find_map(|(_, value)| exported(value))
        }
        _ => None,
    }
}

/// The file of a path whose extension may be missing, or of a directory.
fn existing(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    let with_extension = |extension: &&str| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{extension}"));
        PathBuf::from(name)
    };
    EXTENSIONS.iter().map(with_extension).find(|path| path.is_file()).or_else(|| index(path))
}

fn index(directory: &Path) -> Option<PathBuf> {
    EXTENSIONS
        .iter()
        .map(|extension| directory.join(format!("index.{extension}")))
        .find(|path| path.is_file())
}

/// A JSON file; nothing where there is none, and otherwise why it cannot be read.
pub fn read_json(path: &Path) -> Result<Option<Value>, String> {
    let bytes = match read_regular(path, &path.to_string_lossy(), MANIFEST_BYTES) {
        Ok((bytes, _)) => bytes,
        Err(ToolError::PathNotFound { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    serde_json::from_slice(text).map(Some).map_err(|error| format!("it is not JSON: {error}"))
}
