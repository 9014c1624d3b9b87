//! Which server offers a tool, and how well a server as a whole answers.

use rustc_hash::FxHashMap;

use super::tuning::SERVER_SIZE;
use super::words::words;

/// Number of a server, or of the group of one that a tool without server is.
pub(super) type ServerId = u32;

/// Servers by name and by the words of their name.
#[derive(Default)]
pub(super) struct Servers {
    numbers: FxHashMap<Box<str>, ServerId>,
    /// Living tools of each.
    sizes: Vec<u32>,
    /// First word of a name → all words and the server.
    by_first_word: FxHashMap<String, Vec<(Vec<String>, ServerId)>>,
}

impl Servers {
    /// Counts a tool in; none for a tool without server.
    pub(super) fn join(&mut self, name: &str) -> Option<ServerId> {
        if name.is_empty() {
            return None;
        }
        let server = if let Some(&server) = self.numbers.get(name) { server } else { self.insert(name) };
        self.sizes[server as usize] += 1;
        Some(server)
    }

    /// A tool is no longer alive.
    pub(super) fn leave(&mut self, server: ServerId) {
        self.sizes[server as usize] -= 1;
    }

    /// How many servers were ever seen.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// What a server's answer is divided by: with more tools one fits sooner.
    pub(super) fn handicap(&self, server: ServerId) -> f64 {
        f64::from(self.sizes[server as usize].max(1)).powf(SERVER_SIZE)
    }

    /// The servers whose whole name stands in the query.
    pub(super) fn named(&self, query: &[String]) -> Vec<ServerId> {
        let mut named = Vec::new();
        for (at, word) in query.iter().enumerate() {
            let candidates = self.by_first_word.get(word).into_iter().flatten();
            named.extend(candidates.filter(|(name, _)| query[at..].starts_with(name)).map(|&(_, server)| server));
        }
        named
    }

    fn insert(&mut self, name: &str) -> ServerId {
        #[expect(clippy::cast_possible_truncation, reason = "not more servers than tools")]
        let server = self.sizes.len() as ServerId;
        self.numbers.insert(name.into(), server);
        self.sizes.push(0);
        let words = words(name);
        if let Some(first) = words.first() {
            self.by_first_word.entry(first.clone()).or_default().push((words, server));
        }
        server
    }
}
