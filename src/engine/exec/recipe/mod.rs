//! `recipe`: the tasks a project already has, by name.
//!
//! What tasks there are is read from the files of the runners, each in a reader of its own (`runners`); `find` leads
//! from what the caller wrote to a command, which then runs as any other command of `bash` does, with all its rules.
//!
//! Never starts a program to find out about tasks: a project that nobody has looked at yet must not run anything, and
//! some runners execute parts of their files when they list them. Never passes on what the caller wrote unquoted.

mod find;
mod runners;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Context;
use super::bash;
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;
use crate::engine::files;
use crate::engine::outcome::Outcome;

/// Looking for tasks ends after this time, with what was found until then.
const BOUND: Duration = Duration::from_secs(2);
/// Tasks of a runner, and characters about each, that the model is told.
const SHOWN: usize = 20;
const ABOUT: usize = 120;
/// The largest file a task is looked for in.
const FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Arguments of `recipe`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The task, or `runner:task`, and what is passed to it.
    pub op: String,
}

/// A program that runs tasks, and those it has here.
#[derive(Debug, Clone, Serialize)]
pub struct Runner {
    /// `just`, `npm`, `pnpm`, `yarn`, `bun`, `cargo`, `make`, `task` or `deno`.
    pub id: &'static str,
    /// The file the tasks were read from.
    pub file: String,
    /// In the order of the file.
    pub tasks: Vec<Task>,
}

/// Something a runner can do.
#[derive(Debug, Clone, Serialize)]
pub struct Task {
    /// One word.
    pub name: String,
    /// What the file says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The command, as words.
    #[serde(skip)]
    pub words: Vec<String>,
    /// Where it runs, if not in the session's directory.
    #[serde(skip)]
    pub cwd: Option<PathBuf>,
}

/// The runners that are installed and have tasks in the session's directory.
#[must_use]
pub fn detect(context: &Context) -> Vec<Runner> {
    let place =
        Place { root: &context.cwd, path: bash::search_path(&context.env), deadline: Instant::now() + BOUND };
    runners::ALL.iter().filter_map(|read| read(&place)).filter(|runner| !runner.tasks.is_empty()).collect()
}

/// The tasks as the model is told of them, at most twenty of each runner.
#[must_use]
pub fn describe(runners: &[Runner]) -> String {
    runners.iter().map(describe_runner).collect::<Vec<_>>().join("\n\n")
}

fn describe_runner(runner: &Runner) -> String {
    let mut text = format!("{} ({}):", runner.id, files::escape_control(&runner.file));
    for task in runner.tasks.iter().take(SHOWN) {
        text.push_str("\n- ");
        text.push_str(&task.name);
        if let Some(about) = &task.about {
            let line: String = files::escape_control(about).chars().take(ABOUT).collect();
            text.push_str(": ");
            text.push_str(&line);
        }
    }
    if let Some(more) = runner.tasks.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        text.extend(["\n- and ", &more.to_string(), " more"]);
    }
    text
}

/// The command of a task.
pub fn command(options: &Options, context: &Context) -> Result<bash::Options> {
    let op = find::Op::parse(&options.op, context)?;
    let runners = detect(context);
    let (runner, task) = find::find(&op, &runners)?;
    let words = task.words.iter().cloned().chain(find::passed_on(runner.id, op.rest));
    let command = words.map(|word| bash::words::quote(&word)).collect::<Vec<_>>().join(" ");
    // Named in any case: where commands share a directory, it is not the one of the tasks.
    let cwd = task.cwd.as_ref().map_or_else(|| ".".into(), |cwd| cwd.to_string_lossy().into_owned());
    Ok(bash::Options { command, cwd: Some(cwd), ..bash::Options::default() })
}

/// Runs a task and waits for its end.
pub fn run(options: &Options, context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    let options = context.confine(|| command(options, context))?;
    bash::run(&options, context, cancel)
}

/// Where tasks are looked for.
struct Place<'a> {
    root: &'a std::path::Path,
    path: &'a str,
    deadline: Instant,
}

impl Place<'_> {
    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    fn has(&self, program: &str) -> bool {
        files::lookup(program, self.path).is_some()
    }

    /// The first of these files that is there, and its text. What cannot be read is not there.
    fn first<'n>(&self, names: &[&'n str]) -> Option<(&'n str, String)> {
        names.iter().find_map(|name| Some((*name, self.text(name)?)))
    }

    fn text(&self, name: &str) -> Option<String> {
        if self.is_late() {
            return None;
        }
        let (bytes, _) = files::read_regular(&self.root.join(name), name, FILE_BYTES).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        Some(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
    }

    fn exists(&self, name: &str) -> bool {
        !self.is_late() && files::exists(&self.root.join(name))
    }
}

impl Task {
    /// Absent for names that are more than a word, or that a program could take for an option.
    fn new(name: &str, words: &[&str]) -> Option<Self> {
        let is_word = !name.is_empty()
            && !name.starts_with('-')
            && !name.contains(|c: char| c.is_whitespace() || c.is_control());
        is_word.then(|| Self {
            name: name.to_owned(),
            about: None,
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            cwd: None,
        })
    }

    fn about(mut self, about: Option<&str>) -> Self {
        self.about = about.map(str::trim).filter(|about| !about.is_empty()).map(str::to_owned);
        self
    }
}
