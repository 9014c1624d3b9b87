//! What the result says about everything it does not show.

use serde_json::json;

use super::page::{Cut, PAGE_BYTES, Page};
use crate::engine::outcome::Notice;
use crate::engine::text::format_bytes;

/// The way to the other pages.
pub(super) fn limit(page: &Page) -> Option<Notice> {
    let (total, next) = (page.total, page.end());
    if page.files.is_empty() && page.changed.is_empty() && total > 0 {
        let text = format!("The pattern has {total} matches; skip={} is behind the last of them", page.first);
        return Some(Notice::new("ast_limit", text, json!({"total": total, "skip": page.first})));
    }
    (next < total).then(|| {
        let first = page.first + 1;
        let text = format!(
            "Showing matches {first}-{next} of {total}. Use skip={next} for the next ones, or narrow pattern and paths."
        );
        let facts = json!({"first": first, "last": next, "total": total, "next_skip": next});
        Notice::new("ast_limit", text, facts)
    })
}

/// The way to the rest of a match that fills the page alone.
pub(super) fn cut(cut: &Cut) -> Notice {
    let Cut { path, next, last } = cut;
    let limit = format_bytes(PAGE_BYTES as u64);
    let text = format!("The match was cut at {limit}. Read {path}:{next}-{last} for the rest of it.");
    Notice::new("ast_cut", text, json!({"path": path, "next": next, "last": last, "byte_limit": limit}))
}
