//! Commands: the call that runs one, what is to be kept of it, and the jobs of a session.

use std::path::PathBuf;
use std::sync::Arc;

use napi::bindgen_prelude::*;
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::exec::NativeOutcome;
use super::registry::to_json;
use super::run::{self, OnCancel};
use super::session::SessionState;
use super::unfinished;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result as EngineResult, ToolError};
use crate::engine::exec::bash::{Background, Caller, Console, Ended, Kept, Lease, Options, Started};
use crate::engine::exec::{self, Context, parse_arguments};
use crate::engine::files;
use crate::engine::outcome::Outcome;

/// Runs a shell command. Where the context says `bash.holdsOutput`, one whose output is to be kept before its result can
/// be told comes back as it is. `on_update` is told what there is while it runs; `on_end` the id of a job that it became,
/// when that ends. `terminal`, made for this call, is over with the command, whether it got it or not.
#[napi]
pub fn exec_bash<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
    state: Option<&SessionState>,
    on_update: Option<Function<'env, NativeOutcome, ()>>,
    on_end: Option<Function<'env, String, ()>>,
    terminal: Option<&CommandTerminal>,
) -> Result<PromiseRaw<'env, Either<NativeOutcome, EndedCommand>>> {
    let host = Host { state, on_update, on_end, terminal: terminal.map(CommandTerminal::lease) };
    command(env, arguments, context, handle, host, |arguments, _| parse_arguments(arguments))
}

/// Runs a task of the project; the rest is as for [`exec_bash`].
#[napi]
pub fn exec_recipe<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
    state: Option<&SessionState>,
    on_update: Option<Function<'env, NativeOutcome, ()>>,
    on_end: Option<Function<'env, String, ()>>,
) -> Result<PromiseRaw<'env, Either<NativeOutcome, EndedCommand>>> {
    let host = Host { state, on_update, on_end, terminal: None };
    command(env, arguments, context, handle, host, |arguments, context| {
        let options = parse_arguments(arguments)?;
        context.confine(|| exec::recipe::command(&options, context))
    })
}

/// The internal addresses in a command, for the host to say which files they stand for.
#[napi]
#[must_use]
pub fn command_addresses(command: String) -> Vec<String> {
    exec::bash::addresses(&command)
}

/// The tasks of the session's directory, as the model is told of them; null: there are none.
#[napi]
pub fn recipe_tasks(env: &Env, context: String) -> Result<PromiseRaw<'_, Option<String>>> {
    run::blocking(env, None, OnCancel::Reject, move |_| {
        let context: Context = parse_arguments(&context)?;
        let runners = context.confine(|| Ok(exec::recipe::detect(&context)))?;
        Ok((!runners.is_empty()).then(|| exec::recipe::describe(&runners)))
    })
}

/// What the host gave beside arguments and context.
struct Host<'env, 'state> {
    state: Option<&'state SessionState>,
    on_update: Option<Function<'env, NativeOutcome, ()>>,
    on_end: Option<Function<'env, String, ()>>,
    terminal: Option<Lease>,
}

fn command<'env>(
    env: &'env Env,
    arguments: String,
    context: String,
    handle: Option<&CancelHandle>,
    host: Host<'env, '_>,
    options: impl FnOnce(&str, &Context) -> EngineResult<Options> + Send + 'static,
) -> Result<PromiseRaw<'env, Either<NativeOutcome, EndedCommand>>> {
    let update = host.on_update.map(|update| update.build_threadsafe_function().build()).transpose()?;
    let session = SessionState::memory(host.state);
    let terminal = host.terminal;
    let background = host.on_end.map(|on_end| background(*env, on_end)).transpose()?;
    run::blocking(env, handle, OnCancel::Wait, move |cancel| {
        let context = Context { session, ..parse_arguments(&context)? };
        let options = options(&arguments, &context)?;
        let mut tell = |partial: Outcome| {
            if let Some(update) = &update {
                update.call(partial.into(), ThreadsafeFunctionCallMode::NonBlocking);
            }
        };
        let on_update = update.is_some().then_some(&mut tell as &mut dyn FnMut(Outcome));
        let caller = Caller { holds_output: context.bash.holds_output, on_update, background, terminal };
        match exec::bash::start(&options, &context, caller, cancel)? {
            Started::Running(outcome) => Ok(Either::A((*outcome).into())),
            Started::Ended(ended) if ended.to_keep().is_some() => Ok(Either::B(EndedCommand { ended })),
            Started::Ended(ended) => ended.finish(Kept::Nowhere).map(|outcome| Either::A(outcome.into())),
        }
    })
}

