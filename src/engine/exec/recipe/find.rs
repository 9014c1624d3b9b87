//! From what the caller wrote to a task.

use super::{Context, Runner, Task, bash::words, detect};
use crate::engine::error::{Result, ToolError};

/// Tasks that an error names.
const NAMED: usize = 20;

/// What the caller wrote, taken apart.
#[derive(Debug)]
pub struct Op {
    name: String,
    /// What is passed to the task.
    pub rest: Vec<String>,
}

impl Op {
    /// The first word and the others.
    pub fn parse(op: &str, context: &Context) -> Result<Self> {
        if op.contains('\0') {
            return Err(ToolError::argument("op", "must not contain a NUL character"));
        }
        let mut words = words::split(op, "op")?.into_iter();
        let name = words.next().filter(|name| !name.is_empty());
        let nothing = || ToolError::RecipeEmptyOp { tasks: named(&detect(context)) };
        Ok(Self { name: name.ok_or_else(nothing)?, rest: words.collect() })
    }
}

/// The one task that is meant.
pub fn find<'r>(op: &Op, runners: &'r [Runner]) -> Result<(&'r Runner, &'r Task)> {
    let unknown =
        |among: &[Runner]| ToolError::RecipeUnknownTask { task: op.name.clone(), tasks: named(among) };
    if let Some((id, name)) = op.name.split_once(':')
        && let Some(runner) = runners.iter().find(|runner| is_called(runner, id))
    {
        let task = runner.tasks.iter().find(|task| task.name == name);
        return task.map(|task| (runner, task)).ok_or_else(|| unknown(std::slice::from_ref(runner)));
    }
    let found: Vec<_> =
        runners.iter().filter_map(|runner| Some((runner, task_of(runner, &op.name)?))).collect();
    match found.as_slice() {
        [] => Err(unknown(runners)),
        [one] => Ok(*one),
        several => {
            let candidates =
                several.iter().map(|(runner, task)| format!("{}:{}", runner.id, task.name)).collect();
            Err(ToolError::RecipeAmbiguousTask { task: op.name.clone(), candidates })
        }
    }
}

/// npm alone takes options for its own that stand behind the name of a script.
pub fn passed_on(runner: &str, rest: Vec<String>) -> Vec<String> {
    let needs_mark = runner == "npm"
        && rest.iter().any(|word| word.starts_with('-'))
        && !rest.iter().any(|word| word == "--");
    if needs_mark { std::iter::once("--".to_owned()).chain(rest).collect() } else { rest }
}

fn task_of<'r>(runner: &'r Runner, name: &str) -> Option<&'r Task> {
    runner.tasks.iter().find(|task| task.name == name)
}

fn is_called(runner: &Runner, id: &str) -> bool {
    runner.id == id || (id == "pkg" && ["npm", "pnpm", "yarn", "bun"].contains(&runner.id))
}

fn named(runners: &[Runner]) -> Vec<String> {
    let tasks = runners.iter().flat_map(|runner| runner.tasks.iter().map(|task| task.name.clone()));
    tasks.take(NAMED).collect()
}
