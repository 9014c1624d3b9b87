//! One program without a shell, for people who write tools: outputs apart, an exit code, and what stopped it.
//! Never judges the exit code, and never leaves behind what it can find of what the program started.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::bash::process::{End, Exit, Launch, Stream, conduct};
use super::bash::{directory, variable};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files;

/// What is kept of each output; the rest is read and counted.
const KEPT: usize = 10 * 1024 * 1024;

/// The exit codes of programs that were stopped, as a shell would have them.
const TIMED_OUT: i32 = 124;
const ABORTED: i32 = 130;

/// Arguments of a start. Keys it does not know are ignored.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    /// A name on the `PATH`, or a path that starts at the directory it runs in.
    pub command: String,
    /// Its arguments, as they are.
    #[serde(default)]
    pub args: Vec<String>,
    /// Directory to run in.
    #[serde(default)]
    pub cwd: Option<String>,
    /// Milliseconds; absent or 0 for ever.
    #[serde(default)]
    pub timeout: Option<f64>,
}

/// How a program ended and what it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Standard output, read as UTF-8.
    pub stdout: String,
    /// Standard error, read as UTF-8.
    pub stderr: String,
    /// The exit code; 128 + signal after a signal, 124 after the time limit, 130 after an abort.
    pub code: i32,
    /// Whether the time limit or the caller stopped it.
    pub killed: bool,
    /// Bytes of each output beyond the first 10 MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Dropped>,
}

/// Bytes that are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// Of standard output.
    pub stdout: usize,
    /// Of standard error.
    pub stderr: usize,
}

/// Runs a program to its end. A program that cannot be started is an error, any exit code is a result.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Ended> {
    let limit = limit(options.timeout)?;
    check_texts(options)?;
    let cwd = directory(options.cwd.as_deref().unwrap_or("."), context)?;
    let program = find(&options.command, &cwd, context)?;
    let environment = environment(&cwd, context);
    let arguments: Vec<&OsStr> = options.args.iter().map(OsStr::new).collect();
    let launch = Launch {
        program: &program,
        arguments: &arguments,
        cwd: &cwd,
        environment: &environment,
        limit,
        is_apart: true,
        terminal: None,
    };
    let (mut stdout, mut stderr) = (Kept::default(), Kept::default());
    let end = conduct(&launch, cancel, &mut |stream, bytes| match stream {
        Stream::Output => stdout.take(bytes),
        Stream::Errors => stderr.take(bytes),
    });
    let end = end.map_err(|error| not_started(options, &error))?;
    let (code, killed) = match end {
        End::Finished(Exit::Code(code)) => (code, false),
        End::Finished(Exit::Unknown) => {
            let reason = "the exit status was taken by another part of this process".into();
            return Err(ToolError::Io { path: options.command.clone(), reason });
        }
        End::TimedOut => (TIMED_OUT, true),
        End::Aborted => (ABORTED, true),
    };
    let dropped = Dropped { stdout: stdout.dropped, stderr: stderr.dropped };
    let dropped = (dropped.stdout + dropped.stderr > 0).then_some(dropped);
    Ok(Ended { stdout: stdout.text(), stderr: stderr.text(), code, killed, dropped })
}

/// The beginning of an output.
#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    dropped: usize,
}

impl Kept {
    fn take(&mut self, bytes: &[u8]) {
        let fits = bytes.len().min(KEPT - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..fits]);
        self.dropped += bytes.len() - fits;
    }

    fn text(self) -> String {
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

fn limit(timeout: Option<f64>) -> Result<Option<Duration>> {
    let milliseconds = timeout.unwrap_or(0.0);
    if milliseconds == 0.0 {
        return Ok(None);
    }
    let limit = Duration::try_from_secs_f64(milliseconds / 1000.0);
    limit.map(Some).map_err(|_| ToolError::argument("timeout", "expected milliseconds, 0 or more"))
}

fn check_texts(options: &Options) -> Result<()> {
    if options.command.is_empty() {
        return Err(ToolError::argument("command", "must not be empty"));
    }
    let args = options.args.iter().enumerate().map(|(index, text)| (format!("args[{index}]"), text));
    let mut texts = std::iter::once(("command".to_owned(), &options.command)).chain(args);
    match texts.find(|(_, text)| text.contains('\0')) {
        Some((path, _)) => Err(ToolError::argument(path, "must not contain a NUL character")),
        None => Ok(()),
    }
}

/// The file of a program. Found here and not by the system, which would copy the host to look.
fn find(command: &str, cwd: &std::path::Path, context: &Context) -> Result<PathBuf> {
    if command.contains(std::path::is_separator) {
        return Ok(cwd.join(files::expand_tilde(command, context.home.as_deref())));
    }
    let path = variable(&context.env, "PATH").or_else(|| variable(&context.env, "Path")).unwrap_or_default();
    files::lookup(command, path).ok_or_else(|| ToolError::PathNotFound { path: command.to_owned() })
}

/// That of the host; only a stale `PWD` would tell programs the wrong directory.
fn environment(cwd: &std::path::Path, context: &Context) -> Vec<(String, String)> {
    let can_be_passed_on = |name: &str| !name.is_empty() && !name.contains('=');
    let host = context.env.iter().filter(|(name, value)| can_be_passed_on(name) && !value.contains('\0'));
    host.cloned().chain([("PWD".to_owned(), cwd.to_string_lossy().into_owned())]).collect()
}

fn not_started(options: &Options, error: &std::io::Error) -> ToolError {
    match error.kind() {
        std::io::ErrorKind::ArgumentListTooLong => {
            ToolError::argument("args", "are longer than the system lets a program be started with")
        }
        _ => ToolError::io(&options.command, error),
    }
}
