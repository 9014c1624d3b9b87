//! `goal`: the one objective a session works towards, and where that stands. The goal is the host's; here is decided
//! which step from one state to the next there is.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Decision;
use crate::engine::error::{Result, ToolError};
use crate::engine::outcome::Outcome;

/// Arguments of `goal`; names that are not here are ignored.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    /// What to do.
    pub op: Operation,
    /// For `create`.
    #[serde(default)]
    pub objective: Option<String>,
    #[serde(default)]
    token_budget: Option<Value>,
    #[serde(default, rename = "tokenBudget")]
    token_budget_camel: Option<Value>,
}

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "documented where the model reads them")]
pub enum Operation {
    Create,
    Get,
    Complete,
    Resume,
    Drop,
    Pause,
}

/// Where a goal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Status {
    Active,
    Paused,
    Complete,
    Dropped,
}

/// What a session works towards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Goal {
    /// Unique.
    pub id: String,
    /// In the words of whoever set it.
    pub objective: String,
    /// Where it stands.
    pub status: Status,
    /// Tokens spent while it was active.
    pub tokens_used: u64,
    /// Whole seconds it was active.
    pub time_used_seconds: u64,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970; of the last step.
    pub updated_at: i64,
    /// Who set it.
    pub provenance: Value,
}

/// What a call is decided on beside its arguments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    /// The host keeps goals at all.
    pub has_runtime: bool,
    /// The steps this session may take; absent: all.
    pub allowed_ops: Option<Vec<String>>,
    /// The goal as it is.
    pub goal: Option<Goal>,
    /// Milliseconds since 1970.
    pub now: i64,
    /// For a new goal.
    pub new_id: String,
    /// What the host has counted for the goal.
    pub tokens_used: Option<u64>,
    /// Why the host does not let this step happen.
    pub veto: Option<String>,
}

/// Takes one step.
pub fn run(options: &Options, facts: &Facts) -> Result<Decision> {
    options.check(facts)?;
    let (op, goal) = (options.op, facts.goal.clone().map(|goal| counted(goal, facts)));
    let goal = match op {
        Operation::Get => {
            return Ok(Decision::of(tell(op, goal.map(|goal| running(goal, facts.now)).as_ref())));
        }
        Operation::Create => Some(options.create(goal, facts)?),
        Operation::Pause | Operation::Drop if goal.is_none() => return Ok(Decision::of(tell(op, None))),
        Operation::Pause => Some(step(op, goal, &[Status::Active], Status::Paused, facts)?),
        Operation::Resume => Some(step(op, goal, &[Status::Paused, Status::Active], Status::Active, facts)?),
        Operation::Complete => {
            Some(step(op, goal, &[Status::Active, Status::Paused], Status::Complete, facts)?)
        }
        Operation::Drop => {
            let any = [Status::Active, Status::Paused, Status::Complete, Status::Dropped];
            Some(step(op, goal, &any, Status::Dropped, facts)?)
        }
    };
    let kept = if op == Operation::Drop { Value::Null } else { json!(goal) };
    Ok(Decision::of(tell(op, goal.as_ref())).keeping(kept))
}

impl Options {
    fn check(&self, facts: &Facts) -> Result<()> {
        let budget = [("token_budget", &self.token_budget), ("tokenBudget", &self.token_budget_camel)];
        if let Some((argument, _)) = budget.iter().find(|(_, value)| value.is_some()) {
            return Err(ToolError::GoalUnsupportedArg { argument: (*argument).to_owned() });
        }
        let op = self.op.name();
        if facts.allowed_ops.as_ref().is_some_and(|allowed| !allowed.iter().any(|name| name == op)) {
            let reason = "the session does not allow it".to_owned();
            return Err(ToolError::GoalOpForbidden { op: op.to_owned(), reason });
        }
        if !facts.has_runtime && self.op != Operation::Get {
            return Err(ToolError::GoalInactive { op: op.to_owned() });
        }
        Ok(())
    }

    fn create(&self, goal: Option<Goal>, facts: &Facts) -> Result<Goal> {
        let objective = self.objective.as_deref().map(str::trim).unwrap_or_default();
        let bad = |reason: &str| ToolError::GoalBadObjective { reason: reason.to_owned() };
        if objective.is_empty() {
            return Err(bad("`create` needs an `objective`"));
        }
        if objective == "/goal" {
            return Err(bad("`/goal` is the command, not what it is given"));
        }
        if let Some(goal) = goal.filter(|goal| matches!(goal.status, Status::Active | Status::Paused)) {
            return Err(ToolError::GoalExists {
                objective: goal.objective,
                status: goal.status.name().to_owned(),
            });
        }
        Ok(Goal {
            id: facts.new_id.clone(),
            objective: objective.to_owned(),
            status: Status::Active,
            tokens_used: 0,
            time_used_seconds: 0,
            created_at: facts.now,
            updated_at: facts.now,
            provenance: json!({"source": "user"}),
        })
    }
}

/// The goal in another state, where the step leads there and the host agrees.
fn step(op: Operation, goal: Option<Goal>, from: &[Status], to: Status, facts: &Facts) -> Result<Goal> {
    let status = goal.as_ref().map(|goal| goal.status);
    let Some(goal) = goal.filter(|goal| from.contains(&goal.status)) else {
        let status = status.map_or("none", Status::name).to_owned();
        return Err(ToolError::GoalBadState { op: op.name().to_owned(), status });
    };
    if let Some(reason) = &facts.veto {
        return Err(ToolError::GoalOpForbidden { op: op.name().to_owned(), reason: reason.clone() });
    }
    let mut goal = running(goal, facts.now);
    goal.status = to;
    goal.updated_at = facts.now;
    Ok(goal)
}

/// With the tokens the host has counted.
fn counted(goal: Goal, facts: &Facts) -> Goal {
    let tokens_used = facts.tokens_used.unwrap_or(goal.tokens_used);
    Goal { tokens_used, ..goal }
}

/// With the time that an active goal has run since its last step.
fn running(mut goal: Goal, now: i64) -> Goal {
    if goal.status == Status::Active {
        let milliseconds = now.saturating_sub(goal.updated_at).max(0).unsigned_abs();
        goal.time_used_seconds += milliseconds / 1000;
    }
    goal
}

fn tell(op: Operation, goal: Option<&Goal>) -> Outcome {
    let text = goal.map_or("No active goal.".to_owned(), |goal| {
        format!("Goal: {}\nStatus: {}\nTokens used: {}", goal.objective, goal.status.name(), goal.tokens_used)
    });
    let mut outcome = Outcome::text(text).detail("op", op);
    // Also where there is none: an interface tells "none" from "unknown".
    outcome.details.insert("goal".to_owned(), json!(goal));
    outcome
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Get => "get",
            Self::Complete => "complete",
            Self::Resume => "resume",
            Self::Drop => "drop",
            Self::Pause => "pause",
        }
    }
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Complete => "complete",
            Self::Dropped => "dropped",
        }
    }
}
