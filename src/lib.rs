//! The engine of the tool core of a coding agent.
//!
//! Three layers, in the order a call travels:
//!
//! 1. `src/js`: what callers import. Holds the values that must stay JavaScript (factories, hooks) and decides nothing.
//! 2. `src/binding`: the only place that names napi, a part of the addon's crate. Shape in, one engine call, shape out.
//! 3. [`engine`]: plain Rust. Knows neither JavaScript nor napi nor the process's directory or environment.
//!
//! A call: `src/js/tools` → `src/js/signal.js` → `binding/exec.rs` → `binding/run.rs` → `engine/exec` →
//! [`engine::outcome::Outcome`] or [`engine::error::ToolError`] → Promise.

pub mod engine;
