//! Archives: what is in them, and the bytes of one member. Lists from headers alone, inflates one member at a time and
//! within bounds, and takes names for labels only: nothing is ever unpacked to a place that a name says.
//!
//! `zip` and `tar` read the headers of their format and give [`Entry`] after [`Entry`]; `look` keeps of them what a
//! call asks for; `inflate` bounds what comes out of a member; `zip_edit` and `tar_edit` make a new archive out of an
//! old one, every other entry byte for byte as it was.

mod entry;
mod inflate;
mod look;
mod name;
mod open;
mod tar;
mod tar_edit;
mod zip;
mod zip_edit;

pub use entry::{Entry, Kind};
pub use inflate::MAX_MEMBER;
pub use look::{Child, Children, Looked, Wanted};
pub use name::{Name, member_names};
pub use open::{Archive, Format, MAX_ARCHIVE, Stop, set_member};
