//! What a model meant, where a value does not fit and its meaning is beyond doubt: text that holds the wanted value,
//! null for "not given", keys nobody knows, defaults left out. Led by the faults alone, so that what fits is never
//! touched. Everything that was done is listed.

use std::collections::{HashMap, HashSet};

use jsonschema::error::ValidationErrorKind as Kind;
use serde::Serialize;
use serde_json::{Map, Value};

use super::counted::Look;
use super::effort::{Meter, weight};
use super::json_text::convert;
use super::schema::{Schema, Validator};
use super::validate::{SchemaIssue, Step, ran_away, steps, types};

/// A repaired value may show new faults further inside; each round goes one level of text deeper.
const ROUNDS: usize = 6;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Taken out.
    Removed,
    /// The text was read as the value that it stands for.
    Converted,
    /// The schema's default was put in.
    Default,
}

/// One change of a value. Changes follow one another: a later path is one of the value as changed so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repair {
    /// Where.
    pub path: Vec<Step>,
    /// What was done.
    pub action: Action,
    /// What stands there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// What stood there and was taken out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<Value>,
    /// Text behind the value that was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

/// A value after repair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repaired {
    /// What still does not fit.
    pub issues: Vec<SchemaIssue>,
    /// What was changed.
    pub repairs: Vec<Repair>,
    /// The value as it is now.
    #[serde(skip)]
    pub value: Value,
}

impl Schema {
    /// Repairs a value as far as that goes. A value that fits comes back as it is.
    #[must_use]
    pub fn repair(&self, mut value: Value) -> Repaired {
        let mut repairs = Vec::new();
        if self.judge(&value) == Ok(false) {
            let nothing = Value::Object(Map::new());
            if stands_for_nothing(&value) && self.accepts(&nothing) {
                repairs.push(changed(Vec::new(), Action::Converted, nothing.clone()));
                value = nothing;
            } else {
                let repairer = Repairer { schema: self, meter: self.meter(&value) };
                // Work that ends early leaves value and repairs as they were after the last whole change.
                let _ = repairer.meter.run(|| {
                    repairer.rounds(self.validator(), &mut value, &[], &mut repairs);
                });
                forget_undone(&mut repairs);
            }
        }
        Repaired { issues: self.issues(&value), repairs, value }
    }
}

/// Takes out repairs that were undone: nulls that came back.
fn forget_undone(repairs: &mut Vec<Repair>) {
    repairs.retain(|repair| repair.action != Action::Removed || repair.removed.is_some());
}

/// Whether whole arguments are a provider's way to say that there are none.
fn stands_for_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => matches!(text.trim(), "" | "null"),
        _ => false,
    }
}

fn changed(path: Vec<Step>, action: Action, value: Value) -> Repair {
    Repair { path, action, value: Some(value), removed: None, dropped: None }
}

fn removed(path: Vec<Step>, value: Value) -> Repair {
    Repair { path, action: Action::Removed, value: None, removed: Some(value), dropped: None }
}

/// One fault, apart from the value that it was found in.
struct Fault {
    path: Vec<Step>,
    /// The pointer of the keyword.
    keyword: String,
    kind: FaultKind,
}

enum FaultKind {
    Type(Vec<&'static str>),
    Unknown(Vec<String>),
    Missing(String),
    /// None of so many forms fits.
    Union(usize),
    Other,
}

fn faults(part: &Validator, value: &Value, meter: &Meter) -> Vec<Fault> {
    let fault = |error: jsonschema::ValidationError<'_>| {
        let kind = match error.kind() {
            Kind::Type { kind } => FaultKind::Type(types(kind)),
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                FaultKind::Unknown(unexpected.clone())
            }
            Kind::Required { property } => {
                FaultKind::Missing(property.as_str().unwrap_or_default().to_owned())
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => FaultKind::Union(context.len()),
            _ => FaultKind::Other,
        };
        Fault { path: steps(&error, value), keyword: error.schema_path().as_str().to_owned(), kind }
    };
    part.iter_errors(Look { value, meter: Some(meter) })
        .take_while(|error| !ran_away(error))
        .map(fault)
        .collect()
}

