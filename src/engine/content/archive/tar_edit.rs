//! A tar archive with one member set. Every other entry is copied as it is, headers and all.

use std::io::{Cursor, Read, Write};
use std::time::SystemTime;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use tar::Header;

use super::open::MAX_ARCHIVE;
use super::tar::{BLOCK, Member, Plain, Walk};
use crate::engine::cancel::CancelToken;

const CHUNK: u64 = 64 << 10;
/// Archives end at a multiple of this.
const RECORD: usize = 20 * BLOCK;

/// The archive `old`, or an empty one, with the member set.
pub(super) fn set(old: &[u8], name: &str, content: &[u8]) -> Result<Vec<u8>, String> {
    let mut new = Vec::with_capacity(old.len() + content.len() + 4 * BLOCK);
    let mut is_set = false;
    let mut stream = Plain::new(Cursor::new(old), old.len() as u64).map_err(|error| error.to_string())?;
    let mut walk = Walk { stream: &mut stream, at: 0 };
    while let Some(member) = walk.next()? {
        let end = walk.at.saturating_add(member.padded());
        let range = usize::try_from(member.start).ok().zip(usize::try_from(end).ok());
        let bytes = range.and_then(|(start, end)| old.get(start..end)).ok_or("it is cut off")?;
        let rest = member.padded();
        if member.entry.name.text != name {
            new.extend_from_slice(bytes);
        } else if !std::mem::replace(&mut is_set, true) {
            append(&mut new, name, content, Some(&member))?;
        }
        walk.stream.skip(rest, &mut |_| true).map_err(|_| "it is cut off")?;
        walk.at = end;
    }
    if !is_set {
        append(&mut new, name, content, None)?;
    }
    let end = (new.len() + 2 * BLOCK).next_multiple_of(RECORD);
    new.resize(end, 0);
    Ok(new)
}

/// [`set`] in a packed archive.
pub(super) fn set_packed(
    old: &[u8],
    name: &str,
    content: &[u8],
    cancel: &CancelToken,
) -> Result<Vec<u8>, String> {
    let tar = if old.is_empty() { Vec::new() } else { unpack(old, cancel)? };
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    for chunk in set(&tar, name, content)?.chunks(1 << 20) {
        if cancel.is_cancelled() {
            return Err("cancelled".into());
        }
        packed.write_all(chunk).map_err(|error| error.to_string())?;
    }
    packed.finish().map_err(|error| error.to_string())
}

fn unpack(old: &[u8], cancel: &CancelToken) -> Result<Vec<u8>, String> {
    let (mut tar, mut stream) = (Vec::new(), MultiGzDecoder::new(old));
    loop {
        let size = stream.by_ref().take(CHUNK).read_to_end(&mut tar).map_err(|error| error.to_string())?;
        if size == 0 || cancel.is_cancelled() {
            return Ok(tar);
        }
        if tar.len() as u64 > MAX_ARCHIVE {
            return Err(format!("unpacked it has more than {MAX_ARCHIVE} bytes"));
        }
    }
}

/// Adds the member, with the mode and owner of the one it replaces.
fn append(new: &mut Vec<u8>, name: &str, content: &[u8], old: Option<&Member>) -> Result<(), String> {
    let mut header = Header::new_gnu();
    let number = |field: Option<u64>, default| field.unwrap_or(default);
    let old = old.map(|old| &old.header);
    header.set_mode(old.and_then(|old| old.mode().ok()).unwrap_or(0o644));
    header.set_uid(number(old.and_then(|old| old.uid().ok()), 0));
    header.set_gid(number(old.and_then(|old| old.gid().ok()), 0));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    header.set_mtime(now.map_or(0, |now| now.as_secs()));
    header.set_size(content.len() as u64);
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_data(&mut header, name, content).map_err(|error| error.to_string())?;
    let written = builder.into_inner().map_err(|error| error.to_string())?;
    // Without the two empty blocks that end an archive.
    new.extend_from_slice(&written[..written.len() - 2 * BLOCK]);
    Ok(())
}
