//! A schema made ready to judge values. Schemas come from anyone: what is wrong in one is mended or refuses every
//! value where it stands, and says so; compiling never fails. Nothing is fetched, and no pattern runs for long.

use std::collections::HashMap;
use std::sync::OnceLock;

use jsonschema::{Draft, PatternOptions, ValidationError, ValidatorMap};
use serde_json::{Map, Value};

use super::counted::{Counted, Look};
use super::effort::{Costs, Exhausted, Meter, weight};
use super::pattern;
use super::pattern_syntax::translate;
use super::upgrade::{Role, role, upgrade};

/// Steps that a pattern for keys may take for one key, and the looks that they are worth: there may be many keys.
const KEY_STEPS: usize = 200;
const KEY_LOOKS: u64 = 800;

/// Patterns for keys, and bytes of each when compiled: they are compiled before anything is judged.
const MOST_KEY_PATTERNS: usize = 100;
const KEY_PATTERN_BYTES: usize = 64 << 10;

/// Faults of one schema that are mended one by one before all of it is refused; fewer in a large one.
const MOST_MENDED: u64 = 200;
const MENDED_PARTS: u64 = 100_000;

/// Parts of a schema that is compiled at all.
const MOST_PARTS: u64 = 15_000;

/// A validator of values whose looks are counted.
pub(super) type Validator = jsonschema::Validator<Counted>;

type Options = jsonschema::ValidationOptions<'static, std::sync::Arc<dyn jsonschema::Retrieve>, Counted>;

/// A compiled schema.
pub struct Schema {
    document: Value,
    /// Why a place refuses every value, by its pointer.
    refused: HashMap<String, String>,
    validator: Validator,
    costs: Costs,
    /// Each part of the schema on its own; needed for repairs of unions only.
    parts: OnceLock<Option<ValidatorMap<Counted>>>,
}

impl Schema {
    /// Upgrades, mends and compiles.
    #[must_use]
    pub fn compile(schema: &Value) -> Self {
        let size = weight(schema);
        if size > MOST_PARTS {
            return Self::refused(format!("the schema is too large: more than {MOST_PARTS} parts"));
        }
        Self::mended(schema, size)
    }

    /// A schema that refuses everything.
    fn refused(reason: String) -> Self {
        let mut mender = Mender { document: Value::Null, refused: HashMap::new() };
        mender.refuse("", reason);
        mender.finish(refusing())
    }

    fn mended(schema: &Value, size: u64) -> Self {
        let mut mender = Mender { document: upgrade(schema).into_owned(), refused: HashMap::new() };
        if let Value::Object(root) = &mut mender.document {
            // The draft is settled; a dialect of someone's own cannot be fetched.
            root.remove("$schema");
        }
        mender.translate_keys();
        for _ in 0..(MENDED_PARTS / size).clamp(2, MOST_MENDED) {
            mender.refuse_broken_parts();
            match options().build(&mender.document) {
                Ok(validator) => return mender.finish(validator),
                Err(error) if mender.mend(&error) => {}
                Err(error) => mender.refuse("", format!("the schema cannot be used: {}", error.masked())),
            }
        }
        mender.refuse("", "the schema has too many faults".into());
        mender.finish(refusing())
    }

    /// The schema as it is applied.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Whether a value fits.
    #[must_use]
    pub fn accepts(&self, value: &Value) -> bool {
        self.judge(value).unwrap_or(false)
    }

    /// Whether a value fits.
    ///
    /// # Errors
    ///
    /// If that takes too much work: nobody knows then, and the value is to be refused.
    pub fn judge(&self, value: &Value) -> Result<bool, Exhausted> {
        let meter = self.meter(value);
        meter.run(|| self.validator.is_valid(Look { value, meter: Some(&meter) }))
    }

    /// Counts the work for a value.
    pub(super) fn meter(&self, value: &Value) -> Meter {
        Meter::new(value, self.costs)
    }

    pub(super) fn validator(&self) -> &Validator {
        &self.validator
    }

    /// The part at a pointer as a schema of its own.
    pub(super) fn part(&self, pointer: &str) -> Option<&Validator> {
        let parts = self.parts.get_or_init(|| options().build_map(&self.document).ok());
        parts.as_ref()?.get(&format!("#{pointer}"))
    }

    /// Why the place refuses every value, if it was the schema that was at fault.
    pub(super) fn refusal(&self, pointer: &str) -> Option<&str> {
        self.refused.get(pointer).map(String::as_str)
    }

