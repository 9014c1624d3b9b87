//! Between a model and a tool: notices, and the text of results. Scheduling is list work around host callbacks and stays
//! in JavaScript.

pub mod notices;
mod sanitize;

pub use sanitize::sanitize;
