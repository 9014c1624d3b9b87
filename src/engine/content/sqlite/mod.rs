//! SQLite databases: what is in them as text, and single rows to change.
//!
//! Reading never changes a database and leaves nothing beside it, whatever its journal; see `database`. A read is
//! bounded in time and memory, and what a caller writes of a query is checked by SQLite's own authorizer, not by
//! looking at its words alone. Values of a change are bound, never pasted.

mod address;
mod condition;
mod database;
mod key;
mod layout;
mod parameters;
mod read;
mod row;
mod schema;
mod write;

pub use database::{SIGN, is_database};
pub use read::{Shown, read};
pub use write::{Change, Changed, write};
