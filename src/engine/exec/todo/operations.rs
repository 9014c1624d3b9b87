//! The operations: read from a call, then applied to a copy of the list. One that fails undoes them all.

use serde::Deserialize;

use super::phases::{Phase, Status, Task, normalize, tasks_mut};
use crate::engine::error::{Result, ToolError};

/// Arguments of `todo_write`. Unknown names are refused, because a list changed half as meant is worse than one that is
/// not changed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// At least one.
    pub ops: Vec<Operation>,
}

/// One change. Empty texts count as absent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// What to do.
    pub op: Kind,
    /// For `init`.
    #[serde(default)]
    pub list: Option<Vec<ListEntry>>,
    /// The text of a task.
    #[serde(default)]
    task: Option<String>,
    /// The name of a phase.
    #[serde(default)]
    phase: Option<String>,
    /// For `append`.
    #[serde(default)]
    pub items: Option<Vec<String>>,
    /// For `note`.
    #[serde(default)]
    text: Option<String>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Init,
    Start,
    Done,
    Rm,
    Drop,
    Append,
    Note,
}

/// A phase of a new list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListEntry {
    /// The name.
    pub phase: String,
    /// At least one task.
    pub items: Vec<String>,
}

impl Options {
    /// Refuses what cannot be meant, before anything is done.
    pub fn check(&self) -> Result<()> {
        if self.ops.is_empty() {
            return Err(ToolError::argument("ops", "must hold at least one operation"));
        }
        self.ops.iter().enumerate().try_for_each(|(index, op)| op.check(&format!("ops[{index}]")))
    }
}

impl Operation {
    fn check(&self, path: &str) -> Result<()> {
        if matches!(self.op, Kind::Done | Kind::Drop) && self.task().is_none() && self.phase().is_none() {
            return Err(ToolError::argument(path, "names neither a `task` nor a `phase`"));
        }
        for (index, entry) in self.list.iter().flatten().enumerate() {
            if entry.items.is_empty() {
                let path = format!("{path}.list[{index}].items");
                return Err(ToolError::argument(path, "must hold at least one task"));
            }
        }
        if self.items.as_ref().is_some_and(Vec::is_empty) {
            return Err(ToolError::argument(format!("{path}.items"), "must hold at least one task"));
        }
        Ok(())
    }

    fn task(&self) -> Option<&str> {
        self.task.as_deref().filter(|task| !task.is_empty())
    }

    fn phase(&self) -> Option<&str> {
        self.phase.as_deref().filter(|phase| !phase.is_empty())
    }

    /// Changes the list, or says why not and leaves it unusable: the caller throws such a list away.
    fn apply(&self, phases: &mut Vec<Phase>) -> std::result::Result<(), String> {
        match self.op {
            Kind::Init => self.init(phases),
            Kind::Start => self.start(phases),
            Kind::Done => self.settle(phases, Status::Completed),
            Kind::Drop => self.settle(phases, Status::Abandoned),
            Kind::Rm => self.remove(phases),
            Kind::Append => self.append(phases),
            Kind::Note => self.note(phases),
        }
    }

    fn init(&self, phases: &mut Vec<Phase>) -> std::result::Result<(), String> {
        let list = self.list.as_ref().ok_or("`init` needs a `list`")?;
        phases.clear();
        for ListEntry { phase: name, items } in list {
            require_name(name)?;
            if phases.iter().any(|known| known.name == *name) {
                return Err(format!("Phase \"{name}\" is in the list twice"));
            }
            phases.push(Phase { name: name.clone(), tasks: Vec::new() });
            let newest = phases.len() - 1;
            add(phases, newest, items)?;
        }
        Ok(())
    }

    fn start(&self, phases: &mut [Phase]) -> std::result::Result<(), String> {
        self.wanted(phases)?;
        for task in tasks_mut(phases).filter(|task| task.status == Status::InProgress) {
            task.status = Status::Pending;
        }
        self.wanted(phases)?.status = Status::InProgress;
        Ok(())
    }

    fn settle(&self, phases: &mut [Phase], status: Status) -> std::result::Result<(), String> {
        if self.task().is_some() {
            self.wanted(phases)?.status = status;
        } else if let Some(name) = self.phase() {
            for task in &mut named(phases, name)?.tasks {
                task.status = status;
            }
        }
        Ok(())
    }

