//! The first look at a text: its encoding and what ends its lines. Where edit could work on the file, all of it is
//! looked at, so that both see the same text; of a larger one, samples.

use xxhash_rust::xxh3::Xxh3;

use super::index::Index;
use super::known::Known;
use super::{CHUNK, Source};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::text::encoding::{Detector, Encoding, Unit, looks_binary};

/// Files up to this size are looked at whole: the largest that edit works on.
const LOOKED_AT_WHOLE: u64 = 8 * 1024 * 1024;
/// Samples of a larger file, and their size.
const SAMPLES: u64 = 8;
const SAMPLE: u64 = 4 * 1024;
/// Below it, no byte is part of a longer character in any encoding but UTF-16, which the head tells.
const BOUNDARY: u8 = 0x30;
/// How far the search for the first LF goes before LF is taken for granted.
const SEPARATOR_SEARCH: u64 = 64 * 1024 * 1024;

impl Source {
    /// Finds out what is not known yet.
    pub(super) fn study(&mut self, cancel: &CancelToken) -> Result<Known> {
        self.learnt = true;
        if looks_binary(&self.head) {
            let separator = self.find_separator(Encoding::UTF_8, cancel)?;
            return Ok(Known { separator, ..Known::nothing() });
        }
        let detector = Detector::new(&self.head);
        if self.end <= LOOKED_AT_WHOLE {
            self.study_whole(detector, cancel)
        } else {
            self.study_samples(detector, cancel)
        }
    }

    /// One pass for the encoding, the line breaks and the hash.
    fn study_whole(&mut self, mut detector: Detector, cancel: &CancelToken) -> Result<Known> {
        let layout = detector.decided().unwrap_or(Encoding::UTF_8);
        let (line_feed, carriage_return) = (layout.unit(b'\n'), layout.unit(b'\r'));
        let (mut index, mut hash) = (Index::default(), Xxh3::new());
        let (mut has_line_feed, mut has_return) = (false, false);
        let start = usize::try_from(self.start).unwrap_or(0);
        hash.update(&self.head[..start]);
        let mut next = self.start;
        while next < self.end {
            cancel.check()?;
            let chunk = self.bytes(next, CHUNK as u64)?;
            if chunk.is_empty() {
                break;
            }
            if detector.decided().is_none() {
                detector.feed(&chunk);
            }
            hash.update(&chunk);
            let breaks = line_feed.count(&chunk);
            index.advance(next - self.start, chunk.len() as u64, breaks);
            has_line_feed |= breaks > 0;
            has_return |= !has_line_feed && carriage_return.find(&chunk).is_some();
            next += chunk.len() as u64;
        }
        let ends_with_return = has_return && !has_line_feed;
        let encoding = Some(detector.finish().encoding);
        Ok(if ends_with_return {
            Known { encoding, separator: carriage_return, index: Index::default(), hash: Some(hash.digest()) }
        } else {
            Known { encoding, separator: line_feed, index, hash: Some(hash.digest()) }
        })
    }

    fn study_samples(&mut self, mut detector: Detector, cancel: &CancelToken) -> Result<Known> {
        let (head, _) = self.head.split_at(last_boundary(&self.head));
        detector.feed(head);
        for sample in 1..=SAMPLES {
            let bytes = self.bytes((self.end - SAMPLE) / SAMPLES * sample, SAMPLE)?;
            let start = bytes.iter().position(|byte| *byte < BOUNDARY).unwrap_or(bytes.len());
            detector.feed(&bytes[start..last_boundary(&bytes).max(start)]);
        }
        let encoding = detector.finish().encoding;
        let separator = self.find_separator(encoding, cancel)?;
        Ok(Known { encoding: Some(encoding), separator, ..Known::nothing() })
    }

    fn find_separator(&mut self, encoding: Encoding, cancel: &CancelToken) -> Result<Unit> {
        let (line_feed, carriage_return) = (encoding.unit(b'\n'), encoding.unit(b'\r'));
        let mut has_return = false;
        let mut next = self.start;
        while next < self.end {
            cancel.check()?;
            let chunk = self.bytes(next, CHUNK as u64)?;
            if chunk.is_empty() {
                break;
            }
            if next > SEPARATOR_SEARCH || line_feed.find(&chunk).is_some() {
                return Ok(line_feed);
            }
            has_return |= carriage_return.find(&chunk).is_some();
            next += chunk.len() as u64;
        }
        Ok(if has_return { carriage_return } else { line_feed })
    }
}

/// Behind the last byte that can only be a whole character.
fn last_boundary(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte < BOUNDARY).map_or(0, |at| at + 1)
}
