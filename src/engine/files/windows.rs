//! Paths as Windows reads them, as texts: no file system is asked, so this holds on every system.
//!
//! A path is absolute with a drive (`C:\x`, `C:/x`), a share (`\\server\share\x`, `//server/share/x`) or as the system
//! itself writes them (`\\?\C:\x`, `\\.\pipe\x`), which stays as it is. `\x` starts at the drive of the session's
//! directory, `D:x` in its directory if that is on the same drive. Everything else is relative.

/// Resolves a path text against the session's directory, `.` and `..` folded, `\` between its parts.
#[must_use]
pub fn resolve_windows(text: &str, cwd: &str, home: Option<&str>) -> String {
    if is_verbatim(text) {
        return text.to_owned();
    }
    // A URL has a slash before its drive.
    let text = text
        .strip_prefix('/')
        .filter(|rest| drive(rest).is_some() && rest[2..].starts_with(is_separator))
        .unwrap_or(text);
    if let (Some(rest), Some(home)) = (text.strip_prefix('~'), home)
        && (rest.is_empty() || rest.starts_with(is_separator))
    {
        return join(home, rest);
    }
    let Parts { prefix, rooted, rest } = Parts::of(text);
    let own = Parts::of(cwd);
    match (prefix, rooted) {
        (Some(prefix), false) if own.prefix.is_some_and(|own| own.eq_ignore_ascii_case(prefix)) => {
            join(cwd, rest)
        }
        (Some(prefix), _) => fold(&upper_drive(prefix), rest),
        (None, true) if rest.is_empty() => cwd.to_owned(),
        (None, true) => fold(own.prefix.unwrap_or_default(), rest),
        (None, false) => join(cwd, rest),
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, '\\' | '/')
}

fn is_verbatim(text: &str) -> bool {
    text.starts_with(r"\\?\") || text.starts_with(r"\\.\")
}

/// `C:` at the start of a text.
fn drive(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    (bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':').then(|| &text[..2])
}

/// A path without what it is relative to.
struct Parts<'a> {
    /// A drive or a share.
    prefix: Option<&'a str>,
    /// From the top of the prefix.
    rooted: bool,
    rest: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        if let Some(prefix) = drive(text) {
            let rest = &text[2..];
            return Self { prefix: Some(prefix), rooted: rest.starts_with(is_separator), rest };
        }
        if let Some(prefix) = share(text) {
            return Self { prefix: Some(prefix), rooted: true, rest: &text[prefix.len()..] };
        }
        Self {
            prefix: None,
            rooted: text.starts_with(is_separator),
            rest: text.trim_start_matches(is_separator),
        }
    }
}

/// `\\server\share` at the start of a text.
fn share(text: &str) -> Option<&str> {
    let names = text.strip_prefix(r"\\").or_else(|| text.strip_prefix("//"))?;
    let server = names.find(is_separator).filter(|length| *length > 0)?;
    let share = names[server + 1..].find(is_separator).unwrap_or(names.len() - server - 1);
    (share > 0).then(|| &text[..2 + server + 1 + share])
}

fn upper_drive(prefix: &str) -> String {
    if drive(prefix).is_some() { prefix.to_ascii_uppercase() } else { prefix.replace('/', r"\") }
}

fn join(base: &str, rest: &str) -> String {
    let Parts { prefix, rest: above, .. } = Parts::of(base);
    fold(prefix.unwrap_or_default(), &format!("{above}\\{rest}"))
}

fn fold(prefix: &str, rest: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in rest.split(is_separator) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    format!("{prefix}\\{}", names.join("\\"))
}
