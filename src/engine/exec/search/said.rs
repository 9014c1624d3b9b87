//! What the result says about everything it does not show.

use serde_json::{Value, json};

use super::call::{MATCH_CAP, PER_SINGLE_FILE};
use super::page::{Cut, FileHits, PAGE_BYTES, Page};
use super::scan::{Skip, WALKED_LIMIT};
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
    let text = format!("The search ended after {MATCH_CAP} matches; files after that were not searched.");
    Notice::new("match_cap", text, json!({"cap": MATCH_CAP}))
}

/// Files that were not searched, counted by reason; a reason that does not occur has no count. `named` is the file,
/// where the caller named only one.
pub(super) fn skipped(files: &[Skip], named: Option<&str>) -> Option<Notice> {
    let mut counts = [("oversized", 0_usize), ("binary", 0), ("unreadable", 0)];
    for file in files {
        let reason = match file {
            Skip::Oversized => 0,
            Skip::Binary => 1,
            Skip::Unreadable(_) => 2,
        };
        counts[reason].1 += 1;
    }
    let counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    let text = match (counts.first()?, named) {
        (("binary", _), Some(name)) => format!("{name} was not searched: it is binary (it has NUL bytes)"),
        (_, Some(name)) => format!("{name} was not searched: it is too large"),
        (_, None) => {
            let limit = format_bytes(WALKED_LIMIT);
            let words = |(reason, count): &(&str, usize)| match *reason {
                "oversized" => format!("{count} over {limit}"),
                reason => format!("{count} {reason}"),
            };
            format!("Files not searched: {}", counts.iter().map(words).collect::<Vec<_>>().join(", "))
        }
    };
    let facts = counts.into_iter().map(|(reason, count)| (reason.to_owned(), json!(count))).collect();
    Some(Notice::new("skipped_files", text, Value::Object(facts)))
}
