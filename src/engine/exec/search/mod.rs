//! `search`: a regular expression over the contents of files.
//!
//! In reading order: [`Options`] and the course of a call (`call`), what its paths mean (`scope`); the pattern (`pattern`) as
//! people mean it (`meant`), what is asked before it (`gate`), what is left of it in most texts (`ascii`, `matcher`) and what
//! its matches need (`needs`); one file (`opened`), of a large one only what is needed (`glance`), for one pattern (`scan`), its
//! lines (`collect`), what the session knows of it (`recall`), one member of an archive (`member`); all files of a walk
//! (`survey`), in company if there is any (`together`), up to the one that makes it enough (`cut`), and what came of it
//! (`gather`); which of the hits fit a page (`page`), how they are laid out (`layout`, `line`) and accounted for (`said`).
//! `grep` is the same search without page and caps.
//!
//! Never writes, never follows a link it was not asked to follow, never leaves anything out without saying so.

mod ascii;
mod call;
mod collect;
mod cut;
mod gate;
mod gather;
mod glance;
mod grep;
mod layout;
mod line;
mod matcher;
mod meant;
mod member;
mod needs;
mod opened;
mod page;
mod pattern;
mod recall;
mod said;
mod scan;
mod scope;
mod survey;
mod together;

pub(in crate::engine::exec) use call::skip_of;
pub use call::{Options, run};
pub(in crate::engine::exec) use layout::arrange;
pub(in crate::engine::exec) use line::show;

pub use grep::{Grep, GrepFile, GrepLine, GrepSkip, Options as GrepOptions, grep};
