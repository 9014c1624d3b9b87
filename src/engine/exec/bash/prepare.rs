//! From what the caller wrote to what is run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::process::Launch;
use super::{environment, internal_url, leading_cd};
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files;

/// Arguments of `bash`. Keys it does not know are ignored.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Options {
    /// The command line.
    pub command: String,
    /// More environment variables.
    #[serde(default)]
    pub env: Option<BTreeMap<String, String>>,
    /// Seconds, clamped to 1..3600.
    #[serde(default)]
    pub timeout: Option<f64>,
    /// Directory to run in.
    #[serde(default)]
    pub cwd: Option<String>,
    /// Asks for a terminal; no host of this version has one to offer.
    #[serde(default)]
    pub pty: Option<bool>,
    /// Asks for a background job.
    #[serde(default, rename = "async")]
    pub background: Option<bool>,
}

/// What is run, and how.
#[derive(Debug)]
pub struct Plan {
    /// Absolute path of the shell.
    pub shell: PathBuf,
    /// Its script.
    pub command: String,
    /// Absolute, links resolved.
    pub cwd: PathBuf,
    /// The whole environment; later entries win.
    pub environment: Vec<(String, String)>,
    /// How long it may run.
    pub timeout: Timeout,
}

/// A limit of time in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timeout {
    /// What counts.
    pub seconds: f64,
    /// What was asked for, if that is something else.
    pub requested: Option<f64>,
}

impl Timeout {
    /// Without a wish.
    pub const DEFAULT: f64 = 300.0;
    /// The shortest.
    pub const MIN: f64 = 1.0;
    /// The longest.
    pub const MAX: f64 = 3600.0;

    fn new(requested: Option<f64>) -> Self {
        let requested = requested.unwrap_or(Self::DEFAULT);
        let seconds = requested.clamp(Self::MIN, Self::MAX);
        let was_clamped = seconds.to_bits() != requested.to_bits();
        Self { seconds, requested: was_clamped.then_some(requested) }
    }

    /// As a duration.
    pub fn duration(self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

/// Checks the arguments and resolves them. Starts nothing.
pub fn prepare(options: &Options, context: &Context) -> Result<Plan> {
    if options.background == Some(true) {
        return Err(if context.settings.truthy("async.enabled") {
            ToolError::Unsupported { feature: "background commands".into(), path: None }
        } else {
            ToolError::AsyncDisabled {}
        });
    }
    if options.command.trim().is_empty() {
        return Err(ToolError::argument("command", "must not be empty"));
    }
    if options.command.contains('\0') {
        return Err(ToolError::argument("command", "must not contain a NUL character"));
    }
    if let Some(feature) = missing_guard(context) {
        return Err(ToolError::Unsupported { feature: feature.into(), path: None });
    }
    let given = options.env.clone().unwrap_or_default();
    environment::check(&given)?;
    let place = Place::of(options, context)?;
    if let Some(address) = internal_url::find(place.command) {
        return Err(ToolError::Unsupported {
            feature: "internal addresses in commands".into(),
            path: Some(address.to_owned()),
        });
    }
    Ok(Plan {
        shell: find_shell(&context.env)?,
        command: as_script(place.command),
        environment: environment::complete(&context.env, place.variables(), &given),
        cwd: place.cwd,
        timeout: Timeout::new(options.timeout),
    })
}

impl Plan {
    /// What the shell is told.
    pub fn arguments(&self) -> [&OsStr; 2] {
        [OsStr::new("-c"), OsStr::new(&self.command)]
    }

    /// What is started for it.
    pub fn launch<'a>(&'a self, arguments: &'a [&'a OsStr]) -> Launch<'a> {
        Launch {
            program: &self.shell,
            arguments,
            cwd: &self.cwd,
            environment: &self.environment,
            limit: Some(self.timeout.duration()),
            is_apart: false,
        }
    }

    /// Whether the directory lets a program start in it.
    #[cfg(unix)]
    pub fn may_enter_cwd(&self) -> bool {
        rustix::fs::access(&self.cwd, rustix::fs::Access::EXEC_OK).is_ok()
    }

    /// Other systems do not tell.
    #[cfg(not(unix))]
    pub fn may_enter_cwd(&self) -> bool {
        true
    }
}

