//! Targets of a makefile. Where some are phony, only these and the documented ones (`target: ## about`) are tasks: the
//! others are files that are made on the way.

use super::{Place, Runner, Task};

/// In the order in which GNU make looks for them, so that what is listed is what runs.
const FILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];

pub(super) fn read(place: &Place<'_>) -> Option<Runner> {
    let (file, text) = place.first(FILES)?;
    place.has("make").then(|| Runner { id: "make", file: file.to_owned(), tasks: tasks(&text) })
}

struct Target {
    name: String,
    about: Option<String>,
}

fn tasks(text: &str) -> Vec<Task> {
    let text = text.replace("\\\n", " ");
    let (mut targets, mut phony) = (Vec::<Target>::new(), Vec::new());
    for line in text.lines().filter(|line| !line.starts_with(['\t', '#', ' '])) {
        let Some((names, needs)) = rule(line) else { continue };
        if names.trim() == ".PHONY" {
            phony.extend(needs.split('#').next().unwrap_or("").split_whitespace().map(str::to_owned));
            continue;
        }
        let about = needs.split_once("##").map(|(_, about)| about.trim().to_owned());
        for name in names.split_whitespace().filter(|name| is_simple(name)) {
            match targets.iter_mut().find(|target| target.name == name) {
                Some(known) => known.about = known.about.take().or_else(|| about.clone()),
                None => targets.push(Target { name: name.to_owned(), about: about.clone() }),
            }
        }
    }
    let is_task =
        |target: &&Target| phony.is_empty() || target.about.is_some() || phony.contains(&target.name);
    let task = |target: &Target| {
        Some(Task::new(&target.name, &["make", &target.name])?.about(target.about.as_deref()))
    };
    targets.iter().filter(is_task).filter_map(task).collect()
}

/// Targets and what stands behind the colon; absent for assignments and everything else.
fn rule(line: &str) -> Option<(&str, &str)> {
    let (names, rest) = line.split_once(':')?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let is_rule = !names.contains(['=', '$', '#', '%']) && !rest.starts_with('=');
    is_rule.then_some((names, rest))
}

fn is_simple(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./+@".contains(c))
}
