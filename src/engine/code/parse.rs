//! Parsing within a time, on the terms of the caller's token.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ast_grep_language::LanguageExt;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::language::Language;
use crate::engine::cancel::CancelToken;

/// The tree of a text, which may have errors; none where it takes too long or the call is cancelled.
#[must_use]
pub fn parse(text: &str, language: &Language, time: Duration, cancel: &CancelToken) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar.get_ts_language()).ok()?;
    let started = Instant::now();
    let mut go_on = |_: &ParseState| {
        if cancel.is_cancelled() || started.elapsed() >= time {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let bytes = text.as_bytes();
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}
