//! The only file that names tantivy: one immutable segment in memory whose frequencies hold the weights of fields.
//!
//! Terms and postings are collected here and written by tantivy's own serializer. Its document writer counts
//! occurrences, so a weight of six would be six occurrences: several times slower.

use std::fmt::Display;
use std::io::Write;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use tantivy::directory::{RamDirectory, TerminatingWrite};
use tantivy::index::{InvertedIndexReader, SegmentComponent, SegmentReader};
use tantivy::postings::{InvertedIndexSerializer, TermInfo};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::store::Compressor;
use tantivy::{Index, IndexSettings, TantivyDocument};

use crate::engine::error::{Result, ToolError};

/// A document and the frequency of a term in it.
pub(super) type Posting = (u32, u32);

/// Where a term's postings stand.
pub(super) type Place = TermInfo;

/// Postings in the making: terms in order of first appearance.
#[derive(Default)]
pub(super) struct Lists {
    numbers: FxHashMap<Arc<str>, u32>,
    terms: Vec<(Arc<str>, Vec<Posting>)>,
}

impl Lists {
    /// Adds to the frequency of a term in a document, which is not before the last one.
    pub(super) fn add(&mut self, document: u32, term: &str, frequency: u32) {
        let postings = self.postings_mut(term);
        match postings.last_mut() {
            Some((last, sum)) if *last == document => *sum += frequency,
            _ => postings.push((document, frequency)),
        }
    }

    /// The postings of a term, in order of documents.
    pub(super) fn get(&self, term: &str) -> &[Posting] {
        if self.terms.is_empty() {
            return &[];
        }
        self.numbers.get(term).map_or(&[], |&number| &self.terms[number as usize].1)
    }

    fn postings_mut(&mut self, term: &str) -> &mut Vec<Posting> {
        let number = if let Some(&number) = self.numbers.get(term) {
            number as usize
        } else {
            let number = self.terms.len();
            let term: Arc<str> = term.into();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "terms are fewer than the bytes of all texts"
            )]
            self.numbers.insert(Arc::clone(&term), number as u32);
            self.terms.push((term, Vec::new()));
            number
        };
        &mut self.terms[number].1
    }
}

/// An inverted index that never changes.
pub(super) struct Segment {
    terms: Arc<InvertedIndexReader>,
}

impl Segment {
    /// Writes lists down.
    pub(super) fn write(lists: Lists) -> Result<Self> {
        Self::index(lists).map_err(failure)
    }

    fn index(lists: Lists) -> tantivy::Result<Self> {
        let (index, field) = index_of_one_field()?;
        let segment = index.new_segment();
        for (component, bytes) in empty_components()? {
            let mut writer = segment.open_write(component.clone())?;
            writer.write_all(bytes)?;
            writer.terminate()?;
        }
        write_postings(InvertedIndexSerializer::open(&segment)?, field, lists)?;
        Ok(Self { terms: SegmentReader::open(&segment)?.inverted_index(field)? })
    }

    /// Where the postings of a term stand, if any document has it.
    pub(super) fn find(&self, term: &str) -> Result<Option<Place>> {
        self.terms.terms().get(term).map_err(failure)
    }

    /// Calls `take` with each document that has a term, in order, and the term's frequency there.
    pub(super) fn read(&self, place: &Place, mut take: impl FnMut(u32, u32)) -> Result<()> {
        let blocks = self.terms.read_block_postings_from_terminfo(place, IndexRecordOption::WithFreqs);
        let mut blocks = blocks.map_err(failure)?;
        while blocks.block_len() > 0 {
            blocks
                .docs()
                .iter()
                .zip(blocks.freqs())
                .for_each(|(&document, &frequency)| take(document, frequency));
            blocks.advance();
        }
        Ok(())
    }

    /// Calls `take` with every term, in the order of their bytes.
    pub(super) fn for_each_term(&self, mut take: impl FnMut(&str, &Place)) -> Result<()> {
        let mut stream = self.terms.terms().stream().map_err(failure)?;
        while let Some((term, place)) = stream.next() {
            if let Ok(term) = std::str::from_utf8(term) {
                take(term, place);
            }
        }
        Ok(())
    }
}

fn index_of_one_field() -> tantivy::Result<(Index, Field)> {
    let mut schema = Schema::builder();
    let indexing =
        TextFieldIndexing::default().set_index_option(IndexRecordOption::WithFreqs).set_fieldnorms(false);
    let field = schema.add_text_field("terms", TextOptions::default().set_indexing_options(indexing));
    Ok((Index::builder().schema(schema.build()).create_in_ram()?, field))
}

/// What a segment must have beside its inverted index: stored documents, columns and lengths, all empty. Made once by
/// tantivy itself.
fn empty_components() -> tantivy::Result<&'static [(SegmentComponent, Vec<u8>)]> {
    static COMPONENTS: OnceLock<Vec<(SegmentComponent, Vec<u8>)>> = OnceLock::new();
    if let Some(components) = COMPONENTS.get() {
        return Ok(components);
    }
    let settings = IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    let builder = Index::builder().schema(Schema::builder().build()).settings(settings);
    let mut writer = builder.single_segment_index_writer(RamDirectory::create(), ARENA_BYTES)?;
    writer.add_document(TantivyDocument::new())?;
    let index = writer.finalize()?;
    let mut components = Vec::new();
    for segment in index.searchable_segments()? {
        for component in [SegmentComponent::Store, SegmentComponent::FastFields, SegmentComponent::FieldNorms]
        {
            let bytes = segment.open_read(component.clone())?.read_bytes()?.to_vec();
            components.push((component, bytes));
        }
    }
    Ok(COMPONENTS.get_or_init(|| components))
}

/// Enough for an empty document.
const ARENA_BYTES: usize = 100_000;

fn write_postings(
    mut serializer: InvertedIndexSerializer,
    field: Field,
    lists: Lists,
) -> tantivy::Result<()> {
    let mut terms = lists.terms;
    terms.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    let total =
        terms.iter().flat_map(|(_, postings)| postings).map(|&(_, frequency)| u64::from(frequency)).sum();
    let mut writer = serializer.new_field(field, total, None)?;
    for (term, postings) in &terms {
        #[expect(clippy::cast_possible_truncation, reason = "documents are numbered in 32 bits")]
        writer.new_term(term.as_bytes(), postings.len() as u32, true)?;
        for &(document, frequency) in postings {
            writer.write_doc(document, frequency, &[]);
        }
        writer.close_term()?;
    }
    writer.close()?;
    serializer.close()?;
    Ok(())
}

fn failure(error: impl Display) -> ToolError {
    ToolError::Internal { message: format!("discovery index: {error}") }
}