struct Repairer<'schema> {
    schema: &'schema Schema,
    meter: Meter,
}

/// The changes below one place of the arguments.
struct Changes<'a> {
    /// The place.
    base: &'a [Step],
    repairs: &'a mut Vec<Repair>,
    /// Where each null that was taken out is told.
    taken: HashMap<Vec<Step>, usize>,
    /// Nulls that turned out to be required.
    needed: HashSet<Vec<Step>>,
}

impl Changes<'_> {
    fn absolute(&self, path: &[Step]) -> Vec<Step> {
        [self.base, path].concat()
    }
}

impl Repairer<'_> {
    fn rounds(&self, part: &Validator, value: &mut Value, base: &[Step], repairs: &mut Vec<Repair>) {
        let mut changes = Changes { base, repairs, taken: HashMap::new(), needed: HashSet::new() };
        for _ in 0..ROUNDS {
            let mut any = false;
            for fault in faults(part, value, &self.meter) {
                any |= self.apply(&fault, value, &mut changes);
            }
            if !any {
                break;
            }
        }
        forget_undone(changes.repairs);
    }

    /// True if something was changed.
    fn apply(&self, fault: &Fault, root: &mut Value, changes: &mut Changes<'_>) -> bool {
        let Some(value) = at(root, &fault.path) else { return false };
        match &fault.kind {
            FaultKind::Missing(key) => self.fill(fault, key, value, changes),
            FaultKind::Unknown(keys) => remove_unknown(fault, keys, value, changes),
            _ if value.is_null() => drop_null(fault, root, changes),
            FaultKind::Type(types) => match value {
                Value::String(text) => {
                    let Some(converted) = convert(text, types) else {
                        return is_null_text(value)
                            && !types.contains(&"string")
                            && drop_null(fault, root, changes);
                    };
                    let path = changes.absolute(&fault.path);
                    let mut repair = changed(path, Action::Converted, converted.value.clone());
                    repair.dropped = converted.dropped;
                    changes.repairs.push(repair);
                    *value = converted.value;
                    true
                }
                _ => false,
            },
            FaultKind::Union(forms) => {
                self.fit_form(fault, *forms, value, changes)
                    || (is_null_text(value)
                        && !self.takes_text(fault, *forms)
                        && drop_null(fault, root, changes))
            }
            FaultKind::Other => false,
        }
    }

    /// Puts in the default of a missing key. A null taken out from a required key without default comes back.
    fn fill(&self, fault: &Fault, key: &str, object: &mut Value, changes: &mut Changes<'_>) -> bool {
        let Value::Object(object) = object else { return false };
        if object.contains_key(key) {
            return false;
        }
        let path = [changes.absolute(&fault.path), vec![Step::Key(key.to_owned())]].concat();
        // What is left of the repair says nothing, and goes at the end.
        let taken = changes.taken.remove(&path).and_then(|index| changes.repairs[index].removed.take());
        if let Some(default) = self.default_of(&fault.keyword, key) {
            object.insert(key.to_owned(), default.clone());
            changes.repairs.push(changed(path, Action::Default, default));
            return true;
        }
        let Some(taken) = taken else { return false };
        object.insert(key.to_owned(), taken);
        changes.needed.insert(path);
        true
    }

    fn default_of(&self, required: &str, key: &str) -> Option<Value> {
        let node = required.strip_suffix("/required")?;
        let property = self.schema.document().pointer(node)?.get("properties")?.get(key)?;
        property.get("default").or_else(|| self.schema.resolve(property).get("default")).cloned()
    }

    /// Repairs a value for each form of a union and takes the one that costs least.
    fn fit_form(&self, fault: &Fault, forms: usize, value: &mut Value, changes: &mut Changes<'_>) -> bool {
        let base = changes.absolute(&fault.path);
        let mut best: Option<(usize, Value, Vec<Repair>)> = None;
        for form in 0..forms {
            let pointer = format!("{}/{form}", fault.keyword);
            let schema = self.schema;
            let Some(part) = schema.part(&pointer) else { continue };
            // For the copy, and for where it may be put.
            self.meter.charge(2 * weight(value) + 100);
            let (mut candidate, mut repairs) = (value.clone(), Vec::new());
            self.rounds(part, &mut candidate, &base, &mut repairs);
            if repairs.is_empty()
                || !part.is_valid(Look { value: &candidate, meter: Some(&self.meter) })
                || self.robs(fault, forms, &base, &repairs)
            {
                continue;
            }
            let cost = repairs
                .iter()
                .filter(|repair| repair.removed.as_ref().is_some_and(|value| !value.is_null()))
                .count();
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, candidate, repairs));
            }
        }
        let Some((_, candidate, repairs)) = best else { return false };
        *value = candidate;
        changes.repairs.extend(repairs);
        true
    }

    /// Whether repairs for one form take away a key that another form knows: then it was not unknown.
    fn robs(&self, fault: &Fault, forms: usize, base: &[Step], repairs: &[Repair]) -> bool {
        repairs.iter().any(|repair| match (&repair.removed, repair.path.strip_prefix(base)) {
            (Some(value), Some([Step::Key(key)])) if !value.is_null() => self
                .forms(fault, forms)
                .any(|form| form.get("properties").is_some_and(|known| known.get(key).is_some())),
            _ => false,
        })
    }

    fn takes_text(&self, fault: &Fault, forms: usize) -> bool {
        self.forms(fault, forms).any(|form| match form.get("type") {
            Some(Value::String(kind)) => kind == "string",
            Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
            _ => true,
        })
    }

    fn forms(&self, fault: &Fault, forms: usize) -> impl Iterator<Item = &Value> {
        (0..forms)
            .filter_map(move |form| self.schema.document().pointer(&format!("{}/{form}", fault.keyword)))
            .map(|form| self.schema.resolve(form))
    }
}

