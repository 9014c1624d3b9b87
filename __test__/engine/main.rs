//! The engine's tests: one binary, a module for each feature.

mod cancel;
mod discover;
mod error;
mod registry;
mod select;
