//! The only folder that names napi. Every export is a shape in, one engine call, a shape out.
#![allow(
    clippy::needless_pass_by_value,
    clippy::missing_panics_doc,
    reason = "napi hands arguments over by value"
)]
#![expect(clippy::allow_attributes, reason = "which of the two applies depends on the exports of a file")]

pub mod cancel;
pub mod choice;
pub mod error;
pub mod exec;
pub mod probe;
pub mod registry;
pub mod run;
pub mod select;
