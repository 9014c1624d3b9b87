//! Takes off a final `| head` or `| tail`, where a setting asks for that: of a long output the end is shown anyway, all
//! of it is kept, and a command that is cut off by its reader behaves differently. What was taken off is told.

use std::ops::Range;

use serde_json::json;

use super::words::{Token, tokens};
use crate::engine::outcome::Notice;

/// The command without, and what is said about it; absent where there is nothing to take off.
pub fn without_cuts(command: &str) -> Option<(String, Notice)> {
    let tokens = tokens(command)?;
    let is_end = |token: &Token<'_>| token.is_operator && matches!(token.text, ";" | "&" | "&&" | "||");
    let mut removed: Vec<Range<usize>> = Vec::new();
    for pipeline in tokens.split(is_end) {
        removed.extend(cuts(pipeline));
    }
    if removed.is_empty() {
        return None;
    }
    let parts: Vec<_> = removed.iter().map(|range| command[range.clone()].trim().to_owned()).collect();
    let mut kept = command.to_owned();
    for range in removed.iter().rev() {
        kept.replace_range(range.clone(), "");
    }
    let shown = parts.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", ");
    let text = format!("The command ran without {shown}: long output is shortened anyway.");
    Some((kept, Notice::new("command_changed", text, json!({"removed": parts}))))
}

/// The ends of a pipeline that go: a last `head` or `tail` that only counts, then a `2>&1` that nobody needs any more.
fn cuts(pipeline: &[Token<'_>]) -> Option<Range<usize>> {
    let pipe = pipeline.iter().rposition(|token| token.is_operator && matches!(token.text, "|" | "|&"))?;
    let (name, arguments) = pipeline[pipe + 1..].split_first()?;
    if !matches!(name.text, "head" | "tail") || !only_counts(arguments) {
        return None;
    }
    let mut first = pipe;
    let before = &pipeline[..pipe];
    let is_redirection = |token: &&Token<'_>| token.is_operator && token.text.contains(['<', '>']);
    let merges = before.last().is_some_and(|last| last.text == "2>&1");
    if merges
        && before.iter().filter(is_redirection).count() == 1
        && !before.iter().any(|token| token.text == "|")
    {
        first -= 1;
    }
    let last = pipeline.last()?;
    let start = pipeline[first - 1].start + pipeline[first - 1].text.len();
    Some(start..last.start + last.text.len())
}

fn only_counts(arguments: &[Token<'_>]) -> bool {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let text = argument.text;
        let is_count = |count: &str| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        let is_fine = match text {
            "-q" | "-v" | "--quiet" | "--verbose" | "--silent" => true,
            "-n" | "-c" | "--lines" | "--bytes" => arguments.next().is_some_and(|count| is_count(count.text)),
            _ => ["-n=", "-c=", "--lines=", "--bytes=", "-n", "-c", "-"]
                .iter()
                .find_map(|start| text.strip_prefix(start))
                .is_some_and(is_count),
        };
        if argument.is_operator || !is_fine {
            return false;
        }
    }
    true
}
