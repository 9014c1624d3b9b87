//! The environment of a command: the host's, then what keeps programs from asking or paging, then the caller's.

use std::collections::BTreeMap;

use crate::engine::error::{Result, ToolError};

/// Keeps programs from paging, prompting, opening editors, colouring and drawing progress: nobody is there to see.
const NON_INTERACTIVE: &[(&str, &str)] = &[
    // Pagers.
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("BAT_PAGER", "cat"),
    ("DELTA_PAGER", "cat"),
    ("GH_PAGER", "cat"),
    ("GLAB_PAGER", "cat"),
    ("PSQL_PAGER", "cat"),
    ("MYSQL_PAGER", "cat"),
    ("HOMEBREW_PAGER", "cat"),
    ("AWS_PAGER", ""),
    ("LESS", "FRX"),
    // Terminal.
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("GPG_TTY", "not a tty"),
    // Editors and questions.
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("SSH_ASKPASS", "false"),
    ("CI", "1"),
    ("PYTHONUNBUFFERED", "1"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    // Package managers.
    ("npm_config_yes", "true"),
    ("npm_config_update_notifier", "false"),
    ("npm_config_fund", "false"),
    ("npm_config_audit", "false"),
    ("npm_config_progress", "false"),
    ("PNPM_DISABLE_SELF_UPDATE_CHECK", "true"),
    ("PNPM_UPDATE_NOTIFIER", "false"),
    ("YARN_DISABLE_SELF_UPDATE_CHECK", "true"),
    ("YARN_ENABLE_TELEMETRY", "0"),
    ("YARN_ENABLE_PROGRESS_BARS", "0"),
    ("CARGO_TERM_PROGRESS_WHEN", "never"),
    ("PIP_NO_INPUT", "1"),
    ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
    ("COMPOSER_NO_INTERACTION", "1"),
    // Services.
    ("TF_INPUT", "0"),
    ("TF_IN_AUTOMATION", "1"),
    ("GH_PROMPT_DISABLED", "1"),
    ("CLOUDSDK_CORE_DISABLE_PROMPTS", "1"),
];

/// The variables of a command; later ones win over earlier ones. Values are not expanded.
pub fn complete(
    host: &[(String, String)],
    place: Vec<(String, String)>,
    given: &BTreeMap<String, String>,
) -> Vec<(String, String)> {
    let defaults = NON_INTERACTIVE.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    // Windows keeps directories of its drives in variables such as `=C:`; nobody may pass those on.
    let inherited = host
        .iter()
        .filter(|(name, value)| !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0'));
    let given = given.iter().map(|(name, value)| (name.clone(), value.clone()));
    inherited.cloned().chain(place).chain(defaults).chain(given).collect()
}

/// Refuses names no shell could use, and values no process could be given.
pub fn check(given: &BTreeMap<String, String>) -> Result<()> {
    for (name, value) in given {
        if !is_name(name) {
            return Err(ToolError::InvalidEnvName { name: name.clone() });
        }
        if value.contains('\0') {
            return Err(ToolError::argument(format!("env.{name}"), "must not contain a NUL character"));
        }
    }
    Ok(())
}

/// The value of a variable; the last one counts.
pub fn value<'a>(environment: &'a [(String, String)], name: &str) -> Option<&'a str> {
    environment.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
