//! The executors: arguments and context as JSON text in, text and details (JSON text) out.

use std::sync::Arc;

use std::path::PathBuf;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use napi::bindgen_prelude::*;
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;
use serde_json::{Map, Value};

use super::cancel::CancelHandle;
use super::registry::to_json;
use super::run::{self, OnCancel};
use super::session::SessionState;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::exec::{self, Context, parse_arguments};
use crate::engine::files;
use crate::engine::outcome::{FileContents, Outcome, Picture};
use crate::engine::session::Session;
use crate::engine::text::decoded;

/// What an executor gives back.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct NativeOutcome {
    /// For the model.
    pub text: String,
    /// JSON text; `null` in it where `display` is to be put in.
    pub details: String,
    /// The text for interfaces, where it is another one.
    pub display: Option<String>,
    /// A failed call that keeps its own text.
    pub is_error: bool,
    /// Pictures, shown behind the text.
    pub images: Option<Vec<NativePicture>>,
    /// Files that were written.
    pub files: Option<WrittenFiles>,
}

/// Files that a call wrote. What they held stays on this side until somebody asks.
#[napi]
#[derive(Debug)]
pub struct WrittenFiles {
    files: Vec<FileContents>,
}

/// A file that a call wrote.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct WrittenFile {
    /// Absolute.
    pub path: String,
    /// The name it had before, where that was another one.
    pub from: Option<String>,
    /// `create`, `update` or `delete`.
    #[napi(ts_type = "'create' | 'update' | 'delete'")]
    pub op: String,
    /// Whether the text before it is at hand, and that behind it.
    pub has_old: bool,
    /// See `has_old`.
    pub has_new: bool,
}

#[napi]
impl WrittenFiles {
    /// What was written.
    #[napi]
    #[must_use]
    pub fn list(&self) -> Vec<WrittenFile> {
        let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let file = |file: &FileContents| WrittenFile {
            path: text(&file.path),
            from: file.from.as_deref().map(text),
            op: file.op.to_owned(),
            has_old: file.before.is_some(),
            has_new: file.after.is_some(),
        };
        self.files.iter().map(file).collect()
    }

    /// The text of a file before the call.
    #[napi]
    #[must_use]
    pub fn old_text(&self, file: u32) -> Option<String> {
        self.files.get(file as usize)?.before.as_ref().map(|bytes| decoded(bytes.whole()))
    }

    /// The text of a file after the call.
    #[napi]
    #[must_use]
    pub fn new_text(&self, file: u32) -> Option<String> {
        self.files.get(file as usize)?.after.as_ref().map(|bytes| decoded(bytes.whole()))
    }
}

/// A picture as a model is shown it.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct NativePicture {
    /// Such as `image/png`.
    pub mime_type: String,
    /// Base64.
    pub data: String,
}

impl From<Outcome> for NativeOutcome {
    fn from(mut outcome: Outcome) -> Self {
        let images: Vec<_> =
            std::mem::take(&mut outcome.images).into_iter().map(NativePicture::from).collect();
        let images = (!images.is_empty()).then_some(images);
        let files = std::mem::take(&mut outcome.files);
        let files = (!files.is_empty()).then_some(WrittenFiles { files });
        let (text, mut details, is_error) = outcome.receipt();
        let display = take_display(&mut details).filter(|display| *display != text);
        Self { text, details: Value::Object(details).to_string(), display, is_error, images, files }
    }
}

/// Often as long as the text itself: writing and reading it as JSON would take longer than the call.
fn take_display(details: &mut Map<String, Value>) -> Option<String> {
    let place = match details.get_mut("displayContent")? {
        Value::Object(display) => display.get_mut("text")?,
        display => display,
    };
    match place.take() {
        Value::String(text) => Some(text),
        _ => None,
    }
}

impl From<Picture> for NativePicture {
    fn from(Picture { mime_type, data }: Picture) -> Self {
        Self { mime_type: mime_type.to_owned(), data: BASE64_STANDARD.encode(data) }
    }
}

