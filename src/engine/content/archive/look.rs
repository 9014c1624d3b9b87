//! Looking through an archive once for all the names that an address may mean.

use std::collections::BTreeMap;

use super::entry::{Entry, Kind};

/// Hostile names that are kept for the warning.
const NAMED: usize = 3;

/// A name that may be meant.
#[derive(Debug)]
pub struct Wanted {
    /// In the form of [`super::Name::text`]; empty for the archive itself.
    pub name: String,
    /// Entries of a listing that are kept, in the order they are shown in.
    pub most: usize,
}

/// What goes by a name.
#[derive(Debug, Default)]
pub struct Looked {
    /// The member, the last one of that name.
    pub member: Option<Entry>,
    /// What is directly below it; absent where nothing says that it is a directory.
    pub children: Option<Children>,
}

/// The entries directly below a name, of which the first few are kept.
#[derive(Debug, Default)]
pub struct Children {
    rows: BTreeMap<(String, String, bool), Child>,
    /// Some were left out.
    pub more: bool,
    /// Names that pointed outside, as they stand in the archive; only the first few.
    pub hostile: Vec<String>,
    /// How many there are.
    pub hostile_count: u64,
}

/// One row of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// Its last part alone.
    pub name: String,
    /// Ends with `/` where it is shown.
    pub is_directory: bool,
    /// Bytes of its content.
    pub size: u64,
    /// Where a link leads.
    pub link: Option<String>,
}

impl Children {
    /// The rows, ordered by name without regard to case.
    pub fn rows(&self) -> impl Iterator<Item = &Child> {
        self.rows.values()
    }

    /// Rows that are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn add(&mut self, below: &str, entry: &Entry, most: usize) {
        let (name, rest) = below.split_once('/').unwrap_or((below, ""));
        let is_directory = !rest.is_empty() || entry.kind == Kind::Directory;
        let key = (name.to_lowercase(), name.to_owned(), is_directory);
        // What is behind the last row that is kept cannot come before it any more.
        if self.rows.len() >= most && self.rows.last_key_value().is_none_or(|(last, _)| *last < key) {
            self.more = true;
            return;
        }
        let link = match &entry.kind {
            Kind::Link(target) if rest.is_empty() => Some(target.clone()),
            _ => None,
        };
        let size = if is_directory { 0 } else { entry.size };
        self.rows.insert(key, Child { name: name.to_owned(), is_directory, size, link });
        if self.rows.len() > most {
            self.rows.pop_last();
            self.more = true;
        }
    }

    fn note(&mut self, hostile: &str) {
        self.hostile_count += 1;
        if self.hostile.len() < NAMED {
            self.hostile.push(hostile.to_owned());
        }
    }
}

impl Looked {
    /// Takes from an entry what concerns `wanted`.
    pub(super) fn take(&mut self, entry: &Entry, wanted: &Wanted) {
        let name = &entry.name.text;
        if name == &wanted.name && entry.kind != Kind::Directory {
            // A name that pointed outside never hides an honest one.
            let hides = entry.name.hostile.is_some()
                && self.member.as_ref().is_some_and(|member| member.name.hostile.is_none());
            if !hides {
                self.member = Some(entry.clone());
            }
            return;
        }
        let below = if wanted.name.is_empty() {
            Some(name.as_str())
        } else {
            name.strip_prefix(wanted.name.as_str())
                .and_then(|rest| if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') })
        };
        let Some(below) = below else { return };
        let children = self.children.get_or_insert_default();
        if !below.is_empty() {
            children.add(below, entry, wanted.most);
            if let Some(hostile) = &entry.name.hostile {
                children.note(hostile);
            }
        }
    }
}
