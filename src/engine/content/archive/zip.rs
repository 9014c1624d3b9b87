//! Zip: the central directory, read record by record, so that memory does not grow with the number of entries.

use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};

use flate2::bufread::DeflateDecoder;

use super::entry::{Entry, Kind, Place};
use super::inflate::Claim;
use super::name::Name;
use super::open::Stop;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};

const END: &[u8] = b"PK\x05\x06";
const END_SIZE: u64 = 22;
const END_64: &[u8] = b"PK\x06\x06";
const END_64_SIZE: u64 = 56;
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const LOCATOR_64_SIZE: u64 = 20;
const RECORD: &[u8] = b"PK\x01\x02";
pub(super) const RECORD_SIZE: usize = 46;
pub(super) const LOCAL: &[u8] = b"PK\x03\x04";
pub(super) const LOCAL_SIZE: usize = 30;
/// Bytes of a comment at most.
const MAX_COMMENT: u64 = 0xFFFF;
/// What stands in a field whose value is in the extra field.
const ELSEWHERE: u64 = 0xFFFF_FFFF;
const ENTRIES_BETWEEN_LOOKS: u64 = 1024;

pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// Compression methods by the names their tools use.
const METHODS: &[(u16, &str)] = &[
    (1, "shrink"),
    (6, "implode"),
    (9, "deflate64"),
    (12, "bzip2"),
    (14, "LZMA"),
    (93, "Zstandard"),
    (95, "XZ"),
    (98, "PPMd"),
    (99, "AES"),
];

/// Where the central directory lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directory {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Bytes before the archive, which its offsets do not count.
    pub(super) prefix: u64,
    /// Where the comment starts, the last part of the archive.
    pub(super) comment: u64,
}

/// One record of the central directory.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// Everything: the fixed part, name, extra field and comment.
    pub(super) bytes: Vec<u8>,
    pub(super) stored: u64,
    pub(super) size: u64,
    /// Of the local header, counted from the start of the file.
    pub(super) header: u64,
    /// Where in `bytes` the eight bytes of a long offset stand.
    pub(super) long_offset: Option<usize>,
}

impl Record {
    pub(super) fn name(&self) -> &[u8] {
        &self.bytes[RECORD_SIZE..RECORD_SIZE + usize::from(short(&self.bytes, 28))]
    }

    fn entry(&self) -> Entry {
        let name = Name::new(self.name());
        // Made on Unix: the upper half of the attributes is the mode.
        let mode = if self.bytes[5] == 3 { long(&self.bytes, 38) >> 16 } else { 0 };
        let kind = match mode & 0o170_000 {
            0o040_000 => Kind::Directory,
            0o020_000 | 0o060_000 | 0o010_000 | 0o140_000 => Kind::Special,
            _ if name.is_directory => Kind::Directory,
            _ => Kind::File,
        };
        let place = Place::Zip {
            header: self.header,
            stored: self.stored,
            method: short(&self.bytes, 10),
            encrypted: self.bytes[8] & 1 == 1,
            checksum: long(&self.bytes, 16),
        };
        Entry { name, size: self.size, kind, place }
    }
}

/// Tells `take` of every entry.
pub(super) fn visit(
    file: &mut (impl Read + Seek),
    size: u64,
    cancel: &CancelToken,
    take: &mut dyn FnMut(&Entry) -> bool,
) -> Result<Option<Stop>> {
    let mut seen = 0u64;
    let outcome = directory(file, size).and_then(|directory| {
        records(file, directory, &mut |record| {
            seen += 1;
            if seen.is_multiple_of(ENTRIES_BETWEEN_LOOKS) && cancel.is_cancelled() {
                return false;
            }
            take(&record.entry());
            true
        })
    });
    cancel.check()?;
    Ok(outcome.err().map(Stop::Damaged))
}

/// Finds the central directory.
pub(super) fn directory(file: &mut (impl Read + Seek), size: u64) -> std::result::Result<Directory, String> {
    let tail = size.min(END_SIZE + MAX_COMMENT);
    let mut bytes = vec![0; usize::try_from(tail).unwrap_or(0)];
    let fail = |error: io::Error| error.to_string();
    file.seek(SeekFrom::Start(size - tail)).map_err(fail)?;
    file.read_exact(&mut bytes).map_err(fail)?;
    let at = find_end(&bytes).ok_or("it has no end record, so it is no zip archive or is cut off")?;
    let end = &bytes[at..];
    if short(end, 4) != 0 || short(end, 6) != 0 {
        return Err("it is a part of an archive in several files".into());
    }
    let mut directory_end = size - tail + at as u64;
    let comment = directory_end + END_SIZE;
    let (mut length, mut offset) = (u64::from(long(end, 12)), u64::from(long(end, 16)));
    if let Some(long_end) = find_long_end(file, directory_end).map_err(fail)? {
        (directory_end, length, offset) = long_end;
    }
    let start = directory_end.checked_sub(length).ok_or("its central directory is larger than the file")?;
    let prefix = start.checked_sub(offset).ok_or("its central directory is not where it should be")?;
    Ok(Directory { start, end: directory_end, prefix, comment })
}

/// The last end record whose comment fits.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let fits = |at: &usize| {
        let end = &bytes[*at..];
        end.len() >= 22 && 22 + usize::from(short(end, 20)) <= end.len()
    };
    memchr::memmem::rfind_iter(bytes, END).find(fits)
}

