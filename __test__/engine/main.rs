//! The engine's tests: one binary, a module for each feature.

#![expect(missing_docs, reason = "tests")]

mod edit;
mod write;
