//! Finds the tool a query means among those that are not shown to the model.
//!
//! A corpus of tools is indexed by tantivy, in memory and in one segment, with term frequencies that hold the
//! weights of the fields. Two rankings: [`Ranking::Exact`] is BM25+ to the digit, [`Ranking::Agent`] knows word
//! forms, synonyms, typing mistakes and Korean. Neither uses a model, a clock or a thread; equal input gives equal
//! output. Nothing here knows a session, a registry or what is active.

mod agent;
mod collate;
mod corpus;
mod exact;
mod index;
mod postings;
mod scores;
mod segment;
mod tokenize;

pub use collate::compare_names;
pub use corpus::{Corpus, FIELDS, Field};
pub use index::{DiscoveryIndex, Document, Hit, Ranking};
pub use tokenize::tokenize;
