//! Plain data about tools that several parts of the engine share.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether a tool is offered from the start or found by search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadMode {
    /// Offered from the start.
    Essential,
    /// Hidden until found, where discovery is on.
    Discoverable,
}

/// Whether calls of a tool may run beside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Concurrency {
    /// Beside other shared calls.
    Shared,
    /// Alone.
    Exclusive,
}

/// Who brings the implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// This package.
    Package,
    /// This package in a later version; until then the host may fill the slot.
    Planned,
    /// The host, through `registerToolFactory`.
    Host,
}

/// What the registry knows about a tool. The texts a model reads are [`ToolTexts`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the tool contract")]
pub struct ToolSpec {
    /// The unique name.
    pub name: &'static str,
    /// For people.
    pub label: &'static str,
    /// One line for discovery and the catalogue; empty where the load mode needs none.
    pub summary: &'static str,
    /// Absent: the discovery split never hides the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_mode: Option<LoadMode>,
    /// Shared by default.
    #[serde(skip_serializing_if = "is_shared")]
    pub concurrency: Concurrency,
    /// Providers may enforce the schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// An abort does not stop a running call.
    #[serde(skip_serializing_if = "is_false")]
    pub non_abortable: bool,
    /// Stages previews that `resolve` applies.
    #[serde(skip_serializing_if = "is_false")]
    pub deferrable: bool,
    /// The `hidden` flag of the tool object.
    #[serde(rename = "hidden", skip_serializing_if = "is_false")]
    pub hidden_flag: bool,
    /// Arguments that fail validation are still passed on.
    #[serde(skip_serializing_if = "is_false")]
    pub lenient_arg_validation: bool,
    /// `omit`, `function`, or absent for `require`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<&'static str>,
    /// Who brings the implementation.
    pub owner: Owner,
    /// What an untouched configuration does with the tool.
    pub default_enabled: bool,
}

/// The texts and the schema a model sees.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolTexts {
    /// What the tool does and when to use it.
    pub description: &'static str,
    /// JSON Schema of the arguments.
    pub parameters: Value,
    /// A grammar for providers that take free text instead of JSON, in Lark.
    #[serde(rename = "customFormat", skip_serializing_if = "Option::is_none")]
    pub custom_format: Option<Grammar>,
    /// The name of the tool in that format.
    #[serde(rename = "customWireName", skip_serializing_if = "Option::is_none")]
    pub custom_wire_name: Option<&'static str>,
}

/// A grammar of a free text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Grammar {
    /// The language of the grammar.
    pub syntax: &'static str,
    /// The grammar.
    pub definition: &'static str,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_shared(concurrency: &Concurrency) -> bool {
    *concurrency == Concurrency::Shared
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(flag: &bool) -> bool {
    !flag
}
