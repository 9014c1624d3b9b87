//! `yield`: how an agent that works for another one hands in its result, or says that there is none. Judges the result
//! by the schema the session asks for; never changes it.

mod type_definition;

pub use type_definition::to_json_schema;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Decision;
use crate::engine::calls::validate::Step;
use crate::engine::calls::{Schema, SchemaIssue};
use crate::engine::error::{Issue, Result, ToolError};
use crate::engine::outcome::{Notice, Outcome};
use crate::engine::settings::Settings;

/// Arguments of `yield`, as they come: the shape is judged here, because nobody else may have.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    #[serde(default)]
    result: Value,
}

/// What a call is decided on beside its arguments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    /// What the result must look like: JSON Schema, a JSON Type Definition, or either as JSON text.
    pub output_schema: Value,
    /// How many results did not fit so far.
    pub mismatches: usize,
    /// `yield.schemaRetries`: how many that may be before the task ends without a result.
    pub settings: Settings,
}

/// Hands in a result.
pub fn run(options: &Options, facts: &Facts) -> Result<Decision> {
    let data = match Submitted::of(&options.result)? {
        Submitted::Error(message) => return Ok(Decision::of(aborted(&message))),
        Submitted::Data(data) => data,
    };
    let issues = faults(&facts.output_schema, data);
    if issues.is_empty() {
        let outcome = Outcome::text("Result submitted.").detail("data", data).detail("status", "success");
        return Ok(Decision::of(outcome).keeping(json!(0)));
    }
    let retries = facts.settings.count("yield.schemaRetries");
    if facts.mismatches < retries {
        return Err(ToolError::YieldSchemaMismatch { issues, retries_left: retries - facts.mismatches - 1 });
    }
    Ok(Decision::of(refused(data, &issues)))
}

enum Submitted<'a> {
    Data(&'a Value),
    Error(String),
}

impl<'a> Submitted<'a> {
    fn of(result: &'a Value) -> Result<Self> {
        let bad = |reason: &str| Err(ToolError::YieldBadResult { reason: reason.to_owned() });
        let Value::Object(result) = result else { return bad("`result` must be an object") };
        let data = result.get("data").filter(|data| !data.is_null());
        // An error that is no text says nothing.
        match (data, result.get("error").and_then(Value::as_str)) {
            (Some(_), Some(_)) => bad("`result` has both `data` and `error`"),
            (None, None) => bad("`result` has neither `data` nor `error`"),
            (Some(data), None) => Ok(Self::Data(data)),
            (None, Some(error)) => Ok(Self::Error(error.to_owned())),
        }
    }
}

fn aborted(message: &str) -> Outcome {
    let text = format!("Task aborted: {message}");
    Outcome::text(text).detail("status", "aborted").detail("error", message)
}

/// The last result that did not fit. The task ends without one, and what came is not lost.
fn refused(data: &Value, issues: &[Issue]) -> Outcome {
    let said = issues.iter().map(said).collect::<Vec<_>>().join("; ");
    let message = format!("the result does not fit the schema that was asked for: {said}");
    let mut outcome = aborted(&message).detail("refusedData", data);
    outcome.note(Notice::new("yield_refused", message, json!({ "issues": issues })));
    outcome.is_error = true;
    outcome
}

fn said(Issue { path, message }: &Issue) -> String {
    if path.is_empty() { message.clone() } else { format!("`{path}`: {message}") }
}

/// What of the data does not fit. A schema that is none lets everything pass: its author is not the one who is asked.
fn faults(schema: &Value, data: &Value) -> Vec<Issue> {
    let schema = match schema {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        schema => schema.clone(),
    };
    if !schema.is_object() {
        return Vec::new();
    }
    let schema = to_json_schema(&schema).unwrap_or(schema);
    if jsonschema::meta::validate(&schema).is_err() {
        return Vec::new();
    }
    Schema::compile(&schema).issues(data).into_iter().map(issue).collect()
}

fn issue(SchemaIssue { path, message, .. }: SchemaIssue) -> Issue {
    let mut dotted = "data".to_owned();
    for step in path {
        match step {
            Step::Key(key) => dotted.extend([".", &key]),
            Step::Index(index) => dotted.extend(["[", &index.to_string(), "]"]),
        }
    }
    Issue { path: dotted, message }
}
