//! From the text a model wrote to a file or directory and a selector. A path that exists as it is written wins over
//! every reading with a selector.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::selector::{self, Selector, Split};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::contained::{self, Contained};
use crate::engine::files::{self, Kind, SuffixMatches};
use crate::engine::outcome::{Notice, Outcome, OutputMeta, SourceMeta};

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
    /// Said before everything else: the path is not the one that was asked for.
    pub notice: Option<Notice>,
    /// The address that was read, where it is no path.
    pub remote: Option<SourceMeta>,
}

/// Where a path text leads.
#[derive(Debug)]
pub enum Located {
    /// To a file or directory.
    Target(Target),
    /// Into a file that holds other things, found by the end of its path.
    Within(Contained, Notice),
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

    /// Says above a result which path was taken, where that is not the one that was asked for.
    #[must_use]
    pub fn announce(&self, outcome: Outcome) -> Outcome {
        match self.notice.clone() {
            Some(notice) => announce(notice, outcome),
            None => outcome,
        }
    }

    /// The error for what is not done yet.
    #[must_use]
    pub fn unsupported(&self, feature: &str) -> ToolError {
        unsupported(feature, &self.shown)
    }
}

/// Says above a result which path was taken, where that is not the one that was asked for.
pub fn announce(notice: Notice, mut outcome: Outcome) -> Outcome {
    outcome.text.insert_str(0, &format!("{}\n", notice.text));
    let (from, to) = (notice.facts.get("from").cloned(), notice.facts.get("to").cloned());
    let detail = match notice.kind {
        "suffix_resolved" => "suffixResolution",
        _ => "lookalikeResolution",
    };
    outcome.notices.insert(0, notice);
    outcome.detail(detail, json!({"from": from, "to": to}))
}

/// Finds the target of a path text.
pub fn locate(text: &str, context: &Context, cancel: &CancelToken) -> Result<Located> {
    let (cwd, home) = (&context.cwd, context.home.as_deref());
    let readings = selector::splits(text);
    // As written first, for every reading; only then the look-alikes of each.
    for find in [files::find_literal, files::find_variant] {
        for reading in &readings {
            if let Some(path) = find(reading.target, cwd, home)? {
                let notice = lookalike_notice(reading.target, &path, context);
                return Ok(Located::Target(Target { notice, ..target(reading, path, context)? }));
            }
        }
    }
    if let Some(error) = near_miss(text, context)? {
        return Err(error);
    }
    find_by_suffix(text, &readings, context, cancel)
}

fn target(reading: &Split<'_>, path: PathBuf, context: &Context) -> Result<Target> {
    let selector = selector::parse(reading)?;
    // Named as it was asked for: a link that leads nowhere is the caller's path, not ours.
    let found = match files::stat(&path, reading.target)? {
        Kind::Directory(_) => Found::Directory,
        Kind::File(_) | Kind::Special(_) => Found::File,
    };
    let shown = files::display_path(&path, &context.cwd);
    Ok(Target { path, shown, selector, found, entity: "file", notice: None, remote: None })
}

/// Said where the name that was taken is not the very one that was asked for, and another one looks the same.
fn lookalike_notice(asked: &str, path: &Path, context: &Context) -> Option<Notice> {
    let name = path.file_name()?.to_str()?;
    if asked.ends_with(name) {
        return None;
    }
    let others = files::find_lookalikes(path);
    let shown: Vec<String> = others.iter().map(|other| code_points(&display(other, context))).collect();
    let (from, to) = (files::escape_control(asked), display(path, context));
    let text = format!(
        "[`{from}` does not exist; read `{to}`, which looks the same, and so does {}]",
        shown.iter().map(|other| format!("`{other}`")).collect::<Vec<_>>().join(", ")
    );
    let facts = json!({"from": asked, "to": to, "others": shown});
    (!others.is_empty()).then(|| Notice::new("lookalike_resolved", text, facts))
}

/// A name with what cannot be told apart by eye written as `\u{…}`.
fn code_points(name: &str) -> String {
    let plain = |c: char| c.is_ascii() || c.is_alphanumeric();
    name.chars()
        .map(|c| if plain(c) { c.to_string() } else { format!("\\u{{{:x}}}", u32::from(c)) })
        .collect()
}

