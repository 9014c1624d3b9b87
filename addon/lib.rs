//! The addon that Node.js loads: the binding over the engine.
//!
//! A crate of its own because cargo optimises across crates (`lto`) only for what is nothing but a `cdylib`, while tests
//! and fuzz targets need the engine as an `rlib`; and because the engine then cannot name napi.

pub use gajae_tool_core::engine;

#[path = "../src/binding/mod.rs"]
pub mod binding;
