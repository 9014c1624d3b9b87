//! `conflict://3`, `conflict://3/ours`, `conflict://*`.

use crate::engine::error::{Result, ToolError};

const SCHEME: &str = "conflict://";

/// A parsed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// As it was written, from the scheme on.
    pub uri: String,
    /// Which conflicts.
    pub id: Id,
    /// One side of it.
    pub scope: Option<Scope>,
    /// What stood before the scheme without need, such as `file`.
    pub dropped_prefix: Option<String>,
}

/// Which conflicts are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Id {
    /// The one of a number.
    One(u64),
    /// All that were shown.
    All,
}

/// A side of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// What the merge was made into.
    Ours,
    /// What was merged.
    Theirs,
    /// What both come from.
    Base,
}

impl Scope {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Theirs => "theirs",
            Self::Base => "base",
        }
    }
}

/// The address in a path; absent where it is none.
pub fn parse(path: &str) -> Result<Option<Address>> {
    let Some(at) = path.find(SCHEME) else { return Ok(None) };
    let (before, uri) = path.split_at(at);
    let dropped_prefix = match before.strip_suffix(':') {
        _ if before.is_empty() => None,
        Some(prefix) => Some(prefix.to_owned()),
        None => return Ok(None),
    };
    let bad = |reason: &str| ToolError::ConflictBadUri { uri: uri.to_owned(), reason: reason.to_owned() };
    let rest = &uri[SCHEME.len()..];
    let (id, scope) = rest.split_once('/').map_or((rest, None), |(id, scope)| (id, Some(scope)));
    let scope = match scope {
        None => None,
        Some("ours") => Some(Scope::Ours),
        Some("theirs") => Some(Scope::Theirs),
        Some("base") => Some(Scope::Base),
        Some(_) => return Err(bad("a side is `ours`, `theirs` or `base`")),
    };
    let id = match id {
        "*" if scope.is_some() => return Err(bad("`*` has no sides")),
        "*" => Id::All,
        number => {
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            let number = number.parse().ok().filter(|number| digits && *number > 0);
            Id::One(number.ok_or_else(|| bad("the number of a conflict, or `*`, is expected"))?)
        }
    };
    Ok(Some(Address { uri: uri.to_owned(), id, scope, dropped_prefix }))
}
