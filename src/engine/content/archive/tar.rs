//! Tar: header after header, what lies between them skipped. A packed archive is a stream: it is unpacked on the way,
//! within a budget, and never kept.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::time::Instant;

use flate2::read::MultiGzDecoder;
use tar::{EntryType, Header};

use super::entry::{Entry, Kind, Place};
use super::inflate::Claim;
use super::name::{Name, decode};
use super::open::{LISTED, SOUGHT, Stop};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};

pub(super) const BLOCK: usize = 512;
/// Bytes of a long name or of the attributes of one entry.
const MAX_EXTENSION: u64 = 1 << 20;
const CHUNK: usize = 64 << 10;
/// Passed over at once.
const SKIPPED: usize = 16 << 10;

/// A tar archive as bytes from its start.
pub(super) trait Stream: Read {
    /// Passes over bytes; stops at the end of the archive.
    fn skip(&mut self, bytes: u64, watch: &mut dyn FnMut(u64) -> bool) -> io::Result<()>;

    /// Passing over bytes costs time.
    fn is_packed(&self) -> bool;
}

/// An archive that can be sought in.
pub(super) struct Plain<R: Read + Seek> {
    reader: BufReader<R>,
    at: u64,
    size: u64,
}

impl<R: Read + Seek> Plain<R> {
    pub(super) fn new(mut reader: R, size: u64) -> Result<Self> {
        reader.seek(SeekFrom::Start(0)).map_err(|error| ToolError::io("", &error))?;
        Ok(Self { reader: BufReader::new(reader), at: 0, size })
    }
}

impl<R: Read + Seek> Read for Plain<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.reader.read(buffer)?;
        self.at += size as u64;
        Ok(size)
    }
}

impl<R: Read + Seek> Stream for Plain<R> {
    fn skip(&mut self, bytes: u64, _: &mut dyn FnMut(u64) -> bool) -> io::Result<()> {
        if bytes > self.size.saturating_sub(self.at) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.at += bytes;
        self.reader.seek_relative(i64::try_from(bytes).unwrap_or(i64::MAX))
    }

    fn is_packed(&self) -> bool {
        false
    }
}

/// An archive behind gzip.
pub(super) struct Packed<'a>(MultiGzDecoder<BufReader<&'a mut File>>);

impl<'a> Packed<'a> {
    pub(super) fn new(file: &'a mut File) -> Result<Self> {
        file.seek(SeekFrom::Start(0)).map_err(|error| ToolError::io("", &error))?;
        Ok(Self(MultiGzDecoder::new(BufReader::with_capacity(CHUNK, file))))
    }
}

impl Read for Packed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Stream for Packed<'_> {
    fn skip(&mut self, bytes: u64, watch: &mut dyn FnMut(u64) -> bool) -> io::Result<()> {
        let (mut left, mut buffer) = (bytes, vec![0; SKIPPED]);
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(SKIPPED).min(SKIPPED);
            let size = self.0.read(&mut buffer[..most])?;
            if size == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            left -= size as u64;
            if !watch(size as u64) {
                break;
            }
        }
        Ok(())
    }

    fn is_packed(&self) -> bool {
        true
    }
}

/// How far a look goes.
struct Budget<'a> {
    cancel: &'a CancelToken,
    started: Instant,
    packed: bool,
    passed: u64,
    /// Something that was asked for was found.
    found: bool,
}

impl Budget<'_> {
    fn pass(&mut self, bytes: u64) -> bool {
        self.passed += bytes;
        let (most, time) = if self.found { LISTED } else { SOUGHT };
        !self.cancel.is_cancelled()
            && (!self.packed || (self.passed <= most && self.started.elapsed() <= time))
    }
}

/// Tells `take` of every entry; it says whether anything was found so far.
pub(super) fn visit(
    stream: &mut dyn Stream,
    cancel: &CancelToken,
    take: &mut dyn FnMut(&Entry) -> bool,
) -> Result<Option<Stop>> {
    let packed = stream.is_packed();
    let mut budget = Budget { cancel, started: Instant::now(), packed, passed: 0, found: false };
    let mut walk = Walk { stream, at: 0 };
    let stop = loop {
        match walk.next() {
            Ok(Some(member)) => {
                budget.found |= take(&member.entry);
                let rest = member.padded();
                walk.at = walk.at.saturating_add(rest);
                let mut goes_on = budget.pass(BLOCK as u64);
                let skipped = walk.stream.skip(rest, &mut |bytes| {
                    goes_on = budget.pass(bytes);
                    goes_on
                });
                if let Err(error) = skipped {
                    break Some(Stop::Damaged(told(&error)));
                }
                if !goes_on {
                    break Some(Stop::Budget);
                }
            }
            Ok(None) => break None,
            Err(reason) => break Some(Stop::Damaged(reason)),
        }
    };
    cancel.check()?;
    Ok(stop)
}

/// The content at an offset.
pub(super) fn read(
    stream: &mut dyn Stream,
    offset: u64,
    claim: &Claim,
    cancel: &CancelToken,
) -> Result<Vec<u8>> {
    stream.skip(offset, &mut |_| !cancel.is_cancelled()).map_err(|error| claim.invalid(&told(&error)))?;
    cancel.check()?;
    claim.read(stream.take(claim.size), cancel)
}

fn told(error: &io::Error) -> String {
    if error.kind() == ErrorKind::UnexpectedEof { "it is cut off".into() } else { error.to_string() }
}

/// An entry and what its headers say of the bytes behind them.
pub(super) struct Member {
    pub(super) entry: Entry,
    /// Where its first header starts.
    pub(super) start: u64,
    /// Bytes behind its last header.
    pub(super) stored: u64,
    pub(super) header: Header,
}

