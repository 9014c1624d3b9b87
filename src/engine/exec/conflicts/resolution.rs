//! What takes the place of a conflict: the given lines, with `@ours`, `@theirs`, `@base` and `@both` for its sides.

use super::Scanned;
use crate::engine::text::{Conflict, Side};

/// The bytes that replace a conflict. `None`: `@base` is asked for and there is none.
#[must_use]
pub fn replacement(content: &str, conflict: &Conflict, file: &Scanned) -> Option<Vec<u8>> {
    let side = |side: &Side| file.bytes[side.bytes.clone()].to_vec();
    let block = file.text(conflict);
    let ending: &[u8] = match block.iter().position(|byte| *byte == b'\n') {
        Some(at) if at > 0 && block[at - 1] == b'\r' => b"\r\n",
        Some(_) => b"\n",
        // Lines that end with CR alone.
        None => b"\r",
    };
    let mut bytes = Vec::with_capacity(content.len());
    for line in content.split_terminator('\n') {
        match line.strip_suffix('\r').unwrap_or(line) {
            "@ours" => bytes.extend(side(&conflict.ours)),
            "@theirs" => bytes.extend(side(&conflict.theirs)),
            "@both" => bytes.extend([side(&conflict.ours), side(&conflict.theirs)].concat()),
            "@base" => bytes.extend(side(conflict.base.as_ref()?)),
            text => {
                bytes.extend_from_slice(text.as_bytes());
                bytes.extend_from_slice(ending);
            }
        }
    }
    // A conflict that ends the file without a line ending leaves none behind.
    if !block.ends_with(ending) && bytes.ends_with(ending) {
        bytes.truncate(bytes.len() - ending.len());
    }
    Some(bytes)
}
