//! Tool calls. The batch loop around a host's callbacks is JavaScript; rules over text are the engine's.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::run;
use crate::engine::calls;

/// A result's text without terminal sequences, control characters and lone surrogates. UTF-16, so that a lone surrogate
/// can be told from U+FFFD.
#[napi]
pub fn sanitize_text(env: Env, text: Utf16String) -> Result<String> {
    run::inline(env, || Ok(calls::sanitize(&text)))
}
