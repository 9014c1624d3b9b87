//! The engine's tests: one binary, a module for each feature.

#![expect(clippy::needless_pass_by_value, reason = "`json!` literals as arguments read better without `&`")]

mod bash;
mod calls_repair;
mod calls_sanitize;
mod calls_schema;
mod calls_wire;
mod cancel;
mod choice;
mod custom;
mod discover;
mod edit;
mod error;
mod find;
mod globs;
mod output;
mod program;
mod read;
mod registry;
mod search;
mod select;
mod tree;
mod truncate;
mod write;
