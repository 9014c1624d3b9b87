//! Formats that are no plain text, one module for each: what is in them, and the bytes of one part. Knows no selectors,
//! no prefixes and no windows, those belong to the tools. Opens nothing for writing, and never unpacks to disk.

pub mod archive;
pub mod notebook;
pub mod sqlite;
