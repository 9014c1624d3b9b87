//! The engine's tests: one binary, a module for each feature.

#![expect(clippy::needless_pass_by_value, reason = "`json!` literals as arguments read better without `&`")]

mod archives;
mod bash;
mod bash_guard;
mod bash_process;
mod calls_effort;
mod calls_repair;
mod calls_sanitize;
mod calls_schema;
mod calls_wire;
mod cancel;
mod choice;
mod confine;
mod conflicts;
mod databases;
mod discover;
mod edit;
mod encoding;
mod error;
mod find;
mod globs;
mod notebooks;
mod output;
mod paths;
mod read;
mod read_media;
mod read_summary;
mod read_web;
mod recipe;
mod registry;
mod rehearsal;
mod search;
mod select;
mod session;
mod tree;
mod truncate;
mod walk;
mod write;
mod writer;
