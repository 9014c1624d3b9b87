//! `write`: the whole content of a file, new or not; of a member of an archive or a row of a database, see
//! `write_contained`. Stores the bytes it is given; of what was there before only the byte-order mark of UTF-8 stays; a
//! file in UTF-16 becomes UTF-8, which is said.

use std::borrow::Cow;
use std::io::Read;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;

use super::guard::{allowed_by_plan, refuse_container, refuse_generated};
use super::read::selector::splits;
use super::{Context, conflicts, write_contained};
use super::{memory, notes};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{self, Created, Expected, InPlace, Mark, Target};
use crate::engine::outcome::{FileContents, Notice, Outcome};
use crate::engine::text::{BOM, has_bom, letters, split_lines};

/// Arguments of `write`. Others are ignored.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    /// The file.
    pub path: String,
    /// The whole content.
    pub content: String,
}

/// Runs the call.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    if let Some(address) = conflicts::parse(&options.path)? {
        return conflicts::resolve(&address, &options.content, context, cancel);
    }
    if let Some(outcome) = write_contained::run(options, context, cancel)? {
        return Ok(outcome);
    }
    let path = allowed_by_plan(resolve(&options.path, context)?, context)?;
    let shown = files::display_path(&path, &context.cwd);
    // Most content has no anchors; then the old lines are not needed.
    let may_have_anchors = context.shows_anchors()
        && options.content.lines().find(|line| !line.trim().is_empty()).and_then(take_anchor).is_some();

    let writer = context.writer();
    let target = writer.lock(&path, &shown, cancel)?;
    cancel.check()?;
    let seen = context.session.as_deref().and_then(|session| session.reads.stamp(&path));
    let old = Old::read(&target, may_have_anchors || seen.is_some())?;
    // Whoever replaces a whole file means the one it has seen.
    if let (Some(seen), Old::Whole(now, _)) = (seen, &old)
        && !seen.fits(now)
    {
        return Err(ToolError::ChangedOutside { path: shown });
    }
    if let Some(head) = old.head() {
        refuse_container(target.path(), &shown, head)?;
        refuse_generated(target.path(), &shown, head, &context.settings)?;
    }
    let plain = match &old {
        Old::Whole(bytes, _) if may_have_anchors => without_anchors(&options.content, bytes),
        _ => None,
    };
    let given = plain.as_deref().unwrap_or(&options.content).as_bytes();
    let keeps_mark = old.head().is_some_and(has_bom) && !has_bom(given);
    let bytes = if keeps_mark { Cow::Owned([BOM, given].concat()) } else { Cow::Borrowed(given) };
    cancel.check()?;
    let written = writer.write(&target, &bytes, old.expected()).map_err(Old::changed)?;

    if context.has_edit_tool {
        memory::keep_bytes(&path, &bytes, context);
    }

    let mut outcome = Outcome::text(format!("Successfully wrote {} bytes to {shown}", bytes.len()))
        .detail("writtenInPlace", written.in_place.map(InPlace::name));
    let op = if written.created == Created::New { "create" } else { "update" };
    outcome.files = vec![FileContents { path: path.clone(), from: None, op, before: None, after: None }];
    if keeps_mark {
        add_note(&mut outcome, "bom_kept", "The byte-order mark of the file was kept.");
    }
    if plain.is_some() {
        add_note(
            &mut outcome,
            "hash_prefix_stripped",
            "The line anchors in front of the lines were removed.",
        );
    }
    if let Some(encoding) = old.head().and_then(wide_encoding) {
        let text = format!("The file was {encoding} before; it is UTF-8 now.");
        outcome.text.push('\n');
        outcome.text.push_str(&text);
        outcome.note(Notice::new("encoding_changed", text, json!({"from": encoding, "to": "UTF-8"})));
    }
    notes::repaired(&mut outcome, target.repairs(), &context.cwd);
    Ok(outcome)
}

fn add_note(outcome: &mut Outcome, kind: &'static str, text: &str) {
    outcome.text.push('\n');
    outcome.text.push_str(text);
    outcome.note(Notice::new(kind, text, json!({})));
}

/// The encoding that a mark at the start of a file names, other than UTF-8.
fn wide_encoding(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xFF, 0xFE, ..] => Some("UTF-16LE"),
        [0xFE, 0xFF, ..] => Some("UTF-16BE"),
        _ => None,
    }
}

/// The file a path text means; an address of something else is refused.
fn resolve(path: &str, context: &Context) -> Result<PathBuf> {
    if path.trim().is_empty() {
        return Err(ToolError::Io { path: path.to_owned(), reason: "the path is empty".into() });
    }
    if is_address(path) {
        return Err(unsupported("writing to an internal address", path));
    }
    let resolved = files::resolve_for_writing(path, &context.cwd, context.home.as_deref())?;
    // A file that is really called so is meant before any other reading of its name.
    if resolved.symlink_metadata().is_err() {
        refuse_selector(path, context)?;
        refuse_other_archive(path, context)?;
    }
    if path.ends_with('/') {
        return Err(ToolError::Io { path: files::escape_control(path), reason: "names a directory".into() });
    }
    Ok(resolved)
}

