//! Cutting texts, metadata and notices of outputs, and what becomes of results that are too long.

use std::path::PathBuf;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::registry::to_json;
use super::run::{self, OnCancel};
use crate::engine::calls::{meta, notices, spill, truncation};
use crate::engine::error::Result as EngineResult;
use crate::engine::exec::{bash, parse_arguments};
use crate::engine::{files, text};

/// Budgets of a cut; absent ones are the defaults, infinite ones bound nothing.
#[napi(object)]
#[derive(Default)]
pub struct CutBudget {
    /// Lines.
    pub max_lines: Option<f64>,
    /// Bytes.
    pub max_bytes: Option<f64>,
    /// Of these, lines of the start of a middle cut.
    pub max_head_lines: Option<f64>,
    /// Of these, bytes of the start of a middle cut.
    pub max_head_bytes: Option<f64>,
}

/// A text after a cut; without `meta` nothing was cut.
#[napi(object)]
pub struct NativeCut {
    /// Lines of the whole text.
    pub total_lines: f64,
    /// Bytes of the whole text.
    pub total_bytes: f64,
    /// The kept text.
    pub content: Option<String>,
    /// The kept start of a cut of the middle.
    pub head: Option<String>,
    /// The kept end of a cut of the middle.
    pub tail: Option<String>,
    /// `TruncationMeta`, as JSON text.
    pub meta: Option<String>,
    /// Only the end of the last line was kept.
    pub last_line_partial: Option<bool>,
    /// The first line alone was too large for the start.
    pub first_line_exceeds: Option<bool>,
}

/// Cuts a text; `direction` is `head`, `tail` or `middle`.
#[napi]
pub fn cut_text(env: Env, content: String, direction: String, budget: CutBudget) -> Result<NativeCut> {
    run::inline(env, || {
        let direction = parse_arguments(&serde_json::Value::from(direction).to_string())?;
        let (total_lines, total_bytes) = (number(text::line_count(&content)), number(content.len()));
        let whole = NativeCut {
            total_lines,
            total_bytes,
            content: None,
            head: None,
            tail: None,
            meta: None,
            last_line_partial: None,
            first_line_exceeds: None,
        };
        let Some(cut) = truncation::truncate(&content, direction, budget_of(&budget)) else {
            return Ok(whole);
        };
        let side = |side: &Option<text::Cut>| side.as_ref().map(|cut| cut.content.to_owned());
        let both = cut.marker.is_some();
        Ok(NativeCut {
            content: Some(cut.content()),
            head: side(&cut.head).filter(|_| both),
            tail: side(&cut.tail).filter(|_| both),
            meta: Some(to_json(&cut.meta)?),
            last_line_partial: Some(cut.last_line_partial()),
            first_line_exceeds: Some(cut.first_line_exceeds()),
            ..whole
        })
    })
}

