//! Between a model and a tool: notices now; validation, intent and scheduling later.

pub mod notices;
