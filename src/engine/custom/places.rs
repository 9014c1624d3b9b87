//! The folders that are looked through, provider by provider.

use std::path::{Path, PathBuf};

use super::collect::{Level, Question, Source};
use super::marketplace;

/// A folder with the tools of one provider.
#[derive(Debug, Clone)]
pub struct Place {
    /// Absolute.
    pub folder: PathBuf,
    /// Where its items come from.
    pub source: Source,
    /// What is no module there is somebody else's.
    pub modules_only: bool,
}

/// A registry that cannot be used, and why.
pub type Broken = (PathBuf, String, Source);

/// The places of each provider, in the order in which they count.
pub fn providers(question: &Question, broken: &mut Vec<Broken>) -> Vec<Vec<Place>> {
    let Question { cwd, home, config_dir_name, .. } = question;
    let user = |folder: &str| home.as_ref().map(|home| (home.join(folder), Level::User));
    let project = |folder: &str| Some((cwd.join(folder), Level::Project));
    let own = [project(&format!("{config_dir_name}/tools")), user(&format!("{config_dir_name}/agent/tools"))];
    vec![
        places("native", "the agent's own folders", own, false),
        places("claude", "Claude Code", [user(".claude/tools"), project(".claude/tools")], false),
        marketplaces(question, broken),
        places("codex", "Codex", [user(".codex/tools"), project(".codex/tools")], true),
    ]
}

/// What the tools of installed plugin packages come from.
pub fn plugin_source() -> Source {
    source("plugin", "plugin packages", Level::User)
}

fn places(
    provider: &str,
    name: &str,
    folders: impl IntoIterator<Item = Option<(PathBuf, Level)>>,
    modules_only: bool,
) -> Vec<Place> {
    let place = |(folder, level)| Place { folder, source: source(provider, name, level), modules_only };
    folders.into_iter().flatten().map(place).collect()
}

fn marketplaces(question: &Question, broken: &mut Vec<Broken>) -> Vec<Place> {
    let (id, name) = ("claude-plugins", "marketplace plugins");
    if question.disabled.iter().any(|disabled| disabled == id) {
        return Vec::new();
    }
    let mut complain = |path: &Path, level: Level, reason: String| {
        broken.push((path.to_owned(), reason, source(id, name, level)));
    };
    let roots = marketplace::roots(question, &mut complain);
    places(id, name, roots.into_iter().map(|(root, level)| Some((root.join("tools"), level))), false)
}

fn source(provider: &str, name: &str, level: Level) -> Source {
    Source { provider: provider.into(), provider_name: name.into(), level }
}
