//! Addresses of the host's router in a command. The host says which files they stand for; the shell sees only those.

use crate::engine::error::{Result, ToolError};
use crate::engine::files::INTERNAL_SCHEMES;

/// An address in a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found<'a> {
    text: &'a str,
    start: usize,
    /// What stands directly before it.
    before: Option<char>,
}

/// The addresses in a command, for the host to look up.
#[must_use]
pub fn addresses(command: &str) -> Vec<String> {
    all(command).map(|found| found.text.to_owned()).collect()
}

/// The command with a quoted path for each address.
pub fn expand(command: &str, known: &[(String, String)]) -> Result<String> {
    let mut expanded = String::with_capacity(command.len());
    let mut done = 0;
    for found in all(command) {
        let scheme = found.text.split("://").next().unwrap_or_default();
        if let Some(reason) =
            REFUSED.iter().find(|(refused, _)| *refused == scheme).map(|(_, reason)| *reason)
        {
            return Err(ToolError::ShellUrlRejected {
                url: found.text.to_owned(),
                reason: reason.to_owned(),
            });
        }
        let path = known.iter().find(|(address, _)| address == found.text).map(|(_, path)| path);
        let path = path.ok_or_else(|| ToolError::ShellUrlRejected {
            url: found.text.to_owned(),
            reason: "this session knows no file it stands for".into(),
        })?;
        expanded.push_str(&command[done..found.start]);
        match found.before {
            Some('\'') => expanded.push_str(&path.replace('\'', r"'\''")),
            Some('"') => expanded.extend(path.chars().flat_map(|c| {
                let escape = "\"\\$`".contains(c).then_some('\\');
                escape.into_iter().chain([c])
            })),
            _ => expanded.push_str(&super::words::quote(path)),
        }
        done = found.start + found.text.len();
    }
    expanded.push_str(&command[done..]);
    Ok(expanded)
}

/// What no file stands for.
const REFUSED: &[(&str, &str)] = &[
    ("artifact", "it is no file of this system; `read` shows it, in parts if need be"),
    ("agent", "it is no file of this system; `read` shows it"),
    ("conflict", "it is a part of a file; `read` shows it and `write` resolves it"),
];

/// What stands as a word, or at the start of a quoted one.
fn all(command: &str) -> impl Iterator<Item = Found<'_>> {
    command.match_indices("://").filter_map(|(at, separator)| {
        let scheme = INTERNAL_SCHEMES.iter().find(|scheme| command[..at].ends_with(**scheme))?;
        let start = at - scheme.len();
        let rest = &command[at + separator.len()..];
        let length = rest.find(|c: char| c.is_whitespace() || ENDS.contains(&c)).unwrap_or(rest.len());
        let before = command[..start].chars().next_back();
        let is_word = before.is_none_or(|c| c.is_whitespace() || STARTS.contains(&c));
        let text = &command[start..at + separator.len() + length];
        (is_word && length > 0).then_some(Found { text, start, before })
    })
}

/// What may stand directly before an address.
const STARTS: &[char] = &['"', '\'', '=', '(', '<', '>', '|', '&', ';', '`'];
/// What ends an address.
const ENDS: &[char] = &['"', '\'', ')', '<', '>', '|', '&', ';', '`'];
