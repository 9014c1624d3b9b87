//! How far a model can be told what to call.

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;

use super::capability::Capabilities;
use crate::engine::error::{Result, ToolError};

/// What a model honours. Each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// No tool choice at all.
    None,
    /// The model decides.
    Auto,
    /// Some tool must be called.
    Required,
    /// One tool, by name.
    Named,
}

impl Support {
    const ALL: [Self; 4] = [Self::None, Self::Auto, Self::Required, Self::Named];

    /// The level as callers write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Auto => "auto",
            Self::Required => "required",
            Self::Named => "named",
        }
    }

    /// Reads a level; the error names `argument`.
    pub fn read(word: &str, argument: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|level| level.word() == word);
        known.ok_or_else(|| {
            ToolError::argument(argument, format!("expected none, auto, required or named, got `{word}`"))
        })
    }

    /// The level below; `none` is the last.
    #[must_use]
    pub fn lower(self) -> Self {
        match self {
            Self::Named => Self::Required,
            Self::Required => Self::Auto,
            Self::Auto | Self::None => Self::None,
        }
    }
}

/// Where the support of a model is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Stated.
    Static,
    /// Concluded from flags, or from nothing.
    Derived,
    /// Learnt from a refusal.
    Runtime,
}

impl Source {
    /// The source as callers read it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Derived => "derived",
            Self::Runtime => "runtime",
        }
    }
}

/// What a model's description says of tool choice.
#[derive(Debug, Clone, Copy, Default)]
pub struct Compat {
    /// The level, stated outright.
    pub support: Option<Support>,
    /// False: no tool choice at all.
    pub takes_choice: Option<bool>,
    /// False: no forcing.
    pub takes_forced: Option<bool>,
}

impl Compat {
    /// The level of the description alone.
    #[must_use]
    pub fn derive(&self) -> (Support, Source) {
        match (self.support, self.takes_choice, self.takes_forced) {
            (Some(support), ..) => (support, Source::Static),
            (None, Some(false), _) => (Support::None, Source::Derived),
            (None, _, Some(false)) => (Support::Auto, Source::Derived),
            _ => (Support::Named, Source::Derived),
        }
    }
}

/// A model as far as tool choice is concerned.
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    /// Its key in the registry of what was learnt.
    pub key: &'a str,
    /// Its id, for what is known of families.
    pub id: &'a str,
    /// Who serves it, as the host calls it.
    pub provider: &'a str,
    /// Its description.
    pub compat: Compat,
}

impl Model<'_> {
    /// Description, then what is known of the family and the server, then what was learnt, which only lowers.
    #[must_use]
    pub fn support(&self, learnt: &Capabilities) -> (Support, Source) {
        let mut compat = self.compat;
        if compat.takes_forced.is_none() && refuses_forcing(self.id) {
            compat.takes_forced = Some(false);
        }
        let (support, source) = match compat.derive() {
            (Support::Named, Source::Derived) if knows_words_only(self.provider) => {
                (Support::Required, Source::Derived)
            }
            derived => derived,
        };
        match learnt.get(self.key) {
            Some(level) if level < support => (level, Source::Runtime),
            _ => (support, source),
        }
    }

    /// Whether its server takes no forced call while the model thinks: most of these refuse it, and `OpenRouter` lets
    /// Claude stop thinking without a word. A stated level knows better.
    #[must_use]
    pub fn refuses_forcing_while_thinking(&self) -> bool {
        let is_known = match plain(self.provider).as_str() {
            "deepseek" | "dashscope" | "moonshot" | "moonshotai" => true,
            "openrouter" => self.id.starts_with("anthropic/"),
            _ => false,
        };
        is_known && self.compat.support.is_none()
    }
}

/// Claude models that answer every forced choice with 400, whether they think or not. Others of the family either
/// accept forcing or differ from week to week, and are learnt.
static REFUSES_FORCING: LazyLock<Regex> = LazyLock::new(|| {
    let models = r"mythos|opus-5[.-]5|sonnet-5[.-]5|fable-5[.-][12]";
    Regex::new(&format!(r"(?i)(?:^|[/.])claude-(?:{models})(?:[-:@]|$)")).expect("the pattern is fixed")
});

/// Whether a model of this id is known to refuse every forced choice.
#[must_use]
pub fn refuses_forcing(model_id: &str) -> bool {
    REFUSES_FORCING.is_match(model_id)
}

/// Whether a server knows the words of `OpenAI` and no objects: one drops an object silently, another refuses it.
fn knows_words_only(provider: &str) -> bool {
    matches!(plain(provider).as_str(), "llamacpp" | "llamaserver" | "lmstudio" | "ollama")
}

/// A provider's name without what hosts write differently.
fn plain(provider: &str) -> String {
    provider.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}
