//! Tasks of a Taskfile, but for the internal ones. Of YAML only as much is read as names and descriptions need.

use super::{Place, Runner, Task};

const FILES: &[&str] = &[
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "taskfile.dist.yml",
    "Taskfile.dist.yaml",
    "taskfile.dist.yaml",
];

pub(super) fn read(place: &Place<'_>) -> Option<Runner> {
    let (file, text) = place.first(FILES)?;
    place.has("task").then(|| Runner { id: "task", file: file.to_owned(), tasks: tasks(&text) })
}

struct Found<'a> {
    name: &'a str,
    about: Option<&'a str>,
    is_internal: bool,
}

fn tasks(text: &str) -> Vec<Task> {
    let lines = text.lines().skip_while(|line| line.trim_end() != "tasks:").skip(1);
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let mut found: Vec<Found<'_>> = Vec::new();
    let (mut names_at, mut keys_at) = (None, None);
    for line in lines.filter(is_content) {
        let depth = line.len() - line.trim_start().len();
        let at = *names_at.get_or_insert(depth);
        if depth == 0 || depth < at {
            break;
        }
        let Some((key, value)) = entry(line) else { continue };
        if depth == at {
            keys_at = None;
            found.push(Found { name: key, about: None, is_internal: false });
        } else if depth == *keys_at.get_or_insert(depth)
            && let Some(last) = found.last_mut()
        {
            match key {
                "desc" => last.about = Some(value),
                "internal" => last.is_internal = value == "true",
                _ => {}
            }
        }
    }
    let task = |found: &Found<'_>| Some(Task::new(found.name, &["task", found.name])?.about(found.about));
    found.iter().filter(|found| !found.is_internal).filter_map(task).collect()
}

/// `key: value`; a key in quotes may hold a colon, and so may one without, as long as no blank follows.
fn entry(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (key, value) = match line.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => {
            let (key, rest) = line[1..].split_once(quote)?;
            (key, rest.strip_prefix(':')?)
        }
        None => match line.split_once(": ") {
            Some(parts) => parts,
            None => (line.strip_suffix(':')?, ""),
        },
    };
    Some((key, value.trim().trim_matches(['"', '\''])))
}
