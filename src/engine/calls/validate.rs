//! What does not fit a schema: where, what was expected, what came. Texts are for models, so they stay short.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::paths::LocationSegment;
use jsonschema::{JsonType, ValidationError};
use serde::Serialize;
use serde_json::Value;

use super::counted::Look;
use super::effort::Exhausted;
use super::schema::Schema;

/// Faults that are told of one value; the rest adds nothing.
const MOST_ISSUES: usize = 50;

/// The keyword of a fault that says that the schema takes too much work.
pub const TOO_MUCH_WORK: &str = "tooMuchWork";

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// A key of an object.
    Key(String),
    /// A place in a list.
    Index(usize),
}

/// One fault of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SchemaIssue {
    /// Where.
    pub path: Vec<Step>,
    /// What was expected and what came.
    pub message: String,
    /// The types that would do, if the type is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected_types: Vec<&'static str>,
    /// The keyword that refused.
    pub keyword: String,
}

impl Schema {
    /// The faults of a value, required keys before what stands below; none if it fits.
    #[must_use]
    pub fn issues(&self, value: &Value) -> Vec<SchemaIssue> {
        match self.judge(value) {
            Ok(true) => return Vec::new(),
            Ok(false) => {}
            Err(exhausted) => {
                return vec![too_much_work("cannot be judged: the schema takes too much work", exhausted)];
            }
        }
        let mut issues: Vec<SchemaIssue> = Vec::new();
        let meter = self.meter(value);
        let told = meter.run(|| {
            for error in self.validator().iter_errors(Look { value, meter: Some(&meter) }).take(MOST_ISSUES) {
                let place = place_of(&error, value, &issues);
                issues.splice(place..place, self.describe(&error, value));
                if ran_away(&error) {
                    break;
                }
            }
        });
        if let Err(exhausted) = told {
            issues.push(too_much_work("do not fit; to say where takes too much work", exhausted));
        }
        issues
    }

    fn describe(&self, error: &ValidationError<'_>, value: &Value) -> Vec<SchemaIssue> {
        let mut path = steps(error, value);
        let mut expected_types = Vec::new();
        let message = match error.kind() {
            Kind::Type { kind } => {
                expected_types = types(kind);
                format!("expected {}, got {}", alternatives(&expected_types), shown(error.instance()))
            }
            Kind::Required { property } => {
                path.push(Step::Key(property.as_str().unwrap_or_default().to_owned()));
                "is required, but missing".to_owned()
            }
            Kind::PropertyNames { error } => {
                path.push(Step::Key(error.instance().as_str().unwrap_or_default().to_owned()));
                format!("is not allowed as a key: {}", masked(error))
            }
            Kind::Enum { options } => {
                format!("expected one of {}, got {}", listed(options), shown(error.instance()))
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                none_fits(context, error.instance(), 3)
            }
            Kind::OneOfMultipleValid { .. } => "fits more than one of the allowed forms".to_owned(),
            Kind::FalseSchema => {
                let reason = self.refusal(error.schema_path().as_str());
                reason.map_or("nothing is allowed here".to_owned(), str::to_owned)
            }
            Kind::BacktrackLimitExceeded { .. } => {
                "the schema's pattern takes too many steps for this text".to_owned()
            }
            Kind::UniqueItems => return repeated(&path, error.instance()),
            _ => with_value(error),
        };
        vec![SchemaIssue { path, message, expected_types, keyword: error.kind().keyword().to_owned() }]
    }
}

/// The schema is at fault. Its keyword is none of JSON Schema's.
fn too_much_work(message: &str, Exhausted { cause }: Exhausted) -> SchemaIssue {
    SchemaIssue {
        path: Vec::new(),
        message: cause.map_or_else(|| message.to_owned(), |cause| format!("{message}: {cause}")),
        expected_types: Vec::new(),
        keyword: TOO_MUCH_WORK.to_owned(),
    }
}

/// A missing key is told before the faults of the keys that are there.
fn place_of(error: &ValidationError<'_>, value: &Value, issues: &[SchemaIssue]) -> usize {
    if !matches!(error.kind(), Kind::Required { .. }) {
        return issues.len();
    }
    let path = steps(error, value);
    let below = |issue: &SchemaIssue| issue.keyword != "required" && issue.path.starts_with(&path);
    issues.iter().position(below).unwrap_or(issues.len())
}

/// Whether a pattern ran out of steps. Then nothing more is asked: each further text may cost as much.
pub(super) fn ran_away(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), Kind::BacktrackLimitExceeded { .. })
}

