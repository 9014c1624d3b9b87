//! Between a model and a tool: arguments on the way in, results on the way out. Never runs a tool, opens no file.
//!
//! In: [`upgrade`](mod@upgrade) brings older drafts of JSON Schema to 2020-12, [`schema`] compiles whatever is wrong
//! with it and counts the [`effort`] of judging, [`validate`] says what does not fit, [`repair`] finds what a model meant where that is beyond doubt,
//! [`json_text`] reads values that arrived as text, [`wire`] is the form for providers and [`strict`](mod@strict) the one that they enforce.
//!
//! Out: [`truncation`] cuts, [`spill`] decides what is kept elsewhere, [`meta`] holds the facts, [`notices`] the words,
//! `sanitize` cleans the text. Scheduling is list work around host callbacks and stays in JavaScript.

mod counted;
pub mod effort;
pub mod json_text;
pub mod meta;
pub mod notices;
mod pattern;
mod pattern_syntax;
pub mod repair;
mod sanitize;
pub mod schema;
pub mod spill;
pub mod strict;
pub mod truncation;
pub mod upgrade;
pub mod validate;
pub mod wire;

pub use repair::{Repair, Repaired};
pub use sanitize::sanitize;
pub use schema::Schema;
pub use upgrade::upgrade;
pub use validate::{SchemaIssue, Step};