/// `conflict://1` and the like, also behind a needless `file:`.
fn is_address(path: &str) -> bool {
    let scheme =
        path.strip_prefix("file:").unwrap_or(path).split_once("://").map_or("", |(scheme, _)| scheme);
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    // One letter is a drive.
    scheme.len() > 1 && scheme != "file" && scheme.bytes().all(is_part)
}

/// `a.txt:5` beside an existing `a.txt` is an address of `read`, not the name of a new file.
fn refuse_selector(path: &str, context: &Context) -> Result<()> {
    for split in splits(path) {
        let Some(selector) = split.selector else { continue };
        let bare = files::resolve_for_writing(split.target, &context.cwd, context.home.as_deref())?;
        if bare.is_file() {
            return Err(ToolError::SelectorUnsupported {
                path: files::display_path(&bare, &context.cwd),
                selector: selector.to_owned(),
                reason: "`write` replaces a whole file; change a part of it with `edit`".into(),
            });
        }
    }
    Ok(())
}

/// `x.7z:a.txt` beside an existing `x.7z` means a member, which a file of that name would only pretend to be.
fn refuse_other_archive(path: &str, context: &Context) -> Result<()> {
    const ENDINGS: &[&str] =
        &[".7z", ".rar", ".jar", ".bz2", ".xz", ".zst", ".gz", ".tbz2", ".txz", ".whl", ".apk", ".war"];
    for (at, _) in path.match_indices(':') {
        let (archive, lower) = (&path[..at], path[..at].to_ascii_lowercase());
        let is_archive = ENDINGS.iter().any(|ending| lower.ends_with(ending));
        let file = || files::resolve_for_writing(archive, &context.cwd, context.home.as_deref());
        if is_archive && file()?.is_file() {
            return Err(unsupported("writing into an archive of this format", path));
        }
    }
    Ok(())
}

fn unsupported(feature: &str, path: &str) -> ToolError {
    ToolError::Unsupported { feature: feature.into(), path: Some(files::escape_control(path)) }
}

/// Largest file whose lines are read to check anchors; `read` shows anchors of such files only in parts.
const MAX_ANCHORED: u64 = 8 * 1024 * 1024;

/// What the file holds before the write, as far as the decisions here need it.
enum Old {
    Missing,
    /// Its start, where only that was read.
    Head(Vec<u8>, Mark),
    Whole(Vec<u8>, Mark),
}

impl Old {
    fn read(target: &Target, whole: bool) -> Result<Self> {
        let (path, shown) = (target.path(), target.shown());
        // Asked first: a missing file, or one in a directory that is missing too, is about to be made.
        if path.symlink_metadata().is_err() {
            return Ok(Self::Missing);
        }
        if whole {
            match files::read_regular(path, shown, MAX_ANCHORED) {
                Ok((bytes, metadata)) => return Ok(Self::Whole(bytes, Mark::of(&metadata))),
                Err(ToolError::FileTooLarge { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let mut head = Vec::with_capacity(files::HEADER_BYTES);
        let (file, metadata) = files::open_regular(path, shown)?;
        file.take(files::HEADER_BYTES as u64)
            .read_to_end(&mut head)
            .map_err(|error| ToolError::io(shown, &error))?;
        Ok(Self::Head(head, Mark::of(&metadata)))
    }

    fn head(&self) -> Option<&[u8]> {
        match self {
            Self::Missing => None,
            Self::Head(bytes, _) | Self::Whole(bytes, _) => Some(bytes),
        }
    }

    /// What was decided holds for this file alone.
    fn expected(&self) -> Expected<'static> {
        match self {
            Self::Missing => Expected::Missing,
            Self::Head(_, mark) | Self::Whole(_, mark) => Expected::Unchanged(*mark),
        }
    }

    /// A file that was missing a moment ago.
    fn changed(error: ToolError) -> ToolError {
        match error {
            ToolError::AlreadyExists { path } => ToolError::ConcurrentModification { path },
            other => other,
        }
    }
}

/// The content without the anchors of `read`, if every line that is not blank has one and each is the anchor of
/// that line in `old`. What merely looks like anchors is content.
fn without_anchors(content: &str, old: &[u8]) -> Option<String> {
    let old: Vec<_> = split_lines(old).collect();
    let mut plain = String::with_capacity(content.len());
    let mut anchors = 0;
    for line in content.split_inclusive('\n') {
        if line.trim().is_empty() {
            plain.push_str(line);
            continue;
        }
        let (number, pair, text) = take_anchor(line)?;
        let current = old.get(number.checked_sub(1)?)?;
        if letters(&String::from_utf8_lossy(current.text)) != pair {
            return None;
        }
        anchors += 1;
        plain.push_str(text);
    }
    (anchors > 0).then_some(plain)
}

/// Line number, letters and text of a line as `read` or `search` print it: `12ab|text`, `*12ab|text`.
fn take_anchor(line: &str) -> Option<(usize, &str, &str)> {
    let line = line.trim_start_matches([' ', '\t']).trim_start_matches('>');
    let line = line.trim_start_matches(' ').trim_start_matches(['*', '+']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line[..digits].parse().ok()?;
    let pair =
        line.get(digits..digits + 2).filter(|pair| pair.bytes().all(|byte| byte.is_ascii_lowercase()))?;
    let text = line[digits + 2..].strip_prefix(['|', ':'])?;
    Some((number, pair, text))
}