    fn remove(&self, phases: &mut [Phase]) -> std::result::Result<(), String> {
        if self.task().is_some() {
            let (phase, task) = self.place(phases)?;
            phases[phase].tasks.remove(task);
        } else if let Some(name) = self.phase() {
            named(phases, name)?.tasks.clear();
        } else {
            for phase in phases {
                phase.tasks.clear();
            }
        }
        Ok(())
    }

    fn append(&self, phases: &mut Vec<Phase>) -> std::result::Result<(), String> {
        let name = self.phase().ok_or("`append` needs a `phase`")?;
        let items = self.items.as_ref().ok_or("`append` needs `items`")?;
        require_name(name)?;
        let phase = phases.iter().position(|phase| phase.name == name).unwrap_or_else(|| {
            phases.push(Phase { name: name.to_owned(), tasks: Vec::new() });
            phases.len() - 1
        });
        add(phases, phase, items)
    }

    fn note(&self, phases: &mut [Phase]) -> std::result::Result<(), String> {
        let text = self.text.as_deref().map(str::trim_end).filter(|text| !text.is_empty());
        let text = text.ok_or("`note` needs a `text`")?;
        self.wanted(phases)?.notes.push(text.to_owned());
        Ok(())
    }

    fn wanted<'a>(&self, phases: &'a mut [Phase]) -> std::result::Result<&'a mut Task, String> {
        let (phase, task) = self.place(phases)?;
        Ok(&mut phases[phase].tasks[task])
    }

    /// The first task with the text, in the named phase if it is there.
    fn place(&self, phases: &[Phase]) -> std::result::Result<(usize, usize), String> {
        let content = self.task().ok_or_else(|| format!("`{}` needs a `task`", self.op.name()))?;
        let within = |phase: &Phase| phase.tasks.iter().position(|task| task.content == content);
        let first = |only: Option<&str>| {
            let wanted = |phase: &&(usize, &Phase)| only.is_none_or(|name| phase.1.name == name);
            let phases: Vec<_> = phases.iter().enumerate().collect();
            phases.iter().filter(wanted).find_map(|(index, phase)| Some((*index, within(phase)?)))
        };
        first(self.phase()).or_else(|| first(None)).ok_or_else(|| unknown_task(content, phases))
    }
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Start => "start",
            Self::Done => "done",
            Self::Rm => "rm",
            Self::Drop => "drop",
            Self::Append => "append",
            Self::Note => "note",
        }
    }
}

/// The list after operations, or before them and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The list to go on with.
    pub phases: Vec<Phase>,
    /// What failed; then nothing was applied.
    pub errors: Vec<String>,
}

/// Applies operations in order to a copy of the list.
#[must_use]
pub fn apply(current: &[Phase], ops: &[Operation]) -> Applied {
    let mut phases = current.to_vec();
    let mut errors = Vec::new();
    for op in ops {
        let before = phases.clone();
        if let Err(error) = op.apply(&mut phases) {
            // The next operation is judged on a list that the failed one has not touched.
            phases = before;
            errors.push(error);
        }
    }
    if !errors.is_empty() {
        return Applied { phases: current.to_vec(), errors };
    }
    normalize(&mut phases);
    Applied { phases, errors }
}

fn named<'a>(phases: &'a mut [Phase], name: &str) -> std::result::Result<&'a mut Phase, String> {
    let found = phases.iter_mut().find(|phase| phase.name == name);
    found.ok_or_else(|| format!("There is no phase \"{name}\""))
}

/// Adds tasks to a phase. A text that is there already could never be addressed, so it is refused.
fn add(phases: &mut [Phase], phase: usize, items: &[String]) -> std::result::Result<(), String> {
    for item in items {
        if item.trim().is_empty() {
            return Err("A task needs a text".to_owned());
        }
        if phases.iter().any(|phase| phase.tasks.iter().any(|task| task.content == *item)) {
            return Err(format!("Task \"{item}\" is in the list already"));
        }
        phases[phase].tasks.push(Task::pending(item));
    }
    Ok(())
}

fn require_name(phase: &str) -> std::result::Result<(), String> {
    if phase.trim().is_empty() { Err("A phase needs a name".to_owned()) } else { Ok(()) }
}

fn unknown_task(content: &str, phases: &[Phase]) -> String {
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let hint = if content.strip_prefix("task-").is_some_and(is_number) {
        "; tasks are addressed by their whole text, not by a number"
    } else if phases.iter().all(|phase| phase.tasks.is_empty()) {
        "; the list is empty, start one with `init`"
    } else {
        ""
    };
    format!("There is no task \"{content}\"{hint}")
}
