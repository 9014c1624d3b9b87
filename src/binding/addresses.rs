//! For the package's own tests: what a text is taken for as an address, before any file system is asked. Not exported by
//! `src/js/index.js`.

use std::path::Path;

use napi::bindgen_prelude::*;
use napi_derive::napi;
use serde_json::{Value, json};

use super::run;
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::exec::conflicts::{self, Id};
use crate::engine::exec::contained::{self, Container};
use crate::engine::exec::read::selector::{self, Selector, Split};
use crate::engine::exec::read::{internal, web};
use crate::engine::files;

/// The parts of an address, as JSON text. `form` says which kind of address: `local`, `internal_url` (with the names of
/// `skills`), `url`, `archive_candidates`, `conflict_uri`, `search_path`, `find_pattern` or `resolve_to_cwd`; the last
/// needs `cwd` and `home`.
#[napi]
pub fn address_parts(
    env: Env,
    form: String,
    text: String,
    cwd: Option<String>,
    home: Option<String>,
    skills: Option<Vec<String>>,
) -> Result<String> {
    run::inline(env, || {
        let parts = match form.as_str() {
            "local" => local(&text),
            "internal_url" => internal_url(&text, &skills.unwrap_or_default()),
            "url" => url(&text),
            "archive_candidates" => Ok(archive_candidates(&text)),
            "conflict_uri" => conflict_uri(&text),
            "search_path" => Ok(search_path(&text)),
            "find_pattern" => Ok(find_pattern(&text)),
            "resolve_to_cwd" => {
                let cwd = cwd.unwrap_or_default();
                let resolved = files::resolve_to_cwd(&text, Path::new(&cwd), home.as_deref().map(Path::new))?;
                Ok(json!({"resolved": resolved.to_string_lossy()}))
            }
            _ => {
                Err(ToolError::Unsupported { feature: format!("addresses of the form `{form}`"), path: None })
            }
        }?;
        Ok(parts.to_string())
    })
}

fn local(text: &str) -> EngineResult<Value> {
    let split = selector::split(text);
    Ok(json!({"path": split.target, "sel": split.selector, "parsed": parsed(&split)?}))
}

fn parsed(split: &Split<'_>) -> EngineResult<Value> {
    Ok(match selector::parse(split)? {
        None => json!({"kind": "none"}),
        Some(Selector::Raw) => json!({"kind": "raw"}),
        Some(Selector::Conflicts) => json!({"kind": "conflicts"}),
        Some(Selector::Lines { ranges, raw }) => {
            let ranges: Vec<Value> =
                ranges.iter().map(|range| json!({"start": range.start, "end": range.end})).collect();
            json!({"kind": "lines", "ranges": ranges, "raw": raw})
        }
    })
}

fn internal_url(text: &str, skills: &[String]) -> EngineResult<Value> {
    let Some(address) = internal::parse(text, skills) else {
        return Ok(json!({"path": text, "sel": null, "parsed": {"kind": "none"}}));
    };
    let written = address.selector.as_ref().map(|selector| format!("x:{selector}"));
    let split = selector::split(written.as_deref().unwrap_or("x"));
    Ok(json!({"path": address.url, "sel": address.selector, "parsed": parsed(&split)?}))
}

fn url(text: &str) -> EngineResult<Value> {
    let Some(address) = web::parse(text).transpose()? else { return Ok(Value::Null) };
    let mut parts = json!({"path": address.shown, "raw": address.selector == Some(Selector::Raw)});
    if let Some(Selector::Lines { ranges, .. }) = &address.selector
        && let [range] = ranges.as_slice()
    {
        parts["offset"] = range.start.into();
        if let Some(end) = range.end {
            parts["limit"] = (end + 1 - range.start).into();
        }
    }
    Ok(parts)
}

fn archive_candidates(text: &str) -> Value {
    let candidates = contained::prefixes(text)
        .filter(|prefix| matches!(contained::by_name(prefix), Some(Container::Archive(_))))
        .map(
            |prefix| json!({"archivePath": prefix, "subPath": text[prefix.len()..].trim_start_matches(':')}),
        );
    candidates.collect()
}

fn conflict_uri(text: &str) -> EngineResult<Value> {
    let Some(address) = conflicts::parse(text)? else { return Ok(Value::Null) };
    let mut parts = match address.id {
        Id::One(id) => json!({"id": id}),
        Id::All => json!({"id": "*"}),
    };
    if let Some(scope) = address.scope {
        parts["scope"] = scope.name().into();
    }
    if let Some(prefix) = address.dropped_prefix {
        parts["recoveredPrefix"] = prefix.into();
    }
    Ok(parts)
}

fn search_path(text: &str) -> Value {
    match files::split_glob(text) {
        (base, None) => json!({"basePath": base}),
        (base, Some(glob)) => json!({"basePath": base, "glob": glob}),
    }
}

fn find_pattern(text: &str) -> Value {
    let (base, glob) = files::split_glob(text);
    json!({"basePath": base, "globPattern": files::glob_below_base(text), "hasGlob": glob.is_some()})
}
