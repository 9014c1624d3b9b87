//! What a session allows and answers beyond the file system.

use std::path::PathBuf;

use serde::Deserialize;

/// Facts of a session about addresses that are no paths.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Remote {
    /// How web pages may be fetched.
    pub fetch: FetchPolicy,
    /// What the host's router answered for the internal address of the call.
    pub internal: Option<Resource>,
    /// Names of the session's skills; some hold colons.
    pub skills: Vec<String>,
}

/// How web pages may be fetched.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FetchPolicy {
    /// Private, loopback and link-local addresses are allowed too.
    pub allow_private: AllowPrivate,
    /// Milliseconds of a whole call, redirects included.
    pub timeout_ms: Option<f64>,
    /// Bytes of a page; the rest is left out.
    pub max_bytes: Option<f64>,
    /// Whose pages are remembered: those of one session are not shown to another.
    pub session: u64,
}

/// Which hosts may have addresses that are not public.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum AllowPrivate {
    /// All or none.
    All(bool),
    /// These host names or addresses.
    Hosts(Vec<String>),
}

impl Default for AllowPrivate {
    fn default() -> Self {
        Self::All(false)
    }
}

impl AllowPrivate {
    /// Whether a host may.
    #[must_use]
    pub fn allows(&self, host: &str) -> bool {
        match self {
            Self::All(all) => *all,
            Self::Hosts(hosts) => hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host)),
        }
    }
}

/// What an internal address stands for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Its text; absent: that of the file.
    #[serde(default)]
    pub text: Option<String>,
    /// Such as `text/markdown`.
    #[serde(default)]
    pub mime_type: Option<String>,
    /// Nobody can change it, so lines have no anchors.
    #[serde(default)]
    pub immutable: bool,
    /// The file behind it. Absolute.
    #[serde(default)]
    pub path: Option<PathBuf>,
}