/// What was asked to keep commands back and cannot do so yet: better no command than one that should not run.
fn missing_guard(context: &Context) -> Option<&'static str> {
    if context.restricts_commands {
        return Some("a session that allows only some commands");
    }
    context
        .settings
        .truthy("bashInterceptor.enabled")
        .then_some("the command interceptor (`bashInterceptor.enabled`)")
}

/// Where a command runs.
struct Place<'a> {
    /// The command, a leading `cd` removed.
    command: &'a str,
    cwd: PathBuf,
    /// Where a leading `cd` came from, for `cd -`.
    previous: Option<PathBuf>,
}

impl<'a> Place<'a> {
    fn of(options: &'a Options, context: &Context) -> Result<Self> {
        let command = options.command.as_str();
        if let Some(cwd) = &options.cwd {
            return Ok(Self { command, cwd: directory(cwd, context)?, previous: None });
        }
        let session = canonical(&context.cwd, &context.cwd.to_string_lossy())?;
        let Some((target, rest)) = leading_cd::split(command) else {
            return Ok(Self { command, cwd: session, previous: None });
        };
        match directory(&target, context) {
            Ok(cwd) => Ok(Self { command: rest, cwd, previous: Some(session) }),
            Err(_) if leading_cd::goes_on_after_failure(rest) => {
                Ok(Self { command, cwd: session, previous: None })
            }
            Err(error) => Err(error),
        }
    }

    /// Programs that are not shells read these; a stale `PWD` of the host would tell them the wrong directory.
    fn variables(&self) -> Vec<(String, String)> {
        let named = [("PWD", Some(&self.cwd)), ("OLDPWD", self.previous.as_ref())];
        let given = named.into_iter().filter_map(|(name, path)| path.map(|path| (name, path)));
        given.map(|(name, path)| (name.to_owned(), path.to_string_lossy().into_owned())).collect()
    }
}

/// The directory that a text names: it exists, and its links are resolved.
pub fn directory(given: &str, context: &Context) -> Result<PathBuf> {
    if given.is_empty() {
        return Err(ToolError::EmptyPath { field: "cwd".into() });
    }
    // Elsewhere slashes alone mean the session's directory; a command told to run in `/` must run there or nowhere.
    let path = if given.bytes().all(|byte| byte == b'/') {
        PathBuf::from("/")
    } else {
        files::resolve_existing(given, &context.cwd, context.home.as_deref())?
    };
    canonical(&path, given)
}

/// An existing directory with its links resolved.
fn canonical(path: &Path, shown: &str) -> Result<PathBuf> {
    match files::require_directory(path, shown) {
        Ok(()) => {
            let real = path.canonicalize().map_err(|error| ToolError::io(shown, &error))?;
            files::require_allowed(&real, shown).map(|()| real)
        }
        Err(ToolError::PathNotFound { path }) => Err(ToolError::CwdNotFound { path }),
        Err(ToolError::NotADirectory { path }) => Err(ToolError::CwdNotDirectory { path }),
        Err(error) => Err(error),
    }
}

/// `bash`, else `sh`, on the `PATH` of the host.
fn find_shell(host: &[(String, String)]) -> Result<PathBuf> {
    const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";
    let path = environment::value(host, "PATH").or_else(|| environment::value(host, "Path"));
    let shell = ["bash", "sh"].iter().find_map(|name| files::lookup(name, path.unwrap_or(USUAL)));
    shell.or_else(|| files::lookup("sh", USUAL)).ok_or_else(|| ToolError::ToolUnavailable {
        tool: "bash".into(),
        reason: "there is neither `bash` nor `sh` on the PATH".into(),
    })
}

/// A script that starts with `-` or `+` would be read as an option of the shell.
fn as_script(command: &str) -> String {
    if command.starts_with(['-', '+']) { format!(" {command}") } else { command.to_owned() }
}
