//! Discovery: texts cross as one string with a typed array of lengths, results as a typed array.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::run;
use crate::engine::discover::{self, Corpus, Ranking};
use crate::engine::error::Result as EngineResult;

/// An index over tools. Freed with its handle.
#[napi]
pub struct DiscoveryIndex {
    index: discover::DiscoveryIndex,
}

/// Term statistics of all tools.
#[napi(object)]
pub struct DiscoveryStatistics {
    /// The terms of one tool after the other, each closed by a line feed.
    pub terms: String,
    /// For each tool its slot, length and number of terms, then the frequency of each term.
    pub numbers: Uint32Array,
}

#[napi]
impl DiscoveryIndex {
    /// `text` holds seven fields for each tool, each closed by one character; `lengths` their UTF-16 lengths.
    #[napi(constructor)]
    pub fn new(env: Env, text: String, lengths: Uint32Array) -> Result<Self> {
        run::inline(env, || Ok(Self { index: discover::DiscoveryIndex::build(corpus(&text, &lengths)?)? }))
    }

    /// How many tools there are.
    #[napi(getter)]
    #[must_use]
    pub fn size(&self) -> u32 {
        u32::try_from(self.index.len()).unwrap_or(u32::MAX)
    }

    /// Average weighted length.
    #[napi(getter)]
    #[must_use]
    pub fn average_length(&self) -> f64 {
        self.index.average_length()
    }

    /// Adds tools; slots count on. Answers the slots that are free now.
    #[napi]
    pub fn add(&mut self, env: Env, text: String, lengths: Uint32Array) -> Result<Vec<u32>> {
        run::inline(env, || self.index.add(&corpus(&text, &lengths)?))
    }

    /// Removes tools by name. Answers the slots that are free now.
    #[napi]
    pub fn remove(&mut self, env: Env, names: Vec<String>) -> Result<Vec<u32>> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        run::inline(env, || self.index.remove(&names))
    }

    /// Ranks the tools; writes slot and score of each result to `results` and answers how many there are.
    #[napi]
    pub fn search(
        &mut self,
        env: Env,
        query: String,
        exact: bool,
        limit: f64,
        mut results: Float64Array,
    ) -> Result<u32> {
        let ranking = if exact { Ranking::Exact } else { Ranking::Agent };
        let hits = run::inline(env, || self.index.search(&query, ranking, limit))?;
        // SAFETY: the array was made for this call by src/js/discovery.js, which reads it after the call.
        let results = unsafe { results.as_mut() };
        for (hit, place) in hits.iter().zip(results.chunks_exact_mut(2)) {
            place.copy_from_slice(&[f64::from(hit.slot), hit.score]);
        }
        Ok(u32::try_from(hits.len()).unwrap_or(u32::MAX))
    }

    /// Term statistics of all tools.
    #[napi]
    #[must_use]
    pub fn statistics(&self) -> DiscoveryStatistics {
        let (mut terms, mut numbers) = (String::new(), Vec::new());
        for document in self.index.documents() {
            let count = u32::try_from(document.frequencies.len()).unwrap_or(u32::MAX);
            numbers.extend([document.slot, document.length, count]);
            for (term, frequency) in document.frequencies {
                terms.push_str(&term);
                terms.push('\n');
                numbers.push(frequency);
            }
        }
        DiscoveryStatistics { terms, numbers: Uint32Array::new(numbers) }
    }
}

fn corpus(text: &str, lengths: &[u32]) -> EngineResult<Corpus> {
    let mut corpus = Corpus::default();
    corpus.append(text, lengths)?;
    Ok(corpus)
}

/// The tokens of a text, separated by spaces.
#[napi]
#[must_use]
pub fn discovery_tokens(text: String) -> String {
    discover::tokenize(&text).join(" ")
}

/// The places of names in the order of the root locale.
#[napi]
#[must_use]
pub fn order_names(names: Vec<String>) -> Vec<u32> {
    let mut places: Vec<usize> = (0..names.len()).collect();
    places.sort_by(|&left, &right| discover::compare_names(&names[left], &names[right]));
    places.into_iter().map(|place| u32::try_from(place).unwrap_or(u32::MAX)).collect()
}
