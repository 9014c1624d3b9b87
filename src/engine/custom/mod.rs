//! Where the tool modules of people lie, in the order in which they count: the folders of the agents, plugins by their
//! registry or manifest, then configured paths. Each is looked at once, by its real path, and comes back as a module
//! to import, as metadata, or with the reason why it is neither.
//!
//! Never imports, runs or changes anything, never descends into subfolders, and never lets one item hide another.

mod collect;
mod marketplace;
mod metadata;
mod package;
mod places;
mod plugins;

pub use collect::{Given, Item, Level, Loader, Question, Source, find};
