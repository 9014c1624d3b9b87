//! `ast_grep` and `ast_edit`: code found and rewritten by its structure.
//!
//! Both look at the files of known languages that the paths lead to (`sweep`), and say of which they could not parse
//! (`issues`). `grep` shows matches in their lines. `edit` shows what it would do and writes nothing: what it returns
//! beside the preview carries the change out later, if every file is still what was looked at.

pub mod edit;
pub mod grep;
mod issues;
mod sweep;
