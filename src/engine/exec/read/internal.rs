//! Internal addresses: which one a text names and which part of it. What stands behind one is the host's to say.

use std::path::PathBuf;

use super::address::{Found, Target};
use super::selector::{self, Selector, Split};
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::{Context, Resource};
use crate::engine::files::{self, Kind};
use crate::engine::outcome::SourceMeta;

/// An internal address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Without selector.
    pub url: String,
    /// The part that is wanted, as it is written.
    pub selector: Option<String>,
}

impl Address {
    /// The id of a kept text.
    #[must_use]
    pub fn artifact(&self) -> Option<&str> {
        self.url.strip_prefix("artifact://")
    }
}

/// The internal address in a text. Pure.
#[must_use]
pub fn parse(text: &str, skills: &[String]) -> Option<Address> {
    if !files::is_internal_address(text) || text.starts_with("conflict://") {
        return None;
    }
    let (scheme, rest) = text.split_once("://")?;
    let whole = Address { url: text.to_owned(), selector: None };
    let cut = |at: usize| Address {
        url: format!("{scheme}://{}", &rest[..at]),
        selector: Some(rest[at + 1..].to_owned()),
    };
    if scheme == "artifact" {
        return Some(rest.find(':').map_or(whole, cut));
    }
    if scheme == "skill" {
        let starts = |name: &&String| {
            rest.strip_prefix(name.as_str())
                .is_some_and(|tail| tail.is_empty() || tail.starts_with([':', '/']))
        };
        if let Some(name) = skills.iter().filter(starts).max_by_key(|name| name.len()) {
            let is_selector = rest.get(name.len() + 1..).is_some_and(is_selector);
            return Some(if is_selector { cut(name.len()) } else { whole });
        }
    }
    let longest = selector::splits(rest).into_iter().rev().find(|split| split.selector.is_some());
    match longest {
        Some(split) if !split.target.contains(['/', '?', '#']) => Some(cut(split.target.len())),
        _ => Some(whole),
    }
}

fn is_selector(tail: &str) -> bool {
    let text = format!("x:{tail}");
    selector::split(&text).target == "x"
}

/// What the address of a call leads to: a target, and the text where the host gave it.
pub fn locate<'a>(address: &Address, context: &'a Context) -> Result<(Target, &'a Resource)> {
    let selector = selector(address)?;
    let url = &address.url;
    let Some(resource) = &context.remote.internal else {
        let feature = "reading internal addresses where the host resolves none".to_owned();
        return Err(ToolError::Unsupported { feature, path: Some(url.clone()) });
    };
    if resource.text.is_none() && resource.path.is_none() {
        return Err(ToolError::PathNotFound { path: url.clone() });
    }
    let found = match (&resource.text, &resource.path) {
        (None, Some(path)) if matches!(files::stat(path, url)?, Kind::Directory(_)) => Found::Directory,
        _ => Found::File,
    };
    let target = Target {
        path: resource.path.clone().unwrap_or_else(PathBuf::new),
        shown: url.clone(),
        selector,
        found,
        entity: "resource",
        remote: Some(SourceMeta { kind: "internal".into(), value: url.clone() }),
        notice: None,
    };
    Ok((target, resource))
}

fn selector(address: &Address) -> Result<Option<Selector>> {
    let Some(text) = &address.selector else { return Ok(None) };
    if !is_selector(text) {
        return Err(ToolError::InvalidSelector {
            path: address.url.clone(),
            selector: text.clone(),
            reason: "expected lines such as `50-100`, or `raw`".into(),
        });
    }
    selector::parse(&Split { target: &address.url, selector: Some(text) })
}
