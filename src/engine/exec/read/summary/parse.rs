//! Parsing within a time, on the terms of the caller's token.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ast_grep_language::LanguageExt;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::language::Language;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

/// How long a file may take; ordinary ones take milliseconds.
const MAX_TIME: Duration = Duration::from_millis(750);

/// The tree of a text; none where it has errors or takes too long.
pub fn parse(text: &str, language: &Language, cancel: &CancelToken) -> Result<Option<Tree>> {
    cancel.check()?;
    let mut parser = Parser::new();
    if parser.set_language(&language.grammar.get_ts_language()).is_err() {
        return Ok(None);
    }
    let started = Instant::now();
    let mut go_on = |_: &ParseState| {
        if cancel.is_cancelled() || started.elapsed() >= MAX_TIME {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let bytes = text.as_bytes();
    let tree =
        parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
    cancel.check()?;
    Ok(tree.filter(|tree| !tree.root_node().has_error()))
}