fn is_null_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim() == "null")
}

fn at<'value>(mut value: &'value mut Value, path: &[Step]) -> Option<&'value mut Value> {
    for step in path {
        value = match step {
            Step::Key(key) => value.get_mut(key)?,
            Step::Index(index) => value.get_mut(index)?,
        };
    }
    Some(value)
}

fn remove_unknown(fault: &Fault, keys: &[String], object: &mut Value, changes: &mut Changes<'_>) -> bool {
    let Value::Object(object) = object else { return false };
    // In one go: taking keys out one by one takes time in proportion to their number squared.
    let unknown: HashSet<&str> = keys.iter().map(String::as_str).collect();
    let (taken, kept): (Map<_, _>, Map<_, _>) =
        std::mem::take(object).into_iter().partition(|(key, _)| unknown.contains(key.as_str()));
    *object = kept;
    let any = !taken.is_empty();
    for (key, value) in taken {
        let path = [changes.absolute(&fault.path), vec![Step::Key(key)]].concat();
        changes.repairs.push(removed(path, value));
    }
    any
}

/// Takes out a key whose null means "not given". If it was required, the next round brings it back.
fn drop_null(fault: &Fault, root: &mut Value, changes: &mut Changes<'_>) -> bool {
    let path = changes.absolute(&fault.path);
    let Some((Step::Key(key), parent)) = fault.path.split_last() else { return false };
    if changes.needed.contains(&path) {
        return false;
    }
    let Some(Value::Object(object)) = at(root, parent) else { return false };
    let Some(value) = object.shift_remove(key) else { return false };
    changes.taken.insert(path.clone(), changes.repairs.len());
    changes.repairs.push(removed(path, value));
    true
}