/// End, length and offset of the central directory of an archive with long fields.
fn find_long_end(file: &mut (impl Read + Seek), end: u64) -> io::Result<Option<(u64, u64, u64)>> {
    let Some(locator_at) = end.checked_sub(LOCATOR_64_SIZE) else { return Ok(None) };
    let mut locator = [0; 20];
    file.seek(SeekFrom::Start(locator_at))?;
    file.read_exact(&mut locator)?;
    if !locator.starts_with(LOCATOR_64) {
        return Ok(None);
    }
    // Where the locator says, or directly before it if something was put before the archive.
    let places = [Some(very_long(&locator, 8)), locator_at.checked_sub(END_64_SIZE)];
    for at in places
        .into_iter()
        .flatten()
        .filter(|at| at.checked_add(END_64_SIZE).is_some_and(|end| end <= locator_at))
    {
        let mut record = [0; 56];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut record)?;
        if record.starts_with(END_64) {
            return Ok(Some((at, very_long(&record, 40), very_long(&record, 48))));
        }
    }
    Ok(None)
}

/// Tells `take` of every record of the central directory until it says no.
pub(super) fn records(
    file: &mut (impl Read + Seek),
    directory: Directory,
    take: &mut dyn FnMut(Record) -> bool,
) -> std::result::Result<(), String> {
    file.seek(SeekFrom::Start(directory.start)).map_err(|error| error.to_string())?;
    let mut reader = BufReader::with_capacity(64 << 10, file.take(directory.end - directory.start));
    loop {
        let mut bytes = vec![0; RECORD_SIZE];
        match reader.read_exact(&mut bytes[..4]) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error.to_string()),
        }
        if !bytes.starts_with(RECORD) {
            // A signature of the directory may follow the records.
            return if bytes.starts_with(b"PK\x05\x05") {
                Ok(())
            } else {
                Err("its central directory is damaged".into())
            };
        }
        let cut_off = |_| "its central directory is cut off".to_owned();
        reader.read_exact(&mut bytes[4..]).map_err(cut_off)?;
        let more: usize = [28, 30, 32].iter().map(|at| usize::from(short(&bytes, *at))).sum();
        bytes.resize(RECORD_SIZE + more, 0);
        reader.read_exact(&mut bytes[RECORD_SIZE..]).map_err(cut_off)?;
        if !take(parse(bytes, directory.prefix)) {
            return Ok(());
        }
    }
}

fn parse(bytes: Vec<u8>, prefix: u64) -> Record {
    let [stored, size, header] = [20, 24, 42].map(|at| u64::from(long(&bytes, at)));
    let mut record = Record { stored, size, header, long_offset: None, bytes };
    let mut at = extra_64(&record.bytes);
    let mut next = || {
        let here = at?;
        let value = record.bytes.get(here..here + 8)?;
        at = Some(here + 8);
        Some((here, very_long(value, 0)))
    };
    for field in [&mut record.size, &mut record.stored] {
        if *field == ELSEWHERE
            && let Some((_, value)) = next()
        {
            *field = value;
        }
    }
    if record.header == ELSEWHERE
        && let Some((at, value)) = next()
    {
        (record.header, record.long_offset) = (value, Some(at));
    }
    record.header = record.header.saturating_add(prefix);
    record
}

/// Where the long fields of a record start.
fn extra_64(bytes: &[u8]) -> Option<usize> {
    let start = RECORD_SIZE + usize::from(short(bytes, 28));
    let end = start + usize::from(short(bytes, 30));
    let mut at = start;
    while at + 4 <= end {
        if short(bytes, at) == 1 {
            return Some(at + 4);
        }
        at += 4 + usize::from(short(bytes, at + 2));
    }
    None
}

/// The content of an entry.
pub(super) fn read(
    file: &mut (impl Read + Seek),
    entry: &Entry,
    claim: &Claim,
    cancel: &CancelToken,
) -> Result<Vec<u8>> {
    let Place::Zip { header, stored, method, encrypted, checksum } = entry.place else {
        return Err(ToolError::Internal { message: "an entry of another archive".into() });
    };
    let claim =
        Claim { shown: claim.shown, size: claim.size, stored: Some(stored), checksum: Some(checksum) };
    if encrypted {
        return Err(claim.invalid("it is encrypted"));
    }
    let mut local = [0; LOCAL_SIZE];
    let found = file.seek(SeekFrom::Start(header)).and_then(|_| file.read_exact(&mut local));
    found.map_err(|_| claim.invalid("its bytes lie outside the archive"))?;
    if !local.starts_with(LOCAL) {
        return Err(claim.invalid("its bytes are not where the archive says"));
    }
    let start = header + LOCAL_SIZE as u64 + u64::from(short(&local, 26)) + u64::from(short(&local, 28));
    file.seek(SeekFrom::Start(start)).map_err(|error| claim.invalid(&error.to_string()))?;
    let bytes = BufReader::new(file.take(stored));
    match method {
        STORED => claim.read(bytes, cancel),
        DEFLATED => claim.read(DeflateDecoder::new(bytes), cancel),
        other => {
            let name = METHODS.iter().find(|(method, _)| *method == other).map(|(_, name)| *name);
            let name = name.map_or_else(|| format!("method {other}"), str::to_owned);
            Err(claim.invalid(&format!("it is compressed with {name}, which is not read")))
        }
    }
}

pub(super) fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from(short(bytes, at)) | u32::from(short(bytes, at + 2)) << 16
}

fn very_long(bytes: &[u8], at: usize) -> u64 {
    u64::from(long(bytes, at)) | u64::from(long(bytes, at + 4)) << 32
}
