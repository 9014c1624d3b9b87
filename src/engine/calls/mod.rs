//! Between a model and a tool: what is cut from a result, where the rest is, and how the model is told.
//! Validation, intent and scheduling later. Opens no file.

pub mod meta;
pub mod notices;
pub mod spill;
pub mod truncation;
