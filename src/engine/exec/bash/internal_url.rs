//! Addresses of the host's router in a command. This version has no router, so it says so instead of letting the
//! shell look for a file of that name.

use crate::engine::files::INTERNAL_SCHEMES;

/// The first internal address that stands as a word, or at the start of a quoted one.
pub fn find(command: &str) -> Option<&str> {
    command.match_indices("://").find_map(|(at, separator)| {
        let scheme = INTERNAL_SCHEMES.iter().find(|scheme| command[..at].ends_with(**scheme))?;
        let start = at - scheme.len();
        let rest = &command[at + separator.len()..];
        let length = rest.find(|c: char| c.is_whitespace() || ENDS.contains(&c)).unwrap_or(rest.len());
        let is_word =
            command[..start].chars().next_back().is_none_or(|c| c.is_whitespace() || STARTS.contains(&c));
        (is_word && length > 0).then(|| &command[start..at + separator.len() + length])
    })
}

/// What may stand directly before an address.
const STARTS: &[char] = &['"', '\'', '=', '(', '<', '>', '|', '&', ';', '`'];
/// What ends an address.
const ENDS: &[char] = &['"', '\'', ')', '<', '>', '|', '&', ';', '`'];
