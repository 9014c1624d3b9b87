//! The only folder that names napi. Every export is a shape in, one engine call, a shape out.
#![expect(clippy::needless_pass_by_value, reason = "napi hands arguments over by value")]

pub mod addresses;
pub mod bash;
pub mod calls;
pub mod cancel;
pub mod choice;
pub mod custom;
pub mod decisions;
pub mod discover;
pub mod error;
pub mod exec;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod memory;
pub mod output;
pub mod plain;
pub mod probe;
pub mod registry;
pub mod run;
pub mod select;
pub mod session;
pub mod texts;
pub mod unfinished;
