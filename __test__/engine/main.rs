//! The engine's tests: one binary, a module for each feature.

#![expect(clippy::needless_pass_by_value, reason = "`json!` literals as arguments read better without `&`")]
#![expect(clippy::disallowed_methods, reason = "tests build the trees they look at")]

#[cfg(unix)]
mod bash;
mod cancel;
mod error;
mod find;
mod globs;
mod registry;
mod search;
mod select;
mod tree;
