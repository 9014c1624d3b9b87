//! Addresses of what lies within a file, for every tool that takes one: the file, and what stands behind its path.

use std::path::PathBuf;

use super::Context;
use crate::engine::content::archive::Format;
use crate::engine::content::sqlite;
use crate::engine::error::Result;
use crate::engine::files::{self, Kind};

const DATABASES: &[&str] = &[".sqlite", ".sqlite3", ".db", ".db3"];

/// A file that holds other things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// By its name; what is in it may disagree.
    Archive(Format),
    /// By its name and its first bytes.
    Database,
}

/// A place within a file.
#[derive(Debug, Clone)]
pub struct Contained {
    /// The file; absolute.
    pub path: PathBuf,
    /// What it is.
    pub container: Container,
    /// What stands behind its path, from the `:` or `?` on; empty for the file itself.
    pub rest: String,
}

/// The place that a text means; nothing where it is an ordinary path.
pub fn locate(text: &str, context: &Context) -> Result<Option<Contained>> {
    let mut prefixes = prefixes(text).peekable();
    if prefixes.peek().is_none() || (text.contains("://") && !text.starts_with("file://")) {
        return Ok(None);
    }
    let (cwd, home) = (&context.cwd, context.home.as_deref());
    let has_own_name = prefixes.peek().is_some_and(|prefix| prefix.len() == text.len());
    if !has_own_name && files::find_literal(text, cwd, home)?.is_some() {
        return Ok(None);
    }
    for prefix in prefixes {
        let found = match files::find_literal(prefix, cwd, home)? {
            None => files::find_variant(prefix, cwd, home)?,
            found => found,
        };
        let Some(path) = found else { continue };
        if let Some(contained) = at(path, prefix, text) {
            return Ok(Some(contained));
        }
    }
    Ok(None)
}

/// The place that a text means if `path` is what its `prefix` leads to; nothing where that is no container.
#[must_use]
pub fn at(path: PathBuf, prefix: &str, text: &str) -> Option<Contained> {
    if !matches!(files::stat(&path, prefix), Ok(Kind::File(_))) {
        return None;
    }
    let container = match Format::of_name(prefix) {
        Some(format) => Container::Archive(format),
        None if sqlite::is_database(&path) => Container::Database,
        None => return None,
    };
    Some(Contained { path, container, rest: text[prefix.len()..].to_owned() })
}

/// The parts of a text that may be the path of a container, the longest first.
pub fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.rmatch_indices([':', '?']).map(|(at, _)| at);
    std::iter::once(text.len()).chain(ends).map(|end| &text[..end]).filter(|prefix| is_container_name(prefix))
}

/// What the name of a file says that it is; whether there is such a file is another question.
#[must_use]
pub fn by_name(name: &str) -> Option<Container> {
    let archive = Format::of_name(name).map(Container::Archive);
    archive.or_else(|| is_database_name(name).then_some(Container::Database))
}

fn is_database_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    DATABASES.iter().any(|ending| lower.ends_with(ending))
}

fn is_container_name(name: &str) -> bool {
    by_name(name).is_some()
}
