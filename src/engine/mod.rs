//! Plain Rust: every rule of the tool core. Never names napi, never prints, never reads the process's directory
//! or environment; root, home, facts, limits and token come as arguments.
//!
//! Leaves first; `exec` uses leaves only and does not know the registry.

pub mod error;

pub mod cancel;
pub mod outcome;
pub mod settings;
pub mod tool;

pub mod files;
pub mod text;

pub mod code;
pub mod content;
pub mod session;

pub mod choice;
pub mod registry;
pub mod select;

pub mod calls;

pub mod discover;

pub mod exec;

pub mod custom;