fn display(path: &Path, context: &Context) -> String {
    files::display_path(path, &context.cwd)
}

/// What is wrong with a text that almost is an address, as exactly as the text allows.
fn near_miss(text: &str, context: &Context) -> Result<Option<ToolError>> {
    let (cwd, home) = (&context.cwd, context.home.as_deref());
    // A selector that is none, such as `:0` without a file: the selector is the smaller mistake.
    let reading = selector::split(text);
    selector::parse(&reading)?;
    if let Some((path, tail)) = tail_that_is_no_selector(text)
        && files::find_literal(path, cwd, home)?.is_some()
    {
        return Ok(Some(not_a_selector(text, path.to_owned(), tail)));
    }
    // What cannot even be looked up, such as a name that is too long, is told as that.
    let error = files::stat(&files::resolve_to_cwd(reading.target, cwd, home)?, text).err();
    Ok(error.filter(|error| error.code() != "path_not_found"))
}

/// The target of a path that only exists further down, if exactly one does.
fn find_by_suffix(
    text: &str,
    readings: &[Split<'_>],
    context: &Context,
    cancel: &CancelToken,
) -> Result<Located> {
    let near = tail_that_is_no_selector(text);
    let containers: Vec<&str> = contained::prefixes(text).collect();
    let targets = readings.iter().map(|reading| reading.target);
    let texts: Vec<&str> =
        targets.chain(containers.iter().copied()).chain(near.map(|(path, _)| path)).collect();
    let found = files::find_suffixes(&texts, &context.cwd, cancel)?;
    for (prefix, matches) in containers.iter().zip(&found[readings.len()..]) {
        let Some(path) = matches.unique() else { continue };
        if let Some(within) = contained::at(path.to_owned(), prefix, text) {
            return Ok(Located::Within(within, suffix_notice(prefix, &display(path, context))));
        }
    }
    for (reading, matches) in readings.iter().zip(&found) {
        let Some(path) = matches.unique() else { continue };
        let target = target(reading, path.to_owned(), context)?;
        let notice = Some(suffix_notice(reading.target, &target.shown));
        return Ok(Located::Target(Target { notice, ..target }));
    }
    let several = |matches: &&SuffixMatches| !matches.paths.is_empty();
    if let Some(matches) = found[..readings.len()].iter().find(several) {
        let (paths, more) = matches.named();
        let candidates = paths.iter().map(|path| display(path, context)).collect();
        return Err(ToolError::PathNotFoundAmong {
            path: text.to_owned(),
            candidates,
            more: more || matches.timed_out,
        });
    }
    if let (Some((_, tail)), Some(path)) = (near, found.last().and_then(SuffixMatches::unique)) {
        return Err(not_a_selector(text, display(path, context), tail));
    }
    if text.starts_with("www.") {
        return Err(unsupported("reading web pages", text));
    }
    Err(ToolError::PathNotFound { path: text.to_owned() })
}

fn suffix_notice(from: &str, to: &str) -> Notice {
    let from = files::escape_control(from);
    let text = format!("[`{from}` does not exist; read `{to}`, the only path that ends like it]");
    Notice::new("suffix_resolved", text, json!({"from": from, "to": to}))
}

/// A text whose last colon is followed by what is no selector.
fn tail_that_is_no_selector(text: &str) -> Option<(&str, &str)> {
    // What goes on as a path is none: `C:\x`.
    let cut = text.rsplit_once(':').filter(|(path, tail)| !path.is_empty() && !tail.contains(['/', '\\']));
    cut.filter(|_| selector::split(text).selector.is_none())
}

fn not_a_selector(text: &str, near: String, tail: &str) -> ToolError {
    ToolError::PathNotFoundNear { path: text.to_owned(), near, selector: tail.to_owned() }
}

fn unsupported(feature: &str, path: &str) -> ToolError {
    ToolError::Unsupported { feature: feature.to_owned(), path: Some(path.to_owned()) }
}
