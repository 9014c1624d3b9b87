//! A zip archive with one member set. What lies between the local headers is copied as it is, whatever it is; only
//! offsets in the central directory change.

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Write};
use std::ops::Range;
use std::time::SystemTime;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::name::Name;
use super::zip::{
    DEFLATED, LOCAL, LOCAL_SIZE, RECORD_SIZE, Record, STORED, directory, records as each, short,
};

const UTF_8: u16 = 1 << 11;
/// Version 2.0, which deflate and directories need.
const NEEDED: u16 = 20;
/// Made on Unix, by the same version.
const MADE_BY: u16 = 3 << 8 | NEEDED;
/// A regular file that its owner writes and everybody reads.
const ATTRIBUTES: u32 = 0o100_644 << 16;
/// Fields of this size and more need the long form.
const LIMIT: usize = 0xFFFF_FFFE;
const MOST_RECORDS: usize = 0xFFFE;

/// An archive taken apart.
#[derive(Default)]
struct Parts<'a> {
    /// The old archive up to its central directory.
    body: &'a [u8],
    records: Vec<Record>,
    comment: &'a [u8],
}

/// The archive `old`, or an empty one, with the member set.
pub(super) fn set(old: &[u8], name: &str, content: &[u8]) -> Result<Vec<u8>, String> {
    let parts = if old.is_empty() { Parts::default() } else { Parts::read(old)? };
    let (replaced, kept): (Vec<_>, Vec<_>) =
        parts.records.into_iter().enumerate().partition(|(_, record)| Name::new(record.name()).text == name);
    // Several entries may share one place; it stays as long as one of them does.
    let used: HashSet<u64> = kept.iter().map(|(_, record)| record.header).collect();
    let places = kept.iter().chain(&replaced).map(|(_, record)| record.header);
    let spans = spans(places, parts.body.len())?;
    let mut new = Vec::with_capacity(old.len() + content.len() / 2 + 1024);
    new.extend_from_slice(&parts.body[..spans.first().map_or(parts.body.len(), |span| span.start)]);
    let mut moved = HashMap::new();
    for span in spans.into_iter().filter(|span| used.contains(&(span.start as u64))) {
        moved.insert(span.start as u64, new.len());
        new.extend_from_slice(&parts.body[span]);
    }
    let (at, template) =
        replaced.into_iter().next().map_or((usize::MAX, None), |(at, record)| (at, Some(record)));
    let mut member = Some(append(&mut new, name, content, template.as_ref())?);
    let mut directory = Vec::with_capacity(kept.len() + 1);
    for (index, mut record) in kept {
        if index > at {
            directory.extend(member.take());
        }
        let offset = moved[&record.header];
        point(&mut record, offset)?;
        directory.push(record.bytes);
    }
    directory.extend(member);
    finish(new, &directory, parts.comment)
}

impl<'a> Parts<'a> {
    fn read(old: &'a [u8]) -> Result<Self, String> {
        let mut file = Cursor::new(old);
        let place = directory(&mut file, old.len() as u64)?;
        let part = |at: u64| usize::try_from(at).map_err(|error| error.to_string());
        let mut records = Vec::new();
        each(&mut file, place, &mut |record| {
            records.push(record);
            true
        })?;
        Ok(Self { body: &old[..part(place.start)?], records, comment: &old[part(place.comment)?..] })
    }
}

/// From one local header to the next, the last one to the end.
fn spans(headers: impl Iterator<Item = u64>, end: usize) -> Result<Vec<Range<usize>>, String> {
    let mut starts = Vec::new();
    for header in headers {
        let at = usize::try_from(header).unwrap_or(usize::MAX);
        if at.checked_add(LOCAL_SIZE).is_none_or(|last| last > end) {
            return Err("an entry lies outside the archive".into());
        }
        starts.push(at);
    }
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([end]);
    Ok(starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect())
}

