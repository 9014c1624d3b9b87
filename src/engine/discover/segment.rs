//! The only file that names tantivy: one immutable segment in memory, tokens with weights as frequencies.

use std::fmt::Display;
use std::sync::Arc;

use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::store::Compressor;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{Index, IndexSettings, TantivyDocument, directory::RamDirectory};

use crate::engine::error::{Result, ToolError};

/// tantivy drops longer tokens in silence; longer ones are cut here, and keep a fingerprint of the whole.
const LONGEST_TOKEN: usize = 60_000;

/// tantivy's arena grows as needed; a small one starts faster.
const ARENA_BYTES: usize = 1_000_000;

/// The inverted index of documents that were known when it was built.
pub(super) struct Segment {
    terms: Arc<InvertedIndexReader>,
}

/// Where a term's postings stand.
pub(super) type Place = TermInfo;

impl Segment {
    /// Indexes documents; `fill` writes the tokens of the next one and answers false after the last.
    pub(super) fn build(fill: impl FnMut(&mut Tokens) -> bool) -> Result<Self> {
        Self::index(fill).map_err(failure)
    }

    fn index(mut fill: impl FnMut(&mut Tokens) -> bool) -> tantivy::Result<Self> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default().set_tokenizer(REPEATER);
        let indexing = indexing.set_index_option(IndexRecordOption::WithFreqs).set_fieldnorms(false);
        let field = schema.add_text_field("tokens", TextOptions::default().set_indexing_options(indexing));
        let tokenizers = TokenizerManager::new();
        tokenizers.register(REPEATER, Repeater);
        let settings = IndexSettings {
            docstore_compression: Compressor::None,
            docstore_compress_dedicated_thread: false,
            ..IndexSettings::default()
        };
        let builder = Index::builder().schema(schema.build()).settings(settings).tokenizers(tokenizers);
        let mut writer = builder.single_segment_index_writer(RamDirectory::create(), ARENA_BYTES)?;
        let mut tokens = Tokens::default();
        while fill(&mut tokens) {
            let mut document = TantivyDocument::new();
            document.add_text(field, &tokens.packed);
            writer.add_document(document)?;
            tokens.packed.clear();
        }
        let index = writer.finalize()?;
        let segments = index.searchable_segments()?;
        let terms = match segments.first() {
            Some(segment) => SegmentReader::open(segment)?.inverted_index(field)?,
            None => Arc::new(InvertedIndexReader::empty(IndexRecordOption::WithFreqs)),
        };
        Ok(Self { terms })
    }

    /// Where the postings of a token stand, if any document has it.
    pub(super) fn find(&self, token: &str) -> Result<Option<Place>> {
        self.terms.terms().get(&*term_of(token)).map_err(failure)
    }

    /// Calls `take` with each document that has a term, in order, and the term's frequency there.
    pub(super) fn read(&self, place: &Place, mut take: impl FnMut(u32, u32)) -> Result<()> {
        let mut blocks: BlockSegmentPostings = self
            .terms
            .read_block_postings_from_terminfo(place, IndexRecordOption::WithFreqs)
            .map_err(failure)?;
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

fn failure(error: impl Display) -> ToolError {
    ToolError::Internal { message: format!("discovery index: {error}") }
}

/// The form in which a token stands in the index.
pub(super) fn term_of(token: &str) -> std::borrow::Cow<'_, str> {
    if token.len() <= LONGEST_TOKEN {
        return token.into();
    }
    let kept = token.floor_char_boundary(LONGEST_TOKEN);
    format!("{} {:x}", &token[..kept], xxhash_rust::xxh32::xxh32(token.as_bytes(), 0)).into()
}

/// The weighted tokens of one document.
#[derive(Default)]
pub(super) struct Tokens {
    /// Each token as weight, text, line feed: tokens hold neither, and tantivy wants one text.
    packed: String,
}

impl Tokens {
    /// Adds a token that counts `weight` times.
    pub(super) fn push(&mut self, token: &str, weight: u32) {
        let mut left = weight;
        while left > 0 {
            let part = left.min(MOST_AT_ONCE);
            #[expect(clippy::cast_possible_truncation, reason = "seven bits: one byte of UTF-8")]
            self.packed.push(char::from(FIRST_WEIGHT + part as u8));
            self.packed.push_str(&term_of(token));
            self.packed.push('\n');
            left -= part;
        }
    }
}

/// Weights are written as characters above this one, clear of the line feed.
const FIRST_WEIGHT: u8 = 0x0f;
const MOST_AT_ONCE: u32 = 0x70;

const REPEATER: &str = "repeater";

/// Hands every token over as often as its weight says: several times faster than pre-tokenized text.
#[derive(Clone)]
struct Repeater;

impl Tokenizer for Repeater {
    type TokenStream<'a> = Repeated<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Repeated<'a> {
        Repeated { rest: text, left: 0, token: Token::default() }
    }
}

struct Repeated<'a> {
    rest: &'a str,
    left: u8,
    token: Token,
}

impl TokenStream for Repeated<'_> {
    fn advance(&mut self) -> bool {
        if self.left == 0 {
            let Some((token, rest)) = self.rest.split_once('\n') else { return false };
            self.left = token.as_bytes()[0] - FIRST_WEIGHT;
            self.token.text.clear();
            self.token.text.push_str(&token[1..]);
            self.rest = rest;
        }
        self.left -= 1;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
