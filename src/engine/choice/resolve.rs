//! What becomes of a request, given what the model supports.

use super::request::Choice;
use super::support::{Source, Support};

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    /// Nothing.
    Absent,
    /// The request, unchanged.
    AsRequested,
    /// `required`.
    Required,
}

/// Why the answer is not the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The model takes no tool choice.
    Unsupported,
    /// The model can be made to call, but not to call a certain tool.
    NamedToRequired,
    /// The model cannot be made to call.
    ForcedUnsupported,
    /// The provider refuses forcing together with thinking.
    Thinking,
}

impl Reason {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Unsupported => "unsupported",
            Self::NamedToRequired => "named_to_required",
            Self::ForcedUnsupported => "forced_unsupported",
            Self::Thinking => "thinking",
        }
    }

    /// For people.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Unsupported => "The model takes no tool choice, so none is sent",
            Self::NamedToRequired => {
                "The model cannot be told which tool to call, only that it must call one"
            }
            Self::ForcedUnsupported => "The model cannot be made to call a tool, so the choice is its own",
            Self::Thinking => {
                "The provider refuses a forced call while the model thinks, so the choice is its own"
            }
        }
    }
}

/// A request and what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolution {
    /// The level asked for.
    pub requested: Support,
    /// What is sent.
    pub resolved: Resolved,
    /// The level of what is sent.
    pub level: Support,
    /// What the model supports.
    pub support: Support,
    /// Where that is known from.
    pub source: Source,
    /// Less than asked for.
    pub degraded: bool,
    /// Why the request is not sent as it is.
    pub reason: Option<Reason>,
}

/// Resolves a request; the first row that fits decides.
#[must_use]
pub fn resolve((support, source): (Support, Source), request: Option<&Choice>) -> Resolution {
    let requested = request.map_or(Support::Auto, Choice::level);
    let row = |resolved, level, degraded, reason| Resolution {
        requested,
        resolved,
        level,
        support,
        source,
        degraded,
        reason,
    };
    if request.is_none() {
        return row(Resolved::Absent, Support::Auto, false, None);
    }
    if support == Support::None {
        return row(Resolved::Absent, Support::None, requested != Support::None, Some(Reason::Unsupported));
    }
    // To forbid calls is no more than to leave the choice.
    if support >= requested.max(Support::Auto) {
        return row(Resolved::AsRequested, requested, false, None);
    }
    if requested == Support::Named && support == Support::Required {
        return row(Resolved::Required, Support::Required, true, Some(Reason::NamedToRequired));
    }
    row(Resolved::Absent, Support::Auto, true, Some(Reason::ForcedUnsupported))
}