/// Declares one export for each executor.
macro_rules! executors {
    ($( $doc:literal $export:ident => $module:ident, $on_cancel:ident; )*) => { $(
        #[doc = $doc]
        #[napi]
        pub fn $export<'env>(
            env: &'env Env,
            arguments: String,
            context: String,
            handle: Option<&CancelHandle>,
            state: Option<&SessionState>,
        ) -> Result<PromiseRaw<'env, NativeOutcome>> {
            let session = SessionState::memory(state);
            run::blocking(env, handle, OnCancel::$on_cancel, move |cancel| {
                execute(&arguments, &context, session, cancel, exec::$module::run)
            })
        }
    )* };
}

executors! {
    " Reads a file or lists a directory."
    exec_read => read, Reject;
    " Searches file contents."
    exec_search => search, Reject;
    " Writes a whole file."
    exec_write => write, Wait;
    " Edits a file."
    exec_edit => edit, Wait;
    " Evaluates arithmetic."
    exec_calc => calc, Reject;
    " Records a finding of a review."
    exec_finding => finding, Reject;
    " Searches code by its structure."
    exec_ast_grep => ast_grep, Reject;
}

/// What an edit would do, given its arguments as JSON text that may lack its end. A list as JSON text.
#[napi]
pub fn preview_edit<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
    state: Option<&SessionState>,
) -> Result<PromiseRaw<'env, String>> {
    let session = SessionState::memory(state);
    run::blocking(env, handle, OnCancel::Reject, move |cancel| {
        let context = Context { session, ..parse_arguments(&context)? };
        let previews = context.confine(|| exec::edit::preview(&arguments, &context, cancel))?;
        serde_json::to_string(&previews).map_err(|error| ToolError::Internal { message: error.to_string() })
    })
}

/// Looks what a structural edit would do.
#[napi]
pub fn exec_ast_edit<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
    state: Option<&SessionState>,
) -> Result<PromiseRaw<'env, StagedEdit>> {
    let session = SessionState::memory(state);
    run::blocking(env, handle, OnCancel::Reject, move |cancel| {
        let mut plan = None;
        let outcome = execute(&arguments, &context, session, cancel, |options, context, cancel| {
            let staged = exec::ast_edit::run(options, context, cancel)?;
            plan = staged.plan.map(Arc::new);
            Ok(staged.outcome)
        })?;
        Ok(StagedEdit { outcome: Some(outcome), plan })
    })
}

/// A structural edit that was looked at and not made.
#[napi]
#[derive(Debug)]
pub struct StagedEdit {
    outcome: Option<NativeOutcome>,
    plan: Option<Arc<exec::ast_edit::Plan>>,
}

#[napi]
impl StagedEdit {
    /// The preview. May be asked for once.
    #[napi]
    pub fn outcome(&mut self, env: Env) -> Result<NativeOutcome> {
        run::inline(env, || {
            let told = || ToolError::Internal { message: "the preview was told already".into() };
            self.outcome.take().ok_or_else(told)
        })
    }

    /// What the change is called; null where there is nothing to change.
    #[napi]
    #[must_use]
    pub fn label(&self) -> Option<String> {
        self.plan.as_ref().map(|plan| plan.label())
    }

    /// Makes the change, in the session as it is now.
    #[napi]
    pub fn apply<'env>(
        &self,
        env: &'env Env,
        context: String,
        state: Option<&SessionState>,
    ) -> Result<PromiseRaw<'env, NativeOutcome>> {
        let plan = self.plan.clone();
        let session = SessionState::memory(state);
        run::blocking(env, None, OnCancel::Wait, move |cancel| {
            let nothing = || ToolError::Internal { message: "there is nothing to apply".into() };
            let plan = plan.ok_or_else(nothing)?;
            let context = Context { session, ..parse_arguments(&context)? };
            let apply = |plan: &Arc<exec::ast_edit::Plan>, context: &Context, cancel: &CancelToken| {
                plan.apply(context, cancel)
            };
            exec::call(apply, &plan, &context, cancel).map(NativeOutcome::from)
        })
    }
}

