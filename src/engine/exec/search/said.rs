//! What the result says about everything it does not show.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::call::{FILE_CAP, MATCH_CAP, PER_SINGLE_FILE};
use super::member::Refused;
use super::page::{Cut, FileHits, PAGE_BYTES, Page};
use super::scan::{Skip, WALKED_LIMIT};
use crate::engine::error::ToolError;
use crate::engine::exec::notes::some_of;
use crate::engine::files::display_path;
use crate::engine::outcome::Notice;
use crate::engine::text::format_bytes;

/// The way to the other pages.
pub(super) fn page(page: &Page, capped: bool) -> Option<Notice> {
    let or_more = if capped { " or more" } else { "" };
    let (first, last, total) = (page.first + 1, page.end(), page.total);
    if page.files.is_empty() && total > 0 {
        let text = format!("{total} files match; skip={} is behind the last of them", page.first);
        return Some(Notice::new("search_page", text, json!({"total": total, "skip": page.first})));
    }
    (last < total).then(|| {
        let text = format!(
            "Showing files {first}-{last} of {total}{or_more}. Use skip={last} for the next ones, or narrow pattern and paths."
        );
        Notice::new("search_page", text, json!({"first": first, "last": last, "total": total, "next_skip": last}))
    })
}

/// The way to the rest of a file that fills the page alone.
pub(super) fn cut(page: &Page, cut: Cut) -> Notice {
    let name = page.files.first().map_or("", |file| file.name.as_str());
    let (line, limit) = (cut.next_line, format_bytes(PAGE_BYTES as u64));
    let text =
        format!("Cut at {limit}. Narrow the pattern, or read {name}:{line}- for the lines that follow.");
    Notice::new("search_cut", text, json!({"path": name, "next": line, "byte_limit": limit}))
}

/// The way to more matches of a file.
pub(super) fn per_file(page: &Page, cap: usize, single: bool) -> Option<Notice> {
    if page.cut.is_some() {
        return None;
    }
    let more: Vec<&FileHits> = page.files.iter().filter(|file| file.hits.more).collect();
    let name = &more.first()?.name;
    let text = if single {
        format!(
            "Only the first {cap} matches are shown and {name} has more. Narrow the pattern, or read the rest."
        )
    } else {
        let others = match more.len() {
            1 => "has".to_owned(),
            count => format!("and {} more have", count - 1),
        };
        format!(
            "Only the first {cap} matches of a file are shown; {name} {others} more. Search a file alone for up to {PER_SINGLE_FILE}."
        )
    };
    Some(Notice::new("per_file_cap", text, json!({"cap": cap, "files": more.len()})))
}

/// The end of a search with files left.
pub(super) fn match_cap() -> Notice {
    let text =
        format!("The search ended after {FILE_CAP} files with matches; files after that were not searched.");
    Notice::new("match_cap", text, json!({"cap": MATCH_CAP, "files": FILE_CAP}))
}

/// Members of archives that were not searched.
pub(super) fn members(refused: &[Refused]) -> Option<Notice> {
    let reason = |refused: &Refused| match &refused.error {
        ToolError::ArchiveUnsearchable { reason, .. } | ToolError::ArchiveInvalid { reason, .. } => {
            reason.clone()
        }
        other => other.to_string(),
    };
    let parts: Vec<String> = refused.iter().map(|one| format!("{} ({})", one.shown, reason(one))).collect();
    let paths: Vec<&str> = refused.iter().map(|refused| refused.shown.as_str()).collect();
    let reasons: Vec<String> = refused.iter().map(reason).collect();
    let text = format!("Archive members not searched: {}", parts.join(", "));
    let facts = json!({"paths": paths, "reasons": reasons});
    (!refused.is_empty()).then(|| Notice::new("archive_skipped", text, facts))
}

/// Files that were not searched, counted by reason; a reason that does not occur has no count. `single`: the one
/// file that the caller named.
pub(super) fn skipped(files: &[(PathBuf, Skip)], single: bool, cwd: &Path) -> Option<Notice> {
    let (first, skip) = files.first()?;
    if single {
        let why = match skip {
            Skip::Binary => "it is binary (it has NUL bytes)",
            _ => "a line or the whole of it is too large",
        };
        let text = format!("{} was not searched: {why}", display_path(first, cwd));
        return Some(Notice::new("skipped_files", text, json!({skip.reason(): 1})));
    }
    let (mut facts, mut parts) = (Map::new(), Vec::new());
    for name in ["oversized", "binary", "unreadable"] {
        let paths: Vec<&Path> =
            files.iter().filter(|(_, skip)| skip.reason() == name).map(|(path, _)| path.as_path()).collect();
        if paths.is_empty() {
            continue;
        }
        let count = paths.len();
        facts.insert(name.to_owned(), json!(count));
        parts.push(match name {
            "oversized" => {
                let limit = format_bytes(WALKED_LIMIT as u64);
                format!("{count} over {limit} unless named in paths ({})", some_of(&paths, cwd))
            }
            "binary" => format!("{count} binary"),
            _ => format!("{count} unreadable ({})", some_of(&paths, cwd)),
        });
    }
    Some(Notice::new(
        "skipped_files",
        format!("Files not searched: {}", parts.join(", ")),
        Value::Object(facts),
    ))
}