impl Member {
    /// [`Member::stored`] up to the next block.
    pub(super) fn padded(&self) -> u64 {
        self.stored.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64)
    }
}

/// What extension headers say about the entry behind them.
#[derive(Default)]
struct Extension {
    name: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
    /// Size of a file with holes.
    sparse: Option<u64>,
}

/// Header after header; whoever takes a member passes over its bytes.
pub(super) struct Walk<'a> {
    pub(super) stream: &'a mut dyn Stream,
    /// Bytes passed.
    pub(super) at: u64,
}

impl Walk<'_> {
    /// The next member, its headers passed; none at the end.
    pub(super) fn next(&mut self) -> std::result::Result<Option<Member>, String> {
        let start = self.at;
        let mut extension = Extension::default();
        loop {
            let Some(header) = self.header()? else { return Ok(None) };
            let size = header.entry_size().map_err(|error| error.to_string())?;
            match header.entry_type() {
                EntryType::GNULongName => extension.name = Some(without_nul(self.extension(size)?)),
                EntryType::GNULongLink => extension.link = Some(without_nul(self.extension(size)?)),
                EntryType::XHeader => extension.take(&self.extension(size)?),
                EntryType::XGlobalHeader => drop(self.extension(size)?),
                _ => return self.member(start, header, extension, size).map(Some),
            }
        }
    }

    fn member(
        &mut self,
        start: u64,
        header: Header,
        extension: Extension,
        size: u64,
    ) -> std::result::Result<Member, String> {
        let mut sparse = extension.sparse;
        if header.entry_type() == EntryType::GNUSparse
            && let Some(gnu) = header.as_gnu()
        {
            sparse = Some(gnu.real_size().map_err(|error| error.to_string())?);
            let mut more = gnu.is_extended();
            while more {
                // The flag that a further block of the map follows.
                more = self.block()?.ok_or("it is cut off")?[504] == 1;
            }
        }
        let name = Name::new(&extension.name.unwrap_or_else(|| header.path_bytes().into_owned()));
        let link = || {
            let link =
                extension.link.clone().or_else(|| header.link_name_bytes().map(std::borrow::Cow::into_owned));
            link.map(|link| decode(&link)).unwrap_or_default()
        };
        let kind = match header.entry_type() {
            EntryType::Directory => Kind::Directory,
            EntryType::Symlink | EntryType::Link => Kind::Link(link()),
            EntryType::Char | EntryType::Block | EntryType::Fifo => Kind::Special,
            _ if sparse.is_some() => Kind::Sparse,
            _ if name.is_directory => Kind::Directory,
            _ => Kind::File,
        };
        let stored = match header.entry_type() {
            EntryType::Directory
            | EntryType::Symlink
            | EntryType::Char
            | EntryType::Block
            | EntryType::Fifo => 0,
            _ => extension.size.unwrap_or(size),
        };
        let entry =
            Entry { name, size: sparse.unwrap_or(stored), kind, place: Place::Tar { offset: self.at } };
        Ok(Member { entry, start, stored, header })
    }

    /// The next header; none at the end, which is a block of zeros or nothing at all.
    fn header(&mut self) -> std::result::Result<Option<Header>, String> {
        let Some(block) = self.block()? else { return Ok(None) };
        if block.iter().all(|byte| *byte == 0) {
            self.at -= BLOCK as u64;
            return Ok(None);
        }
        let header = Header::from_byte_slice(&block).clone();
        let sum = block
            .iter()
            .enumerate()
            .map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u32::from(*byte) });
        if header.cksum().ok() != Some(sum.sum()) {
            return Err("it has no tar header where one should be".into());
        }
        Ok(Some(header))
    }

    fn block(&mut self) -> std::result::Result<Option<[u8; BLOCK]>, String> {
        let (mut block, mut filled) = ([0; BLOCK], 0);
        while filled < BLOCK {
            match self.stream.read(&mut block[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err("it is cut off".into()),
                Ok(size) => filled += size,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(told(&error)),
            }
        }
        self.at += BLOCK as u64;
        Ok(Some(block))
    }

    fn extension(&mut self, size: u64) -> std::result::Result<Vec<u8>, String> {
        if size > MAX_EXTENSION {
            return Err(format!("the attributes of an entry have {size} bytes"));
        }
        let blocks = size.div_ceil(BLOCK as u64);
        let mut bytes = Vec::new();
        for _ in 0..blocks {
            bytes.extend_from_slice(&self.block()?.ok_or("it is cut off")?);
        }
        bytes.truncate(usize::try_from(size).unwrap_or(0));
        Ok(bytes)
    }
}

impl Extension {
    /// Reads records of the form `length key=value`.
    fn take(&mut self, mut records: &[u8]) {
        while let Some((key, value, rest)) = record(records) {
            records = rest;
            let number = || std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
            match key {
                b"path" | b"GNU.sparse.name" => self.name = Some(value.to_vec()),
                b"linkpath" => self.link = Some(value.to_vec()),
                b"size" => self.size = number(),
                b"GNU.sparse.size" | b"GNU.sparse.realsize" => self.sparse = number(),
                _ => {}
            }
        }
    }
}

fn record(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let space = memchr::memchr(b' ', bytes)?;
    let length: usize = std::str::from_utf8(&bytes[..space]).ok()?.parse().ok()?;
    let body = bytes.get(space + 1..length)?.strip_suffix(b"\n")?;
    let equals = memchr::memchr(b'=', body)?;
    Some((&body[..equals], &body[equals + 1..], &bytes[length..]))
}

fn without_nul(mut bytes: Vec<u8>) -> Vec<u8> {
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}
