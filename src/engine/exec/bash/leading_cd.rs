//! `cd DIR && REST` at the start of a command: `DIR` is the working directory of the call.

/// Splits off a leading `cd`: the directory and the rest. Only a literal directory is lifted, one the shell would
/// take as it stands; everything else (`~`, `$VAR`, globs, escapes, options, `-`) is the shell's business.
pub fn split(command: &str) -> Option<(String, &str)> {
    let rest = command.trim_start_matches(BLANKS).strip_prefix("cd")?;
    let word = rest.trim_start_matches(BLANKS);
    if word.len() == rest.len() {
        return None;
    }
    let (directory, rest) = literal_word(word)?;
    let rest = rest.trim_start_matches(BLANKS).strip_prefix("&&")?.trim_start();
    let is_path = !directory.starts_with(['-', '~', '@', '+']) && !directory.contains("://");
    // The shared path rule reads a lone slash as the session's directory, which is not what `cd /` means.
    let is_root = directory.bytes().all(|byte| byte == b'/');
    if !is_path || is_root || rest.is_empty() || has_background_job(rest) {
        return None;
    }
    Some((directory.to_owned(), rest))
}

/// Whether the rest would do something even if `cd` failed: then only the shell may try.
pub fn goes_on_after_failure(rest: &str) -> bool {
    rest.contains("||") || rest.contains([';', '\n'])
}

const BLANKS: [char; 2] = [' ', '\t'];

/// The first word and what follows it, if the word means itself.
fn literal_word(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (word, rest) = match quote {
        Some(quote) => text[1..].split_once(quote)?,
        None => text.split_at(text.find([' ', '\t', '&', '\n', ';', '|', '<', '>', '(', ')'])?),
    };
    let special: &[char] = match quote {
        Some('\'') => &[],
        Some(_) => &['$', '`', '\\', '!'],
        None => &['$', '`', '\\', '!', '*', '?', '[', ']', '{', '}', '"', '\'', '#'],
    };
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', '&']);
    (ends && !word.is_empty() && !word.contains(special) && !word.contains(['\n', '\0']))
        .then_some((word, rest))
}

/// A single `&`: it would take the `cd` along into the background, and leave what follows where it was.
fn has_background_job(text: &str) -> bool {
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    let before = |index: usize| if index == 0 { b' ' } else { at(index - 1) };
    memchr::memchr_iter(b'&', bytes).any(|index| {
        !matches!(before(index), b'&' | b'>' | b'<' | b'|') && !matches!(at(index + 1), b'&' | b'>')
    })
}
