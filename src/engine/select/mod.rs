//! Which tools a session gets: the `createTools` pipeline and the start-of-session split (core.md sections 2 and 3).
//!
//! Decides on one [`Snapshot`] of settings, session and host facts; calls no factory and asks the host nothing.

mod active;
mod essential;
mod eval;
mod facts;
mod gates;
mod partition;
mod pipeline;

pub use active::{Activation, ActiveInput, activate_tools, discoverable_tools, set_active_tools};
pub use essential::{DEFAULT_ESSENTIAL, Essential, essential_names};
pub use eval::{EvalAllowance, EvalInput, eval_backends};
pub use facts::{HostFacts, PROGRAMS, SessionFacts, Snapshot, VARIABLES};
pub use gates::{FactoryInput, factory_allowed};
pub use partition::{
    DiscoveryMode, ModeInput, Partition, PartitionInput, RegisteredTool, Registry, discovery_mode,
    partition_tools,
};
pub use pipeline::{SelectInput, Selection, select_tools};
