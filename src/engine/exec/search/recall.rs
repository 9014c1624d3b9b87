//! What the session knows of files, asked before one is opened and told what was read of it.

use std::sync::Arc;

use super::needs::Needs;
use super::opened::Opened;
use super::pattern::Pattern;
use super::scan::{Miss, Skip};
use crate::engine::files::{Entry, Identity};
use crate::engine::session::{Contents, Known, Session};
use crate::engine::text::TrigramFilter;

/// The memory of the session, for one thread of one search.
#[derive(Debug)]
pub(super) struct Recall {
    session: Arc<Session>,
    needs: Needs,
    table: Vec<u64>,
}

/// What the session knows of a file before it is opened.
#[derive(Debug)]
pub(super) enum Before {
    /// There is no need to open it.
    Miss(Miss),
    /// It was read before and nothing new will be learned.
    Known,
    /// It is worth learning what it holds.
    New,
    /// Nothing that is learned would be sure.
    Unsure,
}

impl Recall {
    pub(super) fn new(session: Arc<Session>, pattern: &Pattern) -> Self {
        Self { session, needs: pattern.needs(), table: Vec::new() }
    }

    fn contents(&self) -> &Contents {
        &self.session.contents
    }

    /// Looks at a file without opening it.
    pub(super) fn before(&self, entry: &Entry) -> Before {
        let Some(identity) = entry.identity() else { return Before::Unsure };
        let miss = self.contents().ask(&identity, |known| match known {
            Known::Binary => Some(Miss::Skipped(Skip::Binary)),
            Known::Text(filter) if !self.needs.may_be_met(filter) => Some(Miss::Nothing),
            Known::Text(_) | Known::Other => None,
        });
        match miss {
            None => Before::New,
            Some(None) => Before::Known,
            Some(Some(miss)) => {
                self.contents().spare();
                Before::Miss(miss)
            }
        }
    }

    /// Keeps what a file that was read is, if that is sure and new.
    pub(super) fn learn(&mut self, file: &Opened) {
        let identity = file
            .facts()
            .and_then(|(metadata, when)| Identity::settled_for(self.contents().settled(), metadata, *when));
        let Some(identity) = identity else { return };
        let known = if file.is_utf16() {
            Known::Other
        } else if file.looks_binary() {
            Known::Binary
        } else if std::str::from_utf8(file.bytes()).is_err() {
            Known::Other
        } else {
            Known::Text(TrigramFilter::of(file.bytes(), &mut self.table))
        };
        self.contents().learn(identity, known);
    }
}
