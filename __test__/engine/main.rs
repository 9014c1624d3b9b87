//! The engine's tests: one binary, a module for each feature.

#![expect(clippy::needless_pass_by_value, reason = "`json!` literals as arguments read better without `&`")]

#[cfg(unix)]
mod bash;
mod cancel;
mod edit;
mod error;
mod registry;
mod select;
mod write;
