//! How much work judging one value may be. Schemas come from servers that nobody vouches for: unions that refer to
//! themselves, long lists of forms or hard patterns can make it endless. So every look at a part of the value is counted,
//! and beyond a budget that grows with the value nothing more is judged. Never a clock: one value is judged alike
//! everywhere.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use serde_json::Value;

/// Looks for any value, and more for each part of it. A look takes a few nanoseconds.
const BASE: u64 = 500_000;
const FOR_EACH_PART: u64 = 200;

/// Looks that an error is worth.
const ERROR: u64 = 100;

/// Bytes of the stack that judging may take; a thread may have as little as half a megabyte. Debug builds need more.
const STACK: usize = if cfg!(debug_assertions) { 1_000_000 } else { 300_000 };

/// The work was more than the value is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhausted {
    /// What took most of it, if that is known.
    pub cause: Option<String>,
}

/// How work that was too much comes out of a validator.
struct GaveUp;

/// What some work takes with one schema.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Costs {
    /// Weight of what an error holds beside the value.
    pub error: u64,
    /// Looks that a key is worth.
    pub key: u64,
}

/// Counts the work that one value may cause.
pub(super) struct Meter {
    left: Cell<u64>,
    /// Where the stack is at the outermost work.
    stack: Cell<Option<usize>>,
    costs: Costs,
    cause: RefCell<Option<String>>,
}

impl Meter {
    /// With what a value is worth.
    pub fn new(value: &Value, costs: Costs) -> Self {
        let left = Cell::new(BASE + FOR_EACH_PART * weight(value));
        Self { left, stack: Cell::new(None), costs, cause: RefCell::new(None) }
    }

    /// Counts an error, which holds a copy of its value.
    pub fn charge_error(&self, value: &Value) {
        self.charge(ERROR + 2 * (self.costs.error + weight(value)));
    }

    /// Counts a key of an object that is looked at.
    #[inline]
    pub fn charge_key(&self, name: &str) {
        self.charge(1 + self.costs.key + (name.len() / 16) as u64);
    }

    /// Remembers what takes a lot of work.
    pub fn blame(&self, cause: String) {
        self.cause.replace(Some(cause));
    }

    /// Does work that is counted here. Work within such work ends the same way, and then the outer one too.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exhausted> {
        let outer = self.stack.get();
        self.stack.set(outer.or_else(|| Some(stack_pointer())));
        let result = catch_unwind(AssertUnwindSafe(work));
        self.stack.set(outer);
        result.map_err(|payload| match payload.downcast::<GaveUp>() {
            Ok(_) => Exhausted { cause: self.cause.take() },
            Err(panic) => resume_unwind(panic),
        })
    }

    /// Counts work. Does not return once it was too much: there is no other way out of a validator, which knows only
    /// "fits" and "does not".
    #[inline]
    pub fn charge(&self, looks: u64) {
        let left = self.left.get().saturating_sub(looks);
        self.left.set(left);
        if left == 0 || self.stack.get().is_some_and(|start| start.abs_diff(stack_pointer()) > STACK) {
            self.give_up();
        }
    }

    #[cold]
    fn give_up(&self) {
        self.left.set(0);
        // Calls no panic hook: this is no fault of ours.
        resume_unwind(Box::new(GaveUp));
    }
}

/// The parts of a value; long texts count more.
pub(super) fn weight(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(weight).sum::<u64>(),
        Value::Object(keys) => 1 + keys.values().map(weight).sum::<u64>(),
        Value::String(text) => 1 + (text.len() / 256) as u64,
        _ => 1,
    }
}

#[inline]
fn stack_pointer() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}
