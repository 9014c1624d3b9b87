//! The addon that Node.js loads: the binding, and nothing of its own.
//!
//! A crate of its own because cargo optimises across crates (`lto`) only for what is nothing but a `cdylib`, while tests
//! and fuzz targets need the core as an `rlib`.

pub use gajae_tool_core::binding;
