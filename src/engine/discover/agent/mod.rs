//! Ranking `agent`: finds the tool a query means.

use super::corpus::Corpus;
use super::scores::Scores;
use crate::engine::error::{Result, ToolError};

pub(super) struct Agent;

impl Agent {
    pub(super) fn build(_corpus: &Corpus) -> Result<Self> {
        Err(ToolError::Unsupported { feature: "ranking `agent`".into(), path: None })
    }

    pub(super) fn add(&mut self, _corpus: &Corpus, _document: u32) {}

    pub(super) fn score(
        &mut self,
        _query: &str,
        _corpus: &Corpus,
        _alive: &[bool],
        _living: usize,
        _scores: &mut Scores,
    ) -> Result<()> {
        Ok(())
    }
}
