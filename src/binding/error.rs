//! A [`ToolError`] as a JavaScript error: `code` and `context` are properties, `src/js/errors.js` makes the class.

use napi::bindgen_prelude::*;

use crate::engine::error::ToolError;

/// Builds the error on the JavaScript thread. `context` is JSON text.
#[must_use]
pub fn to_js(env: Env, error: &ToolError) -> Error {
    build(env, error).unwrap_or_else(|failure| failure)
}

fn build(env: Env, error: &ToolError) -> Result<Error> {
    let mut object = env.create_error(Error::new(Status::GenericFailure, error.message()))?;
    object.set("code", error.code())?;
    object.set("context", error.fields().to_string())?;
    Ok(Error::from(object.to_unknown()))
}
