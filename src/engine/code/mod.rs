//! Source code by its structure: which language a file is in, its syntax tree, patterns of code and what they match.
//!
//! In reading order: the languages (`language`), parsing within a time (`parse`), patterns (`pattern`), what they match
//! in a text (`matches`), text that no node stands for (`loose`), and the text that takes the place of a match (`template`). Opens no file.
//!
//! How deep source or a pattern is nested is up to others, and an overflowing stack ends the process: trees are walked
//! by a cursor, patterns have a bounded depth, and where two captures have to be equal the tree has one, too.

mod language;
mod loose;
mod matches;
mod parse;
mod pattern;
mod template;

pub use language::Language;
pub use matches::{Captured, Found, Tree, TreeFault};
pub use parse::parse;
pub use pattern::{Compiled, Pattern, PatternFault};
pub use template::Template;
