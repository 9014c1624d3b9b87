//! The one fact of a user's git configuration that matters here: which files to leave out of every work tree.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::kind::read_regular;
use super::path::expand_tilde;

/// More than anybody has.
const LIMIT: u64 = 1 << 20;

/// The rules in the file that `core.excludesFile` names, by default `git/ignore` in the user's configuration.
#[must_use]
pub fn global_excludes(home: Option<&Path>, config_home: Option<&Path>) -> Option<Arc<str>> {
    let config_home = config_home.filter(|path| path.is_absolute()).map(Path::to_owned);
    let git = config_home.or_else(|| home.map(|home| home.join(".config")))?.join("git");
    // What stands in the home outranks the rest.
    let own = home.and_then(|home| excludes_file(&text_of(&home.join(".gitconfig"))?, home));
    let named = own.or_else(|| excludes_file(&text_of(&git.join("config"))?, home?));
    text_of(&named.unwrap_or_else(|| git.join("ignore"))).map(Arc::from)
}

fn text_of(path: &Path) -> Option<String> {
    let (bytes, _) = read_regular(path, "", LIMIT).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The last `excludesFile` of the section `core`. Files that the configuration includes are not followed.
fn excludes_file(config: &str, home: &Path) -> Option<PathBuf> {
    let mut in_core = false;
    let mut found = None;
    for line in config.lines() {
        let line = line.trim();
        let rest = match line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            Some((section, rest)) => {
                in_core = section.trim().eq_ignore_ascii_case("core");
                rest.trim()
            }
            None => line,
        };
        if let (true, Some((name, value))) = (in_core, rest.split_once('='))
            && name.trim().eq_ignore_ascii_case("excludesfile")
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    let path = found.filter(|path| !path.is_empty())?;
    Some(home.join(expand_tilde(&path, Some(home))))
}
