//! Tool calls: schemas, arguments, and the text of results. The batch loop around a host's callbacks is JavaScript.
//!
//! Schemas and arguments cross as JSON text; a value that fits answers with nothing, so that the caller keeps its
//! own.

use napi::bindgen_prelude::*;
use napi_derive::napi;
use serde_json::{Value, json};

use super::registry::to_json;
use super::run;
use crate::engine::calls::{self, Schema, wire};
use crate::engine::error::{Result as EngineResult, ToolError};

/// A compiled schema. Freed with its handle.
#[napi]
pub struct SchemaHandle {
    schema: Schema,
}

#[napi]
impl SchemaHandle {
    /// `schema` is JSON text. What is wrong in a schema refuses values, never the schema.
    #[napi(constructor)]
    pub fn new(env: Env, schema: String) -> Result<Self> {
        run::inline(env, || Ok(Self { schema: Schema::compile(&read(&schema, "parameters")?) }))
    }

    /// Judges a value (JSON text): null if it fits, else its faults as JSON text.
    #[napi]
    pub fn check(&self, env: Env, value: String) -> Result<Option<String>> {
        run::inline(env, || {
            let value = match read(&value, "value") {
                Ok(value) => value,
                Err(error) => return unreadable(&error),
            };
            let issues = self.schema.issues(&value);
            if issues.is_empty() {
                return Ok(None);
            }
            to_json(&json!({"issues": issues, "repairs": []})).map(Some)
        })
    }

    /// Judges and repairs a value (JSON text): null if it fits, else what was changed and what still does not fit, as
    /// JSON text.
    #[napi]
    pub fn repair(&self, env: Env, value: String) -> Result<Option<String>> {
        run::inline(env, || {
            let value = match read(&value, "arguments") {
                Ok(value) => value,
                Err(error) => return unreadable(&error),
            };
            let repaired = self.schema.repair(value);
            if repaired.issues.is_empty() && repaired.repairs.is_empty() {
                return Ok(None);
            }
            to_json(&repaired).map(Some)
        })
    }
}

/// A value that is nested too deep to be judged.
fn unreadable(error: &ToolError) -> EngineResult<Option<String>> {
    let message = format!("cannot be read, or are nested deeper than 127 levels: {error}");
    let issue = json!({"path": [], "message": message, "keyword": "value"});
    to_json(&json!({"issues": [issue], "repairs": []})).map(Some)
}

fn read(text: &str, what: &str) -> EngineResult<Value> {
    serde_json::from_str(text).map_err(|error| ToolError::argument(what, error.to_string()))
}

/// A schema (JSON text) in draft 2020-12, as JSON text; null if it is already.
#[napi]
pub fn upgrade_schema(env: Env, schema: String) -> Result<Option<String>> {
    run::inline(env, || match calls::upgrade(&read(&schema, "schema")?) {
        std::borrow::Cow::Borrowed(_) => Ok(None),
        std::borrow::Cow::Owned(upgraded) => to_json(&upgraded).map(Some),
    })
}

/// The wire form of a schema (JSON text), as JSON text.
#[napi]
pub fn wire_schema(env: Env, schema: String, converted: bool, flat: bool) -> Result<String> {
    run::inline(env, || to_json(&wire::wire(&read(&schema, "parameters")?, converted, flat)))
}

/// The strict form of a wire schema (JSON text), as JSON text; null where it has none.
#[napi]
pub fn strict_schema(env: Env, wire: String) -> Result<Option<String>> {
    run::inline(env, || calls::strict::strict(&read(&wire, "parameters")?).as_ref().map(to_json).transpose())
}

/// A schema (JSON text) with the intent field, as JSON text; null where the arguments are no object.
#[napi]
pub fn inject_intent(env: Env, schema: String, required: bool) -> Result<Option<String>> {
    run::inline(env, || {
        wire::inject_intent(&read(&schema, "parameters")?, required).as_ref().map(to_json).transpose()
    })
}

/// A result's text without terminal sequences, control characters and lone surrogates. UTF-16, so that a lone surrogate
/// can be told from U+FFFD.
#[napi]
pub fn sanitize_text(env: Env, text: Utf16String) -> Result<String> {
    run::inline(env, || Ok(calls::sanitize(&text)))
}