/// A job that ends with this environment, and keeps it from ending no longer than it takes to end the job.
fn background(env: Env, on_end: Function<'_, String, ()>) -> Result<Background> {
    let on_end = on_end.build_threadsafe_function().weak::<true>().build()?;
    let token = CancelToken::new();
    let until_end = unfinished::enlist(env, &token)?;
    Ok(Background {
        token,
        on_end: Box::new(move |id| {
            drop(until_end);
            if let Some(id) = id {
                on_end.call(id.to_owned(), ThreadsafeFunctionCallMode::NonBlocking);
            }
        }),
    })
}

/// The terminal of a command as the host has it.
#[napi]
#[derive(Debug)]
pub struct CommandTerminal {
    console: Arc<Console>,
}

#[napi]
impl CommandTerminal {
    /// `tell` is called when the command has the terminal, and whenever there is something to take.
    #[napi(constructor)]
    pub fn new(id: String, tell: Function<'_, (), ()>) -> Result<Self> {
        let tell = tell.build_threadsafe_function().weak::<true>().build()?;
        let tell = Box::new(move || {
            tell.call((), ThreadsafeFunctionCallMode::NonBlocking);
        });
        Ok(Self { console: Arc::new(Console::new(id, tell)) })
    }

    /// What was shown since the last time; null where nothing more will come.
    #[napi]
    #[must_use]
    pub fn take(&self) -> Option<Buffer> {
        self.console.take().map(Buffer::from)
    }

    /// Types. Whether there was room for it, and a command.
    #[napi]
    #[must_use]
    pub fn write(&self, bytes: &[u8]) -> bool {
        self.console.write(bytes)
    }

    /// Changes the size.
    #[napi]
    pub fn resize(&self, columns: u16, rows: u16) {
        self.console.resize((columns, rows));
    }

    fn lease(&self) -> Lease {
        Lease::new(&self.console)
    }
}

/// A command that has ended, and whose output is too long to be shown.
#[napi]
#[derive(Debug)]
pub struct EndedCommand {
    ended: Arc<Ended>,
}

#[napi]
impl EndedCommand {
    /// The text to keep.
    #[napi]
    pub fn output(&self, env: Env) -> Result<String> {
        run::inline(env, || {
            let text = self.ended.to_keep().map(files::Spool::text).transpose();
            text.map(Option::unwrap_or_default)
                .map_err(|error| ToolError::io("the output of the command", &error))
        })
    }

    /// Keeps the text in a folder; its id there.
    #[napi]
    pub fn keep_in<'env>(
        &self,
        env: &'env Env,
        folder: String,
        label: String,
    ) -> Result<PromiseRaw<'env, String>> {
        let ended = Arc::clone(&self.ended);
        run::blocking(env, None, OnCancel::Wait, move |_| {
            let nothing = || ToolError::Internal { message: "there is nothing to keep".into() };
            let whole = ended.to_keep().ok_or_else(nothing)?;
            let mut reader =
                whole.reader().map_err(|error| ToolError::io("the output of the command", &error))?;
            files::keep(&PathBuf::from(folder), &label, &mut reader)
        })
    }

    /// The result, given where the text was kept: an id and the bytes that are not there, or why it was not kept.
    #[napi]
    pub fn finish(
        &self,
        env: Env,
        id: Option<String>,
        missing: Option<f64>,
        failure: Option<String>,
    ) -> Result<NativeOutcome> {
        run::inline(env, || self.ended.finish(kept(id, missing, failure)).map(NativeOutcome::from))
    }
}

fn kept(id: Option<String>, missing: Option<f64>, failure: Option<String>) -> Kept {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size, which saturates")]
    let missing = missing.map_or(0, |bytes| bytes as u64);
    match (id, failure) {
        (Some(id), _) => Kept::Artifact { id, missing },
        (None, Some(reason)) => Kept::Failed { reason },
        (None, None) => Kept::Nowhere,
    }
}

#[napi]
impl SessionState {
    /// Every job of the session, as JSON text.
    #[napi]
    pub fn jobs(&self, env: Env) -> Result<String> {
        run::inline(env, || to_json(&self.session.jobs.list()))
    }

    /// One of them, as JSON text.
    #[napi]
    pub fn job(&self, env: Env, id: String) -> Result<Option<String>> {
        run::inline(env, || self.session.jobs.get(&id).as_ref().map(to_json).transpose())
    }

    /// Ends a job. Whether it was running.
    #[napi]
    #[must_use]
    pub fn cancel_job(&self, id: String) -> bool {
        self.session.jobs.cancel(&id)
    }

    /// What of an ended job is to be kept.
    #[napi]
    #[must_use]
    pub fn job_to_keep(&self, id: String) -> Option<EndedCommand> {
        self.session.jobs.to_keep(&id).map(|ended| EndedCommand { ended })
    }

    /// Records where it was kept.
    #[napi]
    pub fn settle_job(
        &self,
        id: String,
        kept_id: Option<String>,
        missing: Option<f64>,
        failure: Option<String>,
    ) {
        self.session.jobs.settle(&id, kept(kept_id, missing, failure));
    }
}