/// The path of the value that was refused. A key that looks like a number stays a key.
pub(super) fn steps(error: &ValidationError<'_>, value: &Value) -> Vec<Step> {
    let mut here = Some(value);
    let step = |segment: LocationSegment<'_>| {
        let text = segment.to_string();
        let index = text.parse::<usize>().ok().filter(|_| here.is_some_and(Value::is_array));
        here = match (here, index) {
            (Some(Value::Array(items)), Some(index)) => items.get(index),
            (Some(Value::Object(keys)), _) => keys.get(&text),
            _ => None,
        };
        index.map_or(Step::Key(text), Step::Index)
    };
    error.instance_path().iter().map(step).collect()
}

/// The names of types.
pub(super) fn types(kind: &TypeKind) -> Vec<&'static str> {
    match kind {
        TypeKind::Single(kind) => vec![kind.as_str()],
        TypeKind::Multiple(kinds) => kinds.iter().map(JsonType::as_str).collect(),
    }
}

/// What the form that was meant lacks, with the place below `instance` where it lacks it.
fn none_fits(context: &[Vec<ValidationError<'static>>], instance: &Value, depth: usize) -> String {
    let wanted: Option<Vec<Vec<&'static str>>> = context.iter().map(|errors| wrong_type(errors)).collect();
    if let Some(mut wanted) = wanted.map(|wanted| wanted.concat()) {
        wanted.dedup();
        return format!("expected {}, got {}", alternatives(&wanted), shown(instance));
    }
    // The form that the value's type fits and that has the fewest faults is the one that was meant.
    let meant =
        context.iter().filter(|errors| wrong_type(errors).is_none()).min_by_key(|errors| errors.len());
    let first = meant.and_then(|errors| errors.first());
    let first = first.map(|error| format!("; the closest one says: {}", closest(error, depth)));
    format!("fits none of the {} allowed forms{}", context.len(), first.unwrap_or_default())
}

fn closest(error: &ValidationError<'static>, depth: usize) -> String {
    let text = match error.kind() {
        Kind::Required { property } => format!("{property} is required, but missing"),
        Kind::Type { kind } => {
            format!("expected {}, got {}", alternatives(&types(kind)), shown(error.instance()))
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } if depth > 0 => {
            none_fits(context, error.instance(), depth - 1)
        }
        _ => with_value(error),
    };
    match error.instance_path().as_str() {
        "" => text,
        path => shortened(&format!("at `{path}`: {text}"), 400),
    }
}

/// The types of a form that already the type rules out.
fn wrong_type(errors: &[ValidationError<'static>]) -> Option<Vec<&'static str>> {
    match errors {
        [error] => match error.kind() {
            Kind::Type { kind } => Some(types(kind)),
            _ => None,
        },
        _ => None,
    }
}

/// Items that are there already, each at its place.
fn repeated(path: &[Step], list: &Value) -> Vec<SchemaIssue> {
    let at = |path: Vec<Step>, message: String| SchemaIssue {
        path,
        message,
        expected_types: Vec::new(),
        keyword: "uniqueItems".into(),
    };
    // Each is compared to all before it: only for lists that a reader would look through.
    let items = list.as_array().map(|items| &items[..items.len().min(500)]).unwrap_or_default();
    let mut issues = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(first) = items[..index].iter().position(|other| other == item) {
            let path = path.iter().cloned().chain([Step::Index(index)]).collect();
            issues.push(at(path, format!("repeats item {first}; each must be there once")));
        }
    }
    if issues.is_empty() {
        issues.push(at(path.to_vec(), "has repeated items; each must be there once".into()));
    }
    issues
}

/// The crate's sentence without the value, which may be long.
fn masked(error: &ValidationError<'_>) -> String {
    shortened(&error.masked().to_string(), 300)
}

/// The same, and what came where that is short.
fn with_value(error: &ValidationError<'_>) -> String {
    let instance = error.instance();
    if instance.is_array() || instance.is_object() {
        return masked(error);
    }
    format!("{}, got {}", masked(error), shown(instance))
}

fn alternatives(types: &[&str]) -> String {
    let named: Vec<String> = types.iter().map(|kind| with_article(kind)).collect();
    named.join(" or ")
}

fn with_article(kind: &str) -> String {
    match kind {
        "null" => kind.to_owned(),
        "array" | "integer" | "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

/// The beginning of a list that may be long.
fn listed(options: &Value) -> String {
    let first: Vec<&Value> = options.as_array().into_iter().flatten().take(100).collect();
    shortened(&serde_json::to_string(&first).unwrap_or_default(), 200)
}

/// A value as a reader needs it to see what is wrong.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => format!("the boolean {truth}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(_) => format!("the string {}", shortened(&value.to_string(), 80)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A text of at most `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
