//! Between a model and a tool: schemas, validation and repair of arguments, the wire form, notices. Never runs a tool.
//!
//! - [`upgrade`](mod@upgrade): older drafts of JSON Schema as 2020-12
//! - [`schema`]: a schema compiled, whatever is wrong with it
//! - [`validate`]: what does not fit, in words
//! - [`repair`]: what a model meant, where that is beyond doubt
//! - [`json_text`]: values that arrived as text
//! - [`wire`]: schemas as providers take them
//! - [`notices`]: closing notices of results
//! - [`sanitize`](mod@sanitize): text of results

pub mod json_text;
pub mod notices;
pub mod repair;
pub mod sanitize;
pub mod schema;
pub mod upgrade;
pub mod validate;
pub mod wire;

pub use repair::{Repair, Repaired};
pub use sanitize::sanitize;
pub use schema::Schema;
pub use upgrade::upgrade;
pub use validate::{SchemaIssue, Step};
