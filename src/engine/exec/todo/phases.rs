//! The list itself.

use serde::{Deserialize, Serialize};

/// What has become of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    Pending,
    /// The one at hand.
    InProgress,
    /// Done.
    Completed,
    /// Given up.
    Abandoned,
}

impl Status {
    /// As it crosses and as a model reads it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Abandoned => "abandoned",
        }
    }

    /// One character for lists.
    #[must_use]
    pub fn symbol(self) -> char {
        match self {
            Self::Pending => '○',
            Self::InProgress => '→',
            Self::Completed => '✓',
            Self::Abandoned => '✗',
        }
    }

    /// Whether there is something left to do.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }
}

/// One thing to do, known by its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What to do.
    pub content: String,
    /// What has become of it.
    pub status: Status,
    /// Remarks, in the order they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Task {
    /// A task that nobody has begun.
    pub fn pending(content: impl Into<String>) -> Self {
        Self { content: content.into(), status: Status::Pending, notes: Vec::new() }
    }
}

/// Tasks under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// The name.
    pub name: String,
    /// May be empty.
    pub tasks: Vec<Task>,
}

impl Phase {
    /// Whether something is left to do.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.tasks.iter().any(|task| task.status.is_open())
    }
}

/// At most one task is at hand, and one is as long as any waits: the first of them.
pub fn normalize(phases: &mut [Phase]) {
    let mut found = false;
    for task in tasks_mut(phases).filter(|task| task.status == Status::InProgress) {
        if found {
            task.status = Status::Pending;
        }
        found = true;
    }
    if !found && let Some(next) = tasks_mut(phases).find(|task| task.status == Status::Pending) {
        next.status = Status::InProgress;
    }
}

/// Every task in order.
pub(super) fn tasks_mut(phases: &mut [Phase]) -> impl Iterator<Item = &mut Task> {
    phases.iter_mut().flat_map(|phase| &mut phase.tasks)
}
