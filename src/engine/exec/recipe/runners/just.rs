//! Recipes of a justfile, but for the private ones.

use super::{Place, Runner, Task};

const FILES: &[&str] = &["justfile", ".justfile", "Justfile", "JUSTFILE"];
/// What starts a line that is no recipe.
const STATEMENTS: &[&str] =
    &["set ", "export ", "import ", "import? ", "mod ", "mod? ", "alias ", "unexport "];

pub(super) fn read(place: &Place<'_>) -> Option<Runner> {
    let (file, text) = place.first(FILES)?;
    place.has("just").then(|| Runner { id: "just", file: file.to_owned(), tasks: tasks(&text) })
}

fn tasks(text: &str) -> Vec<Task> {
    let (mut tasks, mut about, mut is_private) = (Vec::new(), None, false);
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            about = Some(comment.trim_start_matches('!'));
        } else if line.starts_with('[') {
            is_private |= line.contains("private");
        } else {
            if let Some(name) = recipe(line).filter(|name| !is_private && !name.starts_with('_')) {
                tasks.extend(Task::new(name, &["just", name]).map(|task| task.about(about)));
            }
            (about, is_private) = (None, false);
        }
    }
    tasks
}

/// `name parameters: needs`, and no `name := value`.
fn recipe(line: &str) -> Option<&str> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))?;
    let (name, rest) = line.split_at(end);
    let is_recipe = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && !STATEMENTS.iter().any(|statement| line.starts_with(statement))
        && !rest.trim_start().starts_with(":=")
        && rest.contains(':');
    is_recipe.then_some(name)
}