/// Adds the new member; its record of the central directory.
fn append(new: &mut Vec<u8>, name: &str, content: &[u8], old: Option<&Record>) -> Result<Vec<u8>, String> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
    let packed =
        packed.write_all(content).and_then(|()| packed.finish()).map_err(|error| error.to_string())?;
    let (method, data) =
        if packed.len() < content.len() { (DEFLATED, packed.as_slice()) } else { (STORED, content) };
    let name_size = u16::try_from(name.len()).map_err(|_| "the name is too long")?;
    let mut crc = Crc::new();
    crc.update(content);
    let size = |length: usize| u32::try_from(length).map_err(|error| error.to_string());
    let flags = if name.is_ascii() { 0 } else { UTF_8 };
    let mut common = Vec::with_capacity(26);
    let (time, day) = dos_time(SystemTime::now());
    for field in [NEEDED, flags, method, time, day] {
        common.extend(field.to_le_bytes());
    }
    for field in [crc.sum(), size(data.len())?, size(content.len())?] {
        common.extend(field.to_le_bytes());
    }
    common.extend(name_size.to_le_bytes());
    common.extend([0, 0]);
    let offset = size(new.len())?;
    new.extend_from_slice(LOCAL);
    new.extend_from_slice(&common);
    new.extend_from_slice(name.as_bytes());
    new.extend_from_slice(data);

    let mut record = b"PK\x01\x02".to_vec();
    // Who made it, and with which mode, is kept.
    let made_by = old.map_or(MADE_BY, |old| short(&old.bytes, 4));
    record.extend(made_by.to_le_bytes());
    record.extend(common);
    record.extend([0; 6]);
    match old {
        Some(old) => record.extend_from_slice(&old.bytes[38..42]),
        None => record.extend(ATTRIBUTES.to_le_bytes()),
    }
    record.extend(offset.to_le_bytes());
    debug_assert_eq!(record.len(), RECORD_SIZE);
    record.extend_from_slice(name.as_bytes());
    Ok(record)
}

/// A moment in the format's own form, in UTC: two-second steps from 1980 to 2107.
fn dos_time(moment: SystemTime) -> (u16, u16) {
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years that start in March have their leap day last.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = (era * 400 + year + next).clamp(1980, 2107) - 1980;
    let field = |value: u64| u16::try_from(value).unwrap_or(0);
    let time = ((second / 3600) << 11) | ((second / 60 % 60) << 5) | (second % 60 / 2);
    (field(time), field((year << 9) | (month << 5) | day))
}

/// Writes a new offset into a record.
fn point(record: &mut Record, offset: usize) -> Result<(), String> {
    if let Some(at) = record.long_offset {
        record.bytes[at..at + 8].copy_from_slice(&(offset as u64).to_le_bytes());
    } else {
        let offset = u32::try_from(offset).map_err(|error| error.to_string())?;
        record.bytes[42..46].copy_from_slice(&offset.to_le_bytes());
    }
    Ok(())
}

fn finish(mut new: Vec<u8>, directory: &[Vec<u8>], comment: &[u8]) -> Result<Vec<u8>, String> {
    let start = new.len();
    for record in directory {
        new.extend_from_slice(record);
    }
    let (length, count) = (new.len() - start, directory.len());
    if count > MOST_RECORDS || start > LIMIT || length > LIMIT {
        let at = new.len() as u64;
        new.extend(b"PK\x06\x06");
        new.extend(44u64.to_le_bytes());
        new.extend([45, 3, 45, 0]);
        new.extend([0; 8]);
        for field in [count as u64, count as u64, length as u64, start as u64] {
            new.extend(field.to_le_bytes());
        }
        new.extend(b"PK\x06\x07\0\0\0\0");
        new.extend(at.to_le_bytes());
        new.extend(1u32.to_le_bytes());
    }
    let count = u16::try_from(count).unwrap_or(u16::MAX);
    new.extend(b"PK\x05\x06\0\0\0\0");
    new.extend(count.to_le_bytes());
    new.extend(count.to_le_bytes());
    for field in [length, start] {
        new.extend(u32::try_from(field).unwrap_or(u32::MAX).to_le_bytes());
    }
    new.extend(u16::try_from(comment.len()).map_err(|error| error.to_string())?.to_le_bytes());
    new.extend_from_slice(comment);
    Ok(new)
}