fn budget_of(given: &CutBudget) -> truncation::Budget {
    let default = truncation::Budget::default();
    truncation::Budget {
        max_lines: given.max_lines.map_or(default.max_lines, count),
        max_bytes: given.max_bytes.map_or(default.max_bytes, count),
        head_lines: given.max_head_lines.map(count),
        head_bytes: given.max_head_bytes.map(count),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; NaN is 0")]
fn count(value: f64) -> usize {
    value as usize
}

#[expect(clippy::cast_precision_loss, reason = "sizes of texts in memory")]
fn number(count: usize) -> f64 {
    count as f64
}

/// The first bytes of a text or of raw bytes, whole characters only.
#[napi]
pub fn cut_bytes(env: Env, data: Either<String, Uint8Array>, max_bytes: f64) -> Result<(String, f64)> {
    run::inline(env, || {
        let bytes = match &data {
            Either::A(text) => text.as_bytes(),
            Either::B(bytes) => bytes.as_ref(),
        };
        let kept = text::head_bytes(bytes, count(max_bytes));
        Ok((String::from_utf8_lossy(kept).into_owned(), number(kept.len())))
    })
}

/// Lines and UTF-8 bytes of a text.
#[napi]
pub fn measure_text(env: Env, content: String) -> Result<(f64, f64)> {
    run::inline(env, || Ok((number(text::line_count(&content)), number(content.len()))))
}

/// A byte count for people.
#[napi]
pub fn format_bytes(env: Env, bytes: f64) -> Result<String> {
    run::inline(env, || Ok(text::format_bytes(count(bytes) as u64)))
}

/// Budgets that are the same everywhere, as JSON text.
#[napi]
pub fn output_constants(env: Env) -> Result<String> {
    let constants = serde_json::json!({
        "maxLines": truncation::DEFAULT_MAX_LINES,
        "maxBytes": truncation::DEFAULT_MAX_BYTES,
        "artifactMaxBytes": files::KEPT_BYTES,
        "bashTailBytes": bash::Limits::DEFAULT_TAIL,
        "sinkHeadBytes": spill::DEFAULT_SIDE_BYTES,
        "maxColumns": crate::engine::settings::default_of("tools.outputMaxColumns"),
    });
    run::inline(env, || to_json(&constants))
}

/// Metadata from the calls of a builder, a JSON list of `[method, ...arguments]`; null when there is nothing to tell.
#[napi]
pub fn build_output_meta(env: Env, calls: String) -> Result<Option<String>> {
    run::inline(env, || {
        let calls: Vec<Vec<serde_json::Value>> = parse_arguments(&calls)?;
        let named = calls.into_iter().filter_map(|mut call| {
            let name = (!call.is_empty()).then(|| call.remove(0))?;
            Some((name.as_str()?.to_owned(), call))
        });
        meta::build(&named.collect::<Vec<_>>())?.as_ref().map(to_json).transpose()
    })
}

/// The words for a cut (`TruncationMeta`, JSON text).
#[napi]
pub fn truncation_notice(env: Env, truncation: String) -> Result<String> {
    run::inline(env, || Ok(notices::truncation_notice(&parse_arguments(&truncation)?).text))
}

/// The words for a kept text.
#[napi]
pub fn artifact_reference(env: Env, id: String, missing: Option<f64>) -> Result<String> {
    run::inline(env, || Ok(notices::artifact_reference(&id, missing.map(|bytes| count(bytes) as u64))))
}

/// The marker that stands for a part that was left out.
#[napi]
pub fn elision_marker(env: Env, lines: f64, bytes: f64) -> Result<String> {
    run::inline(env, || Ok(text::elision_marker(count(lines) as u64, count(bytes) as u64)))
}

/// The bytes that a result must exceed before anything happens to it; null: nothing ever does. JSON facts in.
#[napi]
pub fn result_floor(env: Env, facts: String) -> Result<Option<f64>> {
    run::inline(env, || Ok(spill::floor(&parse_arguments(&facts)?).map(number)))
}

/// The cut of a result above the threshold, as JSON text; null: it stays as it is.
#[napi]
pub fn plan_spill(env: Env, facts: String, texts: Vec<String>) -> Result<Option<String>> {
    run::inline(env, || planned(spill::spill(&parse_arguments(&facts)?, &texts)))
}

/// The cut of a result above the inline cap, as JSON text; null: it stays as it is.
#[napi]
pub fn plan_cap(env: Env, facts: String, texts: Vec<String>) -> Result<Option<String>> {
    run::inline(env, || planned(spill::cap(&parse_arguments(&facts)?, &texts)))
}

fn planned(plan: Option<spill::Plan>) -> EngineResult<Option<String>> {
    plan.as_ref().map(to_json).transpose()
}

/// A text that was kept in a folder.
#[napi(object)]
pub struct NativeKept {
    /// Its id.
    pub id: String,
    /// Bytes at the end that were beyond what is kept.
    pub missing: f64,
}

/// Keeps a text in a folder under a new id.
#[napi]
pub fn keep_text(
    env: &Env,
    folder: String,
    label: String,
    text: String,
) -> Result<PromiseRaw<'_, NativeKept>> {
    run::blocking(env, None, OnCancel::Wait, move |_| {
        let kept = files::keep_text(&PathBuf::from(folder), &label, &text)?;
        Ok(NativeKept { id: kept.id, missing: number(usize::try_from(kept.missing).unwrap_or(usize::MAX)) })
    })
}

/// The part of a growing output that is kept: its end, on request also its start.
#[napi]
pub struct OutputWindow {
    window: bash::Window,
    lines: usize,
    bytes: usize,
}

/// What a window shows.
#[napi(object)]
pub struct NativeShown {
    /// The text.
    pub text: String,
    /// Lines of the whole output.
    pub total_lines: f64,
    /// Bytes of the whole output.
    pub total_bytes: f64,
    /// `OutputMeta`, as JSON text.
    pub meta: String,
}

#[napi]
impl OutputWindow {
    /// An empty window. Sizes are bytes, `columns` characters of a line; 0 columns: any number.
    #[napi(constructor)]
    #[must_use]
    pub fn new(head: f64, tail: f64, columns: f64) -> Self {
        let limits =
            bash::Limits { head: count(head), tail: count(tail), tail_lines: None, columns: count(columns) };
        Self { window: bash::Window::new(limits), lines: 1, bytes: 0 }
    }

    /// Appends.
    #[napi]
    pub fn push(&mut self, env: Env, text: String) -> Result<()> {
        run::inline(env, || {
            self.window.push(&text);
            self.lines += text::line_count(&text) - 1;
            self.bytes += text.len();
            Ok(())
        })
    }

    /// What is shown of everything so far.
    #[napi]
    pub fn show(&self, env: Env) -> Result<NativeShown> {
        run::inline(env, || {
            let shown = self.window.finish();
            let meta = to_json(&shown.meta)?;
            let (total_lines, total_bytes) = (number(self.lines), number(self.bytes));
            Ok(NativeShown { text: shown.text, total_lines, total_bytes, meta })
        })
    }
}

/// The columns that a text takes in a terminal.
#[napi]
pub fn display_width(env: Env, text: String) -> Result<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a text is shorter than that")]
    run::inline(env, || Ok(text::width(&text) as f64))
}

/// The pieces of a line, together no wider than `columns`.
#[napi]
pub fn fit_to_width(env: Env, pieces: Vec<String>, columns: u32) -> Result<Vec<String>> {
    run::inline(env, || Ok(text::fit(&pieces, columns as usize)))
}

/// A line as the lines it takes in a terminal of `columns`.
#[napi]
pub fn wrap_to_width(env: Env, line: String, columns: u32) -> Result<Vec<String>> {
    run::inline(env, || Ok(text::wrap(&line, columns as usize)))
}
