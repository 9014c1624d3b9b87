//! From the text a model wrote to a file or directory and a selector. A path that exists as it is written wins over
//! every reading with a selector.

use std::path::PathBuf;

use super::content;
use super::selector::{self, Selector, Split};
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files::{self, Kind};
use crate::engine::outcome::{OutputMeta, SourceMeta};

/// What is read.
#[derive(Debug, Clone)]
pub struct Target {
    /// Absolute.
    pub path: PathBuf,
    /// As the model is shown it.
    pub shown: String,
    /// The part that is wanted.
    pub selector: Option<Selector>,
    /// What the path leads to.
    pub found: Found,
    /// What messages call the text: `file`, `notebook`, `document`.
    pub entity: &'static str,
    /// The address that was read, where it is no path.
    pub remote: Option<SourceMeta>,
}

/// What a path leads to. Pipes and devices count as files: opening them says what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A file.
    File,
    /// A directory.
    Directory,
}

impl Target {
    /// The absolute path as text; the address of what has none.
    #[must_use]
    pub fn resolved(&self) -> String {
        if let Some(remote) = self.remote.as_ref().filter(|_| self.path.as_os_str().is_empty()) {
            return remote.value.clone();
        }
        self.path
            .to_str()
            .map_or_else(|| files::display_path(&self.path, &self.path.join("-")), str::to_owned)
    }

    /// Metadata that names this path as the source.
    #[must_use]
    pub fn meta(&self) -> OutputMeta {
        let path = || SourceMeta { kind: "path".into(), value: self.resolved() };
        let source = self.remote.clone().unwrap_or_else(path);
        OutputMeta { source: Some(source), ..OutputMeta::default() }
    }

    /// The error for what a later version does.
    #[must_use]
    pub fn unsupported(&self, feature: &str) -> ToolError {
        unsupported(feature, &self.shown)
    }
}

/// Finds the target of a path text.
pub fn locate(text: &str, context: &Context) -> Result<Target> {
    // The other internal addresses have gone their own way before.
    if files::is_internal_address(text) {
        return Err(unsupported("reading merge conflicts", text));
    }
    let (cwd, home) = (&context.cwd, context.home.as_deref());
    let readings = selector::splits(text);
    // As written first, for every reading; only then the look-alikes of each.
    for find in [files::find_literal, files::find_variant] {
        for reading in &readings {
            if let Some(path) = find(reading.target, cwd, home)? {
                return target(reading, path, context);
            }
        }
    }
    Err(missing(text, context)?)
}

fn target(reading: &Split<'_>, path: PathBuf, context: &Context) -> Result<Target> {
    let selector = selector::parse(reading)?;
    // Named as it was asked for: a link that leads nowhere is the caller's path, not ours.
    let found = match files::stat(&path, reading.target)? {
        Kind::Directory(_) => Found::Directory,
        Kind::File(_) | Kind::Special(_) => Found::File,
    };
    let shown = files::display_path(&path, &context.cwd);
    Ok(Target { path, shown, selector, found, entity: "file", remote: None })
}

/// Why nothing was found, as exactly as the text allows.
fn missing(text: &str, context: &Context) -> Result<ToolError> {
    let (cwd, home) = (&context.cwd, context.home.as_deref());
    let stem = |end: usize| text.get(..end).filter(|stem| !stem.is_empty());
    for (at, _) in text.match_indices([':', '?']) {
        let Some(container) = stem(at) else { continue };
        let Some(path) = files::find_literal(container, cwd, home)? else { continue };
        if let Some(feature) = content::container(&path) {
            return Ok(unsupported(feature, text));
        }
    }
    // A selector that is none, such as `:0` without a file: the selector is the smaller mistake.
    let reading = selector::split(text);
    selector::parse(&reading)?;
    if reading.selector.is_none()
        && let Some((before, tail)) = text.rsplit_once(':')
        && let Some(path) = stem(before.len())
        && files::find_literal(path, cwd, home)?.is_some()
    {
        return Ok(ToolError::PathNotFoundNear {
            path: text.to_owned(),
            near: path.to_owned(),
            selector: tail.to_owned(),
        });
    }
    // What cannot even be looked up, such as a name that is too long, is told as that.
    if let Err(error) = files::stat(&files::resolve_to_cwd(reading.target, cwd, home)?, text)
        && error.code() != "path_not_found"
    {
        return Ok(error);
    }
    Ok(ToolError::PathNotFound { path: text.to_owned() })
}

fn unsupported(feature: &str, path: &str) -> ToolError {
    ToolError::Unsupported { feature: feature.to_owned(), path: Some(path.to_owned()) }
}
