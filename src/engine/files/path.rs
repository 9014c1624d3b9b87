//! From what a model wrote to a path, and back to what it is shown.

use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::confine::{exists, read_dir};
use super::windows::resolve_windows;
use crate::engine::error::{Result, ToolError};

/// Addresses that a host's router answers; never paths.
pub const INTERNAL_SCHEMES: &[&str] =
    &["agent", "artifact", "memory", "rule", "local", "gjc", "issue", "pr", "skill", "conflict"];

/// Names of a directory that are compared with a missing one.
const MAX_LOOKALIKES: usize = 100_000;

/// Resolves a path text: Unicode spaces become spaces, `@` before `/`, `~` or `file:` is dropped, `file://` is
/// decoded, `~` and `~/x` use `home`, slashes alone mean `cwd`, `.` and `..` are folded. Pure: asks no file system.
pub fn resolve_to_cwd(path: &str, cwd: &Path, home: Option<&Path>) -> Result<PathBuf> {
    resolve_text(&fold_spaces(path), path, cwd, home)
}

/// [`resolve_to_cwd`] of a text whose spaces stay as they are; `shown` is for errors.
fn resolve_text(text: &str, shown: &str, cwd: &Path, home: Option<&Path>) -> Result<PathBuf> {
    let text = unwrapped(text, shown)?;
    if let Some(scheme) = internal_scheme(&text) {
        return Err(ToolError::InternalUrlAsPath { path: format!("{scheme}://…") });
    }
    if text.is_empty() {
        return Err(ToolError::EmptyPath { field: "path".into() });
    }
    if text.contains('\0') {
        return Err(ToolError::Io {
            path: escape_control(shown),
            reason: "a path cannot hold a NUL byte".into(),
        });
    }
    if text.bytes().all(|byte| byte == b'/') {
        return Ok(cwd.to_owned());
    }
    if cfg!(windows) {
        let home = home.map(|home| home.to_string_lossy().into_owned());
        return Ok(PathBuf::from(resolve_windows(&text, &cwd.to_string_lossy(), home.as_deref())));
    }
    Ok(fold_dots(&cwd.join(expand_tilde(&text, home))))
}

/// A text without what people put in front of paths: `@` before `/`, `~` or `file:`, and `file://`, which is decoded.
fn unwrapped(text: &str, shown: &str) -> Result<String> {
    let text = text.strip_prefix('@').filter(|rest| starts_path(rest)).unwrap_or(text);
    let Some(url_path) = text.strip_prefix("file://") else { return Ok(text.to_owned()) };
    decode_file_url(url_path)
        .ok_or_else(|| ToolError::Io { path: shown.to_owned(), reason: "not a valid file URL".into() })
}

/// A path as it was meant, relative or not: what [`resolve_to_cwd`] does to a text before it looks at `cwd`.
pub fn expand_path(path: &str, home: Option<&Path>) -> Result<PathBuf> {
    Ok(expand_tilde(&unwrapped(&fold_spaces(path), path)?, home))
}

/// Whether a text is an address that a host's router answers.
#[must_use]
pub fn is_internal_address(text: &str) -> bool {
    internal_scheme(text).is_some()
}

fn internal_scheme(text: &str) -> Option<&str> {
    text.split_once("://").map(|(scheme, _)| scheme).filter(|scheme| INTERNAL_SCHEMES.contains(scheme))
}

/// `~` and `~/x` with `home` in place of the tilde; everything else, also `~user`, as it is.
#[must_use]
pub fn expand_tilde(path: &str, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_owned(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(path),
    }
}

/// Resolves a path that should exist: [`find_literal`], then [`find_variant`]. Where there is none the result is
/// what [`resolve_to_cwd`] says.
pub fn resolve_existing(path: &str, cwd: &Path, home: Option<&Path>) -> Result<PathBuf> {
    if let Some(found) = find_literal(path, cwd, home)? {
        return Ok(found);
    }
    let variant = find_variant(path, cwd, home)?;
    variant.map_or_else(|| resolve_to_cwd(path, cwd, home), Ok)
}

