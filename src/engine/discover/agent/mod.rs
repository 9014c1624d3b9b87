//! Ranking `agent`: finds the tool a query means. Words are stemmed, mistyped ones repaired, function words
//! dropped; synonyms, abbreviations and Korean are looked up. Each concept of the query is judged by the best term a
//! tool has for it (BM25 over weighted fields), then coverage of the query, the name and the server count.
//!
//! Lexical and deterministic. A tool's own terms never depend on other tools: the index stays true under changes.

mod dictionary;
mod profile;
mod query;
mod rank;
mod servers;
mod thesaurus;
mod tuning;
mod typo;
mod vocabulary;
mod words;

use super::corpus::{Corpus, Field};
use super::scores::Scores;
use super::segment::Lists;
use crate::engine::error::Result;
use crate::engine::text::floor_char_boundary;
use profile::{Profile, Profiler};
use query::{Memory, Query};
use rank::Workspace;
use servers::{ServerId, Servers};
use vocabulary::{TermId, Vocabulary};

/// Bytes of a query that are read.
const LONGEST_QUERY: usize = 16 * 1024;

/// The index of this ranking.
pub(super) struct Agent {
    vocabulary: Vocabulary,
    servers: Servers,
    tools: Vec<Tool>,
    living: u32,
    memory: Memory,
    workspace: Workspace,
}

/// What ranking needs of a tool beside its postings.
struct Tool {
    /// Terms of the name, in order.
    name: Box<[TermId]>,
    server: Option<ServerId>,
}

impl Agent {
    /// Indexes the living documents of a corpus; the others count as removed.
    pub(super) fn build(corpus: &Corpus, alive: &[bool]) -> Result<Self> {
        let mut profiler = Profiler::default();
        let mut lists = Lists::default();
        let mut names = Vec::with_capacity(alive.len());
        for (document, &alive) in (0..).zip(alive) {
            let profile = if alive { profiler.profile(corpus, document) } else { Profile::default() };
            for (term, frequency) in &profile.terms {
                lists.add(document, term, *frequency);
            }
            names.push(profile.name);
        }
        let vocabulary = Vocabulary::build(lists)?;
        let mut agent = Self {
            vocabulary,
            servers: Servers::default(),
            tools: Vec::with_capacity(alive.len()),
            living: 0,
            memory: Memory::default(),
            workspace: Workspace::default(),
        };
        for (document, name) in (0..).zip(names) {
            agent.enter(corpus, document, &name, alive[document as usize]);
        }
        Ok(agent)
    }

    /// Takes the last document of the corpus in.
    pub(super) fn add(&mut self, corpus: &Corpus, document: u32) {
        let profile = Profiler::default().profile(corpus, document);
        self.vocabulary.add(document, &profile.terms);
        self.enter(corpus, document, &profile.name, true);
    }

    /// A document is no longer alive.
    pub(super) fn remove(&mut self, corpus: &Corpus, document: u32) {
        self.vocabulary.remove(&Profiler::default().profile(corpus, document).terms);
        if let Some(server) = self.tools[document as usize].server {
            self.servers.leave(server);
        }
        self.living -= 1;
        self.forget();
    }

    /// Scores the living documents for a query. Scores are right for those that `limit` leaves, see
    /// [`Scores::take_best`]; others may get less than they are worth.
    pub(super) fn score(
        &mut self,
        query: &str,
        limit: f64,
        alive: &[bool],
        scores: &mut Scores,
    ) -> Result<()> {
        // What a model wants of a tool it says at the start; a whole document must not hold up the host.
        let query = &query[..floor_char_boundary(query, LONGEST_QUERY)];
        let query = Query::read(query, &self.vocabulary, &mut self.memory);
        self.rank(&query, limit, alive, scores)
    }

    /// What was derived from the documents no longer holds.
    fn forget(&mut self) {
        self.memory.forget();
        self.workspace.forget_statistics();
    }

    fn enter(&mut self, corpus: &Corpus, document: u32, name: &[String], alive: bool) {
        let name = name.iter().filter_map(|term| self.vocabulary.number(term)).collect();
        let server = if alive { self.servers.join(corpus.field(document, Field::Server)) } else { None };
        self.tools.push(Tool { name, server });
        self.living += u32::from(alive);
        self.forget();
    }
}
