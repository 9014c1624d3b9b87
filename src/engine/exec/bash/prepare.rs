//! From what the caller wrote to what is run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::process::{Launch, Lease};
use super::{environment, fix_ups, guard, internal_url, leading_cd};
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files::{self, Pinned};
use crate::engine::outcome::Notice;
use crate::engine::settings::Settings;

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
    /// Asks for a terminal; ignored where nobody could see it.
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
    /// The same as it was found where the call may go: what starts in it starts in no other, whatever has its name then.
    pub entered: Pinned,
    /// The whole environment; later entries win.
    pub environment: Vec<(String, String)>,
    /// How long it may run.
    pub timeout: Timeout,
    /// Whether the call waits for the end.
    pub mode: Mode,
    /// That of the command; only where a person can see it.
    pub terminal: Option<Lease>,
    /// What the result has to say beside the output.
    pub notices: Vec<Notice>,
}

/// How a call waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// For the end.
    Inline,
    /// Not at all, or so long.
    Background {
        /// Absent: not at all.
        after: Option<Duration>,
    },
}

impl Mode {
    fn of(options: &Options, settings: &Settings, timeout: Timeout) -> Result<Self> {
        if options.background == Some(true) {
            let is_enabled = settings.truthy("async.enabled");
            return if is_enabled {
                Ok(Self::Background { after: None })
            } else {
                Err(ToolError::AsyncDisabled {})
            };
        }
        if !settings.truthy("bash.autoBackground.enabled") {
            return Ok(Self::Inline);
        }
        let threshold = settings.number("bash.autoBackground.thresholdMs").clamp(0.0, Timeout::MAX * 1000.0);
        // Before the command is ended for its time.
        let seconds = (threshold / 1000.0).min((timeout.seconds - 1.0).max(0.0));
        Ok(Self::Background { after: Some(Duration::from_secs_f64(seconds)) })
    }
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
    let timeout = Timeout::new(options.timeout);
    let mode = Mode::of(options, &context.settings, timeout)?;
    if options.command.contains('\0') {
        return Err(ToolError::argument("command", "must not contain a NUL character"));
    }
    let host = &context.bash;
    let mut notices = Vec::new();
    let given = options.env.clone().unwrap_or_default();
    environment::check(&given)?;
    let mut given = if host.restricts() { BTreeMap::new() } else { given };
    let wants_terminal = cfg!(unix) && host.has_ui && options.pty == Some(true);
    if wants_terminal {
        given.entry("TERM".into()).or_insert_with(|| "xterm-256color".into());
    }
    if host.restricts() && options.env.as_ref().is_some_and(|env| !env.is_empty()) {
        notices.push(env_dropped());
    }
    let persistent = context.session.as_ref().filter(|_| keeps_state(context));
    let place = Place::of(options, context, persistent.is_none())?;
    guard::intercept(&[&options.command, place.command], &context.settings, host)?;
    let mut command = place.command.to_owned();
    if host.restricts() {
        command = host.restricted(&command)?;
    } else {
        if context.settings.truthy("bash.stripTrailingHeadTail")
            && let Some((kept, notice)) = fix_ups::without_cuts(&command)
        {
            command = kept;
            notices.push(notice);
        }
        command = internal_url::expand(&command, &host.addresses)?;
    }
    let shell = find_shell(&context.env)?;
    if let Some(session) = persistent.filter(|_| shell.ends_with("bash")) {
        let cwd = options.cwd.is_some().then(|| place.cwd.to_string_lossy());
        let script = session.shell.script(&command, &given, cwd.as_deref());
        command = script.map_err(|error| ToolError::io("the state of the shell", &error))?;
    }
    let entered = enter(&place.cwd)?;
    Ok(Plan {
        shell,
        command: as_script(&command),
        environment: environment::complete(&context.env, place.variables(), &given),
        cwd: place.cwd,
        entered,
        timeout,
        mode,
        terminal: wants_terminal.then(Lease::default),
        notices,
    })
}

/// Whether commands share a state. Restricted ones have none.
#[must_use]
pub fn keeps_state(context: &Context) -> bool {
    context.settings.truthy("bash.persistentSession") && !context.bash.restricts()
}

fn env_dropped() -> Notice {
    let text = "The command ran without `env`: this session allows only some commands, and variables can change what they do.";
    Notice::new("env_dropped", text.to_owned(), serde_json::json!({}))
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
            cwd: self.entered.path(),
            environment: &self.environment,
            limit: Some(self.timeout.duration()),
            is_apart: false,
            terminal: self.terminal.as_ref(),
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

/// Where a command runs.
struct Place<'a> {
    /// The command, a leading `cd` removed.
    command: &'a str,
    cwd: PathBuf,
    /// Where a leading `cd` came from, for `cd -`.
    previous: Option<PathBuf>,
}

impl<'a> Place<'a> {
    /// With `lifts_cd` a leading `cd` moves the call.
    fn of(options: &'a Options, context: &Context, lifts_cd: bool) -> Result<Self> {
        let command = options.command.as_str();
        if let Some(cwd) = &options.cwd {
            return Ok(Self { command, cwd: directory(cwd, context)?, previous: None });
        }
        let session = canonical(&context.cwd, &context.cwd.to_string_lossy())?;
        let Some((target, rest)) = leading_cd::split(command).filter(|_| lifts_cd) else {
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

/// Holds a directory that [`directory`] gave.
fn enter(directory: &Path) -> Result<Pinned> {
    files::pin(directory).map_err(|error| of_cwd(ToolError::io(directory.to_string_lossy(), &error)))
}

/// An existing directory with its links resolved. It may go between any two looks at it.
fn canonical(path: &Path, shown: &str) -> Result<PathBuf> {
    let real = files::require_directory(path, shown)
        .and_then(|()| path.canonicalize().map_err(|error| ToolError::io(shown, &error)))
        .and_then(|real| files::require_allowed(&real, shown).map(|()| real));
    real.map_err(of_cwd)
}

/// What is wrong with a path, as what is wrong with a working directory.
fn of_cwd(error: ToolError) -> ToolError {
    match error {
        ToolError::PathNotFound { path } => ToolError::CwdNotFound { path },
        ToolError::NotADirectory { path } => ToolError::CwdNotDirectory { path },
        other => other,
    }
}

/// Where programs usually are.
const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";

/// Where the host looks for programs.
#[must_use]
pub fn search_path(host: &[(String, String)]) -> &str {
    environment::value(host, "PATH").or_else(|| environment::value(host, "Path")).unwrap_or(USUAL)
}

/// `bash`, else `sh`, on the `PATH` of the host.
fn find_shell(host: &[(String, String)]) -> Result<PathBuf> {
    let shell = ["bash", "sh"].iter().find_map(|name| files::lookup(name, search_path(host)));
    shell.or_else(|| files::lookup("sh", USUAL)).ok_or_else(|| ToolError::ToolUnavailable {
        tool: "bash".into(),
        reason: "there is neither `bash` nor `sh` on the PATH".into(),
    })
}

/// A script that starts with `-` or `+` would be read as an option of the shell.
fn as_script(command: &str) -> String {
    if command.starts_with(['-', '+']) { format!(" {command}") } else { command.to_owned() }
}