/// The path of a text if it exists: as written, then with its Unicode spaces folded.
pub fn find_literal(path: &str, cwd: &Path, home: Option<&Path>) -> Result<Option<PathBuf>> {
    let resolved = resolve_to_cwd(path, cwd, home)?;
    if !path.bytes().all(|byte| byte == b'/') {
        // Before anything is expanded: a file may be called `~`.
        let literal = fold_dots(&cwd.join(path));
        let exact = resolve_text(path, path, cwd, home)?;
        for candidate in [literal, exact] {
            if candidate != resolved && exists(&candidate) {
                return Ok(Some(candidate));
            }
        }
    }
    Ok(Some(resolved).filter(|resolved| exists(resolved)))
}

/// The existing path that a text stands for in the spelling of people, terminals and our own listings: escaped
/// blanks, escaped control characters and bytes, or one name that differs only in spaces, quotes or composition.
pub fn find_variant(path: &str, cwd: &Path, home: Option<&Path>) -> Result<Option<PathBuf>> {
    let unescaped = drop_shell_escapes(path);
    let mut candidates = Vec::new();
    if unescaped != path && !cfg!(windows) {
        candidates.push(resolve_text(&unescaped, path, cwd, home)?);
    }
    if let Some(bytes) = decode_escapes(path) {
        candidates.push(fold_dots(&cwd.join(bytes)));
    }
    if let Some(found) = candidates.into_iter().find(|candidate| exists(candidate)) {
        return Ok(Some(found));
    }
    Ok(find_lookalike(&resolve_text(path, path, cwd, home)?))
}

/// Replaces each missing name of a path by the only one in its directory that looks the same.
fn find_lookalike(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for component in path.components() {
        let next = found.join(component);
        if exists(&next) {
            found = next;
            continue;
        }
        match lookalikes_in(&found, component.as_os_str().to_str()?).as_slice() {
            [only] => found.push(only),
            _ => return None,
        }
    }
    Some(found)
}

/// Other names beside a path that look like its last one. A path that does not exist itself counts all of them.
#[must_use]
pub fn find_lookalikes(path: &Path) -> Vec<PathBuf> {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let others = lookalikes_in(directory, name).into_iter().filter(|other| other != name);
    others.map(|name| directory.join(name)).collect()
}

/// The names in a directory that look like one, in order.
fn lookalikes_in(directory: &Path, name: &str) -> Vec<String> {
    let wanted = look(name);
    let entries = read_dir(directory).into_iter().flatten().take(MAX_LOOKALIKES).flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut same: Vec<String> = names.filter(|name| look(name) == wanted).collect();
    same.sort_unstable();
    same
}

/// What a name looks like: composed, with plain spaces and straight quotes.
fn look(name: &str) -> String {
    let straight = |c: char| match c {
        '\u{2018}' | '\u{2019}' | '\u{2BC}' => '\'',
        '\u{201C}' | '\u{201D}' => '"',
        c => c,
    };
    fold_spaces(name).nfc().map(straight).collect()
}

/// `\ ` and other escaped punctuation without the backslash.
fn drop_shell_escapes(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    let mut chars = path.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '\\' && next.is_ascii() && !next.is_ascii_alphanumeric() => {
                text.extend(chars.next());
            }
            _ => text.push(c),
        }
    }
    text
}

