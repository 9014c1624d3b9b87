//! Names of entries, made harmless: a name is a label within the archive, never a path of this machine.

use crate::engine::files::escape_control;

/// A name as it is shown and asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Parts separated by `/`, none of them empty, `.` or `..`, no control characters.
    pub text: String,
    /// The name in the archive, where it pointed outside.
    pub hostile: Option<String>,
    /// Ends like the name of a directory.
    pub is_directory: bool,
}

impl Name {
    /// Reads a name as it stands in the archive. Bytes that are not UTF-8 become `\xNN`.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let slashed: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
        let slashed = escape_control(&decode(&slashed));
        let (rest, absolute) = without_root(&slashed);
        let (text, climbs) = (harmless(rest), rest.split('/').any(|part| part == ".."));
        let is_directory = rest.ends_with('/') || text.is_empty();
        let hostile = (climbs || absolute).then(|| escape_control(&decode(bytes)));
        Self { text, hostile, is_directory }
    }
}

/// The forms of [`Name::text`] that a call may mean; none where it climbs out of the archive.
#[must_use]
pub fn member_names(asked: &str) -> Vec<String> {
    let asked = escape_control(asked);
    let readings = [asked.replace('\\', "/"), asked];
    if readings.iter().any(|asked| asked.split('/').any(|part| part == "..")) {
        return Vec::new();
    }
    let [slashed, written] = readings.map(|asked| harmless(&asked));
    if slashed == written { vec![written] } else { vec![written, slashed] }
}

/// The parts of a name that mean a place below it.
fn harmless(name: &str) -> String {
    name.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect::<Vec<_>>().join("/")
}

/// Bytes as text; those that are not UTF-8 become `\xNN`.
pub(super) fn decode(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::with_capacity(bytes.len()), |mut text, chunk| {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        text
    })
}

/// The name without drive and leading separators, and whether it had any.
fn without_root(name: &str) -> (&str, bool) {
    let drive = name.len() > 1 && name.as_bytes()[0].is_ascii_alphabetic() && name.as_bytes()[1] == b':';
    let rest = if drive { &name[2..] } else { name };
    let relative = rest.trim_start_matches('/');
    (relative, drive || relative.len() < rest.len())
}