    /// The node at a pointer, behind its references.
    pub(super) fn resolve<'a>(&'a self, mut node: &'a Value) -> &'a Value {
        // As many steps as a chain of references can sensibly have; a circle ends here.
        for _ in 0..16 {
            let target = node.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
            match target.and_then(|pointer| self.document.pointer(&decoded(pointer))) {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }
}

fn options() -> Options {
    jsonschema::options_for::<Counted>()
        .with_draft(Draft::Draft202012)
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(
            PatternOptions::fancy_regex().backtrack_limit(KEY_STEPS).size_limit(KEY_PATTERN_BYTES),
        )
        .with_keyword("pattern", pattern::keyword)
}

/// Changes each schema below and including `root`, the innermost first.
pub(super) fn each_node(root: &mut Value, change: &mut impl FnMut(&mut Value)) {
    let mut pointers = Vec::new();
    visit(root, &mut String::new(), &mut |pointer, _| pointers.push(pointer.to_owned()));
    for pointer in pointers.iter().rev() {
        if let Some(node) = root.pointer_mut(pointer) {
            change(node);
        }
    }
}

/// The schema `false`, which has no faults.
fn refusing() -> Validator {
    options().build(&Value::Bool(false)).unwrap_or_else(|error| unreachable!("`false` is a schema: {error}"))
}

/// A pointer as it stands in a reference may be percent-encoded.
fn decoded(pointer: &str) -> std::borrow::Cow<'_, str> {
    if !pointer.contains('%') {
        return pointer.into();
    }
    let (mut bytes, mut rest) = (Vec::new(), pointer.as_bytes());
    while let [first, tail @ ..] = rest {
        let digits =
            tail.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// A place in a schema.
enum Place {
    /// A schema.
    Node(String),
    /// A keyword of the schema at a pointer.
    Keyword(String, String),
}

/// Keywords that an error holds a copy of.
const COPIED: [&str; 3] = ["enum", "const", "not"];

fn costs_of(document: &Value) -> Costs {
    let mut costs = Costs::default();
    visit(document, &mut String::new(), &mut |_, node| {
        let copied = COPIED.iter().filter_map(|keyword| node.get(keyword)).map(weight).max();
        costs.error = costs.error.max(copied.unwrap_or(0));
        let patterns = node.get("patternProperties").and_then(Value::as_object);
        let hard = patterns.into_iter().flat_map(Map::keys).filter(|pattern| goes_back(pattern)).count();
        costs.key = costs.key.max(KEY_LOOKS * hard as u64);
    });
    costs
}

/// Whether a pattern looks around or refers back.
fn goes_back(pattern: &str) -> bool {
    let translated = translate(pattern).unwrap_or_default();
    ["(?=", "(?!", "(?<=", "(?<!", "(?("].iter().any(|group| translated.contains(group))
}

struct Mender {
    document: Value,
    refused: HashMap<String, String>,
}

impl Mender {
    fn finish(self, validator: Validator) -> Schema {
        let costs = costs_of(&self.document);
        Schema { document: self.document, refused: self.refused, validator, costs, parts: OnceLock::new() }
    }

    fn refuse(&mut self, pointer: &str, reason: String) {
        if let Some(node) = self.document.pointer_mut(pointer) {
            *node = Value::Bool(false);
        }
        self.refused.insert(pointer.to_owned(), reason);
    }

    /// Patterns that name keys, in the words of the validator's engine. What has none is left for it to refuse.
    fn translate_keys(&mut self) {
        let mut count = 0;
        visit(&self.document, &mut String::new(), &mut |_, node| {
            count += node.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
        });
        if count > MOST_KEY_PATTERNS {
            return self
                .refuse("", format!("the schema has more than {MOST_KEY_PATTERNS} patterns for keys"));
        }
        each_node(&mut self.document, &mut |node| {
            let Some(Value::Object(patterns)) = node.get_mut("patternProperties") else { return };
            let mut translated = Map::new();
            for (pattern, schema) in std::mem::take(patterns) {
                // A plain one keeps its name: references may lead there.
                let is_plain = !pattern.contains(['\\', '$', '[', '.']);
                let key = translate(&pattern).ok().filter(|_| !is_plain).unwrap_or(pattern);
                match translated.get_mut(&key) {
                    Some(there) => *there = serde_json::json!({"allOf": [there.take(), schema]}),
                    None => drop(translated.insert(key, schema)),
                }
            }
            *patterns = translated;
        });
    }

    /// Unknown types, references that lead nowhere and what is no schema at all.
    fn refuse_broken_parts(&mut self) {
        let names = Names::of(&self.document);
        let mut broken = Vec::new();
        visit(&self.document, &mut String::new(), &mut |pointer, node| {
            if let Some(reason) = fault_of(&self.document, node, &names) {
                broken.push((pointer.to_owned(), reason));
            }
        });
        for (pointer, reason) in broken {
            self.refuse(&pointer, reason);
        }
    }

    /// Removes what the compiler does not take. False where the fault has no place.
    fn mend(&mut self, error: &ValidationError<'_>) -> bool {
        // A fault that the meta-schema finds has its place in the schema as the value it judged.
        let in_value = error.instance_path().as_str();
        let place = if in_value.is_empty() { error.schema_path().as_str() } else { in_value };
        let Some(place) = self.place(place) else { return false };
        match place {
            Place::Node(pointer) => {
                let reason = format!("the schema is broken here: {}", error.masked());
                let is_refused = self.document.pointer(&pointer) == Some(&Value::Bool(false));
                // If it is refused already, its name is at fault, such as a key that is a pattern: refuse the owner.
                let owner = pointer.rsplitn(3, '/').nth(2).filter(|_| is_refused);
                self.refuse(owner.unwrap_or(&pointer), reason);
            }
            Place::Keyword(pointer, keyword)
                if matches!(keyword.as_str(), "type" | "$ref" | "$dynamicRef" | "patternProperties") =>
            {
                let text = self
                    .document
                    .pointer(&pointer)
                    .map(|node| node[&keyword].to_string())
                    .unwrap_or_default();
                self.refuse(
                    &pointer,
                    format!(
                        "the schema's `{keyword}` cannot be used: {}",
                        super::validate::shortened(&text, 100)
                    ),
                );
            }
            Place::Keyword(pointer, keyword) => {
                let Some(Value::Object(node)) = self.document.pointer_mut(&pointer) else { return false };
                return node.shift_remove(&keyword).is_some();
            }
        }
        true
    }

    /// The schema or keyword that a pointer leads to or into.
    fn place(&self, pointer: &str) -> Option<Place> {
        let mut node = String::new();
        let mut parts =
            pointer.strip_prefix('/').unwrap_or_default().split('/').filter(|part| !part.is_empty());
        if matches!(self.document, Value::Bool(_)) {
            return None;
        }
        while let Some(keyword) = parts.next() {
            let keyword_name = unescaped(keyword);
            let below = format!("{node}/{keyword}");
            let value = self.document.pointer(&below)?;
            let next = match (role(&keyword_name), value) {
                (Role::Map, Value::Object(_)) | (Role::List, Value::Array(_)) => {
                    parts.next().map(|name| format!("{below}/{name}"))
                }
                (Role::Schema, _) | (Role::Unknown, Value::Object(_)) => Some(below),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => return Some(Place::Keyword(node, keyword_name)),
            }
        }
        Some(Place::Node(node))
    }
}

/// What references may name beside pointers.
struct Names {
    anchors: Vec<String>,
    ids: Vec<String>,
}

impl Names {
    fn of(document: &Value) -> Self {
        let mut names = Self { anchors: Vec::new(), ids: Vec::new() };
        visit(document, &mut String::new(), &mut |_, node| {
            let texts = |keyword: &str| node.get(keyword).and_then(Value::as_str).map(str::to_owned);
            names.anchors.extend(texts("$anchor").into_iter().chain(texts("$dynamicAnchor")));
            names.ids.extend(texts("$id"));
        });
        names
    }

    /// Whether a reference may lead somewhere. Ids are the compiler's business.
    fn may_lead(&self, document: &Value, target: &str) -> bool {
        match target.strip_prefix('#') {
            _ if !self.ids.is_empty() => true,
            Some("") => true,
            Some(pointer) if pointer.starts_with('/') => document.pointer(&decoded(pointer)).is_some(),
            Some(anchor) => self.anchors.iter().any(|known| known == anchor),
            None => target.starts_with("https://json-schema.org/draft"),
        }
    }
}

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

fn fault_of(document: &Value, node: &Value, names: &Names) -> Option<String> {
    let Value::Object(node) = node else {
        return (!node.is_boolean()).then(|| "what stands here in the schema is no schema".to_owned());
    };
    let known = |kind: &Value| kind.as_str().is_some_and(|kind| TYPES.contains(&kind));
    let unknown = match node.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find(|kind| !known(kind)),
        Some(kind) if !known(kind) => Some(kind),
        _ => None,
    };
    if let Some(kind) = unknown {
        return Some(format!("the schema names a type that does not exist: {kind}"));
    }
    let target = node.get("$ref").and_then(Value::as_str)?;
    (!names.may_lead(document, target))
        .then(|| format!("the schema refers to `{target}`, which is not there"))
}

/// Calls for each schema below and including `node`, with its pointer.
pub(super) fn visit<'a>(node: &'a Value, pointer: &mut String, call: &mut impl FnMut(&str, &'a Value)) {
    call(pointer, node);
    let Value::Object(keywords) = node else { return };
    let length = pointer.len();
    for (keyword, value) in keywords {
        push(pointer, keyword);
        match (role(keyword), value) {
            (Role::Schema, _) => visit(value, pointer, call),
            (Role::Unknown, Value::Object(more)) => visit_unknown(more, value, pointer, call),
            (Role::Map, Value::Object(named)) => {
                let length = pointer.len();
                for (name, schema) in named {
                    push(pointer, name);
                    visit(schema, pointer, call);
                    pointer.truncate(length);
                }
            }
            (Role::List, Value::Array(branches)) => {
                let length = pointer.len();
                for (index, schema) in branches.iter().enumerate() {
                    push(pointer, &index.to_string());
                    visit(schema, pointer, call);
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
        pointer.truncate(length);
    }
}

/// Below what is no keyword, only objects can be schemas that are referred to.
fn visit_unknown<'a>(
    more: &'a Map<String, Value>,
    value: &'a Value,
    pointer: &mut String,
    call: &mut impl FnMut(&str, &'a Value),
) {
    if !more.is_empty() {
        visit(value, pointer, call);
    }
}

fn push(pointer: &mut String, part: &str) {
    pointer.push('/');
    pointer.push_str(&part.replace('~', "~0").replace('/', "~1"));
}

fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}