/// The name behind what [`escape_control`] and [`display_path`] show; absent where nothing is escaped.
#[cfg(unix)]
fn decode_escapes(path: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    let (source, mut bytes, mut at) = (path.as_bytes(), Vec::with_capacity(path.len()), 0);
    while at < source.len() {
        let (byte, length) = match &source[at..] {
            [b'\\', b'n', ..] => (b'\n', 2),
            [b'\\', b't', ..] => (b'\t', 2),
            [b'\\', b'r', ..] => (b'\r', 2),
            [b'\\', b'x', high, low, ..] => {
                let digits = [*high, *low];
                (u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?, 4)
            }
            [byte, ..] => (*byte, 1),
            [] => break,
        };
        bytes.push(byte);
        at += length;
    }
    (bytes.len() < source.len()).then(|| PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(not(unix))]
fn decode_escapes(_: &str) -> Option<PathBuf> {
    None
}

/// Resolves a path to write to: the literal text if that exists, else what [`resolve_to_cwd`] says. A file whose
/// name is merely similar is another file.
pub fn resolve_for_writing(path: &str, cwd: &Path, home: Option<&Path>) -> Result<PathBuf> {
    let resolved = resolve_to_cwd(path, cwd, home)?;
    let literal = fold_dots(&cwd.join(path));
    let is_literal = !path.bytes().all(|byte| byte == b'/') && exists(&literal);
    Ok(if is_literal { literal } else { resolved })
}

/// A path as it is shown: relative to `cwd` where it lies below it, with `/`, control characters escaped.
#[must_use]
pub fn display_path(path: &Path, cwd: &Path) -> String {
    escape_control(&relative_path(path, cwd))
}

/// The same as data: control characters as they are, bytes that are not UTF-8 as `\xNN`.
#[must_use]
pub fn relative_path(path: &Path, cwd: &Path) -> String {
    let shown = match path.strip_prefix(cwd) {
        Ok(relative) if relative.as_os_str().is_empty() => Path::new("."),
        Ok(relative) => relative,
        Err(_) => path,
    };
    let text = lossless(shown);
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// A path that somebody wrote, as it is shown; internal addresses as they are.
pub fn display_written(path: &str, cwd: &Path, home: Option<&Path>) -> Result<String> {
    if is_internal_address(path) {
        return Ok(path.to_owned());
    }
    Ok(display_path(&resolve_to_cwd(path, cwd, home)?, &fold_dots(cwd)))
}

/// Control characters as `\n`, `\t`, `\xNN`, so that a path is always one line.
#[must_use]
pub fn escape_control(text: &str) -> String {
    if !text.chars().any(char::is_control) {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !c.is_control() => escaped.push(c),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            // By its bytes, as they are read back.
            c => {
                let mut buffer = [0; 4];
                let bytes = c.encode_utf8(&mut buffer).bytes();
                escaped.extend(bytes.map(|byte| format!("\\x{byte:02x}")));
            }
        }
    }
    escaped
}

/// Looks a program up in the directories of a `PATH` value. Not cached: a program may be installed meanwhile.
#[must_use]
pub fn lookup(program: &str, path: &str) -> Option<PathBuf> {
    let names: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
    std::env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .flat_map(|directory| names.iter().map(move |suffix| directory.join(format!("{program}{suffix}"))))
        .find(|candidate| is_executable(candidate))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Folds `.` and `..` without asking the file system; `..` at the root stays at the root.
#[must_use]
pub fn fold_dots(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                folded.pop();
            }
            other => folded.push(other),
        }
    }
    folded
}

/// The longest part that exists in its canonical form, then the rest as it is written.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        let (Ok(found), Ok(rest)) = (ancestor.canonicalize(), path.strip_prefix(ancestor)) else { continue };
        return fold_dots(&found.join(rest));
    }
    path.to_owned()
}

fn fold_spaces(text: &str) -> String {
    let is_space =
        |c: char| matches!(c, '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}');
    text.chars().map(|c| if is_space(c) { ' ' } else { c }).collect()
}

/// Whether a path starts somewhere else than in the working directory.
pub(super) fn starts_path(text: &str) -> bool {
    text.starts_with(['/', '~']) || text.starts_with("file://") || drive_path(text)
}

fn drive_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/')
}

fn decode_file_url(rest: &str) -> Option<String> {
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let (mut bytes, mut at) = (Vec::with_capacity(path.len()), 0);
    let source = path.as_bytes();
    while at < source.len() {
        if source[at] == b'%' {
            let digits = source.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok())?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            at += 3;
        } else {
            bytes.push(source[at]);
            at += 1;
        }
    }
    String::from_utf8(bytes).ok()
}

/// Bytes that are not UTF-8 as `\xNN`.
#[cfg(unix)]
fn lossless(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let chunks = path.as_os_str().as_bytes().utf8_chunks();
    chunks.fold(String::new(), |mut text, chunk| {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        text
    })
}

#[cfg(not(unix))]
fn lossless(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