/// Looks what the host's hook made of files that were written.
#[napi]
pub fn after_write<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    state: Option<&SessionState>,
) -> Result<PromiseRaw<'env, NativeOutcome>> {
    let session = SessionState::memory(state);
    run::blocking(env, None, OnCancel::Reject, move |cancel| {
        let options = parse_arguments(&arguments)?;
        let context = Context { session, ..parse_arguments(&context)? };
        context.confine(|| exec::after_write::run(&options, &context, cancel)).map(NativeOutcome::from)
    })
}

/// Runs a program without a shell; what became of it is JSON text.
#[napi]
pub fn exec_program<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
) -> Result<PromiseRaw<'env, String>> {
    run::blocking(env, handle, OnCancel::Wait, move |cancel| {
        let (options, context) = (parse_arguments(&arguments)?, parse_arguments(&context)?);
        to_json(&exec::program::run(&options, &context, cancel)?)
    })
}

/// Finds files by name; `on_update` is told what there is while the call runs.
#[napi]
pub fn exec_find<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
    state: Option<&SessionState>,
    on_update: Option<Function<'env, NativeOutcome, ()>>,
) -> Result<PromiseRaw<'env, NativeOutcome>> {
    let on_update = on_update.map(|update| update.build_threadsafe_function().build()).transpose()?;
    let session = SessionState::memory(state);
    run::blocking(env, handle, OnCancel::Reject, move |cancel| {
        execute(&arguments, &context, session, cancel, |options, context, cancel| {
            exec::find::run_telling(options, context, cancel, exec::find::PROGRESS, &mut |partial| {
                if let Some(update) = &on_update {
                    update.call(partial.into(), ThreadsafeFunctionCallMode::NonBlocking);
                }
            })
        })
    })
}

/// Declares one export for each primitive that gives data instead of text: JSON both ways.
macro_rules! primitives {
    ($( $doc:literal $export:ident => $run:path; )*) => { $(
        #[doc = $doc]
        #[napi]
        pub fn $export<'env>(
            env: &'env Env,
            arguments: String,
            context: String,
            handle: Option<&CancelHandle>,
        ) -> Result<PromiseRaw<'env, String>> {
            run::blocking(env, handle, OnCancel::Reject, move |cancel| {
                let options = parse_arguments(&arguments)?;
                let context: Context = parse_arguments(&context)?;
                let found = $run(&options, &context, cancel)?;
                serde_json::to_string(&found).map_err(|error| ToolError::Internal { message: error.to_string() })
            })
        }
    )* };
}

primitives! {
    " Every match in files, as data."
    grep => exec::search::grep;
    " Every path that matches, as data."
    glob => exec::glob::glob;
}

/// An internal address in the path of a call.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct NativeInternalAddress {
    /// Without selector.
    pub url: String,
    /// The id of a kept text, where it names one.
    pub artifact: Option<String>,
}

/// The internal address that the host resolves before `read` runs; null for any other path.
#[napi]
pub fn internal_address(
    env: Env,
    path: String,
    skills: Vec<String>,
) -> Result<Option<NativeInternalAddress>> {
    run::inline(env, || {
        let address = exec::read::internal::parse(&path, &skills);
        Ok(address.map(|address| {
            let artifact = address.artifact().map(str::to_owned);
            NativeInternalAddress { url: address.url, artifact }
        }))
    })
}

/// The file of a text that was kept in a folder; null where there is none.
#[napi]
pub fn kept_path(env: &Env, folder: String, id: String) -> Result<PromiseRaw<'_, Option<String>>> {
    run::blocking(env, None, OnCancel::Reject, move |_| {
        let path = files::kept_path(&PathBuf::from(folder), &id);
        Ok(path.and_then(|path| path.to_str().map(str::to_owned)))
    })
}

fn execute<O: serde::de::DeserializeOwned>(
    arguments: &str,
    context: &str,
    session: Option<Arc<Session>>,
    cancel: &CancelToken,
    run: impl FnOnce(&O, &Context, &CancelToken) -> EngineResult<Outcome>,
) -> EngineResult<NativeOutcome> {
    let options = parse_arguments(arguments)?;
    let context = Context { session, ..parse_arguments(context)? };
    exec::call(run, &options, &context, cancel).map(NativeOutcome::from)
}
