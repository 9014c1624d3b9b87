//! Which shape of arguments `edit` takes: an environment variable decides, then the model, then a variable that was set
//! after the tool was made, then the setting.

use serde_json::Value;

use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;

/// Environment variables that choose the mode, the stronger one first. Empty and `auto` choose nothing.
pub const VARIABLES: [&str; 2] = ["GJC_EDIT_VARIANT", "PI_EDIT_VARIANT"];

/// A mode of `edit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Texts and what takes their place.
    Replace,
    /// One file, hunks of a diff.
    Patch,
    /// Operations on lines, named by anchors.
    Hashline,
    /// Keys of the editor.
    Vim,
    /// An envelope of changes of several files.
    ApplyPatch,
}

impl Mode {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Replace, "replace"),
        (Self::Patch, "patch"),
        (Self::Hashline, "hashline"),
        (Self::Vim, "vim"),
        (Self::ApplyPatch, "apply_patch"),
    ];

    /// The names of all modes.
    #[must_use]
    pub fn names() -> [&'static str; 5] {
        Self::ALL.map(|(_, name)| name)
    }

    /// The mode of a call.
    pub fn of(context: &Context) -> Result<Self> {
        if let Some((variable, value)) = chosen_by_environment(&context.env) {
            return Self::from_name(value).ok_or_else(|| {
                let names = Self::names().join(", ");
                ToolError::argument(variable, format!("expected one of {names}, got `{value}`"))
            });
        }
        let by_model = context.model.as_deref().and_then(|model| chosen_by_model(context, model));
        let later = || Self::from_name(chosen_by_environment(&context.later_env)?.1);
        Ok(by_model.or_else(later).unwrap_or_else(|| match context.settings.text("edit.mode").as_str() {
            "atom" => Self::Hashline,
            name => Self::from_name(name).unwrap_or(Self::Hashline),
        }))
    }

    /// The mode of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(mode, _)| *mode)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(mode, _)| *mode == self).map_or("", |(_, name)| name)
    }
}

fn chosen_by_environment(env: &[(String, String)]) -> Option<(&'static str, &str)> {
    VARIABLES.into_iter().find_map(|variable| {
        let (_, value) = env.iter().find(|(name, _)| name == variable)?;
        (!matches!(value.as_str(), "" | "auto")).then_some((variable, value.as_str()))
    })
}

/// The first entry of the map whose pattern is a part of the model's name, and whose value is a mode.
fn chosen_by_model(context: &Context, model: &str) -> Option<Mode> {
    let Value::Object(variants) = context.settings.get("edit.modelVariants") else { return None };
    variants
        .iter()
        .filter(|(pattern, _)| model.contains(pattern.as_str()))
        .find_map(|(_, name)| Mode::from_name(name.as_str()?))
}
