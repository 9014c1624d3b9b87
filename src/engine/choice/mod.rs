//! Which tool a model is told to call: what a model supports, what becomes of a request, how each provider is told,
//! and what a refusal teaches. Never sends anything and never names a tool of its own.

mod capability;
mod named;
mod plan;
mod refusal;
mod request;
mod resolve;
mod support;
mod wire;

pub use capability::Capabilities;
pub use named::{NamedChoice, name_tool};
pub use plan::{Plan, Thinking, plan};
pub use refusal::{Failure, Refusal, RefusalKind, Scope, classify, is_forced_unsupported};
pub use request::{Choice, Shape, Target};
pub use resolve::{Reason, Resolution, Resolved, resolve};
pub use support::{Compat, Model, Source, Support, refuses_forcing};
pub use wire::{Dialect, Tools, Wire, is_forced, map};
