//! The one glob rule: `*` and `?` never cross `/`, `**` does, `[ab]`, `[!ab]` and `{a,b}` work, `\` escapes (not on
//! Windows, where it separates), and a glob without a slash is matched at any depth. Case counts.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;

use crate::engine::error::{Result, ToolError};

/// A compiled glob, relative to a base directory.
#[derive(Debug, Clone)]
pub struct Glob {
    short_cut: ShortCut,
    /// Directories on the way to what it matches, and that itself, where that is the same for all.
    depth: Option<usize>,
    bytes: GlobMatcher,
    /// For globs that tell characters apart; globset alone would take each byte of an `é` for one.
    characters: Option<Regex>,
}

impl Glob {
    /// Compiles a glob; an open `{` at the end is closed.
    pub fn new(glob: &str) -> Result<Self> {
        let closed = format!("{glob}{}", "}".repeat(open_braces(glob)));
        let built = GlobBuilder::new(&closed)
            .literal_separator(true)
            .backslash_escape(!cfg!(windows))
            .empty_alternates(true)
            .build();
        match built {
            Ok(built) => Ok(Self {
                short_cut: ShortCut::of(&closed),
                depth: depth_of(&closed),
                characters: by_character(&built),
                bytes: built.compile_matcher(),
            }),
            Err(error) => {
                Err(ToolError::InvalidGlob { glob: glob.to_owned(), reason: error.kind().to_string() })
            }
        }
    }

    /// How many names a matching path has at most, where there is a bound.
    #[must_use]
    pub fn depth(&self) -> Option<usize> {
        self.depth
    }

    /// Whether a path relative to the base matches.
    #[must_use]
    pub fn matches(&self, relative: &Path) -> bool {
        let name = || relative.file_name().unwrap_or_default().as_encoded_bytes();
        match &self.short_cut {
            ShortCut::Everything => return true,
            ShortCut::Ending(ending) => return name().ends_with(ending.as_bytes()),
            ShortCut::Name(known) => return name() == known.as_bytes(),
            ShortCut::None => {}
        }
        match (&self.characters, relative.to_str()) {
            (Some(characters), Some(text)) => characters.is_match(text),
            _ => self.bytes.is_match(relative),
        }
    }
}

/// What some globs come to, so that no expression has to be run for them.
#[derive(Debug, Clone)]
enum ShortCut {
    /// `**/*`
    Everything,
    /// `**/*.rs`
    Ending(String),
    /// `**/Cargo.toml`
    Name(String),
    None,
}

impl ShortCut {
    fn of(glob: &str) -> Self {
        let plain = |text: &str| !text.contains(['*', '?', '[', ']', '{', '}', '/', '\\']);
        match glob.strip_prefix("**/") {
            Some("*") => Self::Everything,
            Some(name) if !name.is_empty() && plain(name) => Self::Name(name.to_owned()),
            Some(name) => match name.strip_prefix('*') {
                Some(ending) if plain(ending) => Self::Ending(ending.to_owned()),
                _ => Self::None,
            },
            None => Self::None,
        }
    }
}

fn depth_of(glob: &str) -> Option<usize> {
    let fixed = !glob.contains("**") && !glob.contains('{');
    fixed.then(|| glob.matches(['/', '\\']).count() + 1)
}

/// The regular expression of a glob over characters instead of bytes; absent where that makes no difference.
fn by_character(glob: &globset::Glob) -> Option<Regex> {
    if !glob.glob().contains(['?', '[']) {
        return None;
    }
    let bytes = glob.regex().strip_prefix("(?-u)")?;
    let mut pattern = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.find("\\x") {
        let (before, escapes) = rest.split_at(at);
        pattern.push_str(before);
        let count = escapes.as_bytes().chunks(4).take_while(|escape| escape.starts_with(b"\\x")).count();
        let (run, behind) = escapes.split_at(4 * count);
        let encoded: Option<Vec<u8>> = run
            .as_bytes()
            .chunks(4)
            .map(|escape| u8::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok())
            .collect();
        // Only characters outside of ASCII are written as bytes, and those mean nothing else in an expression.
        pattern.push_str(std::str::from_utf8(&encoded?).ok()?);
        rest = behind;
    }
    pattern.push_str(rest);
    Regex::new(&pattern).ok()
}

/// Whether a text has a glob character that is not escaped.
#[must_use]
pub fn is_glob(text: &str) -> bool {
    unescaped(text).any(|(_, c)| matches!(c, '*' | '?' | '[' | '{'))
}

/// Splits an entry before its first part that is a glob: the base (escapes kept) and the rest. An entry without
/// glob characters is all base.
#[must_use]
pub fn split_glob(entry: &str) -> (&str, Option<&str>) {
    split_glob_below(entry, |_| false)
}

/// As [`split_glob`]; a part with glob characters belongs to the base if `exists` says that the path up to it is
/// there under that very name.
pub fn split_glob_below(entry: &str, exists: impl Fn(&str) -> bool) -> (&str, Option<&str>) {
    let mut start = 0;
    while start < entry.len() {
        let end = entry[start..].find('/').map_or(entry.len(), |at| start + at);
        if is_glob(&entry[start..end]) && !(end < entry.len() && exists(&entry[..end])) {
            let base = match entry[..start].trim_end_matches('/') {
                "" if start == 0 => ".",
                "" => "/",
                base => base,
            };
            return (base, Some(&entry[start..]));
        }
        start = end + 1;
    }
    (entry, None)
}

/// The glob that finds what `entry` means below its base: everything for a plain path, any depth for a glob without
/// a slash.
#[must_use]
pub fn glob_below_base(entry: &str) -> String {
    match split_glob(entry) {
        (_, None) => "**/*".to_owned(),
        (".", Some(glob)) if !glob.contains('/') && glob.len() == entry.len() => format!("**/{glob}"),
        (_, Some(glob)) => glob.to_owned(),
    }
}

/// Removes the backslashes that escape.
#[must_use]
pub fn unescape(text: &str) -> String {
    if cfg!(windows) {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut escaped = false;
    for c in text.chars() {
        escaped = !escaped && c == '\\';
        if !escaped {
            plain.push(c);
        }
    }
    plain
}

/// Whether a comma stands outside of braces and brackets, not escaped: the mark of several paths in one text.
#[must_use]
pub fn has_bare_comma(text: &str) -> bool {
    let (mut braces, mut class) = (0_usize, false);
    for (_, c) in unescaped(text) {
        match c {
            '[' => class = true,
            ']' => class = false,
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            ',' if braces == 0 && !class => return true,
            _ => {}
        }
    }
    false
}

/// Whether a text names a directory such as `node_modules` as a whole word of a path.
#[must_use]
pub fn mentions(text: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name))
}

fn open_braces(glob: &str) -> usize {
    unescaped(glob).fold(0_usize, |depth, (_, c)| match c {
        '{' => depth + 1,
        '}' => depth.saturating_sub(1),
        _ => depth,
    })
}

/// The characters that no backslash escapes.
fn unescaped(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut escaped = false;
    text.char_indices().filter(move |(_, c)| {
        let plain = !escaped;
        escaped = !cfg!(windows) && plain && *c == '\\';
        plain && !escaped
    })
}
